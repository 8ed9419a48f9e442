//! The steps of the search one by one, for documents that lie in parts on many machines.
//!
//! An engine that moves data brings together what has to be looked at together; these are the steps
//! between its exchanges. Documents have numbers in the order in which they are preferred. What is
//! looked at of each is the same as in the search on one machine, and so is what is alike: the order
//! in which things arrive, and who brings them, changes nothing.
//!
//! 1. [`Parts::look`]: the digests at which a document has to be met → exchange by digest;
//! 2. [`Groups`]: documents that meet at a digest → exchange by pair;
//! 3. [`Parts::may_be_alike`] by the number of digests, and [`Parts::alike`] by all of them;
//! 4. [`settle`] for stars, [`Forest`] for components.

mod groups;
mod settle;

pub use groups::{Entry, Groups, Meeting, Met, Side};
pub use settle::{Forest, Settled, settle};

use super::ClusterQuery;
use super::prefix::{Frequent, Prefix, Rule};
use crate::digest::Digest;
use crate::measure::Overlap;

/// What all machines must agree on: when documents are alike, and which digests are looked at last.
pub struct Parts {
    rule: Rule,
    frequent: Frequent,
}

/// What of a document is looked at.
#[derive(Default)]
pub struct Look {
    prefix: Prefix,
}

impl Parts {
    /// With the digests that many documents have, as far as somebody knows them: they decide how long
    /// the search takes, and never what it finds.
    pub fn new(query: &ClusterQuery, mut frequent: Vec<Digest>) -> Parts {
        frequent.sort_unstable();
        frequent.dedup();
        Parts {
            rule: query.rule(),
            frequent: Frequent::of(frequent),
        }
    }

    /// Finds what of a document is looked at; its digests are sorted.
    pub fn look(&self, digests: &[Digest], look: &mut Look) {
        self.rule.prefix(digests, &self.frequent, &mut look.prefix);
    }

    /// Whether two documents that met at so many digests may be alike. How many digests they have, and
    /// how many more of them than they met at they may share ([`Look::rest`]), is known of each.
    pub fn may_be_alike(&self, met: u32, sizes: [u32; 2], rests: [u32; 2]) -> bool {
        self.rule.may_be_alike(met, sizes, rests)
    }

    /// How alike two documents are by their sorted digests, if they are alike enough.
    pub fn alike(&self, left: &[Digest], right: &[Digest]) -> Option<f64> {
        self.rule.alike(left, right)
    }

    /// How alike two documents are, however little that is.
    pub fn score(&self, left: &[Digest], right: &[Digest]) -> f64 {
        self.rule.measure.score(Overlap::of(left, right))
    }
}

/// Which documents are looked at to know which digests are frequent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Every so-manieth document.
    pub step: u64,
    /// So many of them have a frequent digest.
    pub least: u64,
}

impl Sample {
    /// Many machines can look at more than one: they leave out no more than this.
    const LONGEST_STEP: u64 = 16;

    /// The sample of a collection with so many digests.
    pub fn of(digests: u64) -> Sample {
        let step = (digests / Frequent::SAMPLE + 1).min(Sample::LONGEST_STEP);
        Sample {
            step,
            least: Frequent::least(step) as u64,
        }
    }
}

impl Look {
    /// The digests at which a document meets others, and whether it has left each aside: two documents
    /// that did so both do not meet there.
    pub fn entries(&self) -> impl Iterator<Item = (Digest, bool)> {
        let near = self.prefix.near.iter().map(|digest| (*digest, false));
        let aside = self.prefix.aside.iter().map(|digest| (*digest, true));
        near.chain(aside)
    }

    /// How many more digests the document may share with another one than they have met at.
    pub fn rest(&self) -> u32 {
        self.prefix.rest
    }
}
