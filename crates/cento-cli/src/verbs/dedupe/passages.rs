//! `cento dedupe --passages`: text that stands earlier is cut out, wherever it stands.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::{Result, bail};
use cento::repeats::{Filter, FirstPlaces, Repeat, Repeats, Windows, without};
use cento_report::Characters;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::corpus::{Corpus, Item};
use super::dataset::expect_few;
use super::rewrite::{Fate, Mode, Tally, Verdict, rewrite};
use super::write::Target;
use crate::args::DedupeArgs;
use crate::config::Settings;
use crate::progress::Progress;
use crate::{Outcome, output};

/// Repeats of fewer words are left in place.
const MIN_WORDS: u32 = 50;

pub(super) fn run(args: &DedupeArgs, settings: &Settings) -> Result<Outcome> {
    let length = args.min_words.unwrap_or(MIN_WORDS);
    if length == 0 {
        bail!("--min-words: 0 words are no passage");
    }
    let target = Target::of(&args.output, &args.inputs, false)?;
    let corpus = Corpus::open(&args.inputs, settings)?;
    let filter = first_pass(&corpus, length, args, settings)?;
    let mut search = Search {
        places: FirstPlaces::new(filter),
        length,
        next: 0,
        names: BTreeMap::new(),
        cut: Cut::default(),
    };
    let mode = if args.annotate {
        Mode::Annotate
    } else {
        Mode::Clean
    };
    let tally = rewrite(&corpus, &target, mode, settings, |items| {
        search.judge(items)
    })?;
    tell(args, length, tally, search.cut, settings)?;
    Ok(Outcome::Done)
}

/// Which windows may come again. Nothing is written if too much cannot be read.
fn first_pass(
    corpus: &Corpus,
    length: u32,
    args: &DedupeArgs,
    settings: &Settings,
) -> Result<Filter> {
    let filter = Filter::for_text(corpus.size());
    let progress = Progress::reading(0, corpus.size(), settings.quiet);
    let (mut read, mut skipped) = (0, corpus.skipped.clone());
    corpus.each(|batch| {
        let items: Vec<&Item> = batch.iter().flatten().collect();
        items
            .par_iter()
            .for_each(|item| filter.add(&Windows::of(&item.text, length)));
        read += items.len();
        progress.advance(items.iter().map(|item| item.text.len() as u64).sum());
        skipped.extend(batch.into_iter().filter_map(Result::err));
        Ok(())
    })?;
    progress.finish();
    if read == 0 && skipped.is_empty() {
        bail!("there are no documents in it");
    }
    expect_few(&skipped, read, args.max_errors)?;
    Ok(filter)
}

/// The second pass.
struct Search {
    places: FirstPlaces,
    length: u32,
    /// The number of the next document.
    next: u32,
    /// The ids of documents in which something may stand first.
    names: BTreeMap<u32, String>,
    cut: Cut,
}

/// How much was found that stands earlier.
#[derive(Clone, Copy, Default)]
pub(super) struct Cut {
    pub(super) words: u64,
    pub(super) bytes: u64,
    pub(super) characters: u64,
}

impl Search {
    fn judge(&mut self, items: &[Item]) -> Vec<Verdict> {
        let windows: Vec<Windows> = items
            .par_iter()
            .map(|item| Windows::of(&item.text, self.length))
            .collect();
        let mut found = Vec::with_capacity(items.len());
        for (item, windows) in items.iter().zip(&windows) {
            let repeats = self.places.find(self.next, windows);
            if repeats.is_first {
                self.names.insert(self.next, item.id.clone());
            }
            self.next += 1;
            found.push(repeats);
        }
        let names = &self.names;
        let judged: Vec<(Verdict, Cut)> = items
            .par_iter()
            .zip(windows.par_iter().zip(&found))
            .map(|(item, (windows, repeats))| verdict(item, windows, repeats, names))
            .collect();
        let mut verdicts = Vec::with_capacity(judged.len());
        for (verdict, cut) in judged {
            self.cut.words += cut.words;
            self.cut.bytes += cut.bytes;
            self.cut.characters += cut.characters;
            verdicts.push(verdict);
        }
        verdicts
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
            fate: Fate::Kept,
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
        fate: fate(item, windows.tokens(), &runs),
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

/// What is left of a document without some of its words.
pub(super) fn fate(item: &Item, tokens: &cento::token::Tokens, runs: &[Range<u32>]) -> Fate {
    match without(&item.text, tokens, runs) {
        Some(text) => Fate::Changed(text),
        None => Fate::Removed,
    }
}

impl Cut {
    /// What some runs of words come to.
    pub(super) fn of(
        tokens: &cento::token::Tokens,
        runs: &[Range<u32>],
        characters: &Characters<'_>,
    ) -> Cut {
        let mut cut = Cut::default();
        for run in runs {
            let bytes = tokens.source(run.clone());
            cut.words += run.len() as u64;
            cut.bytes += u64::from(bytes.end - bytes.start);
            let count = characters.before(bytes.end) - characters.before(bytes.start);
            cut.characters += u64::from(count);
        }
        cut
    }
}

fn tell(args: &DedupeArgs, length: u32, tally: Tally, cut: Cut, settings: &Settings) -> Result<()> {
    let Tally {
        documents,
        changed,
        removed,
        spans,
        skipped,
    } = tally;
    if args.json {
        let result = json!({
            "schema": "cento.dedupe.passages/1",
            "min_words": length,
            "documents": documents,
            "kept": documents - removed,
            "changed": changed,
            "removed": removed,
            "spans": spans,
            "words": cut.words,
            "bytes": cut.bytes,
            "characters": cut.characters,
            "skipped": skipped,
        });
        output::result(&format!("{result:#}\n"))?;
    } else {
        output::result(&format!(
            "{} words ({} bytes) in {} of {documents} documents stand earlier in passages of \
             {length} words or more; nothing else is in {removed} of them\n",
            cut.words,
            cut.bytes,
            changed + removed,
        ))?;
    }
    tell_skipped(documents, skipped, settings);
    Ok(())
}

/// Says how many documents were read.
pub(super) fn tell_skipped(documents: usize, skipped: usize, settings: &Settings) {
    if settings.quiet {
        return;
    }
    if skipped > 0 {
        output::message(&format!(
            "warning: {skipped} could not be read; skipped.jsonl has their places and why"
        ));
    }
    let all = documents + skipped;
    output::message(&format!("{documents} of {all} documents read"));
}
