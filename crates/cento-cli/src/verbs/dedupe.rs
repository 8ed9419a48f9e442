//! `cento dedupe`: one of each, and what became of the others.

use std::fmt::Write as _;
use std::time::Instant;

use anyhow::{Result, bail};
use cento_ingest::{Keys, parse_size};
use cento_jobs::dedupe::{
    self, Against, AgainstOutcome, Kind, NearDuplicates, NearDuplicatesOutcome, Options, Passages,
    PassagesOutcome, SourceOutcome,
};

use crate::args::{DedupeArgs, General, MethodOptions, ReadOptions};
use crate::config::{Settings, Typed, settle as settle_typed};
use crate::machine::{busy_seconds, size, time};
use crate::run::run as watched;
use crate::{Outcome, flags, output};

pub(crate) fn run(args: &DedupeArgs, general: &General) -> Result<Outcome> {
    let is_printed = is_standard(args);
    if is_printed && args.json {
        bail!("--json prints where -o - does; name a file or a folder for the data");
    }
    let (settings, options) = settle(args, general)?;
    let started = Instant::now();
    let done = watched(&settings, |watch| dedupe::run(&options, watch))?;
    if args.json {
        output::json(&done)?;
    } else {
        let text = match &done {
            dedupe::Outcome::NearDuplicates(done) => near_duplicates(done),
            dedupe::Outcome::Passages(done) => passages(done),
            dedupe::Outcome::Against(done) => against(done, args),
        };
        let text = text + &by_source(done.sources());
        match (is_printed, settings.quiet) {
            (false, _) => output::result(&text)?,
            // The data is on standard output.
            (true, false) => output::message(text.trim_end()),
            (true, true) => {}
        }
    }
    if !settings.quiet {
        tell(&done, args, started);
    }
    Ok(Outcome::Done)
}

/// What a person should know besides the result.
fn tell(done: &dedupe::Outcome, args: &DedupeArgs, started: Instant) {
    let has_lists = !is_standard(args) || args.lists.is_some();
    if !has_lists {
        output::message("clusters.csv and the other lists are not written; --lists writes them");
    }
    match done {
        dedupe::Outcome::NearDuplicates(done) => {
            warn_of_near_duplicates(done);
            account(done.documents, done.skipped, has_lists);
            tell_pace(done, started);
        }
        dedupe::Outcome::Passages(done) => account(done.documents, done.skipped, has_lists),
        dedupe::Outcome::Against(done) => {
            warn_of_short_tests(done);
            account(done.documents, done.skipped, has_lists);
        }
    }
}

/// Whether the data goes to standard output.
fn is_standard(args: &DedupeArgs) -> bool {
    args.output.as_os_str() == "-"
}

/// What was typed, as the options of the job.
pub(super) fn settle(args: &DedupeArgs, general: &General) -> Result<(Settings, Options)> {
    let typed = Typed {
        method: MethodOptions {
            recipe: Some(args.recipe.clone()),
            ..MethodOptions::default()
        },
        reading: ReadOptions {
            input: args.input.clone(),
            key_file: args.key_file.clone(),
            ..ReadOptions::default()
        },
        ..Typed::default()
    };
    let settings = settle_typed(typed, general)?;
    let options = Options {
        inputs: args.inputs.clone(),
        output: args.output.clone(),
        lists: args.lists.clone(),
        kind: kind(args, &settings)?,
        annotate: args.annotate,
        max_errors: args.max_errors,
        input: settings.input.clone(),
    };
    Ok((settings, options))
}

fn kind(args: &DedupeArgs, settings: &Settings) -> Result<Kind> {
    if !args.against.is_empty() {
        let usual = Against::default();
        return Ok(Kind::Against(Against {
            tests: args.against.clone(),
            keys: Keys {
                text: args.against_text_key.clone(),
                id: args.against_id_key.clone(),
            },
            min_words: args.min_words.unwrap_or(usual.min_words),
            min_share: args.min_share.unwrap_or(usual.min_share),
            only_passages: args.passages,
        }));
    }
    if args.passages {
        let usual = Passages::default().min_words;
        let min_words = args.min_words.unwrap_or(usual);
        return Ok(Kind::Passages(Passages { min_words }));
    }
    if args.min_words.is_some() {
        bail!("--min-words is about passages; give --passages or --against too");
    }
    Ok(Kind::NearDuplicates(Box::new(NearDuplicates {
        method: cento_jobs::MethodOptions {
            measure: Some(args.measure.clone()),
            threshold: Some(args.threshold),
            ..settings.method.clone()
        },
        keep: args.keep.parse().map_err(flags::explained)?,
        clusters: args.clusters.into(),
        drop_all: args.drop_all,
        exact: args.exact,
        approximate: args.approximate.options(),
        registry: args.registry.clone(),
        max_memory: max_memory(args)?,
        work: args.work.clone(),
    })))
}

fn max_memory(args: &DedupeArgs) -> Result<Option<u64>> {
    let Some(text) = &args.max_memory else {
        return Ok(None);
    };
    match parse_size(text) {
        Some(bytes) => Ok(Some(bytes)),
        None => bail!("--max-memory: {text} is not a size such as 500MB or 2GiB"),
    }
}

/// What became of the documents of each input, a line each.
fn by_source(sources: &[SourceOutcome]) -> String {
    const MOST: usize = 20;
    let mut text = String::new();
    for source in sources.iter().take(MOST) {
        let _ = writeln!(
            text,
            "{}: {} of {} documents and {} of {} characters kept",
            source.input.escape_debug(),
            source.kept,
            source.documents,
            source.characters_after,
            source.characters_before,
        );
    }
    if sources.len() > MOST {
        let more = sources.len() - MOST;
        let _ = writeln!(text, "{more} more inputs are in run.json");
    }
    text
}

fn near_duplicates(done: &NearDuplicatesOutcome) -> String {
    let alike = done.removed - done.in_registry.unwrap_or(0);
    let rest = if done.drop_all {
        format!("{alike} have a duplicate, and none of these is kept")
    } else if done.exact {
        format!("{alike} have the same text as one of them")
    } else {
        let identical = done.identical;
        format!(
            "{alike} are like one of them, {identical} of these the same as far as the recipe sees"
        )
    };
    let text = format!(
        "{} of {} documents kept; {rest}\n",
        done.kept, done.documents
    );
    match (done.in_registry, done.registered) {
        (Some(known), Some(registered)) => {
            format!("{text}{known} are like a registered document; {registered} were registered\n")
        }
        _ => text,
    }
}

fn passages(done: &PassagesOutcome) -> String {
    format!(
        "{} words ({} bytes) in {} of {} documents occur earlier in passages of {} words or more; \
         nothing else is in {} of them\n",
        done.words,
        done.bytes,
        done.changed + done.removed,
        done.documents,
        done.min_words,
        done.removed,
    )
}

fn against(done: &AgainstOutcome, args: &DedupeArgs) -> String {
    let did = match (args.annotate, args.passages) {
        (true, _) => "nothing is removed".to_owned(),
        (false, true) => format!("{} were cut and {} removed", done.changed, done.removed),
        (false, false) => format!("{} were removed", done.removed),
    };
    format!(
        "{} of {} documents contain text of {} of {} test documents, {} of them whole; {did}\n",
        done.contaminated, done.documents, done.tests_found, done.tests, done.tests_found_whole,
    )
}

fn warn_of_near_duplicates(done: &NearDuplicatesOutcome) {
    for (id, count) in done.repeated.iter().take(5) {
        let id = id.escape_debug();
        output::message(&format!("warning: {count} documents have the id {id}"));
    }
    if done.repeated.len() > 5 {
        let more = done.repeated.len() - 5;
        output::message(&format!("warning: {more} more ids are repeated"));
    }
    if let Some(lacking @ 1..) = done.without_field {
        let keep = &done.keep;
        let field = keep
            .split_once(':')
            .map_or(keep.as_str(), |(_, field)| field);
        output::message(&format!(
            "warning: documents without a number in the field {field}: {lacking}; of several, \
             others are kept"
        ));
    }
    if done.without_words > 0 {
        output::message("warning: documents without words are not registered");
    }
    if done.not_read_again > 0 {
        output::message(&format!(
            "warning: {} of the documents that were kept could not be read a second time, or have \
             changed, and are not registered",
            done.not_read_again
        ));
    }
    if done.of_submitters > 0 {
        output::message(&format!(
            "warning: {} of the documents that were kept have ids that a submitter has registered, \
             and are not registered",
            done.of_submitters
        ));
    }
    if done.has_packed {
        output::message(
            "warning: of documents inside other files only the lists are written; unpack them to \
             get cleaned data",
        );
    }
}

fn warn_of_short_tests(done: &AgainstOutcome) {
    if done.tests_too_short > 0 {
        output::message(&format!(
            "warning: {} of {} test documents have fewer than {} words and were not looked for",
            done.tests_too_short, done.tests, done.shortest_test
        ));
    }
}

/// Says how many documents were read.
fn account(read: usize, skipped: usize, has_lists: bool) {
    if skipped > 0 {
        let also = if has_lists {
            "; skipped.jsonl has their places and why"
        } else {
            ""
        };
        output::message(&format!("warning: {skipped} could not be read{also}"));
    }
    output::message(&format!("{read} of {} documents read", read + skipped));
}

/// Says how fast a run was, if it took long enough for anybody to wonder.
fn tell_pace(done: &NearDuplicatesOutcome, started: Instant) {
    let elapsed = started.elapsed().as_secs_f64();
    if done.is_continued || elapsed < 10.0 {
        return;
    }
    output::message(&format!(
        "{} in {}; {:.0} MB per second and core",
        size(done.input_bytes),
        time(elapsed),
        done.input_bytes as f64 / f64::from(1 << 20) / busy_seconds(elapsed).max(0.001)
    ));
}
