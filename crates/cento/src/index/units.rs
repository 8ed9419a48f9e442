//! Documents as wholes or in passages, ranked for a query (Hoad & Zobel, further experiments).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::search::{Answer, Hit, Question, Sums};
use super::{AllPairs, DocId, Index, Pair, PairQuery, Rows};
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::measure::{Measure, Overlap};
use crate::number::index32;
use crate::report::Histogram;
use crate::watch::Watch;

/// An index of units, which are whole documents or passages of documents.
pub struct UnitIndex {
    index: Index,
    /// The document that each unit is, or is a passage of.
    owners: Vec<u32>,
    /// Units are passages, and from this share of its own score on one is like another.
    alike_from: Option<f64>,
}

impl UnitIndex {
    /// An index of the units of documents: the fingerprint of each, or with `alike_from` those of its
    /// passages. The first document has the number 0.
    ///
    /// # Panics
    ///
    /// If there are 2³¹ units or more.
    pub fn build(
        documents: &[&[Fingerprint]],
        alike_from: Option<f64>,
        watch: Watch<'_>,
    ) -> Result<UnitIndex, Error> {
        let owners = (0..).zip(documents);
        let owners = owners.flat_map(|(owner, units)| std::iter::repeat_n(owner, units.len()));
        let units: Vec<&Fingerprint> = documents.iter().copied().flatten().collect();
        Ok(UnitIndex {
            owners: owners.collect(),
            index: Index::build(&units, watch)?,
            alike_from,
        })
    }

    /// The index of the units, whosever they are.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The score of every document for a query, by number. The query is cut into units as the
    /// documents are.
    ///
    /// Of passages, the score is how many of the query's are like a passage of the document.
    pub fn scores(&self, query: &[Question<'_>], measure: Measure, sums: &mut Sums) -> Answer {
        let Some(alike_from) = self.alike_from else {
            let whole = query
                .first()
                .map(|&whole| self.index.scores(whole, measure, sums));
            return whole.unwrap_or_else(Answer::empty);
        };
        let mut postings = 0;
        let mut good = GoodPassages::default();
        for &passage in query {
            let answer = self.index.scores(passage, measure, sums);
            postings += answer.postings;
            let units = answer.hits.iter();
            let shares = units.map(|hit| (self.owners[hit.document.0 as usize], hit.share));
            good.add(answer.own, shares, alike_from);
        }
        Answer {
            own: good.own(),
            hits: good.hits(),
            postings,
        }
    }

    /// A query with fewer terms: the `most` that the fewest units of other documents have, if any
    /// has them; of equals those that the query has more often. A query that is a document of the
    /// index is no other document.
    ///
    /// Hoad & Zobel leave it to further research how few terms of a query are enough.
    #[must_use]
    pub fn rarest_terms(
        &self,
        query: &Fingerprint,
        most: usize,
        document: Option<u32>,
    ) -> Fingerprint {
        // The units of a document are in a row, in the index and so in every list.
        let own = document.map_or(0..0, |document| {
            let first = self.owners.partition_point(|owner| *owner < document);
            first..self.owners.partition_point(|owner| *owner <= document)
        });
        let with = |digest: Digest| {
            let units = self.index.documents_of(digest);
            let before = |unit: usize| units.partition_point(|other| (other.0 as usize) < unit);
            units.len() - (before(own.end) - before(own.start))
        };
        let terms = query.counted();
        let terms = terms.map(|(digest, count)| (with(digest), Reverse(count), digest));
        let mut terms: Vec<(usize, Reverse<u32>, Digest)> =
            terms.filter(|(with, ..)| *with > 0).collect();
        terms.sort_unstable();
        terms.truncate(most);
        terms.sort_unstable_by_key(|(.., digest)| *digest);
        let counted = terms.into_iter();
        query.with_digests(counted.map(|(_, Reverse(count), digest)| (digest, count)))
    }
}

/// How many passages of a query are like a passage of each document.
///
/// A passage of the query counts once for a document, however many passages there it is like: no text
/// has more of the query than the query itself by repeating it.
#[derive(Default)]
pub(crate) struct GoodPassages {
    own: u32,
    of_documents: BTreeMap<u32, u32>,
}

impl GoodPassages {
    /// Counts the next passage of the query, given its own score and for each passage that it was
    /// held against the document and the share of that score.
    pub(crate) fn add(
        &mut self,
        own: f64,
        shares: impl Iterator<Item = (u32, f64)>,
        alike_from: f64,
    ) {
        // The same terms in another order may sum up to a little less.
        const ROUNDING: f64 = 1e-9;
        self.own += u32::from(own > 0.0);
        let alike = shares.filter(|(_, share)| *share >= alike_from - ROUNDING);
        let documents: BTreeSet<u32> = alike.map(|(document, _)| document).collect();
        for document in documents {
            *self.of_documents.entry(document).or_default() += 1;
        }
    }

    /// What the query scores against itself: all of its passages that have anything to compare.
    pub(crate) fn own(&self) -> f64 {
        self.own.into()
    }

    /// The documents that have any, by number.
    pub(crate) fn hits(&self) -> Vec<Hit> {
        let hit = |(&document, &passages): (&u32, &u32)| Hit {
            document: DocId(document),
            score: passages.into(),
            share: f64::from(passages) / f64::from(self.own.max(1)),
        };
        self.of_documents.iter().map(hit).collect()
    }
}

/// A score for each of some pairs: the value of the measure, of which the pair's own score is a share.
pub(crate) type Similarities = BTreeMap<(DocId, DocId), f64>;

impl UnitIndex {
    /// All pairs of the documents that the index is of: every document is a query, and the larger of
    /// the two shares is the score of a pair. The query's own measure has no say; `counted` has what
    /// does not depend on the measure.
    pub(crate) fn pairs(
        &self,
        documents: &[&[Fingerprint]],
        measure: Measure,
        query: &PairQuery,
        counted: AllPairs,
        watch: Watch<'_>,
    ) -> Result<(AllPairs, Similarities), Error> {
        let found: Vec<Vec<(DocId, DocId, Hit)>> = documents
            .par_iter()
            .enumerate()
            .map_init(Sums::default, |sums, (number, units)| {
                watch.go_on()?;
                let document = DocId(index32(number));
                let question: Vec<Question<'_>> = units.iter().map(Question::from).collect();
                let answer = self.scores(&question, measure, sums);
                let is_other = |hit: &&Hit| {
                    let left = hit.document.min(document);
                    hit.document != document
                        && hit.share >= query.at_least
                        && left.0 < query.old_from
                };
                let pair = |hit: &Hit| {
                    let other = hit.document;
                    (other.min(document), other.max(document), *hit)
                };
                Ok(answer.hits.iter().filter(is_other).map(pair).collect())
            })
            .collect::<Result<_, Error>>()?;
        let mut found = found.concat();
        found.sort_by(|a, b| {
            let larger = b.2.share.total_cmp(&a.2.share);
            (a.0, a.1).cmp(&(b.0, b.1)).then(larger)
        });
        found.dedup_by_key(|(left, right, _)| (*left, *right));
        let similarities = found
            .iter()
            .map(|(left, right, hit)| ((*left, *right), hit.score));
        let similarities = similarities.collect();
        let pair = |(left, right, hit): (DocId, DocId, Hit)| Pair {
            left,
            right,
            overlap: self.overlap([left, right].map(|place| documents[place.0 as usize]), &hit),
            score: hit.share,
        };
        let pairs: Vec<Pair> = found.into_iter().map(pair).collect();
        let sharing = counted
            .below
            .map(|below| below + counted.pairs.len() as u64);
        let all = AllPairs {
            below: sharing.map(|sharing| sharing.saturating_sub(pairs.len() as u64)),
            pairs,
            scores: Histogram::default(),
            rows: Rows::default(),
            ..counted
        };
        Ok((all, similarities))
    }

    /// What two documents have in common: digests, or passages.
    fn overlap(&self, [left, right]: [&[Fingerprint]; 2], hit: &Hit) -> Overlap {
        match (self.alike_from, left, right) {
            (None, [left], [right]) => left.overlap(right),
            _ => Overlap::of_passages(hit.score, left.len(), right.len()),
        }
    }
}

impl Overlap {
    /// So many passages in common, which is what the documents have at most.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the score of passages is a count of them"
    )]
    pub(crate) fn of_passages(good: f64, left: usize, right: usize) -> Overlap {
        let [left, right] = [left, right].map(index32);
        Overlap {
            shared: (good as u32).min(left).min(right),
            left,
            right,
        }
    }
}
