//! Ranking in a registry: Hoad & Zobel's measures and their passages, answered from disk.

use std::collections::BTreeMap;

use super::Snapshot;
use super::postings::Postings;
use super::search::{Alike, Exclusions, Findings, Rarity, Request};
use super::tally::Scratch;
use crate::digest::Digest;
use crate::error::Error;
use crate::index::segment::Counter;
use crate::index::{GoodPassages, Hit, Question};
use crate::measure::{Measure, Overlap, Side};

/// What does not count for a query.
#[derive(Clone, Copy)]
struct LeftOut<'a> {
    exclusions: &'a Exclusions,
    /// Digests, sorted.
    base: &'a [Digest],
}

/// A document by a ranking measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its number.
    pub number: u32,
    /// The value of the measure; of passages, how many of the query's are like one of the document's.
    pub score: f64,
    /// The score as a share of the query's own.
    pub share: f64,
}

impl Snapshot {
    /// The best documents for a query, best first, then by number.
    ///
    /// A query of a registry of passages has one fingerprint a passage; a document's score is how
    /// many of them reach the share `alike_from` of their own score in a passage of the document.
    pub fn rank(
        &self,
        query: &[Question<'_>],
        measure: Measure,
        alike_from: f64,
        exclusions: &Exclusions,
        scratch: &mut Scratch,
    ) -> Result<Vec<Ranked>, Error> {
        let left_out = LeftOut {
            exclusions,
            base: &[],
        };
        self.rank_without(query, measure, alike_from, left_out, scratch)
    }

    fn rank_without(
        &self,
        query: &[Question<'_>],
        measure: Measure,
        alike_from: f64,
        left_out: LeftOut<'_>,
        scratch: &mut Scratch,
    ) -> Result<Vec<Ranked>, Error> {
        let postings = self.postings();
        let mut ranked = if self.settings().recipe.passages.is_some() {
            let mut good = GoodPassages::default();
            for passage in query {
                let (own, units) = postings.rank(passage, measure, left_out, scratch)?;
                let shares = units.iter().map(|unit| (unit.number, unit.share));
                good.add(own, shares, alike_from);
            }
            let of_document = |hit: Hit| Ranked {
                number: hit.document.0,
                score: hit.score,
                share: hit.share,
            };
            good.hits().into_iter().map(of_document).collect()
        } else {
            match query {
                [whole] => postings.rank(whole, measure, left_out, scratch)?.1,
                _ => Vec::new(),
            }
        };
        ranked.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
        Ok(ranked)
    }
}

impl Snapshot {
    /// As [`Snapshot::search`], by a ranking measure or in a registry of passages; a score is a share
    /// of the query's own.
    ///
    /// What a document shares is counted in digests, or in a registry of passages in passages that
    /// are alike; how rare that is, is then not known yet.
    pub fn ranked(
        &self,
        request: &Request<'_>,
        query: &[Question<'_>],
        alike_from: f64,
        scratch: &mut Scratch,
    ) -> Result<Findings, Error> {
        let has_passages = self.settings().recipe.passages.is_some();
        let sets = Request {
            measure: Measure::MaxContainment,
            at_least: 0.0,
            limit: if has_passages { 0 } else { usize::MAX },
            ..*request
        };
        let mut found = self.postings().search(&sets, scratch)?;
        let overlaps: BTreeMap<u32, (Overlap, Rarity)> = found
            .alike
            .drain(..)
            .map(|alike| (alike.number, (alike.overlap, alike.rarity)))
            .collect();
        let left_out = LeftOut {
            exclusions: request.exclusions,
            base: request.base,
        };
        let all = self.rank_without(query, request.measure, alike_from, left_out, scratch)?;
        let total = all.len() as u64;
        let alike = |ranked: &Ranked| {
            let (overlap, rarity) = if has_passages {
                let passages = self.postings().units_of(&[ranked.number]).len();
                let overlap = Overlap::of_passages(ranked.score, query.len(), passages);
                (overlap, Rarity::default())
            } else {
                overlaps.get(&ranked.number).copied()?
            };
            Some(Alike {
                number: ranked.number,
                overlap,
                score: ranked.share,
                similarity: Some(ranked.score),
                rarity,
            })
        };
        let listed = all.iter().filter(|ranked| ranked.share >= request.at_least);
        found.alike = listed.filter_map(alike).collect();
        found.at_least = found.alike.len() as u64;
        found.below = total - found.at_least;
        found.alike.truncate(request.limit);
        Ok(found)
    }
}

impl Postings {
    /// What a query scores against itself, and the score of every unit that shares something with it,
    /// under the number of its document.
    fn rank(
        &self,
        &Question { query, itself }: &Question<'_>,
        measure: Measure,
        LeftOut { exclusions, base }: LeftOut<'_>,
        scratch: &mut Scratch,
    ) -> Result<(f64, Vec<Ranked>), Error> {
        let counts = |digest: &Digest| {
            !self.ignored().has(None, *digest) && base.binary_search(digest).is_err()
        };
        let counted = query.counted().filter(|(digest, _)| counts(digest));
        let counted: Vec<(Digest, u32)> = counted.collect();
        let digests: Vec<Digest> = counted.iter().map(|(digest, _)| *digest).collect();
        let looked = self.look_up(&digests, exclusions)?;
        let units = self.live_units();
        let weights = looked.documents_with.iter();
        let weights: Vec<f64> = weights.map(|&with| measure.weight(with, units)).collect();
        let side = Side::of(query);
        let mut own = 0.0;
        for (digest, kept) in itself.counted() {
            if let Ok(place) = digests.binary_search(&digest) {
                own += weights[place] * measure.factor(counted[place].1, kept);
            }
        }
        let own = measure.finish(own, &side, &Side::of(itself));
        let mut ranked = Vec::new();
        let mut reading = Counter::default();
        for (parts, first, sides) in self.wholes() {
            scratch.sums.clear();
            scratch.sums.resize(sides.len(), 0.0);
            for (part, looked) in self.parts[parts.clone()].iter().zip(&looked.parts[parts]) {
                let sums = &mut scratch.sums[(part.first - first) as usize..];
                part.segment.visit(
                    &looked.found,
                    &looked.gone,
                    &mut reading,
                    |found, postings| {
                        let (_, in_query) = counted[found.place as usize];
                        for posting in postings {
                            let weight = weights[found.place as usize];
                            let term = weight * measure.factor(in_query, posting.count);
                            sums[posting.document.0 as usize] += term;
                        }
                    },
                )?;
            }
            let scored = (first..).zip(scratch.sums.iter().zip(sides));
            for (unit, (&sum, document)) in scored.filter(|(_, (sum, _))| **sum > 0.0) {
                let score = measure.finish(sum, &side, document);
                ranked.push(Ranked {
                    number: self.owner(unit),
                    score,
                    share: if own > 0.0 { score / own } else { 0.0 },
                });
            }
        }
        Ok((own, ranked))
    }
}
