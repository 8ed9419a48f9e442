//! Questions to shards by digests: what the postings of one shard say about each, and the answer from what
//! all shards say.

use std::collections::BTreeMap;

use super::super::Entry;
use super::super::postings::{Piece, Postings};
use super::super::search::{Alike, Exclusions, Rarity};
use super::super::tally::Scratch;
use super::portion::{Counts, Portion, Tally};
use super::work::{Commit, ShardWork, refused};
use crate::digest::Digest;
use crate::error::Error;
use crate::measure::{Measure, Overlap};

/// A registered document that answers a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answered {
    /// The document.
    pub entry: Entry,
    /// What they share: the question is the left one.
    pub overlap: Overlap,
    /// The value of the measure.
    pub score: f64,
    /// How rare the shared digests are.
    pub rarity: Rarity,
}

impl ShardWork {
    /// The postings of one shard, for many questions. What `standard_from` documents have or more is
    /// standard text.
    pub fn counter(
        &self,
        shard: usize,
        commit: &Commit,
        standard_from: u32,
    ) -> Result<ShardCounter, Error> {
        let rows = self.expect(commit)?;
        let pieces = rows.into_iter().map(|row| self.piece(shard, row));
        let pieces = pieces.collect::<Result<Vec<_>, Error>>()?;
        for segment in pieces.iter().flat_map(Piece::segments) {
            segment.expect_lookups();
        }
        Ok(ShardCounter {
            postings: Postings::of(&self.catalog, &pieces, &commit.now)?,
            scratch: Scratch::default(),
            standard_from,
        })
    }

    /// What puts together what all shards say.
    pub fn summer(&self, commit: &Commit) -> Result<Summer<'_>, Error> {
        self.expect(commit)?;
        Ok(Summer {
            work: self,
            sizes: self.catalog.sizes()?,
        })
    }
}

/// Counts what the documents share with questions, in the digests of one shard.
pub struct ShardCounter {
    postings: Postings,
    scratch: Scratch,
    standard_from: u32,
}

impl ShardCounter {
    /// What the documents share with the portion of a question; nothing if it cannot be read.
    pub fn count(&mut self, portion: &[u8]) -> Result<Option<Vec<u8>>, Error> {
        let Some(portion) = Portion::unpack(portion) else {
            return Ok(None);
        };
        let digests: Vec<Digest> = portion.digests.iter().map(|(digest, _)| *digest).collect();
        let postings = &self.postings;
        let looked = postings.look_up(&digests, &Exclusions::default())?;
        let mut counts = Counts::default();
        for &documents in looked.documents_with.iter().filter(|count| **count > 0) {
            counts.known[Rarity::class(documents)] += 1;
        }
        let mut alike: Vec<(u32, Alike)> = Vec::new();
        postings.tally(&looked, &digests, 0.0, &mut self.scratch, |unit, shared| {
            let found = Alike {
                number: postings.owner(unit),
                overlap: Overlap {
                    shared,
                    left: 0,
                    right: 0,
                },
                score: 0.0,
                similarity: None,
                rarity: Rarity::default(),
            };
            alike.push((unit, found));
            Ok(true)
        })?;
        postings.set_rarity(&mut alike, &looked, &digests)?;
        alike.sort_unstable_by_key(|(unit, _)| *unit);
        let units: Vec<u32> = alike.iter().map(|(unit, _)| *unit).collect();
        let mut others = vec![0; units.len()];
        let many = self.standard_from;
        postings.visit_few(&units, &looked, &digests, many, |at, _| others[at] += 1)?;
        counts.tallies = alike
            .iter()
            .zip(others)
            .map(|((_, found), others)| Tally {
                number: found.number,
                shared: found.overlap.shared,
                rare: found.rarity.rare,
                some: found.rarity.some,
                standard: found.overlap.shared - others,
            })
            .collect();
        counts.tallies.sort_by_key(|tally| tally.number);
        Ok(Some(counts.pack()))
    }
}

/// Puts together what all shards say about questions.
pub struct Summer<'a> {
    work: &'a ShardWork,
    /// How many digests of each document count.
    sizes: BTreeMap<u32, u32>,
}

/// What a registered document shares with a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shared {
    /// How many digests: the question is the left one.
    pub overlap: Overlap,
    /// How many of them are standard text.
    pub standard: u32,
    /// The value of the measure.
    pub score: f64,
}

impl Summer<'_> {
    /// The documents that are listed, best first, then by number, no more than `limit`; and how rare the
    /// digests of the question are in the whole registry. Nothing, if the shards did not each answer
    /// once.
    pub fn answer(
        &self,
        digests: u32,
        of_shards: &[(usize, &[u8])],
        measure: Measure,
        limit: usize,
        is_listed: impl Fn(&Shared) -> bool,
    ) -> Result<Option<(Vec<Answered>, Rarity)>, Error> {
        let measure = measure.expect_sets()?;
        let mut shards: Vec<usize> = of_shards.iter().map(|(shard, _)| *shard).collect();
        shards.sort_unstable();
        if !shards.into_iter().eq(0..self.work.shards()) {
            return Ok(None);
        }
        let mut known = [0; 3];
        let mut sums: BTreeMap<u32, [u32; 4]> = BTreeMap::new();
        for (_, counts) in of_shards {
            let Some(counts) = Counts::unpack(counts) else {
                return Ok(None);
            };
            for (sum, more) in known.iter_mut().zip(counts.known) {
                *sum += more;
            }
            for tally in counts.tallies {
                let sum = sums.entry(tally.number).or_default();
                let more = [tally.shared, tally.rare, tally.some, tally.standard];
                for (sum, more) in sum.iter_mut().zip(more) {
                    *sum += more;
                }
            }
        }
        let mut found: Vec<(u32, Overlap, f64, Rarity)> = Vec::new();
        for (number, [shared, rare, some, standard]) in sums {
            let overlap = Overlap {
                shared,
                left: digests,
                right: self.sizes.get(&number).copied().unwrap_or(0),
            };
            if shared > overlap.left.min(overlap.right) {
                return Err(refused(
                    self.work.folder.path(),
                    "it is damaged: a document shares more digests than it has",
                ));
            }
            let score = measure.score_for_query(overlap);
            let common = shared - rare - some;
            let is_listed = is_listed(&Shared {
                overlap,
                standard,
                score,
            });
            if is_listed {
                found.push((number, overlap, score, Rarity { rare, some, common }));
            }
        }
        found.sort_by(|a, b| b.2.total_cmp(&a.2).then(a.0.cmp(&b.0)));
        found.truncate(limit);
        let mut answered = Vec::with_capacity(found.len());
        for (number, overlap, score, rarity) in found {
            let missing = || refused(self.work.folder.path(), "a document is not there any more");
            answered.push(Answered {
                entry: self.work.catalog.entry(number)?.ok_or_else(missing)?,
                overlap,
                score,
                rarity,
            });
        }
        let [rare, some, common] = known;
        Ok(Some((answered, Rarity { rare, some, common })))
    }
}
