//! `cento scan`: every pair.

use anyhow::{Result, bail};
use cento::style::Style;
use cento_jobs::scan::{self, Options};

use crate::Outcome;
use crate::args::{General, ScanArgs};
use crate::config::{Settings, Typed, settle_method};
use crate::publish::Publication;
use crate::run::{account, run as watched};

pub(crate) fn run(args: ScanArgs, general: &General) -> Result<Outcome> {
    let (settings, mut options) = settle(&args, general)?;
    let publication = Publication::settle(args.publishing, &settings)?;
    options.only_listed = !publication.wants_histogram();
    options.texts = publication.texts();
    refuse_exit_code(args.exit_code, &settings)?;
    let mut done = watched(&settings, |watch| scan::run(&options, watch))?;
    publication.publish(&mut done.report, &done.templates, &settings)?;
    account(done.read, &done.report.skipped, &settings)?;
    Ok(Outcome::of(args.exit_code && done.is_found))
}

/// What was typed, as the options of the job.
pub(super) fn settle(args: &ScanArgs, general: &General) -> Result<(Settings, Options)> {
    let typed = Typed {
        method: args.method.clone(),
        reading: args.reading.clone(),
        evidence: args.evidence.clone(),
        many: args.many.clone(),
        ..Typed::default()
    };
    let settings = settle_method(typed, general)?;
    let method = &settings.method;
    let scored = method.recipe.is_some() || method.measure.is_some() || settings.max_df.is_some();
    if args.many.passage.is_some() && scored {
        bail!(
            "--passage: with --recipe, --measure or --max-df the score decides what is listed; leave \
             one of them out"
        );
    }
    let options = Options {
        paths: args.paths.clone(),
        old: settings.old.clone(),
        author: settings.author.clone(),
        method: settings.method.clone(),
        evidence: settings.evidence.clone(),
        input: settings.input.clone(),
        base_from: settings.base_from,
        passage: settings.passage,
        passage_threshold: args.passage_threshold,
        top: settings.top,
        top_documents: settings.top_documents,
        max_df: settings.max_df,
        advise: settings.advise,
        compress: args.compress.clone(),
        approximate: args.approximate.options(),
        ..Options::default()
    };
    Ok((settings, options))
}

/// `--exit-code` tells of a threshold, and distances have none.
pub(super) fn refuse_exit_code(exit_code: bool, settings: &Settings) -> Result<()> {
    let name = settings.method.recipe.as_deref();
    if exit_code && name.is_some_and(Style::is_named) {
        bail!("--exit-code: a style recipe has no threshold; leave it out");
    }
    Ok(())
}
