//! Text that stands earlier is cut out, wherever it stands.

use std::collections::BTreeMap;
use std::ops::Range;

use cento::repeats::{Filter, FirstPlaces, Repeat, Repeats, Windows};
use cento_report::Characters;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::corpus::{Corpus, Item};
use super::cut::{Cut, action};
use super::options::{Options, Passages, expect_words};
use super::outcome::PassagesOutcome;
use super::output::Output;
use super::record::Record;
use super::rewrite::{ADDED, Action, Judge, Verdict, rewrite};
use super::skipped::expect_few;
use crate::documents::Reader;
use crate::error::Result;
use crate::method::settled;
use crate::watch::{Step, Watch};

/// Cuts out what stands earlier.
pub(super) fn run(
    options: &Options,
    wanted: Passages,
    watch: &Watch<'_>,
) -> Result<PassagesOutcome> {
    let min_words = wanted.min_words;
    let mut problems = options.problems();
    expect_words(min_words, &mut problems);
    settled(Some(()), problems)?;
    let mut output = Output::at(options, false, watch)?;
    let reader = Reader::new(&options.input);
    let corpus = Corpus::find(&options.inputs, None, &reader, watch)?;
    if options.annotate {
        corpus.expect_new(&ADDED)?;
    }
    let filter = first_pass(&corpus, min_words, options.max_errors, watch)?;
    let mut search = Search::new(filter, min_words);
    let tally = rewrite(&corpus, &mut output, options, &mut search, watch)?;
    expect_few(&tally.skipped, tally.documents, options.max_errors)?;
    let outcome = PassagesOutcome {
        bytes: search.cut.bytes,
        changed: tally.changed,
        characters: search.cut.characters,
        documents: tally.documents,
        kept: tally.documents - tally.removed,
        min_words,
        removed: tally.removed,
        schema: "cento.dedupe.passages/1",
        skipped: tally.skipped.len(),
        sources: tally.sources.finish(),
        spans: tally.spans,
        words: search.cut.words,
    };
    record(&outcome).write(options, &mut output)?;
    watch.go_on()?;
    output.finish()?;
    Ok(outcome)
}

fn record(done: &PassagesOutcome) -> Record<'_> {
    Record {
        options: json!({"kind": "passages", "min_words": done.min_words}),
        inputs: &done.sources,
        tests: None,
        counts: json!({
            "documents": done.documents,
            "kept": done.kept,
            "removed": done.removed,
            "changed": done.changed,
            "skipped": done.skipped,
            "spans": done.spans,
            "words": done.words,
            "bytes": done.bytes,
            "characters": done.characters,
        }),
    }
}

/// Which windows may come again. Nothing is written if too much cannot be read.
fn first_pass(
    corpus: &Corpus,
    min_words: u32,
    max_errors: f64,
    watch: &Watch<'_>,
) -> Result<Filter> {
    let filter = Filter::for_text(corpus.bytes());
    watch.begin(Step::Reading, 0, corpus.bytes());
    let (mut read, mut skipped) = (0, corpus.skipped.clone());
    let add = |item: Item| filter.add(&Windows::of(&item.text, min_words));
    let mut batches = corpus.batches();
    while let Some(batch) = batches.next(watch, add)? {
        let all = batch.items.len();
        let before = skipped.len();
        skipped.extend(batch.items.into_iter().filter_map(Result::err));
        read += all - (skipped.len() - before);
    }
    watch.end();
    expect_few(&skipped, read, max_errors)?;
    Ok(filter)
}

/// The second pass.
pub(super) struct Search {
    places: FirstPlaces,
    min_words: u32,
    /// The number of the next document.
    next: u32,
    /// The ids of documents in which something may stand first.
    names: BTreeMap<u32, String>,
    cut: Cut,
}

impl Search {
    /// Looks for what stands earlier, by a filter that has seen all texts.
    pub(super) fn new(filter: Filter, min_words: u32) -> Search {
        Search {
            places: FirstPlaces::new(filter),
            min_words,
            next: 0,
            names: BTreeMap::new(),
            cut: Cut::default(),
        }
    }
}

impl Judge for Search {
    fn judge(&mut self, items: Vec<Item>) -> Vec<(Item, Verdict)> {
        let min_words = self.min_words;
        let windows = items
            .into_par_iter()
            .map(|item| (Windows::of(&item.text, min_words), item));
        let mut found = Vec::new();
        for (windows, item) in windows.collect::<Vec<_>>() {
            let repeats = self.places.find(self.next, &windows);
            if repeats.is_first {
                self.names.insert(self.next, item.id.clone());
            }
            self.next += 1;
            found.push((item, windows, repeats));
        }
        let names = &self.names;
        let judged = found.into_par_iter().map(|(item, windows, repeats)| {
            let (verdict, cut) = verdict(&item, &windows, &repeats, names);
            (item, verdict, cut)
        });
        let judged: Vec<(Item, Verdict, Cut)> = judged.collect();
        let judged = judged.into_iter().map(|(item, verdict, cut)| {
            self.cut.add(cut);
            (item, verdict)
        });
        judged.collect()
    }
}

fn verdict(
    item: &Item,
    windows: &Windows,
    repeats: &Repeats,
    names: &BTreeMap<u32, String>,
) -> (Verdict, Cut) {
    let runs = repeats.runs();
    if runs.is_empty() {
        let verdict = Verdict {
            action: Action::Keep,
            spans: Vec::new(),
        };
        return (verdict, Cut::default());
    }
    let characters = Characters::new(&item.text);
    let spans = repeats.repeats.iter().map(|repeat| {
        let mut span = span(item, windows, &repeat.words, &characters);
        span["first"] = first(repeat, names);
        span
    });
    let verdict = Verdict {
        action: action(item, windows.tokens(), &runs),
        spans: spans.collect(),
    };
    (verdict, Cut::of(windows.tokens(), &runs, &characters))
}

fn span(item: &Item, windows: &Windows, words: &Range<u32>, characters: &Characters<'_>) -> Value {
    let bytes = windows.tokens().source(words.clone());
    json!({
        "doc_id": item.id,
        "start": bytes.start,
        "end": bytes.end,
        "start_char": characters.before(bytes.start),
        "end_char": characters.before(bytes.end),
        "words": words.len(),
    })
}

fn first(repeat: &Repeat, names: &BTreeMap<u32, String>) -> Value {
    let first = &repeat.first;
    json!({
        "doc_id": names.get(&first.document),
        "start": first.bytes.start,
        "end": first.bytes.end,
    })
}
