//! Ranking in a registry: Hoad & Zobel's measures, answered from disk.

use std::collections::BTreeMap;

use super::Snapshot;
use super::postings::Postings;
use super::search::{Alike, Exclusions, Findings, Rarity, Request};
use super::tally::Scratch;
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::segment::Counter;
use crate::measure::{Measure, Overlap, Side};
use crate::number::index32;

/// A document by a ranking measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its number.
    pub number: u32,
    /// The value of the measure; of passages, how many pairs of them are alike.
    pub score: f64,
    /// The score as a share of the query's own.
    pub share: f64,
}

impl Snapshot {
    /// The best documents for a query, best first, then by number.
    ///
    /// A query of a registry of passages has one fingerprint a passage; a document's score is how
    /// many pairs of passages reach the share `alike_from` of the query passage's own score.
    pub fn rank(
        &self,
        query: &[Fingerprint],
        measure: Measure,
        alike_from: f64,
        exclusions: &Exclusions,
        scratch: &mut Scratch,
    ) -> Result<Vec<Ranked>, Error> {
        let postings = self.postings();
        let mut ranked = if self.settings().recipe.passages.is_some() {
            let mut alike: BTreeMap<u32, u32> = BTreeMap::new();
            for passage in query {
                for unit in postings.rank(passage, measure, exclusions, scratch)? {
                    if unit.share >= alike_from {
                        *alike.entry(unit.number).or_default() += 1;
                    }
                }
            }
            let own = query.len().max(1) as f64;
            let of_document = |(number, count): (u32, u32)| Ranked {
                number,
                score: count.into(),
                share: f64::from(count) / own,
            };
            alike.into_iter().map(of_document).collect()
        } else {
            match query {
                [whole] => postings.rank(whole, measure, exclusions, scratch)?,
                _ => Vec::new(),
            }
        };
        ranked.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
        Ok(ranked)
    }
}

impl Snapshot {
    /// As [`Snapshot::search`], by a ranking measure; a score is a share of the query's own.
    ///
    /// What a document shares is counted in digests, or in a registry of passages in passages that
    /// are alike.
    pub fn ranked(
        &self,
        request: &Request<'_>,
        query: &[Fingerprint],
        alike_from: f64,
        scratch: &mut Scratch,
    ) -> Result<Findings, Error> {
        let has_passages = self.settings().recipe.passages.is_some();
        let sets = Request {
            measure: Measure::MaxContainment,
            at_least: 0.0,
            limit: usize::MAX,
            ..*request
        };
        let mut found = self.postings().search(&sets, scratch)?;
        let overlaps: BTreeMap<u32, (Overlap, Rarity)> = found
            .alike
            .drain(..)
            .map(|alike| (alike.number, (alike.overlap, alike.rarity)))
            .collect();
        let all = self.rank(
            query,
            request.measure,
            alike_from,
            request.exclusions,
            scratch,
        )?;
        let total = all.len() as u64;
        let alike = |ranked: &Ranked| {
            let (overlap, rarity) = overlaps.get(&ranked.number).copied()?;
            let overlap = if has_passages {
                passages_alike(ranked, query.len())
            } else {
                overlap
            };
            Some(Alike {
                number: ranked.number,
                overlap,
                score: ranked.share,
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

/// How many passages of a query are like some passage of a document. The score counts pairs of
/// passages, which may be more than there are passages.
fn passages_alike(ranked: &Ranked, passages: usize) -> Overlap {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the score of a registry of passages is a count"
    )]
    let alike = ranked.score as u32;
    Overlap {
        shared: alike.min(index32(passages)),
        left: index32(passages),
        right: index32(passages),
    }
}

impl Postings {
    /// The score of every unit that shares something with a query, under the number of its document.
    fn rank(
        &self,
        query: &Fingerprint,
        measure: Measure,
        exclusions: &Exclusions,
        scratch: &mut Scratch,
    ) -> Result<Vec<Ranked>, Error> {
        let counted: Vec<(Digest, u32)> = query
            .counted()
            .filter(|(digest, _)| !self.ignored().has(None, *digest))
            .collect();
        let digests: Vec<Digest> = counted.iter().map(|(digest, _)| *digest).collect();
        let looked = self.look_up(&digests, exclusions)?;
        let units = self.live_units();
        let weights = looked.documents_with.iter();
        let weights: Vec<f64> = weights.map(|&with| measure.weight(with, units)).collect();
        let side = Side::of(query);
        let own: f64 = counted
            .iter()
            .zip(&weights)
            .map(|((_, count), weight)| weight * measure.factor(*count, *count))
            .sum();
        let own = measure.finish(own, &side, &side);
        let mut ranked = Vec::new();
        let mut reading = Counter::default();
        for ((segment, first, _), looked) in self.parts().zip(&looked.parts) {
            scratch.sums.clear();
            scratch.sums.resize(segment.sides().len(), 0.0);
            segment.visit(
                &looked.found,
                &looked.gone,
                &mut reading,
                |found, postings| {
                    let (_, in_query) = counted[found.place as usize];
                    for posting in postings {
                        let term =
                            weights[found.place as usize] * measure.factor(in_query, posting.count);
                        scratch.sums[posting.document.0 as usize] += term;
                    }
                },
            )?;
            let scored = (first..).zip(scratch.sums.iter().zip(segment.sides()));
            for (unit, (&sum, document)) in scored.filter(|(_, (sum, _))| **sum > 0.0) {
                let score = measure.finish(sum, &side, document);
                ranked.push(Ranked {
                    number: self.owner(unit),
                    score,
                    share: if own > 0.0 { score / own } else { 0.0 },
                });
            }
        }
        Ok(ranked)
    }
}
