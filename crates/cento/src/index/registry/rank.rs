//! Ranking in a registry: Hoad & Zobel's measures, answered from disk.

use std::collections::BTreeMap;

use super::Snapshot;
use super::search::{Exclusions, Postings, Room};
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::segment::Counter;
use crate::measure::{Measure, Side};

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
        room: &mut Room,
    ) -> Result<Vec<Ranked>, Error> {
        let postings = self.postings();
        let mut ranked = if self.settings().recipe.passages.is_some() {
            let mut alike: BTreeMap<u32, u32> = BTreeMap::new();
            for passage in query {
                for unit in postings.rank(passage, measure, exclusions, room)? {
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
                [whole] => postings.rank(whole, measure, exclusions, room)?,
                _ => Vec::new(),
            }
        };
        ranked.sort_unstable_by(|a, b| b.score.total_cmp(&a.score).then(a.number.cmp(&b.number)));
        Ok(ranked)
    }
}

impl Postings {
    /// The score of every unit that shares something with a query, under the number of its document.
    fn rank(
        &self,
        query: &Fingerprint,
        measure: Measure,
        exclusions: &Exclusions,
        room: &mut Room,
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
        for ((segment, first, _), (found, gone)) in self.parts().zip(&looked.parts) {
            room.sums.clear();
            room.sums.resize(segment.sides().len(), 0.0);
            segment.visit(found, gone, &mut reading, |found, postings| {
                let (_, in_query) = counted[found.place as usize];
                for posting in postings {
                    let term =
                        weights[found.place as usize] * measure.factor(in_query, posting.count);
                    room.sums[posting.document.0 as usize] += term;
                }
            })?;
            let scored = (first..).zip(room.sums.iter().zip(segment.sides()));
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
