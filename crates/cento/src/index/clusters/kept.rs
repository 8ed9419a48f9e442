//! Documents that are kept, by the digests at which somebody alike must meet them.

use std::cmp::Reverse;

use super::prefix::{Prefix, Rule};
use super::store::{DigestStore, ReadBuffer};
use super::table::{Table, aside};
use crate::digest::Digest;
use crate::error::Error;
use crate::number::index32;

/// Documents that others are held against, by the digests of their prefixes.
pub(super) struct KeptDocuments {
    kept: Vec<KeptDocument>,
    table: Table,
}

struct KeptDocument {
    document: u32,
    /// Its place in the order.
    star: u32,
    size: u32,
    rest: u32,
}

/// What becomes of the documents that are like a probe.
pub(super) trait Collector {
    /// How similar the document at this place of the order has to be to be of interest, if it can be.
    fn least(&self, star: u32) -> Option<f64>;

    /// One that is so similar.
    fn add(&mut self, star: u32, similarity: f64);
}

/// A document that is held against those that are kept, and memory for that which is used again.
#[derive(Default)]
pub(super) struct Probe {
    pub(super) prefix: Prefix,
    /// At how many digests each kept document was met; zero between searches.
    met: Vec<u32>,
    /// Those that were met.
    touched: Vec<u32>,
    heads: Vec<(u32, u32)>,
    other: ReadBuffer,
}

impl KeptDocuments {
    /// No documents yet, and room for so many entries of prefixes.
    pub(super) fn new(entries: usize) -> KeptDocuments {
        KeptDocuments {
            kept: Vec::new(),
            table: Table::new(entries),
        }
    }

    /// Whether so many entries more would be too many; one document always fits.
    pub(super) fn is_full(&self, entries: usize) -> bool {
        !self.kept.is_empty() && self.table.is_full(entries)
    }

    pub(super) fn keep(&mut self, document: u32, star: u32, size: u32, prefix: &Prefix) {
        let kept = index32(self.kept.len());
        for digest in &prefix.near {
            self.table.insert(*digest, kept);
        }
        for digest in &prefix.aside {
            self.table.insert(aside(*digest), kept);
        }
        self.kept.push(KeptDocument {
            document,
            star,
            size,
            rest: prefix.rest,
        });
    }

    /// Finds the kept documents that the probe shares a digest of its prefix with; says whether there
    /// are any.
    pub(super) fn find_candidates(&self, probe: &mut Probe) -> bool {
        let Probe {
            prefix,
            met,
            touched,
            heads,
            ..
        } = probe;
        met.resize(met.len().max(self.kept.len()), 0);
        let mut count = |kept: u32| {
            let met = &mut met[kept as usize];
            if *met == 0 {
                touched.push(kept);
            }
            *met += 1;
        };
        let near = prefix.near.iter().copied();
        let both = near.chain(prefix.aside.iter().copied());
        self.table.visit(both, heads, &mut count);
        if prefix.rest_is_aside {
            let near = prefix.near.iter().map(|digest| aside(*digest));
            self.table.visit(near, heads, &mut count);
        }
        !touched.is_empty()
    }

    /// Compares the probe, whose digests these are, with those candidates that may be alike enough for
    /// the collector.
    pub(super) fn compare(
        &self,
        probe: &mut Probe,
        digests: &[Digest],
        rule: Rule,
        store: &DigestStore,
        collector: &mut impl Collector,
    ) -> Result<(), Error> {
        let mut touched = std::mem::take(&mut probe.touched);
        // Whoever was met most often is probably the one; the others then have to be better.
        touched.sort_unstable_by_key(|kept| (Reverse(probe.met[*kept as usize]), *kept));
        let size = index32(digests.len());
        for number in touched.drain(..) {
            let met = std::mem::take(&mut probe.met[number as usize]);
            let kept = &self.kept[number as usize];
            let Some(least) = collector.least(kept.star) else {
                continue;
            };
            let rule = Rule {
                at_least: rule.at_least.max(least),
                ..rule
            };
            if !rule.may_be_alike(met, [size, kept.size], [probe.prefix.rest, kept.rest]) {
                continue;
            }
            let other = store.digests(kept.document, &mut probe.other)?;
            if let Some(similarity) = rule.alike(digests, other) {
                collector.add(kept.star, similarity);
            }
        }
        probe.touched = touched;
        Ok(())
    }
}
