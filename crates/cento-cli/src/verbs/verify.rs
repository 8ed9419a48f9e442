//! `cento verify`: one to n, against a registry.

use std::collections::HashMap;

use anyhow::{Context as _, Result};
use cento::index::registry::{Snapshot, Which};
use cento::report::{Note, Report, Skipped};
use cento::verify::{Query, VerifySettings, verify};
use cento::{NoCollection, Recipe, Texts, Watch};
use cento_server::reading::{About, describe, query};
use rayon::prelude::*;

use super::registry::place::Place;
use super::registry::texts::RegisteredTexts;
use super::{complete, use_threads};
use crate::Outcome;
use crate::args::{General, MethodOptions, SearchOptions, VerifyArgs};
use crate::config::{Settings, Typed, settle};
use crate::load::{self, Finding, Input, account, find};
use crate::progress::Progress;
use crate::publish::Publication;

pub(crate) fn run(args: VerifyArgs, general: &General) -> Result<Outcome> {
    let mut settings = settle(typed(&args, &args.search), general)?;
    let publication = Publication::settle(args.publishing, &settings)?;
    use_threads(&settings)?;
    let snapshot = Place::of(&settings)?.snapshot()?;
    adopt(&mut settings, &snapshot);
    let Finding {
        inputs,
        mut skipped,
        ..
    } = find(&args.paths, &settings)?;
    let about = About {
        submitter: args.submitter,
        set: args.set,
        id_prefix: args.id_prefix.unwrap_or_default(),
        recipe: query_recipe(&args.search, &snapshot)?,
    };
    let progress = Progress::reading(inputs.len(), load::bytes(&inputs), settings.quiet);
    let read: Vec<Result<Query, Skipped>> = inputs
        .par_iter()
        .map(|input| {
            let query = query(input, &about, &snapshot);
            progress.read(input.size());
            query.map_err(|reason| Skipped {
                id: input.id().to_owned(),
                reason,
                limit: None,
            })
        })
        .collect();
    progress.finish();
    let mut queries = Vec::with_capacity(read.len());
    for result in read {
        match result {
            Ok(query) => queries.push(query),
            Err(reason) => skipped.push(reason),
        }
    }
    skipped.sort();
    let inputs: HashMap<&str, &Input> = inputs.iter().map(|input| (input.id(), input)).collect();
    let read = |id: &str| Some(inputs.get(id)?.read().ok()?.content);
    let (mut report, templates, found) = report(
        &snapshot,
        &queries,
        &args.search,
        &publication,
        &settings,
        &read,
    )?;
    for document in &mut report.documents {
        if let Some(input) = inputs.get(document.id.as_str()) {
            describe(input, document);
        }
    }
    report.skipped.clone_from(&skipped);
    publication.publish(&mut report, &templates, &settings)?;
    account(queries.len(), &skipped, &settings)?;
    let found = args.exit_code && found;
    Ok(if found { Outcome::Found } else { Outcome::Done })
}

fn typed(args: &VerifyArgs, search: &SearchOptions) -> Typed {
    Typed {
        which: args.which.clone(),
        reading: args.reading.clone(),
        evidence: args.evidence.clone(),
        method: method(search),
        ..Typed::default()
    }
}

/// What of the search is known to the settings.
pub(super) fn method(search: &SearchOptions) -> MethodOptions {
    MethodOptions {
        measure: search.measure.clone(),
        threshold: search.threshold,
        ..MethodOptions::default()
    }
}

/// The registry's recipe and key take the place of what a file may say.
pub(super) fn adopt(settings: &mut Settings, snapshot: &Snapshot) {
    settings.scan.recipe = snapshot.settings().recipe.clone();
    settings.recipe_name = settings.scan.recipe.to_string();
    settings.key = snapshot.prepare().key().clone();
}

pub(super) fn query_recipe(search: &SearchOptions, snapshot: &Snapshot) -> Result<Option<Recipe>> {
    let Some(name) = &search.query_recipe else {
        return Ok(None);
    };
    let mut recipe = Recipe::named(name).context("--query-recipe")?;
    if snapshot.settings().recipe.is_keyed() {
        recipe = recipe.keyed();
    }
    // Refuses a recipe that differs in more than the selector.
    snapshot
        .prepare()
        .fingerprint_by(&recipe, "")
        .context("--query-recipe")?;
    Ok(Some(recipe))
}

/// What documents share with those of the registry, the templates, and whether anything was found.
pub(super) fn report(
    snapshot: &Snapshot,
    queries: &[Query],
    search: &SearchOptions,
    publication: &Publication,
    settings: &Settings,
    read: &(dyn Fn(&str) -> Option<String> + Sync),
) -> Result<(Report, Vec<String>, bool)> {
    let excluded = search.exclude_submitter.iter();
    let excluded = excluded.filter(|submitter| !submitter.is_empty()).cloned();
    let sets = search.exclude_set.iter().cloned();
    let verifying = VerifySettings {
        measure: settings.scan.measure,
        threshold: settings.scan.threshold,
        top: search.top,
        passage_threshold: search.passage_threshold,
        exclude: excluded
            .map(Which::Submitter)
            .chain(sets.map(Which::Set))
            .collect(),
        exclude_own_submitter: search.exclude_submitter.iter().any(String::is_empty),
        include_own: search.include_own,
        left_out: settings.scan.left_out,
    };
    let verification = verify(snapshot, queries, &verifying, Watch::NOBODY)?;
    let registered = RegisteredTexts::new(snapshot, search.texts.clone(), settings);
    let entries: HashMap<String, _> = verification.listed().collect();
    let read = |id: &str| match entries.get(id) {
        Some(entry) => registered.read(entry),
        None => read(id),
    };
    let progress = Progress::new("aligning", 0, settings.quiet);
    let tell = |done, all| progress.reach(done, all);
    let watch = Watch::new(&tell, &|| false);
    let base = load::base(settings, &[])?;
    let texts = settings
        .aligner
        .filter(|_| registered.are_at_hand())
        .map(|aligner| Texts {
            aligner,
            read: &read,
            templates: base.texts.clone(),
            key: &settings.key,
            seen: &NoCollection,
        });
    let mut report = verification.report(texts.as_ref(), watch)?;
    progress.finish();
    report
        .notes
        .retain(|note| !matches!(note, Note::NotAligned { .. } | Note::MoreNotAligned { .. }));
    report.notes.extend(registered.notes());
    publication.add_texts(&mut report, &read);
    complete(&mut report, settings);
    Ok((report, base.texts, verification.is_found()))
}
