//! `cento dedupe --registry`: what is registered already is removed, and what is kept is registered.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result, bail};
use cento::index::registry::{
    Added, Entry, Exclusions, Facts, OnChange, Registry, Request, Scratch, Snapshot,
};
use cento::index::{ClusterQuery, DigestStore};
use cento::{Fingerprint, Recipe};
use rayon::prelude::*;

use super::corpus::{Batch, Item, each_file, each_row};
use super::dataset::Dataset;
use crate::args::DedupeArgs;
use crate::config::Settings;
use crate::time;
use crate::verbs::registry::place::Place;
use crate::verbs::verify;

/// A registry that a dataset is checked against.
pub(super) struct Registered {
    registry: Registry,
    snapshot: Snapshot,
}

/// The registered document that one of the dataset is like.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// How it is named in the results.
    pub(super) id: String,
    pub(super) similarity: f64,
}

/// What became of the documents that were kept.
#[derive(Clone, Copy, Default)]
pub(super) struct Registration {
    pub(super) registered: u64,
    /// They have no word.
    pub(super) empty: u64,
}

impl Registered {
    /// Opens the registry for writing, so that nobody else changes it meanwhile; its recipe and its
    /// key become those of the settings.
    pub(super) fn open(args: &DedupeArgs, settings: &mut Settings) -> Result<Option<Registered>> {
        let Some(path) = &args.registry else {
            return Ok(None);
        };
        let place = Place::at(path, settings.key_file.as_deref())?;
        let registry = place.writer("dedupe")?;
        let snapshot = place.snapshot()?;
        let recipe = &snapshot.settings().recipe;
        if recipe.passages.is_some() {
            bail!(
                "--registry: {} keeps passages, and duplicates are whole documents; make one with \
                 another recipe",
                path.display()
            );
        }
        expect_recipe(&args.recipe, recipe)
            .with_context(|| format!("--registry {}", path.display()))?;
        verify::adopt(settings, &snapshot);
        Ok(Some(Registered { registry, snapshot }))
    }

    /// For each document the registered one that it is most like, at or above the threshold.
    pub(super) fn known(
        &self,
        store: &DigestStore,
        settings: &Settings,
        wanted: &ClusterQuery,
    ) -> Result<Vec<Option<Known>>> {
        let exclusions = Exclusions::default();
        let snapshot = &self.snapshot;
        let recipe = settings.scan.recipe.id();
        let found: Vec<Option<(u32, f64)>> = (0..u32::try_from(store.sizes().len())?)
            .into_par_iter()
            .map_init(Scratch::default, |scratch, document| {
                let digests = store.read(document)?;
                let fingerprint = Fingerprint::from_digests(recipe.clone(), 0, digests);
                let query = snapshot.prepare().query_of(&fingerprint)?;
                let request = Request {
                    query: &query,
                    set: None,
                    measure: wanted.measure.into(),
                    at_least: wanted.at_least,
                    limit: 1,
                    exclusions: &exclusions,
                };
                let found = snapshot.search(&request, scratch)?;
                Ok(found.alike.first().map(|alike| (alike.number, alike.score)))
            })
            .collect::<Result<_>>()?;
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        let mut all = Vec::with_capacity(found.len());
        for found in found {
            let Some((number, similarity)) = found else {
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

    /// Registers the documents that are kept, all of them in one commit.
    pub(super) fn register(mut self, dataset: &Dataset, is_kept: &[bool]) -> Result<Registration> {
        let mut registration = Registration::default();
        let mut flags = is_kept.iter();
        let now = time::now();
        let mut visit = |batch: Batch| {
            let kept: Vec<Item> = batch
                .into_iter()
                .flatten()
                .zip(flags.by_ref())
                .filter(|(_, is_kept)| **is_kept)
                .map(|(item, _)| item)
                .collect();
            add(&mut self.registry, &kept, &now, &mut registration)
        };
        for table in &dataset.tables {
            each_row(table, &mut visit)?;
        }
        each_file(&dataset.files, &mut visit)?;
        self.registry.finish()?;
        Ok(registration)
    }
}

fn add(
    registry: &mut Registry,
    items: &[Item],
    now: &str,
    registration: &mut Registration,
) -> Result<()> {
    let prepare = registry.prepare().clone();
    let candidates: Vec<_> = items
        .par_iter()
        .map(|item| {
            let facts = Facts {
                id: item.id.clone(),
                registered: now.to_owned(),
                extractor: Some(format!("cento {}", env!("CARGO_PKG_VERSION"))),
                ..Facts::default()
            };
            prepare.candidate(facts, &item.text)
        })
        .collect();
    for candidate in candidates {
        if candidate.words() == 0 {
            registration.empty += 1;
            continue;
        }
        match registry.add(candidate, OnChange::Version)? {
            Added::New | Added::Version(_) => registration.registered += 1,
            Added::Unchanged | Added::Refused => {}
        }
    }
    Ok(())
}

/// The registry's recipe has the say; another one that was asked for is an error.
fn expect_recipe(asked: &str, ours: &Recipe) -> Result<()> {
    if asked == "default" {
        return Ok(());
    }
    let mut recipe = Recipe::named(asked).context("--recipe")?;
    if ours.is_keyed() {
        recipe = recipe.keyed();
    }
    if recipe != *ours {
        bail!("its recipe is `{ours}`, and --recipe asks for another one; leave --recipe away");
    }
    Ok(())
}

/// No document of the dataset is called this.
fn name(entry: &Entry) -> String {
    match entry.version {
        1 => format!("registry:{}", entry.facts.id),
        version => format!("registry:{}@{version}", entry.facts.id),
    }
}
