//! The pairs of documents that are alike (Masaryk, section 3.1), kept up to date.
//!
//! A pair is found when the later of its documents is registered, so that computing everything is
//! the same as adding everything (section 4.4).

use rayon::prelude::*;

use super::postings::Postings;
use super::search::{Exclusions, Request};
use super::tally::Scratch;
use super::{Entry, Registry, Snapshot};
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::{Index, PairQuery};
use crate::measure::{Measure, Overlap, SetMeasure};
use crate::watch::Watch;

/// Pairs are kept if at least this share of one document is in the other.
pub const PAIRS_FROM: f64 = 0.01;

/// Two registered documents that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct AlikePair {
    /// The one that was registered first.
    pub earlier: Entry,
    /// The other one.
    pub later: Entry,
    /// What they share: the earlier one is the left one.
    pub overlap: Overlap,
}

impl AlikePair {
    /// Whether both are versions of one document. The same id alone may be chance.
    pub fn is_same_document(&self) -> bool {
        let (earlier, later) = (&self.earlier.facts, &self.later.facts);
        earlier.id == later.id && earlier.submitter == later.submitter
    }

    /// Whether both are of one submitter.
    pub fn is_same_submitter(&self) -> bool {
        let submitter = &self.earlier.facts.submitter;
        submitter.is_some() && *submitter == self.later.facts.submitter
    }
}

impl Snapshot {
    /// The pairs of which one document is at least so much in the other, most alike first, then by
    /// ids; all, or those of one document.
    pub fn pairs(&self, at_least: f64, id: Option<&str>) -> Result<Vec<AlikePair>, Error> {
        let catalog = self.catalog();
        let numbers: Vec<Option<u32>> = match id {
            None => vec![None],
            Some(id) => {
                let which = super::Which::Id(id.to_owned());
                catalog.numbers(&which)?.into_iter().map(Some).collect()
            }
        };
        let mut pairs = Vec::new();
        for number in numbers {
            for (earlier, later, shared) in catalog.pairs(number)? {
                let (Some(earlier), Some(later)) = (catalog.entry(earlier)?, catalog.entry(later)?)
                else {
                    return Err(catalog.damaged("a pair refers to a document that is not there"));
                };
                let overlap = Overlap {
                    shared,
                    left: earlier.digests - earlier.ignored,
                    right: later.digests - later.ignored,
                };
                if SetMeasure::MaxContainment.score(overlap) >= at_least {
                    pairs.push(AlikePair {
                        earlier,
                        later,
                        overlap,
                    });
                }
            }
        }
        let ids = |pair: &AlikePair| (pair.earlier.number, pair.later.number);
        pairs.sort_by(|a, b| {
            let score = |pair: &AlikePair| SetMeasure::MaxContainment.score(pair.overlap);
            let names = |pair: &AlikePair| {
                let (earlier, later) = (&pair.earlier, &pair.later);
                (
                    earlier.facts.id.clone(),
                    earlier.version,
                    later.facts.id.clone(),
                    later.version,
                )
            };
            score(b)
                .total_cmp(&score(a))
                .then_with(|| names(a).cmp(&names(b)))
        });
        pairs.dedup_by_key(|pair| ids(pair));
        Ok(pairs)
    }
}

impl Registry {
    /// All pairs of these postings, if they are kept at all.
    pub(super) fn all_pairs(
        &self,
        postings: &Postings,
        watch: Watch<'_>,
    ) -> Result<Option<Vec<[u32; 3]>>, Error> {
        let settings = self.prepare().settings();
        let pairs = settings
            .pairs
            .then(|| all(postings, &settings.recipe.id(), watch));
        pairs.transpose()
    }
}

/// The pairs that documents make with documents before them: earlier, later, shared digests.
pub(super) fn with_earlier(
    postings: &Postings,
    queries: &[(&Entry, &Fingerprint)],
) -> Result<Vec<[u32; 3]>, Error> {
    let found: Vec<Vec<[u32; 3]>> = queries
        .par_iter()
        .map_init(Scratch::default, |scratch, (entry, query)| {
            let request = Request {
                query,
                set: entry.facts.set.as_deref(),
                measure: Measure::MaxContainment,
                at_least: PAIRS_FROM,
                limit: usize::MAX,
                exclusions: &Exclusions::default(),
                base: &[],
            };
            let found = postings.search(&request, scratch)?;
            let before = found
                .alike
                .iter()
                .filter(|alike| alike.number < entry.number);
            Ok(before
                .map(|alike| [alike.number, entry.number, alike.overlap.shared])
                .collect())
        })
        .collect::<Result<_, Error>>()?;
    let mut pairs: Vec<[u32; 3]> = found.into_iter().flatten().collect();
    pairs.sort_unstable_by_key(|[earlier, later, _]| (*later, *earlier));
    Ok(pairs)
}

/// All pairs, by the join that `scan` uses.
pub(super) fn all(
    postings: &Postings,
    recipe: &crate::RecipeId,
    watch: Watch<'_>,
) -> Result<Vec<[u32; 3]>, Error> {
    let parts = postings.parts();
    let mut steps = watch.steps(parts.map(|(segment, ..)| segment.postings()).sum());
    let mut digests: Vec<Vec<Digest>> = vec![Vec::new(); postings.units()];
    for (number, (segment, first, removed)) in postings.parts().enumerate() {
        let mut lists = segment.lists();
        // A unit's digests come in ascending order, since it is in one segment only.
        while let Some(list) = lists.next_list()? {
            for posting in list.postings {
                let unit = posting.document;
                if !removed.contains(unit) && postings.counts_for(number, unit, list.digest) {
                    digests[(first + unit.0) as usize].push(list.digest);
                }
            }
            steps.advance(list.postings.len() as u64)?;
        }
    }
    let fingerprints: Vec<Fingerprint> = digests
        .into_iter()
        .map(|digests| Fingerprint::from_digests(recipe.clone(), 0, digests))
        .collect();
    let index = Index::take(fingerprints, watch)?;
    let query = PairQuery {
        measure: SetMeasure::MaxContainment,
        at_least: PAIRS_FROM,
        old_from: u32::MAX,
        max_documents: None,
        steps: PairQuery::STEPS,
    };
    let found = index.pairs(&query, watch)?;
    let mut pairs: Vec<[u32; 3]> = found
        .pairs
        .iter()
        .map(|pair| {
            let (left, right) = (postings.owner(pair.left.0), postings.owner(pair.right.0));
            [left.min(right), left.max(right), pair.overlap.shared]
        })
        .collect();
    pairs.sort_unstable_by_key(|[earlier, later, _]| (*later, *earlier));
    Ok(pairs)
}
