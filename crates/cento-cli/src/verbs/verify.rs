//! `cento verify`: one to n, against a registry.

use anyhow::Result;
use cento_jobs::registry::TextSources;
use cento_jobs::verify::{self, Options};

use crate::Outcome;
use crate::args::{General, ManyOptions, MethodOptions, SearchOptions, VerifyArgs};
use crate::config::{Settings, Typed, settle};
use crate::publish::Publication;
use crate::run::{account, run as watched};

pub(crate) fn run(args: VerifyArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        which: args.which,
        method: method(&args.search),
        many: many(&args.search),
        reading: args.reading,
        evidence: args.evidence,
    };
    let mut settings = settle(typed, general)?;
    let publication = Publication::settle(args.publishing, &settings)?;
    let options = Options {
        paths: args.paths,
        registry: settings.registry.clone(),
        submitter: args.submitter,
        set: args.set,
        id_prefix: args.id_prefix.unwrap_or_default(),
        search: search(&args.search, &settings),
        evidence: settings.evidence.clone(),
        input: settings.input.clone(),
        texts: publication.texts(),
        ..Options::default()
    };
    let done = watched(&settings, |watch| verify::run(&options, watch))?;
    let mut done = done.reported;
    // What is written down is the method in force: the registry's.
    settings.method.recipe = Some(done.report.recipe.clone());
    settings.method.measure = Some(done.report.measure.clone());
    publication.publish(&mut done.report, &done.templates, &settings)?;
    account(done.read, &done.report.skipped, &settings)?;
    Ok(Outcome::of(args.exit_code && done.is_found))
}

/// What of a search the settings know: a file may have it, too.
pub(super) fn method(search: &SearchOptions) -> MethodOptions {
    MethodOptions {
        measure: search.measure.clone(),
        threshold: search.threshold,
        ..MethodOptions::default()
    }
}

/// The same for what `scan` knows, too.
pub(super) fn many(search: &SearchOptions) -> ManyOptions {
    ManyOptions {
        base_from: search.base_from,
        ..ManyOptions::default()
    }
}

/// What is looked for.
pub(super) fn search(args: &SearchOptions, settings: &Settings) -> verify::SearchOptions {
    let submitters = args.exclude_submitter.iter();
    let submitters = submitters.filter(|submitter| !submitter.is_empty());
    verify::SearchOptions {
        measure: settings.method.measure.clone(),
        threshold: settings.method.threshold,
        top: args.top,
        query_recipe: args.query_recipe.clone(),
        passage_threshold: args.passage_threshold,
        exclude_submitters: submitters.cloned().collect(),
        exclude_own_submitter: args.exclude_submitter.iter().any(String::is_empty),
        exclude_sets: args.exclude_set.clone(),
        include_own: args.include_own,
        include_standard: args.include_standard,
        base_from: settings.base_from,
        texts: TextSources {
            folder: args.texts.clone(),
            command: settings.texts.clone(),
        },
        exact: args.exact,
    }
}
