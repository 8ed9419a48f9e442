//! The registry: an index on disk that takes new documents all day and never loses one.
//!
//! ```text
//!  registry/
//!    catalog.sqlite   what the documents are called, and which segments there are
//!    segments/        postings in immutable files, see [`segment`](super::segment): of the digests of
//!                     documents, and of the pairs of words of their blocks; vectors of style
//!    key              the secret key, if it is kept here
//!    lock             who is writing
//! ```
//!
//! The catalogue is the truth: a segment that it does not name does not exist, a document that it
//! does not name is removed. So every change becomes visible in one transaction, after the files
//! that it speaks of are safely on the disk, and whatever a crash leaves behind is swept away by the
//! next writer. There is one writer ([`Registry`]); readers ([`Snapshot`]) see what was committed
//! when they opened, for as long as they like.
//!
//! ```
//! use cento::Key;
//! use cento::index::registry::{Facts, OnChange, Registry, Settings, Snapshot};
//!
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("registry");
//! let now = "2026-03-01T12:00:00Z";
//! Registry::create(&path, Settings::default(), None, now)?;
//!
//! let mut registry = Registry::open(&path, &Key::PUBLIC, "an example")?;
//! let facts = Facts {
//!     id: "anna".to_owned(),
//!     registered: now.to_owned(),
//!     ..Facts::default()
//! };
//! let text = "The town rebuilt its canal in nine years.";
//! let candidate = registry.prepare().candidate(facts, text);
//! registry.add(candidate, OnChange::Version)?;
//! registry.finish()?;
//!
//! let snapshot = Snapshot::open(&path, &Key::PUBLIC, now)?;
//! assert!(snapshot.latest("anna")?.is_some());
//! # Ok::<(), cento::Error>(())
//! ```

mod backup;
mod broad;
mod catalog;
mod check;
mod compact;
mod dense;
mod folder;
mod forget;
mod ignore;
mod lock;
mod lookup;
mod merging;
mod pairs;
mod postings;
mod prepare;
mod rank;
mod retained;
mod search;
mod shards;
mod shared_lists;
mod snapshot;
mod stretches;
mod tally;
mod transfer;
mod vectors;
#[cfg(test)]
mod walked;
mod write;

pub use crate::index::private::is_open_to_others;
pub use backup::{Backup, backup};
pub use check::{Checked, Extent, check};
pub use compact::Compacted;
pub use dense::Dense;
pub use folder::{Folder, KEY_FILE};
pub use forget::Which;
pub use ignore::{IgnoreList, IgnoredText};
pub(in crate::index) use lock::Lock;
pub use pairs::{AlikePair, PAIRS_FROM};
pub use prepare::{Candidate, Prepare};
pub use rank::Ranked;
pub use retained::{Retained, SpanOf};
pub use search::{Alike, Exclusions, Findings, Rarity, Request};
pub use shards::{
    Answered, Arrival, Batch, BuildOrder, Built, By, Commit, CutDocument, CutQuestion, Joined,
    MergeOrder, NewDocument, ShardCounter, ShardWork, Sharded, ShardedRegistry, Shared, Summer,
    join, shard,
};
pub use snapshot::{Snapshot, Status};
pub use tally::Scratch;
pub use transfer::{Absorbed, Export, Names, OtherSubmitter, export, import, make_at_once, merge};
pub use vectors::{Nearby, Nearest};
pub use write::{Added, Committed, OnChange, Registry, SameText};

use std::fmt;
use std::str::FromStr;

use crate::error::Error;
use crate::recipe::Recipe;
use crate::style::Style;
use crate::text_form::serde_as_text;

/// What a registry may remember of a document besides its digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Retention {
    /// Nothing: no word of any document is stored.
    #[default]
    Digests,
    /// Where each chunk stands in the text.
    Spans,
    /// The text itself.
    Text,
}

/// What is settled once, when a registry is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How texts become fingerprints; already with the keyed hash if there is a key.
    pub recipe: Recipe,
    /// What is remembered besides digests.
    pub retention: Retention,
    /// How many bits of a digest are kept.
    pub kept_bits: u8,
    /// Whether pairs of documents that are alike are listed and counted.
    pub pairs: bool,
    /// What is kept of the stretches of documents.
    pub stretches: KeptStretches,
    /// The style of which a vector is kept for each document, if any.
    pub style: Option<Style>,
}

/// What a registry keeps of the stretches of documents, so that a copied page in a long document is
/// found, and a rewritten paragraph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeptStretches {
    /// Nothing: documents are found by their fingerprints alone.
    #[default]
    None,
    /// The digests of pairs of neighbouring words, under the key of the registry.
    Pairs,
}

impl Settings {
    /// How many bits of a digest are kept unless somebody wants it otherwise: of 600 million
    /// digests, one in half a million lookups then finds something that is not there.
    pub const KEPT_BITS: u8 = 48;
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            recipe: Recipe::default(),
            retention: Retention::default(),
            kept_bits: Settings::KEPT_BITS,
            pairs: true,
            stretches: KeptStretches::None,
            style: None,
        }
    }
}

/// What somebody says about a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Its id.
    pub id: String,
    /// What people call it.
    pub label: Option<String>,
    /// Whose it is; may be an opaque code.
    pub submitter: Option<String>,
    /// The set it belongs to.
    pub set: Option<String>,
    /// When it was made.
    pub date: Option<String>,
    /// When it stops to count, in UTC: `2027-01-31T00:00:00Z`.
    pub expires: Option<String>,
    /// When it was registered, in UTC.
    pub registered: String,
    /// The keyed hash of the file it was read from.
    pub file: Option<[u8; 16]>,
    /// What read it.
    pub extractor: Option<String>,
}

/// A registered document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, which no other document ever has.
    pub number: u32,
    /// What was said about it.
    pub facts: Facts,
    /// 1 for the first text with this id, 2 for the next one.
    pub version: u32,
    /// How many words it has.
    pub words: u64,
    /// How many distinct digests.
    pub digests: u32,
    /// How many of them do not count, because they are those of standard text.
    pub ignored: u32,
    /// The keyed hash of its text.
    pub content: [u8; 16],
}

impl Retention {
    /// All of them.
    pub const ALL: [Retention; 3] = [Retention::Digests, Retention::Spans, Retention::Text];
}

impl fmt::Display for Retention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Retention::Digests => "digests",
            Retention::Spans => "spans",
            Retention::Text => "text",
        })
    }
}

impl FromStr for Retention {
    type Err = Error;

    fn from_str(text: &str) -> Result<Retention, Error> {
        let all = Retention::ALL.into_iter();
        let mut named = all.filter(|retention| retention.to_string() == text);
        named.next().ok_or_else(|| Error::UnknownRetention {
            name: text.to_owned(),
        })
    }
}

serde_as_text!(Retention);

impl KeptStretches {
    /// All of them.
    pub const ALL: [KeptStretches; 2] = [KeptStretches::None, KeptStretches::Pairs];
}

impl fmt::Display for KeptStretches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeptStretches::None => "none",
            KeptStretches::Pairs => "pairs",
        })
    }
}

impl FromStr for KeptStretches {
    type Err = Error;

    fn from_str(text: &str) -> Result<KeptStretches, Error> {
        let all = KeptStretches::ALL.into_iter();
        let mut named = all.filter(|kept| kept.to_string() == text);
        named.next().ok_or_else(|| Error::UnknownStretches {
            name: text.to_owned(),
        })
    }
}

serde_as_text!(KeptStretches);
