//! The index: which documents have a digest.
//!
//! Postings are sorted in parallel, one range of digests at a time. A search looks up the digests of
//! one document; all pairs come from walking every list of documents once, never from comparing
//! documents two by two.

mod build;
mod clusters;
mod pairs;
mod private;
#[cfg(feature = "registry")]
pub mod registry;
mod search;
pub mod segment;
#[cfg(feature = "registry")]
pub mod sightings;
mod slice;
mod units;

pub use clusters::{ClusterQuery, DigestStore, Fate, Stars, components, parts};
pub use pairs::{AllPairs, Pair, PairQuery, Row, Rows, SharedLists};
pub use search::{Answer, Hit, Question, Sums};
#[cfg(feature = "registry")]
pub(crate) use units::GoodPassages;
pub(crate) use units::Similarities;
pub use units::UnitIndex;

use std::borrow::Cow;
use std::ops::RangeInclusive;

use build::Which;

use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::measure::Side;
use crate::number::index32;
use crate::select::Frequencies;
use crate::watch::Watch;

/// The number of a document: its place in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DocId(pub u32);

/// An index in memory.
pub struct Index {
    /// Ranges of digests, in ascending order.
    ranges: Vec<Range>,
    /// How far to shift a digest to the right to get the number of its range.
    shift: u32,
    /// Each document as a whole.
    sides: Vec<Side>,
}

/// The postings of one range of digests.
#[derive(Default)]
struct Range {
    /// The distinct digests, sorted.
    digests: Vec<Digest>,
    /// Where the documents of each digest end in `documents`.
    ends: Vec<u32>,
    /// For each digest its documents, ascending.
    documents: Vec<DocId>,
    /// Places in `documents` where the digest occurs more than once, with how often it does.
    repeats: Vec<(u32, u32)>,
}

/// A document that has a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    /// The document.
    pub document: DocId,
    /// How often the digest occurs in it.
    pub count: u32,
}

impl Index {
    /// An index of these fingerprints; the first one is document 0.
    ///
    /// # Panics
    ///
    /// If there are 2³¹ documents or more.
    pub fn build(fingerprints: &[&Fingerprint], watch: Watch<'_>) -> Result<Index, Error> {
        build::build(lent(fingerprints), Which::All, watch)
    }

    /// The same; the memory of the fingerprints is free again.
    ///
    /// # Panics
    ///
    /// If there are 2³¹ documents or more.
    pub fn take(fingerprints: Vec<Fingerprint>, watch: Watch<'_>) -> Result<Index, Error> {
        build::build(given(fingerprints), Which::All, watch)
    }

    /// How many documents it has.
    pub fn documents(&self) -> usize {
        self.sides.len()
    }

    /// How many (digest, document) pairs it has.
    pub fn postings(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| range.documents.len() as u64)
            .sum()
    }

    /// For each document the numbers of its digests that so many documents have, ascending; such
    /// digests are numbered from 0 on.
    pub(crate) fn common(&self, documents: RangeInclusive<u32>) -> Vec<Vec<u32>> {
        let mut common = vec![Vec::new(); self.documents()];
        let lists = self.ranges.iter().flat_map(Range::lists);
        let lists = lists.filter(|list| documents.contains(&index32(list.len())));
        for (number, list) in (0..).zip(lists) {
            for document in list {
                common[document.0 as usize].push(number);
            }
        }
        common
    }

    /// How many bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        let of_range = |range: &Range| {
            8 * range.digests.len()
                + 4 * range.ends.len()
                + 4 * range.documents.len()
                + 8 * range.repeats.len()
        };
        let ranges: usize = self.ranges.iter().map(of_range).sum();
        (ranges + size_of::<Side>() * self.sides.len()) as u64
    }

    /// How many distinct digests a document has.
    pub fn size(&self, document: DocId) -> u32 {
        self.sides[document.0 as usize].digests
    }

    /// How many documents have a digest.
    pub fn documents_with(&self, digest: Digest) -> u32 {
        index32(self.documents_of(digest).len())
    }

    /// Which documents have a digest, ascending.
    pub(crate) fn documents_of(&self, digest: Digest) -> &[DocId] {
        let found = self
            .range_of(digest)
            .and_then(|range| Some((range, range.find(digest)?)));
        found.map_or(&[], |(range, place)| {
            let (start, end) = range.list(place);
            &range.documents[start..end]
        })
    }

    /// The documents that have a digest, ascending.
    pub fn postings_of(&self, digest: Digest) -> Vec<Posting> {
        let Some(range) = self.range_of(digest) else {
            return Vec::new();
        };
        let Some(found) = range.find(digest) else {
            return Vec::new();
        };
        let (start, end) = range.list(found);
        let count = |place: usize| {
            let repeat = range
                .repeats
                .binary_search_by_key(&place, |&(at, _)| at as usize);
            repeat.map_or(1, |found| range.repeats[found].1)
        };
        let posting = |place: usize| Posting {
            document: range.documents[place],
            count: count(place),
        };
        (start..end).map(posting).collect()
    }
}

fn lent<'a>(fingerprints: &[&'a Fingerprint]) -> Vec<Cow<'a, Fingerprint>> {
    fingerprints.iter().copied().map(Cow::Borrowed).collect()
}

fn given(fingerprints: Vec<Fingerprint>) -> Vec<Cow<'static, Fingerprint>> {
    fingerprints.into_iter().map(Cow::Owned).collect()
}

impl Frequencies for Index {
    fn documents(&self) -> u32 {
        index32(self.sides.len())
    }

    fn documents_with(&self, digest: Digest) -> u32 {
        Index::documents_with(self, digest)
    }
}

impl Index {
    /// The range that a digest is in, if it is in any.
    fn range_of(&self, digest: Digest) -> Option<&Range> {
        let number = digest.0.checked_shr(self.shift).unwrap_or(0);
        self.ranges.get(usize::try_from(number).ok()?)
    }
}

impl Range {
    /// The documents of each digest.
    fn lists(&self) -> impl Iterator<Item = &[DocId]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts
            .zip(&self.ends)
            .map(|(&start, &end)| &self.documents[start as usize..end as usize])
    }

    /// Where the documents of the digest at `place` start and end.
    fn list(&self, place: usize) -> (usize, usize) {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        (start as usize, self.ends[place] as usize)
    }
}
