//! One document against all others: the sum of a measure's terms over the lists of its digests.

use super::{DocId, Index, Range};
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::measure::{Measure, Side};
use crate::number::index32;
use crate::sort::lower_bound;

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
    /// The documents that score above 0.
    pub hits: Vec<Hit>,
    /// What the query scores against itself in this collection.
    pub own: f64,
    /// How many postings were read.
    pub postings: u64,
}

impl Answer {
    /// Nothing was asked, and nothing found.
    pub(super) fn empty() -> Answer {
        Answer {
            hits: Vec::new(),
            own: 0.0,
            postings: 0,
        }
    }
}

/// A document that is asked about, by two fingerprints that may differ in what they keep of it: an
/// index that keeps little of each document can be asked with all of one.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// What is looked up.
    pub query: &'a Fingerprint,
    /// The same document as the index would keep it: what the query scores against this is its own
    /// score.
    pub itself: &'a Fingerprint,
}

impl<'a> From<&'a Fingerprint> for Question<'a> {
    fn from(query: &'a Fingerprint) -> Question<'a> {
        let itself = query;
        Question { query, itself }
    }
}

/// How many documents are summed up together.
const BLOCK: usize = 1 << 15;

/// Room for the sums of a search, to be used again for the next one.
#[derive(Default)]
pub struct Sums {
    /// The sums of a block of documents.
    block: Vec<f64>,
}

impl Index {
    /// The best `limit` documents for a query, best first, then by number.
    pub fn search<'a>(
        &self,
        query: impl Into<Question<'a>>,
        measure: Measure,
        limit: usize,
        sums: &mut Sums,
    ) -> Answer {
        let mut answer = self.scores(query, measure, sums);
        let better = |a: &Hit, b: &Hit| {
            b.score
                .total_cmp(&a.score)
                .then(a.document.cmp(&b.document))
        };
        if limit < answer.hits.len() {
            answer.hits.select_nth_unstable_by(limit, better);
            answer.hits.truncate(limit);
        }
        answer.hits.sort_unstable_by(better);
        answer
    }

    /// The score of every document for a query, by number.
    pub fn scores<'a>(
        &self,
        query: impl Into<Question<'a>>,
        measure: Measure,
        sums: &mut Sums,
    ) -> Answer {
        let Question { query, itself } = query.into();
        let documents = index32(self.documents());
        let side = Side::of(query);
        let mut own = 0.0;
        let mut of_itself = itself.counted().peekable();
        let mut lists: Vec<List<'_>> = Vec::new();
        for (digest, count) in query.counted() {
            let list = self
                .range_of(digest)
                .and_then(|range| range.postings(digest));
            let with = list.map_or(0, |(postings, _)| index32(postings.len()));
            let weight = measure.weight(with, documents);
            while of_itself.next_if(|(other, _)| *other < digest).is_some() {}
            if let Some((_, kept)) = of_itself.next_if(|(other, _)| *other == digest) {
                own += weight * measure.factor(count, kept);
            }
            if let Some((postings, repeats)) = list {
                let term =
                    |in_document: usize| weight * measure.factor(count, index32(in_document));
                lists.push(List {
                    postings,
                    repeats,
                    term: std::array::from_fn(term),
                    weight,
                    count,
                });
            }
        }
        let own = measure.finish(own, &side, &Side::of(itself));
        let postings = lists.iter().map(|list| list.postings.len() as u64).sum();
        let mut hits: Vec<Hit> = Vec::new();
        // A block of documents at a time, so that their sums stay in the nearest cache.
        for (number, sides) in self.sides.chunks(BLOCK).enumerate() {
            let first = number * BLOCK;
            sums.block.clear();
            sums.block.resize(sides.len(), 0.0);
            for list in &mut lists {
                list.add_up_to(first + sides.len(), first, measure, &mut sums.block);
            }
            for ((document, sum), other) in (first..).zip(&sums.block).zip(sides) {
                if *sum > 0.0 {
                    let score = measure.finish(*sum, &side, other);
                    let share = if own > 0.0 { score / own } else { 0.0 };
                    hits.push(Hit {
                        document: DocId(index32(document)),
                        score,
                        share,
                    });
                }
            }
        }
        Answer {
            hits,
            own,
            postings,
        }
    }

    /// Reads the lists of a query's digests and adds up the document numbers: the least that any
    /// search has to do, which benchmarks compare it with.
    pub fn read(&self, query: &Fingerprint) -> u64 {
        let mut sum = 0;
        for &digest in query.digests() {
            let Some(range) = self.range_of(digest) else {
                continue;
            };
            let Some(place) = range.find(digest) else {
                continue;
            };
            let (start, end) = range.list(place);
            sum += range.documents[start..end]
                .iter()
                .map(|document| u64::from(document.0))
                .sum::<u64>();
        }
        sum
    }

    /// The share of its own score that a query reaches in one document.
    pub(crate) fn share(&self, query: &Fingerprint, document: DocId, measure: Measure) -> f64 {
        let answer = self.scores(query, measure, &mut Sums::default());
        answer
            .hits
            .iter()
            .find(|hit| hit.document == document)
            .map_or(0.0, |hit| hit.share)
    }
}

impl Range {
    /// The place of a digest.
    pub(super) fn find(&self, digest: Digest) -> Option<usize> {
        let place = lower_bound(&self.digests, digest);
        (self.digests.get(place) == Some(&digest)).then_some(place)
    }

    /// The documents of a digest, and which of them have it more than once: their places in the
    /// list, with how often they do.
    fn postings(&self, digest: Digest) -> Option<(&[DocId], Repeats<'_>)> {
        let (start, end) = self.list(self.find(digest)?);
        let first = self
            .repeats
            .partition_point(|&(at, _)| (at as usize) < start);
        let count = self.repeats[first..].partition_point(|&(at, _)| (at as usize) < end);
        let repeats = Repeats {
            places: &self.repeats[first..first + count],
            start,
        };
        Some((&self.documents[start..end], repeats))
    }
}

/// The repeated postings of a list that starts at `start` among all postings.
#[derive(Clone, Copy)]
struct Repeats<'a> {
    places: &'a [(u32, u32)],
    start: usize,
}

/// The postings of a query's digest that were not added yet.
struct List<'a> {
    postings: &'a [DocId],
    repeats: Repeats<'a>,
    /// The terms for the first few frequencies in a document, from 0.
    term: [f64; 8],
    weight: f64,
    count: u32,
}

impl List<'_> {
    /// Adds the terms of the documents below `end` to their sums; the first sum is of `first`.
    fn add_up_to(&mut self, end: usize, first: usize, measure: Measure, sums: &mut [f64]) {
        let below = self
            .postings
            .partition_point(|document| (document.0 as usize) < end);
        let (now, later) = self.postings.split_at(below);
        let once = self.term[1];
        for document in now {
            sums[document.0 as usize - first] += once;
        }
        // Most digests occur once in a document; for the others the term is put right.
        let repeated = self
            .repeats
            .places
            .partition_point(|&(at, _)| (at as usize) < self.repeats.start + below);
        let (places, later_places) = self.repeats.places.split_at(repeated);
        for &(place, count) in places {
            let term = match self.term.get(count as usize) {
                Some(term) => *term,
                None => self.weight * measure.factor(self.count, count),
            };
            sums[now[place as usize - self.repeats.start].0 as usize - first] += term - once;
        }
        self.postings = later;
        self.repeats = Repeats {
            places: later_places,
            start: self.repeats.start + below,
        };
    }
}
