//! The documents of a dataset with their texts, a batch in memory at a time, as often as wanted.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use cento_ingest::TableRecord;
use rayon::prelude::*;

use super::dataset::{SkippedRow, Table, tables};
use crate::config::Settings;
use crate::load::{self, Finding, Input};

/// Shards and files, in the order of the input.
pub(super) struct Corpus {
    pub(super) tables: Vec<Table>,
    pub(super) files: Vec<Input>,
    /// What cannot be a document, before anything is read.
    pub(super) skipped: Vec<SkippedRow>,
}

/// A document with its text.
pub(super) struct Item {
    pub(super) id: String,
    pub(super) text: String,
    /// The record of a table, as it stands there.
    pub(super) record: Option<TableRecord>,
}

/// Some documents in a row, or why they are none.
pub(super) type Batch = Vec<Result<Item, SkippedRow>>;

/// How many bytes are in memory at a time.
const BATCH: usize = 8 << 20;

impl Corpus {
    pub(super) fn open(inputs: &[PathBuf], settings: &Settings) -> Result<Corpus> {
        let (tables, others) = tables(inputs, settings)?;
        let mut corpus = Corpus {
            tables,
            files: Vec::new(),
            skipped: Vec::new(),
        };
        if !others.is_empty() {
            let Finding {
                inputs, skipped, ..
            } = load::find(&others, settings)?;
            corpus.files = inputs;
            corpus.skipped = skipped
                .into_iter()
                .map(|skipped| SkippedRow {
                    file: skipped.id,
                    line: None,
                    reason: skipped.reason,
                })
                .collect();
        }
        Ok(corpus)
    }

    /// How many bytes of text there are, about.
    pub(super) fn size(&self) -> u64 {
        let tables: u64 = self.tables.iter().map(|table| table.shard.size()).sum();
        tables + load::bytes(&self.files)
    }

    /// All documents, in their order.
    pub(super) fn each(&self, mut visit: impl FnMut(Batch) -> Result<()>) -> Result<()> {
        for table in &self.tables {
            each_row(table, &mut visit)?;
        }
        each_file(&self.files, &mut visit)
    }
}

/// The rows of a table.
pub(super) fn each_row(table: &Table, mut visit: impl FnMut(Batch) -> Result<()>) -> Result<()> {
    let name = table.name.display().to_string();
    let records = table.shard.records(None).map_err(anyhow::Error::msg);
    let mut records = records.with_context(|| name.clone())?;
    loop {
        let mut batch = Vec::new();
        let mut bytes = 0;
        for record in records.by_ref() {
            bytes += record.as_ref().map_or(0, TableRecord::size);
            batch.push(record);
            if bytes >= BATCH {
                break;
            }
        }
        if batch.is_empty() {
            return Ok(());
        }
        let items: Batch = batch
            .into_par_iter()
            .map(|record| {
                let record = record.and_then(|record| {
                    let row = table.shard.parse(&record)?;
                    Ok((record, row))
                });
                let (record, row) = record.map_err(|bad| SkippedRow {
                    file: name.clone(),
                    line: Some(bad.line),
                    reason: bad.reason,
                })?;
                let place = || format!("{name}:{}", record.line);
                short_enough(Item {
                    id: row.id.unwrap_or_else(place),
                    text: row.text,
                    record: Some(record),
                })
            })
            .collect();
        visit(items)?;
    }
}

/// Files.
pub(super) fn each_file(files: &[Input], mut visit: impl FnMut(Batch) -> Result<()>) -> Result<()> {
    let mut rest = files;
    while !rest.is_empty() {
        let mut bytes = 0;
        let is_in = |input: &&Input| {
            let fits = bytes < BATCH as u64;
            bytes += input.size();
            fits
        };
        let count = rest.iter().take_while(is_in).count();
        let (now, later) = rest.split_at(count);
        rest = later;
        let items: Batch = now
            .par_iter()
            .map(|input| {
                let id = input.id().to_owned();
                match input.read() {
                    Ok(document) => short_enough(Item {
                        id,
                        text: document.content,
                        record: None,
                    }),
                    Err(reason) => Err(SkippedRow {
                        file: id,
                        line: None,
                        reason,
                    }),
                }
            })
            .collect();
        visit(items)?;
    }
    Ok(())
}

/// Places in texts are 32-bit numbers.
fn short_enough(item: Item) -> Result<Item, SkippedRow> {
    if u32::try_from(item.text.len()).is_ok_and(|length| length < u32::MAX) {
        return Ok(item);
    }
    Err(SkippedRow {
        file: item.id,
        line: item.record.map(|record| record.line),
        reason: "its text is longer than 4 GiB".to_owned(),
    })
}
