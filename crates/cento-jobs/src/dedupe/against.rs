//! Which documents contain the text of a test, and where.

use cento::repeats::{TestCover, TestSet};

use super::contained::Search;
use super::corpus::{Corpus, Item};
use super::options::{Against, Options, expect_words};
use super::outcome::AgainstOutcome;
use super::output::Output;
use super::rewrite::rewrite;
use super::skipped::expect_few;
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
    let mut output = Output::at(options, false)?;
    let reader = Reader::new(&options.input);
    let (tests, ids) = read_tests(options, wanted, watch).of_tests()?;
    let corpus = Corpus::find(&options.inputs, None, &reader, watch)?;
    let mut search = Search::new(&tests, &ids, wanted);
    let tally = rewrite(&corpus, &mut output, options, &mut search, watch)?;
    expect_few(&tally.skipped, tally.documents, options.max_errors)?;
    let covers = tests.covers();
    write_documents(&mut output, &search, watch)?;
    write_tests(&mut output, &search, &covers, watch)?;
    watch.go_on()?;
    output.finish()?;
    let is_whole = |cover: &&TestCover| cover.covered == cover.words;
    Ok(AgainstOutcome {
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
        spans: tally.spans,
        tests: ids.len(),
        tests_found: covers.len(),
        tests_found_whole: covers.iter().filter(is_whole).count(),
        tests_too_short: tests.too_short().count(),
        words: search.cut.words,
        shortest_test: TestSet::SHORTEST.min(wanted.min_words),
    })
}

fn expect_sound(options: &Options, wanted: &Against) -> Result<()> {
    let mut problems = options.problems();
    expect_words(wanted.min_words, &mut problems);
    let share = wanted.min_share;
    if !(0.0..=1.0).contains(&share) {
        let reason = format!("{share} is not a share from 0 to 1 (half is 0.5)");
        problems.push(Problem::new("min-share", reason));
    }
    settled(Some(()), problems)
}

/// The test documents and their ids.
fn read_tests(
    options: &Options,
    wanted: &Against,
    watch: &Watch<'_>,
) -> Result<(TestSet, Vec<String>)> {
    let mut input = options.input.clone();
    let keys = &mut input.reading.keys;
    keys.text = wanted.keys.text.clone().or(keys.text.take());
    keys.id = wanted.keys.id.clone().or(keys.id.take());
    let corpus = Corpus::find(&wanted.tests, None, &Reader::new(&input), watch)?;
    watch.begin(Step::Reading, 0, corpus.bytes());
    let (mut ids, mut texts) = (Vec::new(), Vec::new());
    let mut skipped = corpus.skipped.clone();
    let mut batches = corpus.batches();
    let parts = |item: Item| (item.id, item.text);
    while let Some(batch) = batches.next(watch, parts)? {
        for item in batch.items {
            match item {
                Ok((id, text)) => {
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
    Ok((TestSet::new(texts, wanted.min_words), ids))
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
