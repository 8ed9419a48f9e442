//! Which registered documents have a dense stretch in common with a text.
//!
//! As in a scan, a stretch is two neighbouring blocks, and a pair of words counts for the more the
//! fewer documents have it. Only documents that are there count, so that neither the order in which
//! documents came nor what was removed since shows in an answer. And whose documents are left out, the
//! versions of a text itself for one, makes nothing common by them.

use std::ops::Range;

use super::catalog::Catalog;
use super::postings::{Piece, Slice};
use super::search::Exclusions;
use crate::digest::Digest;
use crate::error::Error;
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

/// In a small registry, one that more than this part of the documents have counts for nothing,
const PART: usize = 3;

/// unless these are so few that nothing can be told from it.
const FEW: usize = 3;

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

/// Texts about the same thing do not share more than this in a block of the rest,
const MOST_OF_REST: f64 = 1.0;

/// or in the stretches elsewhere: what is more was taken over, too, and does not count against it.
const MOST_OF_OTHERS: f64 = 2.0;

/// What a block shares on average counts by itself: a text may be rewritten from beginning to end.
const OF_ALL: f64 = 1.7;

/// The stretches next to the densest one have part of it.
const NEAR: usize = 3;

/// In a registry with fewer blocks, how rare a pair of words is is less well known, and a density is
/// worth less.
const KNOWN: f64 = 50_000.0;

/// A shorter rest is no measure of anything.
const SHORTEST_REST: usize = 4;

/// The blocks of a registry at one moment, numbered through all segments.
pub(super) struct Blocks {
    parts: Vec<Part>,
    /// The documents in the order of their blocks.
    documents: Vec<Document>,
    /// For every few blocks the document of the first.
    near: Vec<u32>,
    /// How many blocks there are,
    all: u32,
    /// how many of them are those of documents that are there,
    live: u32,
    /// and a pair of words counts for nothing that more of these documents have.
    most: usize,
}

/// How many blocks, as a power of two.
const NEAR_SHIFT: u32 = 6;

struct Part {
    slice: Slice,
    /// The number of its first block.
    first: u32,
    /// How many of its blocks are of documents that were removed, or of the segment that it is part of.
    removed: u32,
}

impl Part {
    /// The blocks that have these pairs of words, as numbered through all segments, and with each the
    /// place of its pair; pairs that too many have are marked. So many blocks do not count besides
    /// those that were removed.
    fn blocks(
        &self,
        pairs: &Pairs,
        excluded: u64,
        is_common: &mut [bool],
    ) -> Result<Vec<(u32, u32)>, Error> {
        let mut blocks = Vec::with_capacity(pairs.digests.len());
        // Even if all blocks that do not count are among them, too many are left.
        let longest = u64::from(LONGEST) + u64::from(self.removed) + excluded;
        let Slice { segment, range, .. } = &self.slice;
        let within = range.within(segment.schema(), &pairs.digests);
        segment.find_within(&pairs.digests, within, |found| {
            let short = found.iter().filter(|found| {
                let is_long = u64::from(found.run.documents()) > longest;
                is_common[found.place as usize] |= is_long;
                !is_common[found.place as usize]
            });
            segment.visit_documents(short, |of, block| {
                blocks.push((of.place, self.first + block.0));
            })
        })?;
        Ok(blocks)
    }
}

struct Document {
    first: u32,
    /// The number of the registered document, if it is still there.
    number: Option<u32>,
}

/// A pair of words that a text and a registered document have; those of one pair stand together.
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
            near: Vec::new(),
            all: 0,
            live: 0,
            most: 0,
        };
        let mut next = 0u32;
        for Piece { row, stretches, .. } in pieces {
            let Some(row) = &row.stretches else {
                continue;
            };
            let first = next;
            let mut removed = 0;
            for &(number, count) in &row.documents {
                let is_live = live.binary_search_by_key(&number, |(number, _)| *number);
                let near = (next + count).div_ceil(1 << NEAR_SHIFT);
                let document = index32(blocks.documents.len());
                blocks.near.resize(near as usize, document);
                blocks.documents.push(Document {
                    first: next,
                    number: is_live.is_ok().then_some(number),
                });
                next += count;
                match is_live {
                    Ok(_) => blocks.live += count,
                    Err(_) => removed += count,
                }
            }
            blocks.parts.extend(stretches.iter().map(|slice| Part {
                slice: slice.clone(),
                first: first + slice.first,
                removed,
            }));
        }
        blocks.all = next;
        let is_there = |document: &&Document| document.number.is_some();
        let there = blocks.documents.iter().filter(is_there).count();
        blocks.most = (there / PART).clamp(FEW, MOST);
        Ok(blocks)
    }

    /// The documents that have a dense stretch in common with a text, by number.
    pub(super) fn dense(
        &self,
        text: &Stretches,
        exclusions: &Exclusions,
        scratch: &mut FoundPairs,
    ) -> Result<Vec<Dense>, Error> {
        let pairs = Pairs::of(text);
        self.find(&pairs, exclusions, scratch)?;
        scratch.add_up(self.documents.len());
        let mut hits = Vec::new();
        for &(pair, weight, ref found) in &scratch.lists {
            let found = scratch.found[found.clone()].iter();
            let enough = |document: u32| scratch.sums[document as usize] >= LEAST;
            for &(document, block) in found.filter(|(document, _)| enough(*document)) {
                hits.extend(pairs.blocks(pair).iter().map(|&own| Hit {
                    document,
                    pair,
                    blocks: [own, block],
                    weight,
                }));
            }
        }
        hits.sort_by_key(|hit| hit.document);
        let known = (f64::from(self.live.max(1)).ln() / KNOWN.ln()).min(1.0);
        let mut windows = Windows::default();
        let mut dense = Vec::new();
        for of_document in hits.chunk_by(|a, b| a.document == b.document) {
            let document = of_document[0].document as usize;
            if let Some(number) = self.documents[document].number {
                let shared = scratch.sums[document];
                let found = windows.density(number, of_document, shared, text.blocks());
                dense.extend(found.map(|found| Dense {
                    density: found.density * known,
                    ..found
                }));
            }
        }
        scratch.clear();
        dense.sort_by_key(|dense| dense.number);
        Ok(dense)
    }

    /// Finds all pairs of words that few documents have.
    fn find(
        &self,
        pairs: &Pairs,
        exclusions: &Exclusions,
        scratch: &mut FoundPairs,
    ) -> Result<(), Error> {
        let FoundPairs { found, lists, .. } = scratch;
        found.clear();
        lists.clear();
        let mut is_common = vec![false; pairs.digests.len()];
        let excluded = self.blocks_of(exclusions);
        let of_parts = self.parts.iter();
        let of_parts = of_parts.map(|part| part.blocks(pairs, excluded, &mut is_common));
        let of_parts = of_parts.collect::<Result<Vec<_>, Error>>()?;
        let mut left: Vec<&[(u32, u32)]> = of_parts.iter().map(Vec::as_slice).collect();
        for (pair, is_common) in (0..).zip(is_common) {
            let first = found.len();
            for blocks in &mut left {
                let count = blocks
                    .iter()
                    .take_while(|(other, _)| *other == pair)
                    .count();
                let (of_pair, behind) = blocks.split_at(count);
                *blocks = behind;
                if is_common {
                    continue;
                }
                let documents = of_pair.iter().map(|&(_, block)| self.document_of(block));
                found.extend(documents.filter(|(document, _)| {
                    let number = self.documents[*document as usize].number;
                    number.is_some_and(|number| !exclusions.contains(number))
                }));
            }
            let of_documents = found[first..].chunk_by(|a, b| a.0 == b.0);
            let having = of_documents.count();
            if found.len() - first > LONGEST as usize || having > self.most {
                found.truncate(first);
            } else if having > 0 {
                lists.push((pair, f64::from(weight(having)), first..found.len()));
            }
        }
        Ok(())
    }

    /// How many blocks these documents have.
    fn blocks_of(&self, exclusions: &Exclusions) -> u64 {
        if exclusions.is_empty() {
            return 0;
        }
        let starts = self.documents.iter().map(|document| document.first);
        let ends = starts.skip(1).chain([self.all]);
        let all = self.documents.iter().zip(ends);
        all.filter(|(document, _)| document.number.is_some_and(|one| exclusions.contains(one)))
            .map(|(document, end)| u64::from(end - document.first))
            .sum()
    }

    /// The document that has a block, and which of its blocks it is.
    fn document_of(&self, block: u32) -> (u32, u32) {
        let mut place = self.near[(block >> NEAR_SHIFT) as usize] as usize;
        while let Some(next) = self.documents.get(place + 1) {
            if next.first > block {
                break;
            }
            place += 1;
        }
        (index32(place), block - self.documents[place].first)
    }
}

/// What is found for one text. Keeps its memory for the next.
#[derive(Default)]
pub(super) struct FoundPairs {
    /// The documents and their blocks that have a pair of words, list after list.
    found: Vec<(u32, u32)>,
    /// For each list which pair of words it is of, what that counts for, and where the list is.
    lists: Vec<(u32, f64, Range<usize>)>,
    /// For each document what all the pairs count for that it has.
    sums: Vec<f64>,
}

impl FoundPairs {
    fn add_up(&mut self, documents: usize) {
        self.sums.resize(documents, 0.0);
        for (_, weight, list) in &self.lists {
            let of_documents = self.found[list.clone()].chunk_by(|a, b| a.0 == b.0);
            for of_document in of_documents {
                self.sums[of_document[0].0 as usize] += weight;
            }
        }
    }

    fn clear(&mut self) {
        for (document, _) in self.found.drain(..) {
            self.sums[document as usize] = 0.0;
        }
        self.lists.clear();
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

/// Finds the densest stretches of two documents. Keeps its memory for the next two.
#[derive(Default)]
struct Windows {
    /// The stretches of both that a hit is in, the pair of words, and what it counts for.
    hits: Vec<([u32; 3], f64)>,
    /// For each stretch of the text that shares something with one of the document, what it shares with
    /// the best, and where it begins.
    best: Vec<(f64, u32)>,
}

impl Windows {
    /// What is to be said of a document, if its stretches share enough. `all` is what it shares with
    /// the text, which has so many blocks.
    fn density(&mut self, number: u32, hits: &[Hit], all: f64, blocks: u32) -> Option<Dense> {
        self.find(hits, STRETCH);
        self.best
            .sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
        let &(shared, block) = self.best.first().filter(|best| best.0 >= LEAST)?;
        let others: f64 = self.best.iter().skip(NEAR).map(|best| best.0).sum();
        let others = others / (blocks as usize).saturating_sub(NEAR).max(1) as f64;
        let rest = (blocks as usize).saturating_sub(STRETCH as usize);
        let rest = (all - shared) / rest.max(SHORTEST_REST) as f64;
        self.find(hits, WIDE);
        let wide = self.best.iter().map(|best| best.0).fold(0.0, f64::max);
        let against = OF_REST * rest.min(MOST_OF_REST) + OF_OTHERS * others.min(MOST_OF_OTHERS);
        let everywhere = all / (blocks as usize).max(SHORTEST_REST) as f64;
        Some(Dense {
            number,
            shared,
            density: (shared + OF_WIDE * wide - against).max(OF_ALL * everywhere),
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
                let both = theirs.clone();
                let both = both.map(|other| ([one, other, hit.pair], hit.weight));
                self.hits.extend(both);
            }
        }
        // What is equal here is one pair in one stretch, and counts once.
        self.hits.sort_unstable_by_key(|(key, _)| *key);
        self.hits.dedup_by_key(|(key, _)| *key);
        self.best.clear();
        for of_own in self.hits.chunk_by(|a, b| a.0[0] == b.0[0]) {
            let of_both = of_own.chunk_by(|a, b| a.0[1] == b.0[1]);
            let sums = of_both.map(|hits| hits.iter().map(|(_, weight)| weight).sum());
            let best = sums.fold(0.0, f64::max);
            self.best.push((best, of_own[0].0[0] * step));
        }
    }
}
