//! Shards and folders → documents with fingerprints, in the order of the input.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::{Fingerprint, NoCollection};
use cento_ingest::{BadRow, Shard, TableRecord};
use rayon::prelude::*;
use serde_json::Value;

use super::choose::Keep;
use crate::config::Settings;
use crate::load::{self, Finding, Input};
use crate::progress::Progress;

/// Everything that was read.
pub(super) struct Dataset {
    pub(super) tables: Vec<Table>,
    pub(super) files: Vec<Input>,
    pub(super) documents: Vec<Document>,
    pub(super) fingerprints: Vec<Fingerprint>,
    pub(super) skipped: Vec<SkippedRow>,
}

/// A shard, and what it is called in the output.
pub(super) struct Table {
    pub(super) shard: Shard,
    pub(super) name: PathBuf,
}

/// A document of the dataset.
pub(super) struct Document {
    pub(super) id: String,
    pub(super) source: Source,
    /// How many bytes its text has.
    pub(super) length: u64,
    /// The field that decides which one is kept.
    pub(super) field: Option<f64>,
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
pub(super) struct SkippedRow {
    pub(super) file: String,
    pub(super) line: Option<u64>,
    pub(super) reason: String,
}

/// How many bytes of rows are parsed at a time.
const BATCH: usize = 8 << 20;

impl Dataset {
    pub(super) fn read(inputs: &[PathBuf], keep: &Keep, settings: &Settings) -> Result<Dataset> {
        let mut dataset = Dataset {
            tables: Vec::new(),
            files: Vec::new(),
            documents: Vec::new(),
            fingerprints: Vec::new(),
            skipped: Vec::new(),
        };
        let (tables, others) = tables(inputs, settings)?;
        let bytes = |path: &Path| path.metadata().map_or(0, |file| file.len());
        let total = tables.iter().map(|table| bytes(table.shard.path())).sum();
        let progress = Progress::reading(tables.len(), total, settings.quiet);
        for table in tables {
            dataset.read_table(table, keep, settings, &progress)?;
        }
        progress.finish();
        if !others.is_empty() {
            dataset.read_files(&others, settings)?;
        }
        if dataset.documents.is_empty() && dataset.skipped.is_empty() {
            bail!("there are no documents in it");
        }
        Ok(dataset)
    }

    /// Refuses data of which too much cannot be read.
    pub(super) fn expect_few_errors(&self, most: f64) -> Result<()> {
        let all = self.documents.len() + self.skipped.len();
        if self.skipped.len() as f64 <= most * all as f64 {
            return Ok(());
        }
        let SkippedRow { file, line, reason } = &self.skipped[0];
        let line = line.map_or_else(String::new, |line| format!(", line {line}"));
        bail!(
            "{} of {all} documents cannot be read, which is more than --max-errors {most} allows; \
             the first is {}{line}: {reason}",
            self.skipped.len(),
            file.escape_debug()
        );
    }

    fn read_table(
        &mut self,
        table: Table,
        keep: &Keep,
        settings: &Settings,
        progress: &Progress,
    ) -> Result<()> {
        let number = u32::try_from(self.tables.len())?;
        let name = table.name.display().to_string();
        let mut records = table
            .shard
            .records()
            .map_err(anyhow::Error::msg)
            .with_context(|| name.clone())?;
        loop {
            let (batch, bytes) = next_batch(&mut records);
            if batch.is_empty() {
                break;
            }
            let read: Vec<Result<(Document, Fingerprint), BadRow>> = batch
                .into_par_iter()
                .map(|record| {
                    let record = record?;
                    row(&table, number, &record, keep, settings)
                })
                .collect();
            for result in read {
                match result {
                    Ok((document, fingerprint)) => {
                        self.documents.push(document);
                        self.fingerprints.push(fingerprint);
                    }
                    Err(bad) => self.skipped.push(SkippedRow {
                        file: name.clone(),
                        line: Some(bad.line),
                        reason: bad.reason,
                    }),
                }
            }
            progress.advance(bytes);
        }
        self.tables.push(table);
        Ok(())
    }

    fn read_files(&mut self, paths: &[PathBuf], settings: &Settings) -> Result<()> {
        let Finding {
            inputs, skipped, ..
        } = load::find(paths, settings)?;
        for skipped in skipped {
            self.skipped.push(SkippedRow {
                file: skipped.id,
                line: None,
                reason: skipped.reason,
            });
        }
        let progress = Progress::reading(inputs.len(), load::bytes(&inputs), settings.quiet);
        let read: Vec<Result<(u64, Fingerprint), String>> = inputs
            .par_iter()
            .map(|input| {
                let text = input.read();
                progress.read(input.size());
                let text = text?.content;
                Ok((text.len() as u64, fingerprint(&text, settings)))
            })
            .collect();
        progress.finish();
        for (number, (input, read)) in (0..).zip(inputs.iter().zip(read)) {
            match read {
                Ok((length, fingerprint)) => {
                    self.documents.push(Document {
                        id: input.id().to_owned(),
                        source: Source::File(number),
                        length,
                        field: None,
                    });
                    self.fingerprints.push(fingerprint);
                }
                Err(reason) => self.skipped.push(SkippedRow {
                    file: input.id().to_owned(),
                    line: None,
                    reason,
                }),
            }
        }
        self.files = inputs;
        Ok(())
    }
}

/// Some records, and how many bytes they are.
fn next_batch(records: &mut cento_ingest::TableRecords) -> (Vec<Result<TableRecord, BadRow>>, u64) {
    let mut batch = Vec::new();
    let mut bytes = 0;
    for record in records {
        if let Ok(record) = &record {
            bytes += record.bytes.len() + 1;
        }
        batch.push(record);
        if bytes >= BATCH {
            break;
        }
    }
    (batch, bytes as u64)
}

fn row(
    table: &Table,
    number: u32,
    record: &TableRecord,
    keep: &Keep,
    settings: &Settings,
) -> Result<(Document, Fingerprint), BadRow> {
    let row = table.shard.parse(record)?;
    let place = || format!("{}:{}", table.name.display(), record.line);
    let document = Document {
        id: row.id.unwrap_or_else(place),
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
fn tables(inputs: &[PathBuf], settings: &Settings) -> Result<(Vec<Table>, Vec<PathBuf>)> {
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
            let shard = Shard::open(&path, &reading.keys, reading.limits.file_size)
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
            } else if is_table_name(&path) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn is_table_name(path: &Path) -> bool {
    let tables = ["jsonl", "ndjson", "csv", "tsv"];
    path.extension()
        .is_some_and(|end| tables.iter().any(|table| end.eq_ignore_ascii_case(table)))
}
