//! Clusters of near-duplicates, in bounded memory.
//!
//! Documents come in the order in which they are preferred, and are compared only with others that
//! they meet: the documents before them stand in a table in memory (`table.rs`) with the digests at
//! which somebody alike must meet them (`prefix.rs`, `kept.rs`). If the table is full before all
//! documents have been there, all later ones are held against it, it is emptied, and the next pass
//! begins. So any memory is enough, and how much there is changes only the time.

mod components;
mod kept;
pub mod parts;
mod prefix;
mod stars;
mod store;
mod table;

pub use components::components;
pub use stars::{Fate, Stars};
pub use store::DigestStore;

use crate::measure::SetMeasure;
use crate::sketch::Sketcher;
use prefix::Rule;
use table::Table;

/// When documents are near-duplicates, and how much memory finding them may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterQuery {
    /// What makes the score.
    pub measure: SetMeasure,
    /// From which score on two documents are alike; above 0.
    pub at_least: f64,
    /// How many bytes of memory the table of documents may take.
    pub memory: u64,
    /// Documents meet by their sketches instead of their digests: faster, but some that are alike
    /// never meet.
    pub sketcher: Option<Sketcher>,
}

/// How many documents are looked at together.
const BATCH: usize = 1024;

impl ClusterQuery {
    fn rule(&self) -> Rule {
        Rule {
            measure: self.measure,
            at_least: self.at_least,
            sketcher: self.sketcher,
        }
    }

    /// Which part of the digests of documents stands in the table, if none is like another. An entry
    /// takes 16 bytes.
    pub fn share(&self) -> f64 {
        let million = 1_000_000;
        f64::from(self.rule().most(million)) / f64::from(million)
    }

    /// How many entries the table may have, if so many are wanted.
    fn entries(&self, wanted: u64) -> usize {
        let most = (self.memory / Table::ENTRY).min(u64::from(u32::MAX - 1));
        usize::try_from(wanted.min(most)).unwrap_or(usize::MAX)
    }

    /// How many entries documents can have.
    fn wanted<'d>(&self, store: &DigestStore, documents: impl Iterator<Item = &'d u32>) -> u64 {
        let (rule, sizes) = (self.rule(), store.sizes());
        documents
            .map(|document| u64::from(rule.most(sizes[*document as usize])))
            .sum()
    }
}
