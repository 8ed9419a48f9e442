//! One document against all others: the sum of a measure's terms over the lists of its digests.

use rayon::prelude::*;

use super::{AllPairs, DocId, Index, Pair, PairQuery, Range};
use crate::eval::advise::Histogram;
use crate::fingerprint::Fingerprint;
use crate::measure::{Measure, Side};
use crate::sort::lower_bound;
use crate::token::index32;

/// A document that shares digests with a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The document.
    pub document: DocId,
    /// The value of the measure.
    pub score: f64,
    /// The score as a share of the query's own score.
    pub share: f64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// All documents that share a digest, the best first, then by number.
    pub hits: Vec<Hit>,
    /// What the query scores against itself in this collection.
    pub own: f64,
    /// How many postings were read.
    pub postings: u64,
}

/// Room for the sums of a search, to be used again for the next one.
#[derive(Default)]
pub struct Sums {
    values: Vec<f64>,
    is_touched: Vec<bool>,
    touched: Vec<DocId>,
}

impl Index {
    /// Scores every document that shares a digest with the query.
    pub fn search(&self, query: &Fingerprint, measure: Measure, room: &mut Sums) -> Answer {
        room.values.resize(self.documents(), 0.0);
        room.is_touched.resize(self.documents(), false);
        let documents = index32(self.documents());
        let side = Side::of(query);
        let mut own = 0.0;
        let mut postings = 0;
        for (digest, count) in query.counted() {
            let list = self
                .range_of(digest)
                .and_then(|range| range.find(digest).map(|at| (range, at)));
            let (start, end) = list.map_or((0, 0), |(range, place)| range.list(place));
            let weight = measure.weight(index32(end - start), documents);
            own += weight * measure.factor(count, count);
            let Some((range, _)) = list else { continue };
            postings += (end - start) as u64;
            // Most digests occur once in a document.
            let once = weight * measure.factor(count, 1);
            let mut repeats = range.repeats_from(start);
            for place in start..end {
                let document = range.documents[place];
                let term = match repeats.next_if(|&&(at, _)| at as usize == place) {
                    Some(&(_, repeated)) => weight * measure.factor(count, repeated),
                    None => once,
                };
                if !std::mem::replace(&mut room.is_touched[document.0 as usize], true) {
                    room.touched.push(document);
                }
                room.values[document.0 as usize] += term;
            }
        }
        let own = measure.finish(own, &side, &side);
        let mut hits: Vec<Hit> = Vec::with_capacity(room.touched.len());
        for document in room.touched.drain(..) {
            room.is_touched[document.0 as usize] = false;
            let sum = std::mem::take(&mut room.values[document.0 as usize]);
            let score = measure.finish(sum, &side, &self.sides[document.0 as usize]);
            let share = if own > 0.0 { score / own } else { 0.0 };
            hits.push(Hit {
                document,
                score,
                share,
            });
        }
        hits.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then(a.document.cmp(&b.document))
        });
        Answer {
            hits,
            own,
            postings,
        }
    }
}

impl Index {
    /// The share of its own score that a query reaches in one document.
    pub(crate) fn share(&self, query: &Fingerprint, document: DocId, measure: Measure) -> f64 {
        let answer = self.search(query, measure, &mut Sums::default());
        answer
            .hits
            .iter()
            .find(|hit| hit.document == document)
            .map_or(0.0, |hit| hit.share)
    }

    /// All pairs by a ranking measure: every document is a query, and the larger of the two shares
    /// is the score of a pair.
    pub(crate) fn ranked_pairs(&self, documents: &[&Fingerprint], query: &PairQuery) -> AllPairs {
        // What does not depend on the measure.
        let counted = self.pairs(&PairQuery {
            measure: Measure::MaxContainment,
            at_least: 0.0,
            ..*query
        });
        let mut shares: Vec<(DocId, DocId, f64)> = documents
            .par_iter()
            .enumerate()
            .map_init(Sums::default, |room, (number, fingerprint)| {
                let document = DocId(index32(number));
                let answer = self.search(fingerprint, query.measure, room);
                let other = |hit: &&Hit| {
                    let left = hit.document.min(document);
                    hit.document != document
                        && hit.share >= query.at_least
                        && left.0 < query.old_from
                };
                let pair = |hit: &Hit| {
                    (
                        hit.document.min(document),
                        hit.document.max(document),
                        hit.share,
                    )
                };
                answer
                    .hits
                    .iter()
                    .filter(other)
                    .map(pair)
                    .collect::<Vec<_>>()
            })
            .flatten()
            .collect();
        shares.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(b.2.total_cmp(&a.2)));
        shares.dedup_by_key(|(left, right, _)| (*left, *right));
        let pair = |(left, right, score): (DocId, DocId, f64)| {
            let overlap = documents[left.0 as usize].overlap(documents[right.0 as usize]);
            Pair {
                left,
                right,
                overlap,
                score,
            }
        };
        let pairs: Vec<Pair> = shares.into_iter().map(pair).collect();
        let sharing: u64 = counted.scores.buckets.iter().sum();
        AllPairs {
            below: sharing - pairs.len() as u64,
            pairs,
            scores: Histogram::default(),
            ..counted
        }
    }
}

impl Range {
    /// The place of a digest.
    fn find(&self, digest: crate::digest::Digest) -> Option<usize> {
        let place = lower_bound(&self.digests, digest);
        (self.digests.get(place) == Some(&digest)).then_some(place)
    }

    /// The repeated postings from a place on.
    fn repeats_from(&self, start: usize) -> std::iter::Peekable<std::slice::Iter<'_, (u32, u32)>> {
        let first = self
            .repeats
            .partition_point(|&(at, _)| (at as usize) < start);
        self.repeats[first..].iter().peekable()
    }
}
