//! `cento dedupe --against`: which documents contain the text of a test, and where.

use std::io::Write as _;

use anyhow::{Result, bail};
use cento::repeats::{Contained, TestCover, TestSet, join};
use cento_report::Characters;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::corpus::{Corpus, Item};
use super::dataset::expect_few;
use super::passages::{Cut, fate, tell_skipped};
use super::rewrite::{Fate, Mode, Tally, Verdict, rewrite};
use super::write::{Target, create, field};
use crate::args::DedupeArgs;
use crate::config::Settings;
use crate::{Outcome, output};

/// Shared runs of fewer words say nothing.
const MIN_WORDS: u32 = 13;

pub(super) fn run(args: &DedupeArgs, settings: &Settings) -> Result<Outcome> {
    let length = args.min_words.unwrap_or(MIN_WORDS);
    if length == 0 {
        bail!("--min-words: 0 words are no passage");
    }
    let share = args.min_share.unwrap_or(0.0);
    if !(0.0..=1.0).contains(&share) {
        bail!("--min-share: {share} is not a share from 0 to 1 (half is 0.5)");
    }
    let target = Target::of(&args.output, &args.inputs, false)?;
    let (set, tests) = read_tests(args, length, settings)?;
    let corpus = Corpus::open(&args.inputs, settings)?;
    expect_readable(&corpus, args)?;
    let mut search = Search {
        set: &set,
        tests: &tests,
        share,
        only_passages: args.passages,
        best: vec![Best::default(); tests.len()],
        contaminated: Vec::new(),
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
    let covers = set.covers();
    search.write_documents(&target)?;
    search.write_tests(&target, &covers)?;
    let short = set.too_short().count();
    tell(args, length, tally, &search, &covers, short)?;
    if short > 0 && !settings.quiet {
        output::message(&format!(
            "warning: {short} of {} test documents have fewer than {} words and were not looked for",
            tests.len(),
            TestSet::SHORTEST.min(length)
        ));
    }
    tell_skipped(tally.documents, tally.skipped, settings);
    Ok(Outcome::Done)
}

/// The test documents and their ids.
fn read_tests(
    args: &DedupeArgs,
    length: u32,
    settings: &Settings,
) -> Result<(TestSet, Vec<String>)> {
    let corpus = Corpus::open(&args.against, settings)?;
    let (mut ids, mut texts) = (Vec::new(), Vec::new());
    let mut skipped = corpus.skipped.clone();
    corpus.each(|batch| {
        for item in batch {
            match item {
                Ok(item) => {
                    ids.push(item.id);
                    texts.push(item.text);
                }
                Err(bad) => skipped.push(bad),
            }
        }
        Ok(())
    })?;
    if ids.is_empty() && skipped.is_empty() {
        bail!("--against: there are no documents in it");
    }
    expect_few(&skipped, ids.len(), args.max_errors).map_err(|error| error.context("--against"))?;
    Ok((TestSet::new(texts, length), ids))
}

/// Nothing is written if too much cannot be read.
fn expect_readable(corpus: &Corpus, args: &DedupeArgs) -> Result<()> {
    let (mut read, mut skipped) = (0, corpus.skipped.clone());
    corpus.each(|batch| {
        for item in batch {
            match item {
                Ok(_) => read += 1,
                Err(bad) => skipped.push(bad),
            }
        }
        Ok(())
    })?;
    if read == 0 && skipped.is_empty() {
        bail!("there are no documents in it");
    }
    expect_few(&skipped, read, args.max_errors)
}

struct Search<'s> {
    set: &'s TestSet,
    /// The ids of the test documents.
    tests: &'s [String],
    share: f64,
    only_passages: bool,
    /// For each test document.
    best: Vec<Best>,
    contaminated: Vec<Contaminated>,
    cut: Cut,
}

/// Where most of a test document was found.
#[derive(Clone, Default)]
struct Best {
    documents: u64,
    share: f64,
    id: String,
}

/// A document with text of a test.
struct Contaminated {
    id: String,
    words: u32,
    found: u64,
    /// The test document of which it has the largest share.
    test: u32,
    share: f64,
    is_kept: bool,
}

/// A contaminated document, what it covers of test documents, and what would be cut.
type Finding = (Contaminated, Vec<TestCover>, Cut);

impl Search<'_> {
    fn judge(&mut self, items: &[Item]) -> Vec<Verdict> {
        let judged = items.par_iter().map(|item| self.judge_one(item));
        let judged: Vec<(Verdict, Option<Finding>)> = judged.collect();
        let mut verdicts = Vec::with_capacity(judged.len());
        for (verdict, found) in judged {
            verdicts.push(verdict);
            let Some((document, covers, cut)) = found else {
                continue;
            };
            for cover in covers {
                let best = &mut self.best[cover.document as usize];
                best.documents += 1;
                if cover.share() > best.share {
                    best.share = cover.share();
                    best.id.clone_from(&document.id);
                }
            }
            self.contaminated.push(document);
            self.cut.words += cut.words;
            self.cut.bytes += cut.bytes;
            self.cut.characters += cut.characters;
        }
        verdicts
    }

    fn judge_one(&self, item: &Item) -> (Verdict, Option<Finding>) {
        let contained = self.set.find(&item.text);
        let most = contained.covers.iter().copied().reduce(|best, cover| {
            if cover.share() > best.share() {
                cover
            } else {
                best
            }
        });
        let Some(most) = most else {
            let verdict = Verdict {
                fate: Fate::Kept,
                spans: Vec::new(),
            };
            return (verdict, None);
        };
        let runs = join(contained.matches.iter().map(|run| run.words.clone()));
        let characters = Characters::new(&item.text);
        let cut = Cut::of(&contained.tokens, &runs, &characters);
        let fate = if most.share() < self.share {
            Fate::Kept
        } else if self.only_passages {
            fate(item, &contained.tokens, &runs)
        } else {
            Fate::Removed
        };
        let document = Contaminated {
            id: item.id.clone(),
            words: u32::try_from(contained.tokens.len()).unwrap_or(u32::MAX),
            found: cut.words,
            test: most.document,
            share: most.share(),
            is_kept: !matches!(fate, Fate::Removed),
        };
        let spans = self.spans(item, &contained, &characters);
        let verdict = Verdict { fate, spans };
        (verdict, Some((document, contained.covers, cut)))
    }

    fn spans(&self, item: &Item, found: &Contained, characters: &Characters<'_>) -> Vec<Value> {
        let matches = found.matches.iter();
        let span = matches.map(|run| {
            let bytes = found.tokens.source(run.words.clone());
            let cover = found
                .covers
                .iter()
                .find(|cover| cover.document == run.document);
            json!({
                "doc_id": item.id,
                "start": bytes.start,
                "end": bytes.end,
                "start_char": characters.before(bytes.start),
                "end_char": characters.before(bytes.end),
                "words": run.words.len(),
                "test": {
                    "doc_id": self.tests[run.document as usize],
                    "start": run.bytes.start,
                    "end": run.bytes.end,
                    "start_char": run.characters.start,
                    "end_char": run.characters.end,
                    "share": cover.map(|cover| rounded(cover.share())),
                },
            })
        });
        span.collect()
    }

    /// The documents with text of a test, in the order of the input.
    fn write_documents(&self, target: &Target) -> Result<()> {
        create(&target.beside("contaminated.csv"), |out| {
            writeln!(
                out,
                "doc_id,words,found_words,test_id,share_of_test,is_kept"
            )?;
            for one in &self.contaminated {
                writeln!(
                    out,
                    "{},{},{},{},{:.6},{}",
                    field(&one.id),
                    one.words,
                    one.found,
                    field(&self.tests[one.test as usize]),
                    one.share,
                    one.is_kept
                )?;
            }
            Ok(())
        })
    }

    /// All test documents: how much of each is in the data, all of it together, and where most is.
    fn write_tests(&self, target: &Target, covers: &[TestCover]) -> Result<()> {
        let mut covers = covers.iter().peekable();
        create(&target.beside("tests.csv"), |out| {
            writeln!(
                out,
                "test_id,words,found_words,share,documents,most_in,most_share"
            )?;
            for (number, (id, best)) in (0..).zip(self.tests.iter().zip(&self.best)) {
                let cover = covers.next_if(|cover| cover.document == number);
                let words = self.set.words(number);
                let found = cover.map_or(0, |cover| cover.covered);
                let share = cover.map_or(0.0, TestCover::share);
                writeln!(
                    out,
                    "{},{words},{found},{share:.6},{},{},{:.6}",
                    field(id),
                    best.documents,
                    field(&best.id),
                    best.share
                )?;
            }
            Ok(())
        })
    }
}

fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

fn tell(
    args: &DedupeArgs,
    length: u32,
    tally: Tally,
    search: &Search<'_>,
    covers: &[TestCover],
    short: usize,
) -> Result<()> {
    let Tally {
        documents,
        changed,
        removed,
        spans,
        skipped,
    } = tally;
    let whole = covers.iter().filter(|cover| cover.covered == cover.words);
    let whole = whole.count();
    if args.json {
        let result = json!({
            "schema": "cento.dedupe.against/1",
            "min_words": length,
            "min_share": search.share,
            "documents": documents,
            "contaminated": search.contaminated.len(),
            "kept": documents - removed,
            "changed": changed,
            "removed": removed,
            "spans": spans,
            "words": search.cut.words,
            "bytes": search.cut.bytes,
            "characters": search.cut.characters,
            "tests": search.tests.len(),
            "tests_found": covers.len(),
            "tests_found_whole": whole,
            "tests_too_short": short,
            "skipped": skipped,
        });
        return output::result(&format!("{result:#}\n"));
    }
    let did = match (args.annotate, args.passages) {
        (true, _) => "nothing is removed".to_owned(),
        (false, true) => format!("{changed} were cut and {removed} removed"),
        (false, false) => format!("{removed} were removed"),
    };
    output::result(&format!(
        "{} of {documents} documents contain text of {} of {} test documents, {whole} of them whole; \
         {did}\n",
        search.contaminated.len(),
        covers.len(),
        search.tests.len(),
    ))
}
