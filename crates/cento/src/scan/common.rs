//! What a scan would list without the text that many documents have: an assignment sheet that all
//! essays begin with connects every pair of them.

use std::collections::HashSet;

use super::ScanSettings;
use crate::discount::{Discount, common_from};
use crate::error::Error;
use crate::index::{AllPairs, DocId, Index, Pair, PairQuery};
use crate::measure::{Overlap, SetMeasure};
use crate::number::index32;
use crate::report::{Histogram, PairReport, PairWithout, Report, WithoutCommon};
use crate::watch::Watch;

/// The same scan without the digests that many documents have.
pub(super) struct Without {
    /// In so many documents, or more.
    from: u32,
    measure: SetMeasure,
    found: AllPairs,
    /// For each document the numbers of those digests that it has, ascending.
    common: Vec<Vec<u32>>,
}

impl Without {
    /// Nothing if no digest is in that many documents, or if they do not count anyway.
    pub(super) fn find(
        index: &Index,
        query: &PairQuery,
        settings: &ScanSettings,
        watch: Watch<'_>,
    ) -> Result<Option<Without>, Error> {
        let from = common_from(index32(index.documents()));
        if settings.left_out.has(Discount::Common) {
            return Ok(None);
        }
        // What more documents have than that does not count in either list.
        let common = index.common(from..=query.max_documents.unwrap_or(u32::MAX));
        if common.iter().all(Vec::is_empty) {
            return Ok(None);
        }
        let query = PairQuery {
            max_documents: Some(from - 1),
            ..*query
        };
        Ok(Some(Without {
            from,
            measure: query.measure,
            found: index.pairs(&query, watch)?,
            common,
        }))
    }

    /// Leaves out the other pairs.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&Pair) -> bool) {
        self.found.pairs.retain(is_kept);
    }

    /// Adds it to a report that lists these pairs; gives back the pairs that would be listed only then.
    pub(super) fn add_to(
        &self,
        report: &mut Report,
        listed: &[Pair],
        settings: &ScanSettings,
    ) -> Vec<Pair> {
        let known: HashSet<(DocId, DocId)> =
            listed.iter().map(|pair| (pair.left, pair.right)).collect();
        let is_new = |pair: &&Pair| !known.contains(&(pair.left, pair.right));
        let mut more: Vec<Pair> = self.found.pairs.iter().filter(is_new).copied().collect();
        more.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then((a.left, a.right).cmp(&(b.left, b.right)))
        });
        settings.top().of(&mut more, |pair| [pair.left, pair.right]);
        let id = |document: DocId| report.documents[document.0 as usize].id.clone();
        let with = |pair: &Pair| {
            let (without, common) = (pair.overlap, self.common(pair));
            let overlap = Overlap {
                shared: without.shared + common.shared,
                left: without.left + common.left,
                right: without.right + common.right,
            };
            let score = self.measure.score(overlap);
            PairReport {
                without_common: Some(pair_without(pair.overlap, pair.score)),
                ..PairReport::of(id(pair.left), id(pair.right), overlap, score)
            }
        };
        report.without_common = Some(WithoutCommon {
            from: self.from,
            words: 0,
            having: 0,
            at_threshold: self.found.pairs.len() as u64,
            below_threshold: self.found.below,
            histogram: self.found.scores.clone(),
            pairs: more.iter().map(with).collect(),
        });
        self.add_globals(report);
        for (pair, reported) in listed.iter().zip(&mut report.pairs) {
            reported.without_common = Some(self.of(pair));
        }
        more
    }

    /// What a pair comes to without those digests.
    pub(super) fn of(&self, pair: &Pair) -> PairWithout {
        let (with, common) = (pair.overlap, self.common(pair));
        let overlap = Overlap {
            shared: with.shared - common.shared,
            left: with.left - common.left,
            right: with.right - common.right,
        };
        pair_without(overlap, self.measure.score(overlap))
    }

    /// The pairs that reach the threshold without those digests.
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.found.pairs
    }

    /// Adds to a report what documents share without those digests.
    pub(super) fn add_globals(&self, report: &mut Report) {
        let sizes = self.found.sizes.iter().zip(&self.found.shared_with_any);
        for (document, (&size, &shared)) in report.documents.iter_mut().zip(sizes) {
            document.global_without_common = Some(share(shared, size));
        }
    }

    /// The same scan, of which so many pairs would be listed.
    pub(super) fn scan(
        &self,
        at_threshold: u64,
        below_threshold: Option<u64>,
        histogram: Histogram,
    ) -> WithoutCommon {
        WithoutCommon {
            from: self.from,
            words: 0,
            having: 0,
            at_threshold,
            below_threshold,
            histogram,
            pairs: Vec::new(),
        }
    }

    /// How many pairs have which score without those digests.
    pub(super) fn scores(&self) -> &Histogram {
        &self.found.scores
    }

    /// The digests of a pair that many documents have.
    fn common(&self, pair: &Pair) -> Overlap {
        let [left, right] =
            [pair.left, pair.right].map(|document| &self.common[document.0 as usize]);
        Overlap {
            shared: in_both(left, right),
            left: index32(left.len()),
            right: index32(right.len()),
        }
    }
}

/// How many numbers are in both of two ascending lists.
pub(super) fn in_both(left: &[u32], right: &[u32]) -> u32 {
    let mut others = right.iter().peekable();
    let is_shared = |digest: &&u32| {
        while others.next_if(|other| *other < *digest).is_some() {}
        others.peek() == Some(digest)
    };
    index32(left.iter().filter(is_shared).count())
}

/// A pair whose words are counted when the texts are looked at.
fn pair_without(overlap: Overlap, score: f64) -> PairWithout {
    PairWithout {
        score,
        shared: overlap.shared,
        digests: [overlap.left, overlap.right],
        longest: 0,
        tally: Default::default(),
        listed: None,
    }
}

fn share(part: u32, whole: u32) -> f64 {
    let overlap = Overlap {
        shared: part,
        left: whole,
        right: whole,
    };
    overlap.containment()[0]
}
