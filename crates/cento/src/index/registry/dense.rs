//! Which registered documents have a dense stretch in common with a text.
//!
//! As in a scan, a stretch is two neighbouring blocks, and a pair of words counts for the more the
//! fewer blocks have it. Only documents that are there count, so that neither the order in which
//! documents came nor what was removed since shows in an answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalog::Catalog;
use super::postings::Piece;
use super::search::Exclusions;
use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{FoundDigest, Removed, Segment};
use crate::number::index32;
use crate::stretch::Stretches;

/// A registered document with a dense stretch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dense {
    /// Its number.
    pub number: u32,
    /// What the two densest stretches share: how many pairs of words that nobody else has, where one
    /// that more have counts for less.
    pub shared: f64,
    /// That, less twice what the other stretches of the text share with the document on average: two
    /// texts about the same thing share a little everywhere.
    pub density: f64,
    /// The block of the text where its stretch begins.
    pub block: u32,
}

/// Documents whose stretches share less are not worth a look.
const LEAST: f64 = 2.5;

/// A pair of words that more blocks have counts for nothing.
const MOST: u32 = 30;

/// The stretches next to the densest one have part of it.
const NEAR: usize = 3;

/// The blocks of a registry at one moment, numbered through all segments.
pub(super) struct Blocks {
    parts: Vec<Part>,
    /// The document of each block.
    owners: Vec<u32>,
    /// How many blocks are there.
    live: u32,
}

struct Part {
    segment: Arc<Segment>,
    /// The number of its first block.
    first: u32,
    removed: Removed,
}

impl Blocks {
    /// What the catalogue says about the blocks of these segments.
    pub(super) fn of(catalog: &Catalog, pieces: &[Piece], now: &str) -> Result<Blocks, Error> {
        let live = catalog.live(now)?;
        let mut blocks = Blocks {
            parts: Vec::new(),
            owners: Vec::new(),
            live: 0,
        };
        for Piece { row, stretches, .. } in pieces {
            let (Some(row), Some(segment)) = (&row.stretches, stretches) else {
                continue;
            };
            let mut removed = Removed::default();
            let mut block = 0;
            for of_document in row.documents.chunk_by(|a, b| a == b) {
                let is_live = live.binary_search_by_key(&of_document[0], |(number, _)| *number);
                for _ in of_document {
                    if is_live.is_err() {
                        removed.insert(DocId(block));
                    }
                    block += 1;
                }
            }
            blocks.live += block - removed.len();
            blocks.parts.push(Part {
                segment: Arc::clone(segment),
                first: index32(blocks.owners.len()),
                removed,
            });
            blocks.owners.extend_from_slice(&row.documents);
        }
        Ok(blocks)
    }

    /// The documents that have a dense stretch in common with a text, by number.
    pub(super) fn dense(
        &self,
        text: &Stretches,
        exclusions: &Exclusions,
    ) -> Result<Vec<Dense>, Error> {
        let mut digests: Vec<Digest> = text.entries().map(|(digest, _)| Digest(digest)).collect();
        digests.dedup();
        let lists = self.lists(&digests)?;
        let mut of_blocks: Vec<Vec<usize>> = vec![Vec::new(); text.blocks() as usize];
        let mut place = 0;
        for (digest, block) in text.entries() {
            place += usize::from(digests[place].0 != digest);
            of_blocks[block as usize].push(place);
        }
        let mut found: BTreeMap<u32, Vec<(f64, u32)>> = BTreeMap::new();
        for (block, here) in (0..).zip(&of_blocks) {
            let mut places = here.clone();
            places.extend(of_blocks.get(block as usize + 1).into_iter().flatten());
            places.sort_unstable();
            places.dedup();
            for (number, shared) in self.best_of_stretch(&places, &lists) {
                found.entry(number).or_default().push((shared, block));
            }
        }
        found.retain(|number, _| !exclusions.contains(*number));
        let dense = found
            .into_iter()
            .map(|(number, stretches)| density(number, stretches, of_blocks.len()));
        Ok(dense.filter(|dense| dense.shared >= LEAST).collect())
    }

    /// The blocks that have each digest, if they are few.
    fn lists(&self, digests: &[Digest]) -> Result<Vec<Vec<u32>>, Error> {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); digests.len()];
        let mut is_common = vec![false; digests.len()];
        for part in &self.parts {
            let found = part.segment.find(digests)?;
            // Even if all blocks that were removed are among them, too many are left.
            let is_long = |found: &FoundDigest| found.run.documents() > MOST + part.removed.len();
            for found in found.iter().filter(|found| is_long(found)) {
                is_common[found.place as usize] = true;
            }
            let short = found.iter().filter(|found| !is_long(found));
            part.segment.visit_documents(short, |found, block| {
                if !part.removed.contains(block) {
                    lists[found.place as usize].push(part.first + block.0);
                }
            })?;
        }
        for (list, is_common) in lists.iter_mut().zip(is_common) {
            if is_common || list.len() > MOST as usize {
                list.clear();
            }
        }
        Ok(lists)
    }

    /// What a stretch of the text, given by its lists, shares with the best stretch of each document.
    fn best_of_stretch(&self, places: &[usize], lists: &[Vec<u32>]) -> BTreeMap<u32, f64> {
        let all = f64::from(self.live.max(2)).ln();
        let mut shared: Vec<(u32, f64)> = Vec::new();
        for &place in places {
            let list = &lists[place];
            let weight = 1.0 - (list.len().max(1) as f64).ln() / all;
            // The stretch that starts at a block ends with the next; it counts a list once.
            let mut counted = None;
            for &block in list {
                let before = block.checked_sub(1);
                let before = before.filter(|&before| {
                    self.owners[before as usize] == self.owners[block as usize]
                        && counted != Some(before)
                });
                shared.extend(before.map(|before| (before, weight)));
                shared.push((block, weight));
                counted = Some(block);
            }
        }
        shared.sort_by_key(|(block, _)| *block);
        let mut best: BTreeMap<u32, f64> = BTreeMap::new();
        for of_block in shared.chunk_by(|a, b| a.0 == b.0) {
            let sum = of_block.iter().map(|(_, weight)| weight).sum::<f64>();
            let best = best.entry(self.owners[of_block[0].0 as usize]).or_default();
            *best = best.max(sum);
        }
        best
    }
}

/// What the stretches of a text come to that share something with a document.
fn density(number: u32, mut stretches: Vec<(f64, u32)>, count: usize) -> Dense {
    stretches.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
    let (shared, block) = stretches[0];
    let others = stretches.iter().skip(NEAR).map(|(shared, _)| shared);
    let mean = others.sum::<f64>() / count.saturating_sub(NEAR).max(1) as f64;
    Dense {
        number,
        shared,
        density: shared - 2.0 * mean,
        block,
    }
}
