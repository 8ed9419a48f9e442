//! Which registered documents have a dense stretch in common with a text.
//!
//! As in a scan, a stretch is two neighbouring blocks, and a pair of words counts for the more the
//! fewer documents have it. Only documents that are there count, so that neither the order in which
//! documents came nor what was removed since shows in an answer.

use std::ops::Range;
use std::sync::Arc;

use super::catalog::Catalog;
use super::postings::Piece;
use super::search::Exclusions;
use crate::digest::Digest;
use crate::error::Error;
use crate::index::segment::{FoundDigest, Segment};
use crate::number::index32;
use crate::stretch::{MOST, Stretches, weight};

/// A registered document with a dense stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dense {
    /// Its number.
    pub number: u32,
    /// What the two densest stretches share: how many pairs of words that no other registered document
    /// has, where one that more have counts for less.
    pub shared: f64,
    /// How much that is more than what the rest of the text shares with the document: two texts about
    /// the same thing share a little everywhere.
    pub density: f64,
    /// The block of the text where its stretch begins.
    pub block: u32,
}

/// Documents whose stretches share less are not worth a look.
const LEAST: f64 = 1.7;

/// A pair of words that more blocks have counts for nothing: such lists take longest to read.
const LONGEST: u32 = 100;

/// How many blocks a stretch has,
const STRETCH: u32 = 2;

/// and how many a wide one, which tells a page that was rewritten from a turn of phrase.
const WIDE: u32 = 16;

/// How much the densest wide stretch counts beside the densest one.
const OF_WIDE: f64 = 0.5;

/// How much it counts against a document what a block of the rest shares with it,
const OF_REST: f64 = 7.0;

/// and what the best stretches share that begin elsewhere.
const OF_OTHERS: f64 = 6.0;

/// The stretches next to the densest one have part of it.
const NEAR: usize = 3;

/// A shorter rest is no measure of anything.
const SHORTEST_REST: usize = 4;

/// The blocks of a registry at one moment, numbered through all segments.
pub(super) struct Blocks {
    parts: Vec<Part>,
    /// The documents in the order of their blocks.
    documents: Vec<Document>,
}

struct Part {
    segment: Arc<Segment>,
    /// The number of its first block.
    first: u32,
    /// How many of its blocks are of documents that were removed.
    removed: u32,
}

struct Document {
    first: u32,
    /// The number of the registered document, if it is still there.
    number: Option<u32>,
}

/// A pair of words that a text and a registered document have.
#[derive(Clone, Copy)]
struct Hit {
    /// The place of the document among all.
    document: u32,
    /// The place of the pair of words among those of the text.
    pair: u32,
    /// A block of the text, and one of the document, that have it.
    blocks: [u32; 2],
    weight: f64,
}

impl Blocks {
    /// What the catalogue says about the blocks of these segments.
    pub(super) fn of(catalog: &Catalog, pieces: &[Piece], now: &str) -> Result<Blocks, Error> {
        let live = catalog.live(now)?;
        let mut blocks = Blocks {
            parts: Vec::new(),
            documents: Vec::new(),
        };
        let mut next = 0;
        for Piece { row, stretches, .. } in pieces {
            let (Some(row), Some(segment)) = (&row.stretches, stretches) else {
                continue;
            };
            let first = next;
            let mut removed = 0;
            for &(number, count) in &row.documents {
                let is_live = live.binary_search_by_key(&number, |(number, _)| *number);
                blocks.documents.push(Document {
                    first: next,
                    number: is_live.is_ok().then_some(number),
                });
                next += count;
                removed += if is_live.is_ok() { 0 } else { count };
            }
            blocks.parts.push(Part {
                segment: Arc::clone(segment),
                first,
                removed,
            });
        }
        Ok(blocks)
    }

    /// The documents that have a dense stretch in common with a text, by number.
    pub(super) fn dense(
        &self,
        text: &Stretches,
        exclusions: &Exclusions,
    ) -> Result<Vec<Dense>, Error> {
        let pairs = Pairs::of(text);
        let mut hits = self.hits(&pairs)?;
        hits.sort_by_key(|hit| (hit.document, hit.pair));
        let mut windows = Windows::default();
        let mut dense = Vec::new();
        for of_document in hits.chunk_by(|a, b| a.document == b.document) {
            let document = &self.documents[of_document[0].document as usize];
            let number = document.number.filter(|number| !exclusions.contains(*number));
            let shared = shared(of_document);
            if let Some(number) = number.filter(|_| shared >= LEAST) {
                let found = windows.density(number, of_document, shared, text.blocks());
                dense.extend(found.filter(|found| found.shared >= LEAST));
            }
        }
        dense.sort_by_key(|dense| dense.number);
        Ok(dense)
    }

    /// All pairs of words that few documents have.
    fn hits(&self, pairs: &Pairs) -> Result<Vec<Hit>, Error> {
        let mut found: Vec<(u32, u32)> = Vec::new();
        let mut is_common = vec![false; pairs.digests.len()];
        for part in &self.parts {
            let all = part.segment.find(&pairs.digests)?;
            // Even if all blocks that were removed are among them, too many are left.
            let is_long = |found: &FoundDigest| found.run.documents() > LONGEST + part.removed;
            for found in all.iter().filter(|found| is_long(found)) {
                is_common[found.place as usize] = true;
            }
            let short = all.iter().filter(|found| !is_long(found));
            part.segment.visit_documents(short, |of, block| {
                found.push((of.place, part.first + block.0));
            })?;
        }
        found.retain(|(pair, _)| !is_common[*pair as usize]);
        found.sort_unstable();
        let mut hits = Vec::new();
        let mut of_pair: Vec<(u32, u32)> = Vec::new();
        for found in found.chunk_by(|a, b| a.0 == b.0) {
            of_pair.clear();
            for &(_, block) in found {
                let place = self.documents.partition_point(|one| one.first <= block) - 1;
                let document = &self.documents[place];
                if document.number.is_some() {
                    of_pair.push((index32(place), block - document.first));
                }
            }
            let having = of_pair.chunk_by(|a, b| a.0 == b.0).count();
            if of_pair.len() > LONGEST as usize || having > MOST {
                continue;
            }
            let weight = f64::from(weight(having));
            let pair = found[0].0;
            for &own in pairs.blocks(pair) {
                hits.extend(of_pair.iter().map(|&(document, block)| Hit {
                    document,
                    pair,
                    blocks: [own, block],
                    weight,
                }));
            }
        }
        Ok(hits)
    }
}

/// The pairs of words of a text, each with the blocks that have it.
struct Pairs {
    digests: Vec<Digest>,
    blocks: Vec<u32>,
    starts: Vec<usize>,
}

impl Pairs {
    fn of(text: &Stretches) -> Pairs {
        let mut pairs = Pairs {
            digests: Vec::new(),
            blocks: Vec::with_capacity(text.len()),
            starts: Vec::new(),
        };
        for (digest, block) in text.entries() {
            if pairs.digests.last() != Some(&Digest(digest)) {
                pairs.digests.push(Digest(digest));
                pairs.starts.push(pairs.blocks.len());
            }
            pairs.blocks.push(block);
        }
        pairs.starts.push(pairs.blocks.len());
        pairs
    }

    fn blocks(&self, pair: u32) -> &[u32] {
        let range: Range<usize> = self.starts[pair as usize]..self.starts[pair as usize + 1];
        &self.blocks[range]
    }
}

/// What all these hits weigh, which are in the order of their pairs; each pair counts once.
fn shared(hits: &[Hit]) -> f64 {
    let pairs = hits.chunk_by(|a, b| a.pair == b.pair);
    pairs.map(|hits| hits[0].weight).sum()
}

/// Finds the densest stretches of two documents. Keeps its memory for the next two.
#[derive(Default)]
struct Windows {
    hits: Vec<(u32, u32, Hit)>,
    /// For each stretch of the text that shares something with one of the document, what it shares with
    /// the best, and where it begins.
    best: Vec<(f64, u32)>,
}

impl Windows {
    fn density(&mut self, number: u32, hits: &[Hit], all: f64, blocks: u32) -> Option<Dense> {
        self.find(hits, WIDE);
        let wide = self.best.iter().map(|best| best.0).fold(0.0, f64::max);
        self.find(hits, STRETCH);
        self.best
            .sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
        let &(shared, block) = self.best.first()?;
        let others: f64 = self.best.iter().skip(NEAR).map(|best| best.0).sum();
        let others = others / (blocks as usize).saturating_sub(NEAR).max(1) as f64;
        let rest = (blocks as usize).saturating_sub(STRETCH as usize);
        let rest = (all - shared) / rest.max(SHORTEST_REST) as f64;
        Some(Dense {
            number,
            shared,
            density: shared + OF_WIDE * wide - OF_REST * rest - OF_OTHERS * others,
            block,
        })
    }

    /// Stretches of so many blocks begin every half of that.
    fn find(&mut self, hits: &[Hit], width: u32) {
        let step = width / 2;
        let starts = |block: u32| (block / step).saturating_sub(1)..block / step + 1;
        self.hits.clear();
        for hit in hits {
            let [own, theirs] = hit.blocks.map(starts);
            for one in own {
                let with = theirs.clone().map(|other| (one, other, *hit));
                self.hits.extend(with);
            }
        }
        self.hits.sort_by_key(|&(one, other, hit)| (one, other, hit.pair));
        self.best.clear();
        for of_own in self.hits.chunk_by(|a, b| a.0 == b.0) {
            let mut best: f64 = 0.0;
            for of_both in of_own.chunk_by(|a, b| a.1 == b.1) {
                let pairs = of_both.chunk_by(|a, b| a.2.pair == b.2.pair);
                best = best.max(pairs.map(|hits| hits[0].2.weight).sum());
            }
            self.best.push((best, of_own[0].0 * step));
        }
    }
}
