//! Which documents contain the text of a test, and where.

use cento::repeats::{TestCover, TestSet};
use serde_json::json;

use super::contained::Search;
use super::corpus::{Corpus, Item};
use super::options::{Against, Options, expect_words};
use super::outcome::{AgainstOutcome, SourceOutcome};
use super::output::Output;
use super::record::Record;
use super::rewrite::{ADDED, rewrite};
use super::skipped::expect_few;
use super::sources::Sources;
use crate::documents::Reader;
use crate::error::{At as _, Error, Problem, Result};
use crate::method::settled;
use crate::watch::{Step, Watch};

/// Removes documents with text of tests, or cuts it out.
pub(super) fn run(
    options: &Options,
    wanted: &Against,
    watch: &Watch<'_>,
) -> Result<AgainstOutcome> {
    expect_sound(options, wanted)?;
    let mut output = Output::at(options, false, watch)?;
    let reader = Reader::new(&options.input);
    let Tests {
        set: tests,
        ids,
        sources: of_tests,
    } = read_tests(options, wanted, watch).of_tests()?;
    let corpus = Corpus::find(&options.inputs, None, &reader, watch)?;
    if options.annotate {
        corpus.expect_new(&ADDED)?;
    }
    let mut search = Search::new(&tests, &ids, wanted);
    let tally = rewrite(&corpus, &mut output, options, &mut search, watch)?;
    expect_few(&tally.skipped, tally.documents, options.max_errors)?;
    let covers = tests.covers();
    write_documents(&mut output, &search, watch)?;
    write_tests(&mut output, &search, &covers, watch)?;
    let is_whole = |cover: &&TestCover| cover.covered == cover.words;
    let outcome = AgainstOutcome {
        bytes: search.cut.bytes,
        changed: tally.changed,
        characters: search.cut.characters,
        contaminated: search.contaminated.len(),
        documents: tally.documents,
        kept: tally.documents - tally.removed,
        min_share: wanted.min_share,
        min_words: wanted.min_words,
        removed: tally.removed,
        schema: "cento.dedupe.against/1",
        skipped: tally.skipped.len(),
        sources: tally.sources.finish(),
        spans: tally.spans,
        tests: ids.len(),
        tests_found: covers.len(),
        tests_found_whole: covers.iter().filter(is_whole).count(),
        tests_too_short: tests.too_short().count(),
        words: search.cut.words,
        shortest_test: TestSet::SHORTEST.min(wanted.min_words),
    };
    record(&outcome, wanted, &of_tests).write(options, &mut output)?;
    watch.go_on()?;
    output.finish()?;
    Ok(outcome)
}

fn record<'r>(
    done: &'r AgainstOutcome,
    wanted: &Against,
    of_tests: &[SourceOutcome],
) -> Record<'r> {
    let tests = of_tests.iter().map(
        |tests| json!({"input": tests.input, "bytes": tests.bytes, "documents": tests.documents}),
    );
    Record {
        options: json!({
            "kind": "against",
            "min_words": wanted.min_words,
            "min_share": wanted.min_share,
            "only_passages": wanted.only_passages,
            "against_text_key": wanted.keys.text,
            "against_id_key": wanted.keys.id,
        }),
        inputs: &done.sources,
        tests: Some(tests.collect()),
        counts: json!({
            "documents": done.documents,
            "kept": done.kept,
            "removed": done.removed,
            "changed": done.changed,
            "contaminated": done.contaminated,
            "skipped": done.skipped,
            "spans": done.spans,
            "words": done.words,
            "bytes": done.bytes,
            "characters": done.characters,
            "tests": done.tests,
            "tests_found": done.tests_found,
            "tests_found_whole": done.tests_found_whole,
            "tests_too_short": done.tests_too_short,
        }),
    }
}

fn expect_sound(options: &Options, wanted: &Against) -> Result<()> {
    let mut problems = options.problems();
    add_problems(wanted, &mut problems);
    settled(Some(()), problems)
}

/// What is wrong with how the text of tests is to be found.
pub(super) fn add_problems(wanted: &Against, problems: &mut Vec<Problem>) {
    expect_words(wanted.min_words, problems);
    let share = wanted.min_share;
    if !(0.0..=1.0).contains(&share) {
        let reason = format!("{share} is not a share from 0 to 1 (half is 0.5)");
        problems.push(Problem::new("min-share", reason));
    }
}

/// The test documents.
struct Tests {
    set: TestSet,
    ids: Vec<String>,
    /// How many there are of each input.
    sources: Vec<SourceOutcome>,
}

fn read_tests(options: &Options, wanted: &Against, watch: &Watch<'_>) -> Result<Tests> {
    let mut input = options.input.clone();
    let keys = &mut input.reading.keys;
    keys.text = wanted.keys.text.clone().or(keys.text.take());
    keys.id = wanted.keys.id.clone().or(keys.id.take());
    let corpus = Corpus::find(&wanted.tests, None, &Reader::new(&input), watch)?;
    watch.begin(Step::Reading, 0, corpus.bytes());
    let (mut ids, mut texts) = (Vec::new(), Vec::new());
    let mut skipped = corpus.skipped.clone();
    let mut batches = corpus.batches();
    let mut sources = Sources::of(&corpus);
    let parts = |item: Item| (item.identity, item.id, item.text);
    while let Some(batch) = batches.next(watch, parts)? {
        for item in batch.items {
            match item {
                Ok((identity, id, text)) => {
                    let characters = text.chars().count() as u64;
                    sources.add(corpus.source(identity), characters, Some(characters));
                    ids.push(id);
                    texts.push(text);
                }
                Err(bad) => skipped.push(bad),
            }
        }
    }
    watch.end();
    if ids.is_empty() && skipped.is_empty() {
        return Err(Error::option("against", "there are no documents in it"));
    }
    expect_few(&skipped, ids.len(), options.max_errors)?;
    Ok(Tests {
        set: TestSet::new(texts, wanted.min_words),
        ids,
        sources: sources.finish(),
    })
}

/// The documents with text of a test, in the order of the input.
fn write_documents(output: &mut Output, search: &Search<'_>, watch: &Watch<'_>) -> Result<()> {
    let header = [
        "doc_id",
        "words",
        "found_words",
        "test_id",
        "share_of_test",
        "is_kept",
    ];
    let rows = search.contaminated.iter().map(|one| {
        watch.go_on()?;
        Ok([
            one.id.clone(),
            one.words.to_string(),
            one.found.to_string(),
            search.ids[one.test as usize].clone(),
            format!("{:.6}", one.share),
            one.is_kept.to_string(),
        ])
    });
    output.list("contaminated.csv")?.write_csv(header, rows)
}

/// All test documents: how much of each is in the data, all of it together, and where most is.
fn write_tests(
    output: &mut Output,
    search: &Search<'_>,
    covers: &[TestCover],
    watch: &Watch<'_>,
) -> Result<()> {
    let header = [
        "test_id",
        "words",
        "found_words",
        "share",
        "documents",
        "most_in",
        "most_share",
    ];
    let mut covers = covers.iter().peekable();
    let tests = (0..).zip(search.ids.iter().zip(&search.best));
    let rows = tests.map(|(number, (id, best))| {
        watch.go_on()?;
        let cover = covers.next_if(|cover| cover.document == number);
        Ok([
            id.clone(),
            search.tests.words(number).to_string(),
            cover.map_or(0, |cover| cover.covered).to_string(),
            format!("{:.6}", cover.map_or(0.0, TestCover::share)),
            best.documents.to_string(),
            best.id.clone(),
            format!("{:.6}", best.share),
        ])
    });
    output.list("tests.csv")?.write_csv(header, rows)
}
