//! Shards and folders → documents with fingerprints, in the order of the input.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::index::DigestStore;
use cento::{Fingerprint, NoCollection};
use cento_ingest::{BadRow, Shard, TableRecord};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::choose::Keep;
use super::work::{Before, Reached, Work};
use crate::config::Settings;
use crate::load::{self, Finding, Input};
use crate::progress::Progress;

/// Everything that was read.
pub(super) struct Dataset {
    pub(super) tables: Vec<Table>,
    pub(super) files: Vec<Input>,
    pub(super) documents: Vec<Document>,
    pub(super) store: DigestStore,
    pub(super) skipped: Vec<SkippedRow>,
}

/// A shard, and what it is called in the output.
pub(super) struct Table {
    pub(super) shard: Shard,
    pub(super) name: PathBuf,
}

/// A document of the dataset.
#[derive(Clone)]
pub(super) struct Document {
    pub(super) id: Box<str>,
    pub(super) source: Source,
    /// How many bytes its text has.
    pub(super) length: u64,
    /// The field that decides which one is kept.
    pub(super) field: Option<f64>,
}

impl Document {
    /// The number of its table; that of a file is behind all tables.
    pub(super) fn table(&self) -> u32 {
        match self.source {
            Source::Row { table, .. } => table,
            Source::File(_) => u32::MAX,
        }
    }
}

/// Where a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A row of a table: its bytes, and its line.
    Row { table: u32, start: u64, end: u64 },
    /// A file.
    File(u32),
}

/// A row or a file that could not be read.
#[derive(Clone)]
pub(super) struct SkippedRow {
    pub(super) file: String,
    pub(super) line: Option<u64>,
    pub(super) reason: String,
}

/// How many bytes of rows are parsed at a time.
const BATCH: usize = 8 << 20;

/// What a dataset is read from.
pub(super) struct Found {
    pub(super) tables: Vec<Table>,
    pub(super) others: Vec<PathBuf>,
}

impl Found {
    pub(super) fn among(inputs: &[PathBuf], settings: &Settings) -> Result<Found> {
        let (tables, others) = tables(inputs, settings)?;
        Ok(Found { tables, others })
    }

    /// How many bytes all files have.
    pub(super) fn bytes(&self) -> u64 {
        let of_tables = self.tables.iter().map(|table| table.shard.size());
        of_tables.sum::<u64>() + self.others.iter().map(|path| size_of(path)).sum::<u64>()
    }
}

/// How many bytes a file has, or all files under a folder.
fn size_of(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().map(|entry| size_of(&entry.path())).sum(),
        Err(_) => path.metadata().map_or(0, |file| file.len()),
    }
}

impl Dataset {
    /// Reads everything; with a work folder, what it does not have yet.
    pub(super) fn read(
        found: Found,
        keep: &Keep,
        settings: &Settings,
        work: Option<(&mut Work, Before)>,
    ) -> Result<Dataset> {
        let total = found.tables.iter().map(|table| table.shard.size());
        let total = total.sum();
        let (work, before) = match work {
            Some((work, before)) => (Some(work), before),
            None => (None, Before::default()),
        };
        let mut reading = Reading {
            dataset: Dataset {
                tables: Vec::new(),
                files: Vec::new(),
                documents: before.documents,
                store: before.store,
                skipped: before.skipped,
            },
            reached: before.reached,
            work,
            uncommitted: 0,
            keep,
            settings,
        };
        let progress = Progress::reading(found.tables.len(), total, settings.quiet);
        for table in found.tables {
            reading.table(table, &progress)?;
        }
        progress.finish();
        if !found.others.is_empty() {
            reading.files(&found.others)?;
        }
        reading.reached.is_all = true;
        reading.commit()?;
        let dataset = reading.dataset;
        if dataset.documents.is_empty() && dataset.skipped.is_empty() {
            bail!("there are no documents in it");
        }
        Ok(dataset)
    }

    /// Refuses data of which too much cannot be read.
    pub(super) fn expect_few_errors(&self, most: f64) -> Result<()> {
        expect_few(&self.skipped, self.documents.len(), most)
    }
}

/// A dataset while it is being read.
struct Reading<'a> {
    dataset: Dataset,
    reached: Reached,
    work: Option<&'a mut Work>,
    /// How many bytes were read since the work was last made safe.
    uncommitted: u64,
    keep: &'a Keep,
    settings: &'a Settings,
}

/// After how many bytes the work is made safe.
const STEP: u64 = 32 << 20;
/// How many files are read before their fingerprints are put away.
const FILES: usize = 4096;

impl Reading<'_> {
    fn table(&mut self, table: Table, progress: &Progress) -> Result<()> {
        let number = u32::try_from(self.dataset.tables.len())?;
        if self.reached.tables > self.dataset.tables.len() {
            progress.advance(table.shard.size());
            self.dataset.tables.push(table);
            return Ok(());
        }
        let name = table.name.display().to_string();
        let mut records = table
            .shard
            .records(self.keep.field())
            .map_err(anyhow::Error::msg)
            .with_context(|| name.clone())?;
        for _ in 0..self.reached.records {
            records.next();
        }
        loop {
            let (batch, bytes) = next_batch(&mut records);
            if batch.is_empty() {
                break;
            }
            let count = batch.len() as u64;
            let read: Vec<Result<(Document, Fingerprint), BadRow>> = batch
                .into_par_iter()
                .map(|record| row(&table, number, &record?, self.keep, self.settings))
                .collect();
            for result in read {
                match result {
                    Ok((document, fingerprint)) => self.push(document, &fingerprint)?,
                    Err(bad) => self.skip(SkippedRow {
                        file: name.clone(),
                        line: Some(bad.line),
                        reason: bad.reason,
                    })?,
                }
            }
            self.reached.records += count;
            self.advance(bytes)?;
            progress.advance(bytes);
        }
        self.dataset.tables.push(table);
        self.reached.tables += 1;
        self.reached.records = 0;
        Ok(())
    }

    fn files(&mut self, paths: &[PathBuf]) -> Result<()> {
        let Finding {
            inputs, skipped, ..
        } = load::find(paths, self.settings)?;
        if self.reached.files == 0 {
            for skipped in skipped {
                self.skip(SkippedRow {
                    file: skipped.id,
                    line: None,
                    reason: skipped.reason,
                })?;
            }
        }
        let progress = Progress::reading(inputs.len(), load::bytes(&inputs), self.settings.quiet);
        let done = self.reached.files.min(inputs.len());
        for (chunk, numbers) in inputs[done..].chunks(FILES).zip((done..).step_by(FILES)) {
            let read: Vec<Result<(u64, Fingerprint), String>> = chunk
                .par_iter()
                .map(|input| {
                    let text = input.read();
                    progress.read(input.size());
                    let text = text?.content;
                    Ok((text.len() as u64, fingerprint(&text, self.settings)))
                })
                .collect();
            for (number, (input, read)) in (numbers..).zip(chunk.iter().zip(read)) {
                match read {
                    Ok((length, fingerprint)) => {
                        let document = Document {
                            id: input.id().into(),
                            source: Source::File(u32::try_from(number)?),
                            length,
                            field: None,
                        };
                        self.push(document, &fingerprint)?;
                    }
                    Err(reason) => self.skip(SkippedRow {
                        file: input.id().to_owned(),
                        line: None,
                        reason,
                    })?,
                }
            }
            self.reached.files += chunk.len();
            self.advance(load::bytes(chunk))?;
        }
        progress.finish();
        self.dataset.files = inputs;
        Ok(())
    }

    fn push(&mut self, document: Document, fingerprint: &Fingerprint) -> Result<()> {
        if let Some(work) = &mut self.work {
            work.push(&document, u32::try_from(fingerprint.digests().len())?)?;
        }
        self.dataset.store.push(fingerprint)?;
        self.dataset.documents.push(document);
        Ok(())
    }

    fn skip(&mut self, row: SkippedRow) -> Result<()> {
        if let Some(work) = &mut self.work {
            work.skip(&row)?;
        }
        self.dataset.skipped.push(row);
        Ok(())
    }

    /// So many bytes more are read and put away.
    fn advance(&mut self, bytes: u64) -> Result<()> {
        self.uncommitted += bytes;
        if self.uncommitted >= STEP {
            self.commit()?;
        }
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        self.uncommitted = 0;
        match &mut self.work {
            Some(work) => work.commit(self.reached, &mut self.dataset.store),
            None => Ok(()),
        }
    }
}

impl SkippedRow {
    /// As skipped.jsonl has it.
    pub(super) fn json(&self) -> Value {
        json!({"file": self.file, "line": self.line, "reason": self.reason})
    }
}

/// Refuses data of which too much cannot be read.
pub(super) fn expect_few(skipped: &[SkippedRow], read: usize, most: f64) -> Result<()> {
    let all = read + skipped.len();
    if skipped.len() as f64 <= most * all as f64 {
        return Ok(());
    }
    let SkippedRow { file, line, reason } = &skipped[0];
    let line = line.map_or_else(String::new, |line| format!(", line {line}"));
    bail!(
        "{} of {all} documents cannot be read, which is more than --max-errors {most} allows; \
         the first is {}{line}: {reason}",
        skipped.len(),
        file.escape_debug()
    );
}

/// Some records, and how many bytes they are.
pub(super) fn next_batch(
    records: &mut cento_ingest::TableRecords,
) -> (Vec<Result<TableRecord, BadRow>>, u64) {
    let mut batch = Vec::new();
    let mut bytes = 0;
    for record in records {
        if let Ok(record) = &record {
            bytes += record.size();
        }
        batch.push(record);
        if bytes >= BATCH {
            break;
        }
    }
    (batch, bytes as u64)
}

pub(super) fn row(
    table: &Table,
    number: u32,
    record: &TableRecord,
    keep: &Keep,
    settings: &Settings,
) -> Result<(Document, Fingerprint), BadRow> {
    let row = table.shard.parse(record)?;
    let place = || format!("{}:{}", table.name.display(), record.line);
    let document = Document {
        id: row.id.unwrap_or_else(place).into(),
        source: Source::Row {
            table: number,
            start: record.offset,
            end: record.end,
        },
        length: row.text.len() as u64,
        field: keep.field().and_then(|name| match row.fields.get(name) {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            _ => None,
        }),
    };
    Ok((document, fingerprint(&row.text, settings)))
}

fn fingerprint(text: &str, settings: &Settings) -> Fingerprint {
    let recipe = &settings.scan.recipe;
    recipe.fingerprint(text, &settings.key, &NoCollection)
}

/// The tables among the inputs, in the order of their names, and everything else.
pub(super) fn tables(
    inputs: &[PathBuf],
    settings: &Settings,
) -> Result<(Vec<Table>, Vec<PathBuf>)> {
    let (mut tables, mut others) = (Vec::new(), Vec::new());
    let reading = &settings.input.reading;
    for input in inputs {
        if !input.exists() {
            bail!("{}: no such file or folder", input.display());
        }
        let shards = if input.is_dir() {
            shards_in(input)?
        } else {
            vec![input.clone()]
        };
        let before = tables.len();
        for path in shards {
            let shard = Shard::open(&path, &reading.keys, &reading.limits)
                .map_err(anyhow::Error::msg)
                .with_context(|| path.display().to_string())?;
            if let Some(shard) = shard {
                let inside = path.strip_prefix(input).unwrap_or(&path);
                let name = if inputs.len() > 1 || inside.as_os_str().is_empty() {
                    let own = input.file_name().unwrap_or(input.as_os_str());
                    Path::new(own).join(inside)
                } else {
                    inside.to_owned()
                };
                let name = name.components().collect();
                tables.push(Table { shard, name });
            }
        }
        if tables.len() == before {
            others.push(input.clone());
        }
    }
    for pair in tables
        .iter()
        .enumerate()
        .flat_map(|(place, table)| tables[..place].iter().map(move |other| (other, table)))
    {
        if pair.0.name == pair.1.name {
            bail!(
                "two inputs would be written to {}; give them different names",
                pair.0.name.display()
            );
        }
    }
    Ok((tables, others))
}

/// The files under a folder whose names are those of tables, sorted.
fn shards_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let entry = entry.with_context(|| folder.display().to_string())?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if Shard::is_name(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
