//! A registry cut into shards, for more machines than one (Masaryk, section 4.5).
//!
//! ```text
//!  shards/
//!    shards.json      which shards there are, with the checksums of their files
//!    catalog.sqlite   the catalogue of the whole registry
//!    0001/            shard.json, segments/: the slices of all segments; by documents also a catalogue
//!    0002/            …
//! ```
//!
//! By digests, a shard has the postings of a range of digests; by documents, it is a registry of a range
//! of documents. Either way every segment is there in slices, so that all shards together answer as the
//! registry does, and are put together to the very same files. The catalogue is the truth here, too: it
//! comes last when shards are made, and what it names must be in every shard.

mod asking;
mod grow;
mod join;
mod manifest;
mod open;
mod portion;
mod split;
mod work;

pub use asking::{Answered, ShardCounter, Shared, Summer};
pub use grow::{Arrival, Batch, ShardedRegistry};
pub use join::{Joined, join};
pub use manifest::By;
use manifest::SliceFile;
pub(super) use manifest::{MANIFEST, is_ours, is_shard};
pub(super) use open::open;
pub use split::{Sharded, shard};
pub use work::{
    BuildOrder, Built, Commit, CutDocument, CutQuestion, MergeOrder, NewDocument, ShardWork,
};
