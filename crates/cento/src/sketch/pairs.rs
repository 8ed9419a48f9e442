//! Sketches → pairs: candidates band by band, each looked at once and exactly.

use rayon::prelude::*;

use super::Sketches;
use crate::digest::Digest;
use crate::error::Error;
use crate::index::{DocId, Pair};
use crate::measure::{Overlap, SetMeasure};
use crate::number::index32;
use crate::watch::Watch;

/// The pairs that sketches lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct SketchedPairs {
    /// Those at or above the wanted score, by document numbers.
    pub pairs: Vec<Pair>,
    /// How many were looked at.
    pub candidates: u64,
}

impl Sketches {
    /// The candidates that reach a score by a measure of sets.
    ///
    /// `digests` gives the sorted digests of a document. Documents from `old_from` on are compared
    /// with the ones before, not among themselves. The result is the same on any number of threads.
    pub fn pairs<'d>(
        &self,
        measure: SetMeasure,
        at_least: f64,
        old_from: u32,
        digests: impl Fn(DocId) -> &'d [Digest] + Sync,
        watch: Watch<'_>,
    ) -> Result<SketchedPairs, Error> {
        let look = |band: usize, (left, right): (DocId, DocId), found: &mut SketchedPairs| {
            // Candidates in several bands are looked at in the first of them.
            if left.0 >= old_from || self.first_common(left, right) != Some(band) {
                return;
            }
            found.candidates += 1;
            let overlap = overlap(digests(left), digests(right));
            let score = measure.score(overlap);
            if score >= at_least {
                found.pairs.push(Pair {
                    left,
                    right,
                    overlap,
                    score,
                });
            }
        };
        let in_band = |band: usize| {
            let sorted = self.sorted(band);
            let groups: Vec<&[(u64, DocId)]> = sorted.chunk_by(|a, b| a.0 == b.0).collect();
            // A document of a group with those behind it is a piece of work of its own.
            let lefts = groups.par_iter().flat_map(|group| {
                (0..group.len() - 1)
                    .into_par_iter()
                    .map(move |at| (group, at))
            });
            lefts
                .try_fold(SketchedPairs::none, |mut found, (group, at)| {
                    watch.go_on()?;
                    for other in &group[at + 1..] {
                        look(band, (group[at].1, other.1), &mut found);
                    }
                    Ok::<_, Error>(found)
                })
                .try_reduce(SketchedPairs::none, |found, more| Ok(found.and(more)))
        };
        let bands = (0..self.bands).into_par_iter();
        let mut found = bands
            .map(in_band)
            .try_reduce(SketchedPairs::none, |found, more| Ok(found.and(more)))?;
        found
            .pairs
            .par_sort_unstable_by_key(|pair| (pair.left, pair.right));
        Ok(found)
    }
}

impl SketchedPairs {
    fn none() -> SketchedPairs {
        SketchedPairs {
            pairs: Vec::new(),
            candidates: 0,
        }
    }

    fn and(mut self, mut more: SketchedPairs) -> SketchedPairs {
        self.pairs.append(&mut more.pairs);
        self.candidates += more.candidates;
        self
    }
}

/// What two sorted sets of digests share; without a branch that depends on them.
pub(super) fn overlap(left: &[Digest], right: &[Digest]) -> Overlap {
    let (mut at_left, mut at_right, mut shared) = (0, 0, 0);
    while at_left < left.len() && at_right < right.len() {
        let (one, other) = (left[at_left], right[at_right]);
        shared += u32::from(one == other);
        at_left += usize::from(one <= other);
        at_right += usize::from(other <= one);
    }
    Overlap {
        shared,
        left: index32(left.len()),
        right: index32(right.len()),
    }
}
