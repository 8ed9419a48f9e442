//! Documents by the digests at which somebody alike must meet them, and how others meet them.

use std::cmp::Reverse;

use super::reach::{Reach, Rule};
use super::store::{DigestStore, Room};
use super::table::{Table, aside};
use crate::digest::Digest;
use crate::error::Error;
use crate::number::index32;

/// Kept documents, by the digests at which somebody alike must meet them.
pub(super) struct Sky {
    kept: Vec<Kept>,
    table: Table,
}

struct Kept {
    document: u32,
    /// Its place in the order.
    star: u32,
    size: u32,
    rest: u32,
}

/// What a seeker wants to find.
pub(super) trait Wish {
    /// How similar the document at this place of the order has to be to be of interest, if it can be.
    fn least(&self, star: u32) -> Option<f64>;

    /// One that is so similar.
    fn found(&mut self, star: u32, similarity: f64);
}

/// Whoever looks for somebody alike, and room for looking that is used again.
#[derive(Default)]
pub(super) struct Seeker {
    pub(super) reach: Reach,
    /// At how many digests each kept document was met; zero between searches.
    met: Vec<u32>,
    /// Those that were met.
    touched: Vec<u32>,
    heads: Vec<(u32, u32)>,
    other: Room,
}

impl Sky {
    /// A sky whose table has room for so many entries.
    pub(super) fn new(entries: usize) -> Sky {
        Sky {
            kept: Vec::new(),
            table: Table::new(entries),
        }
    }

    /// Whether so many entries more would be too many; one document always fits.
    pub(super) fn is_full(&self, entries: usize) -> bool {
        !self.kept.is_empty() && self.table.is_full(entries)
    }

    pub(super) fn keep(&mut self, document: u32, star: u32, size: u32, reach: &Reach) {
        let kept = index32(self.kept.len());
        for digest in &reach.near {
            self.table.insert(*digest, kept);
        }
        for digest in &reach.aside {
            self.table.insert(aside(*digest), kept);
        }
        self.kept.push(Kept {
            document,
            star,
            size,
            rest: reach.rest,
        });
    }

    /// Meets all kept documents that may be like the seeker; says whether there are any.
    pub(super) fn meet(&self, seeker: &mut Seeker) -> bool {
        let Seeker {
            reach,
            met,
            touched,
            heads,
            ..
        } = seeker;
        met.resize(met.len().max(self.kept.len()), 0);
        let mut count = |kept: u32| {
            let met = &mut met[kept as usize];
            if *met == 0 {
                touched.push(kept);
            }
            *met += 1;
        };
        let near = reach.near.iter().copied();
        let both = near.chain(reach.aside.iter().copied());
        self.table.visit(both, heads, &mut count);
        if reach.rest_is_aside {
            let near = reach.near.iter().map(|digest| aside(*digest));
            self.table.visit(near, heads, &mut count);
        }
        !touched.is_empty()
    }

    /// Compares the seeker with those that were met and may be what it wishes. `digests` are its own.
    pub(super) fn compare(
        &self,
        seeker: &mut Seeker,
        digests: &[Digest],
        rule: Rule,
        store: &DigestStore,
        wish: &mut impl Wish,
    ) -> Result<(), Error> {
        let mut touched = std::mem::take(&mut seeker.touched);
        // Whoever was met most often is probably the one; the others then have to be better.
        touched.sort_unstable_by_key(|kept| (Reverse(seeker.met[*kept as usize]), *kept));
        let size = index32(digests.len());
        for number in touched.drain(..) {
            let met = std::mem::take(&mut seeker.met[number as usize]);
            let kept = &self.kept[number as usize];
            let Some(least) = wish.least(kept.star) else {
                continue;
            };
            let rule = Rule {
                at_least: rule.at_least.max(least),
                ..rule
            };
            if !rule.may_be_alike(met, [size, kept.size], [seeker.reach.rest, kept.rest]) {
                continue;
            }
            let other = store.digests(kept.document, &mut seeker.other)?;
            if let Some(similarity) = rule.alike(digests, other) {
                wish.found(kept.star, similarity);
            }
        }
        seeker.touched = touched;
        Ok(())
    }
}
