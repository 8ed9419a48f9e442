//! A dataset is written again with other texts: passages cut, documents removed, or what was found
//! noted beside them.

use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento_ingest::{AddedColumn, AddedValues, Form, PackedWriter, ParquetEdit};
use serde_json::{Value, json};

use super::corpus::{Batch, Corpus, Item, each_file, each_row};
use super::dataset::{SkippedRow, Table};
use super::write::{Target, create, create_table, field, write_more_fields, write_more_json};
use crate::config::Settings;
use crate::load::Input;
use crate::progress::Progress;

/// What becomes of a document.
pub(super) enum Fate {
    Kept,
    /// Kept with another text.
    Changed(String),
    Removed,
}

/// What was found out about a document.
pub(super) struct Verdict {
    pub(super) fate: Fate,
    /// What stands in its text that stands elsewhere too, as it is reported.
    pub(super) spans: Vec<Value>,
}

/// What is to be done with the verdicts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Documents are changed and removed.
    Clean,
    /// Everything stays, and what was found is noted.
    Annotate,
}

/// How many documents there are of each kind.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) documents: usize,
    pub(super) changed: usize,
    pub(super) removed: usize,
    pub(super) spans: usize,
    pub(super) skipped: usize,
}

/// The names of what is added to tables.
const ADDED: [&str; 2] = ["is_kept", "spans"];

/// Writes all documents again, and shows how far it is. The judge sees them in order and has a verdict
/// for each.
pub(super) fn rewrite(
    corpus: &Corpus,
    target: &Target,
    mode: Mode,
    settings: &Settings,
    mut judge: impl FnMut(&[Item]) -> Vec<Verdict>,
) -> Result<Tally> {
    expect_files(corpus, mode)?;
    let progress = Progress::reading(0, corpus.size(), settings.quiet);
    let mut judge = |items: &[Item]| {
        let verdicts = judge(items);
        progress.advance(items.iter().map(|item| item.text.len() as u64).sum());
        verdicts
    };
    target.make_folder()?;
    let mut lists = Lists::create(target)?;
    for table in &corpus.tables {
        rewrite_table(table, target, mode, &mut judge, &mut lists)?;
    }
    let mut files = corpus.files.iter();
    each_file(&corpus.files, |batch| {
        let inputs: Vec<&Input> = files.by_ref().take(batch.len()).collect();
        let places = inputs.iter().zip(&batch).filter(|(_, item)| item.is_ok());
        let inputs: Vec<&Input> = places.map(|(input, _)| *input).collect();
        let judged = lists.judge(batch, &mut judge)?;
        for (input, (item, verdict)) in inputs.into_iter().zip(judged) {
            if mode == Mode::Clean {
                rewrite_file(input, &item, verdict.fate, target)?;
            }
        }
        Ok(())
    })?;
    progress.finish();
    lists.finish(corpus, target)
}

/// Documents in archives cannot be written again.
fn expect_files(corpus: &Corpus, mode: Mode) -> Result<()> {
    let packed = corpus.files.iter().find(|input| input.file().is_none());
    if let (Some(input), Mode::Clean) = (packed, mode) {
        bail!(
            "{}: it is inside another file, which is not written again; unpack it first, or look \
             only (--annotate)",
            input.id().escape_debug()
        );
    }
    Ok(())
}

/// The files about the data, while they are being written.
struct Lists {
    spans: List,
    removed: List,
    skipped: Vec<SkippedRow>,
    tally: Tally,
}

type List = (PathBuf, std::io::BufWriter<std::fs::File>);

impl Lists {
    fn create(target: &Target) -> Result<Lists> {
        let list = |name: &str| -> Result<List> {
            let path = target.beside(name);
            let named = || path.display().to_string();
            let file = std::fs::File::create(&path).with_context(named)?;
            let file = std::io::BufWriter::with_capacity(1 << 18, file);
            Ok((path, file))
        };
        Ok(Lists {
            spans: list("spans.jsonl")?,
            removed: list("removed.txt")?,
            skipped: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// The documents of a batch with their verdicts; writes down what there is to write.
    fn judge(
        &mut self,
        batch: Batch,
        judge: &mut impl FnMut(&[Item]) -> Vec<Verdict>,
    ) -> Result<Vec<(Item, Verdict)>> {
        let mut items = Vec::with_capacity(batch.len());
        for item in batch {
            match item {
                Ok(item) => items.push(item),
                Err(skipped) => self.skipped.push(skipped),
            }
        }
        let verdicts = judge(&items);
        for (item, verdict) in items.iter().zip(&verdicts) {
            let (path, out) = &mut self.spans;
            for span in &verdict.spans {
                writeln!(out, "{span}").with_context(|| path.display().to_string())?;
            }
            let (path, out) = &mut self.removed;
            if matches!(verdict.fate, Fate::Removed) {
                writeln!(out, "{}", item.id).with_context(|| path.display().to_string())?;
            }
            self.tally.documents += 1;
            self.tally.spans += verdict.spans.len();
            match verdict.fate {
                Fate::Kept => {}
                Fate::Changed(_) => self.tally.changed += 1,
                Fate::Removed => self.tally.removed += 1,
            }
        }
        Ok(items.into_iter().zip(verdicts).collect())
    }

    fn finish(mut self, corpus: &Corpus, target: &Target) -> Result<Tally> {
        for (path, out) in [&mut self.spans, &mut self.removed] {
            out.flush().with_context(|| path.display().to_string())?;
        }
        let skipped: Vec<&SkippedRow> = corpus.skipped.iter().chain(&self.skipped).collect();
        self.tally.skipped = skipped.len();
        if !skipped.is_empty() {
            create(&target.beside("skipped.jsonl"), |out| {
                for row in skipped {
                    writeln!(out, "{}", row.json())?;
                }
                Ok(())
            })?;
        }
        Ok(self.tally)
    }
}

fn rewrite_table(
    table: &Table,
    target: &Target,
    mode: Mode,
    judge: &mut impl FnMut(&[Item]) -> Vec<Verdict>,
    lists: &mut Lists,
) -> Result<()> {
    let path = target.table(table);
    let Some(form) = table.shard.form() else {
        return rewrite_parquet(table, &path, mode, judge, lists);
    };
    create_table(&path, table, |out| {
        let mut header = vec![0; usize::try_from(table.shard.start())?];
        table.shard.unpacked()?.read_exact(&mut header)?;
        match (form, mode) {
            (Form::Separated(delimiter), Mode::Annotate) => {
                let names = ADDED.map(str::to_owned);
                write_more_fields(&header, &names, delimiter, out)?;
            }
            _ => out.write_all(&header)?,
        }
        each_row(table, |batch| {
            for (item, verdict) in lists.judge(batch, judge)? {
                write_row(table, form, mode, &item, &verdict, out)?;
            }
            Ok(())
        })
    })
}

fn write_row(
    table: &Table,
    form: Form,
    mode: Mode,
    item: &Item,
    verdict: &Verdict,
    out: &mut PackedWriter,
) -> Result<()> {
    let Some(record) = &item.record else {
        return Ok(());
    };
    let is_kept = !matches!(verdict.fate, Fate::Removed);
    match (mode, form, &verdict.fate) {
        (Mode::Annotate, Form::JsonLines, _) => {
            let what = json!({"is_kept": is_kept, "spans": verdict.spans});
            write_more_json(&record.bytes, &what, out)
        }
        (Mode::Annotate, Form::Separated(delimiter), _) => {
            let spans = field(&json!(verdict.spans).to_string());
            write_more_fields(&record.bytes, &[is_kept.to_string(), spans], delimiter, out)
        }
        (Mode::Clean, _, Fate::Removed) => Ok(()),
        (Mode::Clean, _, Fate::Kept) => {
            out.write_all(&record.bytes)?;
            Ok(out.write_all(b"\n")?)
        }
        (Mode::Clean, _, Fate::Changed(text)) => {
            let edited = table.shard.with_text(&record.bytes, text);
            out.write_all(&edited.map_err(anyhow::Error::msg)?)?;
            Ok(out.write_all(b"\n")?)
        }
    }
}

/// Columns are written one after the other, so that what is known of all rows comes first.
fn rewrite_parquet(
    table: &Table,
    path: &Path,
    mode: Mode,
    judge: &mut impl FnMut(&[Item]) -> Vec<Verdict>,
    lists: &mut Lists,
) -> Result<()> {
    let mut edit = ParquetEdit::default();
    let (mut kept, mut spans) = (Vec::new(), Vec::new());
    each_row(table, |batch| {
        for (item, verdict) in lists.judge(batch, judge)? {
            let Some(record) = &item.record else {
                continue;
            };
            let row = record.offset;
            if mode == Mode::Annotate {
                edit.rows.push(row);
                kept.push(!matches!(verdict.fate, Fate::Removed));
                spans.push(json!(verdict.spans).to_string());
                continue;
            }
            match verdict.fate {
                Fate::Removed => continue,
                Fate::Kept => {}
                Fate::Changed(text) => {
                    edit.texts.insert(row, text);
                }
            }
            edit.rows.push(row);
        }
        Ok(())
    })?;
    if mode == Mode::Annotate {
        let [is_kept, found] = ADDED.map(str::to_owned);
        edit.added = vec![
            AddedColumn {
                name: is_kept,
                values: AddedValues::Bool(kept),
            },
            AddedColumn {
                name: found,
                values: AddedValues::Text(spans),
            },
        ];
    }
    create_table(path, table, |out| {
        let copied = table.shard.copy_parquet(&edit, out);
        copied.map_err(anyhow::Error::msg)
    })
}

/// Writes a document that was a file. What is not plain text becomes it, if it is changed.
fn rewrite_file(input: &Input, item: &Item, fate: Fate, target: &Target) -> Result<()> {
    let Some(from) = input.file() else {
        return Ok(());
    };
    let text = match fate {
        Fate::Removed => return Ok(()),
        Fate::Kept => return target.keep_file(from, &item.id),
        Fate::Changed(text) => text,
    };
    let is_text = |end: &std::ffi::OsStr| end == "txt" || end == "md";
    let is_plain = from.extension().is_some_and(is_text)
        || std::fs::read(from).is_ok_and(|bytes| bytes == item.text.as_bytes());
    let name = if is_plain {
        item.id.clone()
    } else {
        format!("{}.txt", item.id)
    };
    create(&target.kept(&name), |out| {
        Ok(out.write_all(text.as_bytes())?)
    })
}
