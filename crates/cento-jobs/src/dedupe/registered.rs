//! A dataset and a registry: what is registered already is removed, and what is kept is registered.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cento::index::DigestStore;
use cento::index::registry::{
    Added, Candidate, Entry, Exclusions, Facts, OnChange, Prepare, Registry, Request, Scratch,
    Snapshot,
};
use cento::{Fingerprint, SetMeasure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::choose::Chosen;
use super::compare::Comparison;
use super::corpus::{Corpus, Item, number};
use super::options::NearDuplicates;
use crate::error::{At as _, Result};
use crate::registry::RegistryOptions;
use crate::time;
use crate::watch::{Step, Watch};

/// A registry that a dataset is checked against.
pub(super) struct Registered {
    registry: Registry,
    snapshot: Snapshot,
    path: PathBuf,
}

/// The registered document that one of the dataset is like.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Known {
    /// How it is named in the results.
    pub(super) id: String,
    pub(super) similarity: f64,
}

/// What became of the documents that were kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Registration {
    pub(super) registered: u64,
    pub(super) without_words: u64,
    /// They could be read the first time.
    pub(super) not_read_again: u64,
    /// Their ids are those of a submitter, and a dataset has none.
    pub(super) of_submitters: u64,
}

impl Registered {
    /// Opens the registry for writing, so that nobody else changes it meanwhile; its recipe and its
    /// key become those of the comparison.
    pub(super) fn open(
        path: &Path,
        wanted: &NearDuplicates,
        comparison: &mut Comparison,
        watch: &Watch<'_>,
    ) -> Result<Registered> {
        let place = of(path, wanted).place(watch)?;
        let registry = place.writer("dedupe", watch)?;
        let snapshot = place.snapshot()?;
        adopt(&snapshot, path, wanted, comparison)?;
        Ok(Registered {
            registry,
            snapshot,
            path: path.to_owned(),
        })
    }

    /// The same for somebody who wants to know only what a run will take.
    pub(super) fn look(
        path: &Path,
        wanted: &NearDuplicates,
        comparison: &mut Comparison,
        watch: &Watch<'_>,
    ) -> Result<()> {
        let snapshot = of(path, wanted).place_to_read(watch)?.snapshot()?;
        adopt(&snapshot, path, wanted, comparison)
    }

    /// For each document the registered one that it is most like, at or above the threshold.
    pub(super) fn known(
        &self,
        store: &DigestStore,
        comparison: &Comparison,
        watch: &Watch<'_>,
    ) -> Result<Vec<Option<Known>>> {
        let exclusions = Exclusions::default();
        let snapshot = &self.snapshot;
        let recipe = comparison.recipe.id();
        let documents = store.sizes().len();
        watch.begin(Step::Comparing, documents, 0);
        let alike: Vec<Option<(u32, f64)>> = (0..number(documents)?)
            .into_par_iter()
            .map_init(Scratch::default, |scratch, document| {
                watch.go_on()?;
                let digests = store.read(document)?;
                let fingerprint = Fingerprint::from_digests(recipe.clone(), 0, digests);
                let query = snapshot.prepare().query_of(&fingerprint)?;
                let request = Request {
                    query: &query,
                    set: None,
                    measure: of_pairs(comparison.query.measure).into(),
                    at_least: comparison.query.at_least,
                    limit: 1,
                    exclusions: &exclusions,
                    base: &[],
                };
                let found = snapshot.search(&request, scratch)?;
                watch.advance(1, 0);
                Ok(found.alike.first().map(|alike| (alike.number, alike.score)))
            })
            .collect::<Result<_>>()?;
        watch.end();
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        let mut all = Vec::with_capacity(alike.len());
        for alike in alike {
            let Some((number, similarity)) = alike else {
                all.push(None);
                continue;
            };
            if !names.contains_key(&number)
                && let Some(entry) = snapshot.entry(number)?
            {
                names.insert(number, name(&entry));
            }
            let id = names.get(&number).cloned().unwrap_or_default();
            all.push(Some(Known { id, similarity }));
        }
        Ok(all)
    }

    /// Reads the documents that are kept once more and adds them to the registry, under their own
    /// ids. They are registered by [`Registered::finish`], all of them in one commit.
    pub(super) fn add(
        &mut self,
        corpus: &Corpus,
        chosen: &Chosen<'_>,
        watch: &Watch<'_>,
    ) -> Result<Registration> {
        let kept = chosen.all().filter(|fate| fate.is_kept).count();
        watch.begin(Step::Registering, kept, corpus.bytes());
        let prepare = self.registry.prepare().clone();
        let now = time::now();
        let candidate = |item: Item| candidate(&item, chosen, &prepare, &now);
        let mut registration = Registration {
            not_read_again: kept as u64,
            ..Registration::default()
        };
        let mut batches = corpus.batches();
        while let Some(batch) = batches.next(watch, candidate)? {
            for candidate in batch.items.into_iter().flatten().flatten() {
                registration.not_read_again = registration.not_read_again.saturating_sub(1);
                if candidate.words() == 0 {
                    registration.without_words += 1;
                    continue;
                }
                match self.registry.add(candidate, OnChange::Version)? {
                    Added::New | Added::Version(_) => registration.registered += 1,
                    Added::OtherSubmitter { .. } => registration.of_submitters += 1,
                    Added::Unchanged | Added::Refused => {}
                }
            }
        }
        watch.end();
        Ok(registration)
    }

    /// Registers what was added.
    pub(super) fn finish(self) -> Result<()> {
        self.registry.finish().at(self.path.display())?;
        Ok(())
    }
}

/// A document to register, if it is one that is kept.
fn candidate(item: &Item, chosen: &Chosen<'_>, prepare: &Prepare, now: &str) -> Option<Candidate> {
    let fate = chosen.find(item.identity).filter(|fate| fate.is_kept)?;
    // A text that has changed since was compared with nothing.
    if item.text.len() as u64 != fate.document.length {
        return None;
    }
    let facts = Facts {
        id: fate.document.id.to_string(),
        registered: now.to_owned(),
        extractor: Some(format!("cento {}", env!("CARGO_PKG_VERSION"))),
        ..Facts::default()
    };
    Some(prepare.candidate(facts, &item.text))
}

fn of(path: &Path, wanted: &NearDuplicates) -> RegistryOptions {
    RegistryOptions {
        registry: path.to_owned(),
        key_file: wanted.method.key_file.clone(),
        key: wanted.method.key.clone(),
    }
}

fn adopt(
    snapshot: &Snapshot,
    path: &Path,
    wanted: &NearDuplicates,
    comparison: &mut Comparison,
) -> Result<()> {
    let adopted = comparison.adopt(snapshot, wanted.method.recipe.as_deref());
    adopted.at(path.display()).for_option("registry")
}

/// Duplicates are pairs: where a registry asks how much of a query is in a document, the larger of the
/// two directions counts.
fn of_pairs(measure: SetMeasure) -> SetMeasure {
    match measure {
        SetMeasure::Containment => SetMeasure::MaxContainment,
        SetMeasure::Symmetric | SetMeasure::Resemblance | SetMeasure::MaxContainment => measure,
    }
}

/// No document of the dataset is called this.
fn name(entry: &Entry) -> String {
    match entry.version {
        1 => format!("registry:{}", entry.facts.id),
        version => format!("registry:{}@{version}", entry.facts.id),
    }
}
