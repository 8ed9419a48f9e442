//! Registered documents that only have a dense stretch in common with a query: which of them are
//! listed.
//!
//! Where texts are at hand, the texts decide, as in a scan. Where not, a stretch must be denser than
//! two texts about the same thing make it.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::Answer;
use super::weight::Weights;
use super::{Verification, report_id};
use crate::digest::Digest;
use crate::discount::Discount;
use crate::error::Error;
use crate::evidence::{self, Bar, Collection, Counted, Texts};
use crate::index::DocId;
use crate::index::registry::{Alike, Dense, Entry, Findings, Rarity};
use crate::measure::{Measure, Overlap};
use crate::number::index32;
use crate::report::{Evidence, Listed, PairReport};
use crate::scan::Listing;
use crate::select::Frequencies as _;
use crate::watch::Watch;

/// From this density on a document is listed whose text is not at hand, in a registry of so many.
const ENOUGH: f64 = 3.4;
const DOCUMENTS: f64 = 3230.0;

/// The more documents there are, the denser the densest are by chance: so much more is asked for each
/// time their number is multiplied by e.
const MORE: f64 = 1.25;

fn enough(documents: u32) -> f64 {
    ENOUGH + MORE * (f64::from(documents) / DOCUMENTS).max(1.0).ln()
}

/// Leaves those that may be listed, the densest first: the texts of some are looked at, and others must
/// be dense enough. So many documents may be listed already.
pub(super) fn preselect(dense: &mut Vec<Dense>, listed: usize, documents: u32) {
    dense.sort_by(|a, b| {
        let denser = b.density.total_cmp(&a.density);
        denser.then(a.number.cmp(&b.number))
    });
    let enough = enough(documents);
    let dense_enough = dense.partition_point(|dense| dense.density >= enough);
    dense.truncate(dense_enough.max(listed + LOOKED_AT));
}

/// The texts of at most so many documents are looked at for a query, the densest; others are judged by
/// their density.
const LOOKED_AT: usize = 100;

/// A document that may be listed for a stretch.
pub(super) struct Candidate {
    pub(super) alike: Alike,
    pub(super) weight: f64,
    pub(super) dense: Dense,
    pub(super) entry: Entry,
}

/// Why a document is listed that the fingerprints alone would not list.
#[derive(Clone, Copy)]
pub(super) struct ForStretch {
    pub(super) listed: Listed,
    /// The block of the query where its densest stretch begins.
    pub(super) block: u32,
}

impl Candidate {
    /// What is known of a document; `shared` are the digests that it shares with the query.
    pub(super) fn of(
        dense: Dense,
        entry: Entry,
        shared: &[Digest],
        found: &Findings,
        weights: &Weights<'_>,
        measure: Measure,
    ) -> Candidate {
        let shared_count = index32(shared.len());
        let overlap = Overlap {
            shared: shared_count,
            left: found.digests.max(shared_count),
            right: (entry.digests - entry.ignored).max(shared_count),
        };
        let alike = Alike {
            number: dense.number,
            overlap,
            score: measure
                .of_sets()
                .map_or(0.0, |measure| measure.score_for_query(overlap) / found.own),
            similarity: None,
            rarity: Rarity::of_digests(shared, &found.known),
        };
        Candidate {
            weight: weights.of_shared(shared, overlap.right).share,
            alike,
            dense,
            entry,
        }
    }
}

impl Verification<'_> {
    /// The registered documents that may be listed for a stretch, with the ids that they would have
    /// in the report.
    pub fn candidates(&self) -> impl Iterator<Item = (String, &Entry)> {
        let candidates = self.answers.iter();
        let candidates = candidates.flat_map(|answer| answer.candidates.iter().take(LOOKED_AT));
        candidates.map(|candidate| (report_id(&candidate.entry), &candidate.entry))
    }

    /// Decides which documents are listed for a stretch: by the texts, where [`Texts::read`] has both,
    /// or else by how dense it is. Who is stopped here can begin anew.
    pub(super) fn look(
        &mut self,
        texts: Option<&Texts<'_>>,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let mut evidence = match texts {
            Some(texts) => self.gather(texts, watch)?,
            None => BTreeMap::new(),
        };
        let enough = enough(self.snapshot.documents());
        for (place, answer) in (0..).zip(&mut self.answers) {
            let candidates = std::mem::take(&mut answer.candidates);
            for candidate in candidates {
                let number = candidate.alike.number;
                let listed = match evidence.remove(&(place, number)) {
                    Some(found) => by_texts(&candidate, found, self.settings),
                    None => (candidate.dense.density >= enough).then_some(Listed::Stretch),
                };
                match listed {
                    Some(listed) => {
                        self.entries.insert(number, candidate.entry.clone());
                        answer.list(&candidate, listed);
                    }
                    None => {
                        answer.shared.remove(&number);
                    }
                }
            }
            answer.finish(self.settings.top);
        }
        let is_listed: BTreeSet<u32> = self
            .answers
            .iter()
            .flat_map(|answer| answer.found.alike.iter().map(|alike| alike.number))
            .collect();
        self.entries.retain(|number, _| is_listed.contains(number));
        Ok(())
    }

    /// What the texts of the candidates share, by the places of queries and the numbers of documents.
    fn gather(
        &self,
        texts: &Texts<'_>,
        watch: Watch<'_>,
    ) -> Result<BTreeMap<(usize, u32), Evidence>, Error> {
        let mut ids: Vec<String> = self.queries.iter().map(|query| query.id.clone()).collect();
        let mut places: BTreeMap<u32, DocId> = BTreeMap::new();
        let mut pairs = Vec::new();
        let mut asked = Vec::new();
        for (query, answer) in self.answers.iter().enumerate() {
            for candidate in answer.candidates.iter().take(LOOKED_AT) {
                let number = candidate.alike.number;
                let right = *places.entry(number).or_insert_with(|| {
                    ids.push(report_id(&candidate.entry));
                    DocId(index32(ids.len() - 1))
                });
                pairs.push((DocId(index32(query)), right));
                asked.push((query, number));
            }
        }
        let collection = Collection {
            ids: ids.iter().map(String::as_str).collect(),
            frequencies: self.snapshot,
            recipe: &self.snapshot.settings().recipe,
        };
        let counted = Counted {
            left_out: self.settings.left_out,
            also_without_common: false,
        };
        let texts = Texts {
            marks: false,
            templates: texts.templates.clone(),
            ..*texts
        };
        let gathered = evidence::gather(&collection, &pairs, &texts, counted, watch)?;
        let found = asked.into_iter().zip(gathered.pairs);
        Ok(found
            .filter_map(|(place, found)| Some((place, found?.0)))
            .collect())
    }
}

/// Whether the texts of two documents share enough.
fn by_texts(
    candidate: &Candidate,
    evidence: Evidence,
    settings: &super::VerifySettings,
) -> Option<Listed> {
    let common = settings.left_out.with(Discount::Common);
    let passage = evidence.longest_passage(common);
    let mut pair = PairReport::of("", "", candidate.alike.overlap, candidate.alike.score);
    pair.evidence = Some(evidence);
    let bar = Bar {
        share: settings.threshold,
        passage: Listing::PASSAGE,
    };
    bar.reason(pair.larger_share(), passage)
}

impl Answer {
    fn list(&mut self, candidate: &Candidate, listed: Listed) {
        let number = candidate.alike.number;
        self.found.alike.push(candidate.alike);
        self.found.at_least += 1;
        if candidate.alike.overlap.shared > 0 {
            self.found.below = self.found.below.saturating_sub(1);
        }
        self.weights.insert(number, candidate.weight);
        let block = candidate.dense.block;
        self.stretches.insert(number, ForStretch { listed, block });
    }

    /// Puts all that are listed in order, and keeps the first.
    fn finish(&mut self, top: Option<usize>) {
        if self.stretches.is_empty() {
            return;
        }
        let weights = &self.weights;
        let weight = |alike: &Alike| weights.get(&alike.number).copied().unwrap_or(0.0);
        self.found.alike.sort_by(|a, b| {
            let heavier = weight(b).total_cmp(&weight(a));
            heavier.then(a.number.cmp(&b.number))
        });
        self.found.alike.truncate(top.unwrap_or(usize::MAX));
        let is_listed: BTreeSet<u32> = self.found.alike.iter().map(|alike| alike.number).collect();
        self.shared.retain(|number, _| is_listed.contains(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_documents_need_more_density() {
        assert!((enough(10) - ENOUGH).abs() < 1e-9 && (enough(3230) - ENOUGH).abs() < 1e-9);
        assert!((enough(32_300) - ENOUGH - MORE * 10f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn the_densest_are_kept_and_all_that_are_dense_enough() {
        let dense = |number: u32, density: f64| Dense {
            number,
            shared: density,
            density,
            block: 0,
        };
        let many = index32(LOOKED_AT) + 50;
        let mut thin: Vec<Dense> = (0..many).map(|number| dense(number, 2.0)).collect();
        thin.push(dense(many, 9.0));
        preselect(&mut thin, 3, 100);
        assert_eq!(thin.len(), LOOKED_AT + 3);
        assert_eq!((thin[0].number, thin[1].number), (many, 0));
        let mut thick: Vec<Dense> = (0..many).map(|number| dense(number, 9.0)).collect();
        preselect(&mut thick, 0, 100);
        assert_eq!(thick.len(), many as usize);
    }
}
