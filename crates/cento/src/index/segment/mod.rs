//! Segments: postings in immutable files. docs/format.md is the definition of the file.
//!
//! ```text
//!  fingerprints ─build─▶ segment ─┐
//!  fingerprints ─build─▶ segment ─┼─merge─▶ segment      merging equals rebuilding, byte for byte
//!                                 │
//!                 query ─find─▶ lists of postings ─▶ what each document shares
//! ```
//!
//! A segment is written once ([`Writer`], [`build`], [`merge`]) and read through a memory map
//! ([`Segment`]). Which segments make up an index, what their documents are called and which of them
//! are removed is somebody else's to know; here documents have numbers from 0.

mod bits;
mod build;
mod check;
mod find;
#[cfg(test)]
mod forged;
mod format;
mod lists;
mod map;
mod merge;
mod read;
mod removed;
mod schema;
mod shared;
mod sink;
mod size;
#[cfg(feature = "registry")]
mod slice;
mod table;
mod view;
mod write;

pub use build::build;
pub use format::{LEAST_KEPT, VERSION};
pub use lists::{List, Lists};
#[cfg(feature = "registry")]
pub(super) use map::Bytes;
#[cfg(feature = "registry")]
pub(super) use merge::merge_slices;
pub use merge::{MergeInput, consecutive, merge};
pub use read::Segment;
pub use removed::Removed;
pub use schema::Schema;
#[cfg(feature = "registry")]
pub(crate) use schema::Sides;
pub use shared::{Common, Counter};
pub use size::floor_bits;
#[cfg(feature = "registry")]
pub use slice::DigestRange;
#[cfg(feature = "registry")]
pub(super) use slice::{Cutter, add_side, whole_bytes};
pub use view::{FoundDigest, Run};
pub use write::{Summary, Writer};

use super::{DocId, Posting};
