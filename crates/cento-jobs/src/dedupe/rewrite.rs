//! A dataset is written again with other texts: passages cut, documents removed, or what was found
//! noted beside them.

use cento_ingest::{AddedColumn, AddedValues, Form, ParquetEdit};
use serde_json::{Value, json};

use super::annotate::{with_fields, with_json};
use super::corpus::{Corpus, Identity, Item};
use super::options::Options;
use super::output::{List, Output, TableWriter};
use super::skipped::SkippedRow;
use super::sources::Sources;
use super::stoppable::TableBytes;
use super::tables::Table;
use super::write::write_skipped;
use crate::error::{At as _, Error, Result};
use crate::watch::{Step, Watch};

/// What is done with a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// It stays as it is.
    Keep,
    /// It stays with another text.
    Change(String),
    /// It is left out.
    Remove,
}

/// What was found out about a document.
pub(super) struct Verdict {
    pub(super) action: Action,
    /// What stands in its text that stands elsewhere too, as it is reported.
    pub(super) spans: Vec<Value>,
}

/// Who has a verdict for each document. Documents come in the order of the input.
pub(super) trait Judge {
    fn judge(&mut self, items: Vec<Item>) -> Vec<(Item, Verdict)>;
}

/// What is done with the verdicts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Documents are changed and removed.
    Clean,
    /// Everything stays, and what was found is noted.
    Annotate,
}

/// How many documents there are of each kind.
pub(super) struct Tally {
    pub(super) documents: usize,
    pub(super) changed: usize,
    pub(super) removed: usize,
    pub(super) spans: usize,
    pub(super) skipped: Vec<SkippedRow>,
    pub(super) sources: Sources,
}

impl Tally {
    fn of(corpus: &Corpus) -> Tally {
        Tally {
            documents: 0,
            changed: 0,
            removed: 0,
            spans: 0,
            skipped: corpus.skipped.clone(),
            sources: Sources::of(corpus),
        }
    }
}

/// The names of what is added to tables.
pub(super) const ADDED: [&str; 2] = ["is_kept", "spans"];

/// Writes all documents again, as the judge says.
pub(super) fn rewrite(
    corpus: &Corpus,
    output: &mut Output,
    options: &Options,
    judge: &mut impl Judge,
    watch: &Watch<'_>,
) -> Result<Tally> {
    let mode = options.mode();
    expect_files(corpus, mode)?;
    output.expect_room(corpus, &options.kind)?;
    watch.begin(Step::Writing, 0, corpus.bytes());
    let mut lists = Lists {
        spans: output.list("spans.jsonl")?,
        removed: output.list("removed.txt")?,
        tally: Tally::of(corpus),
    };
    for (number, table) in corpus.tables.iter().enumerate() {
        let mut rewriting = Rewriting {
            corpus,
            number,
            table,
            mode,
            judge,
            lists: &mut lists,
            watch,
        };
        output.write_table(table, |out| match table.shard.form() {
            Some(form) => rewriting.lines(form, out),
            None => rewriting.parquet(out),
        })?;
    }
    let mut files = corpus.files_from(0);
    while let Some(batch) = files.next(watch, |item| item)? {
        for (item, verdict) in lists.judge(batch.items, corpus, judge)? {
            watch.go_on()?;
            if mode == Mode::Clean {
                rewrite_file(corpus, &item, verdict.action, output)?;
            }
        }
    }
    watch.end();
    lists.finish(output)
}

/// Documents in archives cannot be written again.
fn expect_files(corpus: &Corpus, mode: Mode) -> Result<()> {
    let packed = corpus.files.iter().find(|input| input.file().is_none());
    match (packed, mode) {
        (Some(input), Mode::Clean) => Err(Error::refused(
            "it is inside another file, which is not written again; unpack it first, or annotate \
             only",
        ))
        .at(input.id().escape_debug()),
        _ => Ok(()),
    }
}

/// The files about the data, while they are being written.
struct Lists {
    spans: List,
    removed: List,
    tally: Tally,
}

impl Lists {
    /// The documents of a batch with their verdicts; writes down what there is to write.
    fn judge(
        &mut self,
        batch: Vec<Result<Item, SkippedRow>>,
        corpus: &Corpus,
        judge: &mut impl Judge,
    ) -> Result<Vec<(Item, Verdict)>> {
        let mut items = Vec::with_capacity(batch.len());
        for item in batch {
            match item {
                Ok(item) => items.push(item),
                Err(skipped) => self.tally.skipped.push(skipped),
            }
        }
        let judged = judge.judge(items);
        for (item, verdict) in &judged {
            for span in &verdict.spans {
                self.spans.line(span)?;
            }
            self.tally.documents += 1;
            self.tally.spans += verdict.spans.len();
            let before = characters(&item.text);
            let after = match &verdict.action {
                Action::Keep => Some(before),
                Action::Change(text) => Some(characters(text)),
                Action::Remove => None,
            };
            let source = corpus.source(item.identity);
            self.tally.sources.add(source, before, after);
            match verdict.action {
                Action::Keep => {}
                Action::Change(_) => self.tally.changed += 1,
                Action::Remove => {
                    self.tally.removed += 1;
                    self.removed.line(&item.id)?;
                }
            }
        }
        Ok(judged)
    }

    fn finish(self, output: &mut Output) -> Result<Tally> {
        self.spans.finish()?;
        self.removed.finish()?;
        write_skipped(output, &self.tally.skipped)?;
        Ok(self.tally)
    }
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

/// A table while it is written again.
struct Rewriting<'r, J> {
    corpus: &'r Corpus,
    number: usize,
    table: &'r Table,
    mode: Mode,
    judge: &'r mut J,
    lists: &'r mut Lists,
    watch: &'r Watch<'r>,
}

impl<J: Judge> Rewriting<'_, J> {
    fn lines(&mut self, form: Form, out: &mut TableWriter) -> Result<()> {
        let mut bytes = TableBytes::of(self.table, self.watch)?;
        let header = bytes.read(0, self.table.shard.start())?;
        match (form, self.mode) {
            (Form::Separated(delimiter), Mode::Annotate) => {
                out.write_header(&with_fields(header, &ADDED, delimiter))?;
            }
            _ => out.write_header(header)?,
        }
        let mut rows = self.corpus.rows(self.number, 0, self.watch)?;
        while let Some(batch) = rows.next(self.watch, |item| item)? {
            for (item, verdict) in self.lists.judge(batch.items, self.corpus, self.judge)? {
                if let Some(line) = self.line(form, &item, &verdict)? {
                    out.write(&line)?;
                }
            }
        }
        Ok(())
    }

    /// A record as it is written, if it is.
    fn line(&self, form: Form, item: &Item, verdict: &Verdict) -> Result<Option<Vec<u8>>> {
        let Some(record) = &item.record else {
            return Ok(None);
        };
        let is_kept = !matches!(verdict.action, Action::Remove);
        let place = || format!("{}, line {}", self.table.name.display(), record.line);
        Ok(match (self.mode, form, &verdict.action) {
            (Mode::Annotate, Form::JsonLines, _) => {
                let what = json!({"is_kept": is_kept, "spans": verdict.spans});
                Some(with_json(&record.bytes, &what).at(place())?)
            }
            (Mode::Annotate, Form::Separated(delimiter), _) => {
                let (is_kept, spans) = (is_kept.to_string(), json!(verdict.spans).to_string());
                Some(with_fields(&record.bytes, &[&is_kept, &spans], delimiter))
            }
            (Mode::Clean, _, Action::Remove) => None,
            (Mode::Clean, _, Action::Keep) => Some([&record.bytes[..], b"\n"].concat()),
            (Mode::Clean, _, Action::Change(text)) => {
                let mut edited = self
                    .table
                    .shard
                    .with_text(&record.bytes, text)
                    .at(place())?;
                edited.push(b'\n');
                Some(edited)
            }
        })
    }

    /// Columns are written one after the other, so that what is known of all rows comes first.
    fn parquet(&mut self, out: &mut TableWriter) -> Result<()> {
        let mut edit = ParquetEdit::default();
        let (mut kept, mut spans) = (Vec::new(), Vec::new());
        let mut rows = self.corpus.rows(self.number, 0, self.watch)?;
        while let Some(batch) = rows.next(self.watch, |item| item)? {
            for (item, verdict) in self.lists.judge(batch.items, self.corpus, self.judge)? {
                let Identity::Row { start: row, .. } = item.identity else {
                    continue;
                };
                if self.mode == Mode::Annotate {
                    edit.rows.push(row);
                    kept.push(!matches!(verdict.action, Action::Remove));
                    spans.push(json!(verdict.spans).to_string());
                    continue;
                }
                match verdict.action {
                    Action::Remove => continue,
                    Action::Keep => {}
                    Action::Change(text) => {
                        edit.texts.insert(row, text);
                    }
                }
                edit.rows.push(row);
            }
        }
        if self.mode == Mode::Annotate {
            let values = [AddedValues::Bool(kept), AddedValues::Text(spans)];
            let added = ADDED.iter().zip(values).map(|(name, values)| AddedColumn {
                name: (*name).to_owned(),
                values,
            });
            edit.added = added.collect();
        }
        out.copy_parquet(self.table, &edit, self.watch)
    }
}

/// Writes a document that was a file. What is not plain text becomes it, if it is changed.
fn rewrite_file(corpus: &Corpus, item: &Item, action: Action, output: &mut Output) -> Result<()> {
    let Identity::File(number) = item.identity else {
        return Ok(());
    };
    let Some(from) = corpus.files[number as usize].file() else {
        return Ok(());
    };
    let text = match action {
        Action::Remove => return Ok(()),
        Action::Keep => return output.keep_file(from, &item.id),
        Action::Change(text) => text,
    };
    let is_text = |end: &std::ffi::OsStr| end == "txt" || end == "md";
    let is_plain = from.extension().is_some_and(is_text)
        || std::fs::read(from).is_ok_and(|bytes| bytes == item.text.as_bytes());
    if is_plain {
        output.write_file(&item.id, &text)
    } else {
        output.write_file(&format!("{}.txt", item.id), &text)
    }
}
