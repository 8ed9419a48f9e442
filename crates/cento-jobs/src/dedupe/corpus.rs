//! The documents of a dataset, a batch in memory at a time, as often as wanted.
//!
//! What is found out about a document is kept with its [`Identity`], and found again by it: a file
//! that can be read once need not be readable the next time.

use std::path::PathBuf;

use cento_ingest::{BadRow, Form, Input, TableRecord, TableRecords};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::annotate::{JSON_FIELD, taken};
use super::skipped::SkippedRow;
use super::tables::{Other, Table, find_tables};
use crate::documents::{self, Documents, Reader, Unreadable};
use crate::error::{At as _, Error, Result};
use crate::watch::Watch;

/// Tables and files, in the order of the input.
pub(super) struct Corpus {
    /// What was given.
    pub(super) inputs: Vec<PathBuf>,
    pub(super) tables: Vec<Table>,
    pub(super) files: Vec<Input>,
    /// The inputs without tables; the files are what is under them.
    pub(super) others: Vec<Other>,
    /// What cannot be a document, before anything is read.
    pub(super) skipped: Vec<SkippedRow>,
    /// One more field of rows that is read.
    field: Option<String>,
}

/// Which document of a corpus it is, however often the corpus is read. Sorted, documents are in the
/// order of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    /// A row of a table, by the number of the table and the row's first byte there.
    Row { table: u32, start: u64 },
    /// A file, by its number.
    File(u32),
}

/// A document with its text.
pub(super) struct Item {
    pub(super) identity: Identity,
    pub(super) id: String,
    pub(super) text: String,
    /// The record of a table, as it stands there.
    pub(super) record: Option<TableRecord>,
    /// The number in the field that was asked for.
    pub(super) number: Option<f64>,
}

/// Some documents in a row.
pub(super) struct Batch<T> {
    /// What was made of each, or why it is none.
    pub(super) items: Vec<Result<T, SkippedRow>>,
    /// How far the input has been read with this batch.
    pub(super) reached: Reached,
    /// How many bytes of it they are.
    pub(super) bytes: u64,
}

/// How far the input has been read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reached {
    /// How many tables are done.
    pub(super) tables: usize,
    /// How many records of the next one.
    pub(super) records: u64,
    /// How many files that are no tables.
    pub(super) files: usize,
    /// Whether that is all.
    pub(super) is_all: bool,
}

/// How many bytes of documents are in memory at a time,
const BATCH: u64 = 8 << 20;
/// and how many files.
const FILES: usize = 4096;

impl Corpus {
    /// Finds what is under some paths; of rows, a field besides id and text is read too.
    pub(super) fn find(
        inputs: &[PathBuf],
        field: Option<&str>,
        reader: &Reader,
        watch: &Watch<'_>,
    ) -> Result<Corpus> {
        let (tables, others) = find_tables(inputs, &reader.options().reading, watch)?;
        let mut corpus = Corpus {
            inputs: inputs.to_vec(),
            tables,
            files: Vec::new(),
            others,
            skipped: Vec::new(),
            field: field.map(str::to_owned),
        };
        if !corpus.others.is_empty() {
            let paths = corpus.others.iter().map(|other| other.path.clone());
            let Documents {
                inputs, skipped, ..
            } = reader.find(&paths.collect::<Vec<_>>(), watch)?;
            corpus.files = inputs;
            corpus.skipped = skipped.into_iter().map(SkippedRow::from).collect();
        }
        Ok(corpus)
    }

    /// How many bytes of documents there are, about.
    pub(super) fn bytes(&self) -> u64 {
        let tables = self.tables.iter().map(|table| table.shard.size());
        tables.sum::<u64>() + documents::bytes(&self.files)
    }

    /// The number of the input that a document belongs to.
    pub(super) fn source(&self, identity: Identity) -> usize {
        match identity {
            Identity::Row { table, .. } => self.tables[table as usize].source,
            Identity::File(number) => {
                let argument = self.files[number as usize].found().argument;
                self.others.get(argument).map_or(0, |other| other.source)
            }
        }
    }

    /// Refuses a field that decides which document is kept, if it is certain that no document has
    /// it. The rows of JSON lines may have other fields than the first.
    pub(super) fn expect_field(&self) -> Result<()> {
        let Some(field) = &self.field else {
            return Ok(());
        };
        let is_open = |table: &Table| table.shard.form() == Some(Form::JsonLines);
        let has_it = |table: &Table| table.shard.field_names().contains(field);
        if self
            .tables
            .iter()
            .any(|table| is_open(table) || has_it(table))
        {
            return Ok(());
        }
        Err(self.no_field(field))
    }

    /// Refuses tables that have what is to be added to their rows already.
    pub(super) fn expect_new(&self, columns: &[&str]) -> Result<()> {
        for table in &self.tables {
            let is_json = table.shard.form() == Some(Form::JsonLines);
            let (what, added) = if is_json {
                ("field", &[JSON_FIELD][..])
            } else {
                ("column", columns)
            };
            let names = table.shard.field_names();
            let is_taken = |name: &&&str| names.iter().any(|taken| taken == **name);
            if let Some(name) = added.iter().find(is_taken) {
                return Err(taken(what, name)).at(table.name.display());
            }
        }
        Ok(())
    }

    /// The error of a field that no document has.
    pub(super) fn no_field(&self, field: &str) -> Error {
        if self.tables.is_empty() {
            let reason =
                format!("no document has a field {field}; only rows of tables have fields");
            return Error::option("keep", reason);
        }
        let mut names: Vec<String> = Vec::new();
        for name in self
            .tables
            .iter()
            .flat_map(|table| table.shard.field_names())
        {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let names = names.join(", ");
        let reason =
            format!("no document has a number in the field {field}; the fields are {names}");
        Error::option("keep", reason)
    }

    /// Whether some documents are inside other files.
    pub(super) fn has_packed(&self) -> bool {
        self.files.iter().any(|input| input.file().is_none())
    }

    /// All documents.
    pub(super) fn batches(&self) -> Batches<'_> {
        Batches {
            corpus: self,
            table: 0,
            rows: None,
            files: self.files_from(0),
        }
    }

    /// The rows of a table, behind the first so many records.
    pub(super) fn rows(&self, table: usize, done: u64, watch: &Watch<'_>) -> Result<Rows<'_>> {
        let name = self.tables[table].name.display().to_string();
        let records = self.tables[table].shard.records(self.field.as_deref());
        let mut records = records.at(&name)?;
        for record in 0..done {
            if record % 1024 == 0 {
                watch.go_on()?;
            }
            records.next();
        }
        Ok(Rows {
            parser: RowParser {
                table: &self.tables[table],
                number: number(table)?,
                name,
                field: self.field.as_deref(),
            },
            records,
            reached: Reached {
                tables: table,
                records: done,
                ..Reached::default()
            },
        })
    }

    /// The files, behind the first so many.
    pub(super) fn files_from(&self, done: usize) -> Files<'_> {
        Files {
            inputs: &self.files,
            tables: self.tables.len(),
            next: done.min(self.files.len()),
        }
    }
}

/// A corpus while it is being read.
pub(super) struct Batches<'c> {
    corpus: &'c Corpus,
    table: usize,
    rows: Option<Rows<'c>>,
    files: Files<'c>,
}

impl Batches<'_> {
    /// The next documents, in their order; `make` is called in parallel.
    pub(super) fn next<T: Send>(
        &mut self,
        watch: &Watch<'_>,
        make: impl Fn(Item) -> T + Sync,
    ) -> Result<Option<Batch<T>>> {
        while self.table < self.corpus.tables.len() {
            let rows = match &mut self.rows {
                Some(rows) => rows,
                rows => rows.insert(self.corpus.rows(self.table, 0, watch)?),
            };
            if let Some(batch) = rows.next(watch, &make)? {
                return Ok(Some(batch));
            }
            self.rows = None;
            self.table += 1;
        }
        self.files.next(watch, make)
    }
}

/// A table while it is being read.
pub(super) struct Rows<'c> {
    parser: RowParser<'c>,
    records: TableRecords,
    reached: Reached,
}

impl Rows<'_> {
    /// The next rows, in their order.
    pub(super) fn next<T: Send>(
        &mut self,
        watch: &Watch<'_>,
        make: impl Fn(Item) -> T + Sync,
    ) -> Result<Option<Batch<T>>> {
        watch.go_on()?;
        let mut records = Vec::new();
        let mut bytes = 0;
        for record in self.records.by_ref() {
            bytes += record.as_ref().map_or(0, |record| record.size() as u64);
            records.push(record);
            if bytes >= BATCH {
                break;
            }
        }
        if records.is_empty() {
            return Ok(None);
        }
        self.reached.records += records.len() as u64;
        let parser = &self.parser;
        let items = records.into_par_iter().map(|record| {
            watch.go_on()?;
            let item = record.and_then(|record| parser.item(record));
            let item = item.map_err(|bad| SkippedRow::of_row(&parser.name, &bad));
            Ok(item.and_then(short_enough).map(&make))
        });
        let items: Vec<_> = items.collect::<Result<_>>()?;
        watch.advance(items.len() as u64, bytes);
        Ok(Some(Batch {
            items,
            reached: self.reached,
            bytes,
        }))
    }
}

/// Records of a table → documents.
struct RowParser<'c> {
    table: &'c Table,
    number: u32,
    /// What the table is called.
    name: String,
    field: Option<&'c str>,
}

impl RowParser<'_> {
    fn item(&self, record: TableRecord) -> Result<Item, BadRow> {
        let row = self.table.shard.parse(&record)?;
        let place = || format!("{}:{}", self.name, record.line);
        let value = self.field.and_then(|name| row.fields.get(name));
        Ok(Item {
            identity: Identity::Row {
                table: self.number,
                start: record.offset,
            },
            number: value.and_then(number_in),
            id: row.id.unwrap_or_else(place),
            text: row.text,
            record: Some(record),
        })
    }
}

/// The number that a field has; `NaN` and `inf` are none.
fn number_in(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| number.is_finite())
}

/// Files while they are being read.
pub(super) struct Files<'c> {
    inputs: &'c [Input],
    tables: usize,
    next: usize,
}

impl Files<'_> {
    /// The next files, in their order.
    pub(super) fn next<T: Send>(
        &mut self,
        watch: &Watch<'_>,
        make: impl Fn(Item) -> T + Sync,
    ) -> Result<Option<Batch<T>>> {
        watch.go_on()?;
        let first = self.next;
        let mut bytes = 0;
        for input in self.inputs[first..].iter().take(FILES) {
            if bytes >= BATCH {
                break;
            }
            bytes += input.size();
            self.next += 1;
        }
        if self.next == first {
            return Ok(None);
        }
        let numbers = (first..self.next).into_par_iter();
        let items = numbers.map(|number| {
            watch.go_on()?;
            let input = &self.inputs[number];
            let item = read(input, number)?;
            watch.advance(1, input.size());
            Ok(item.and_then(short_enough).map(&make))
        });
        Ok(Some(Batch {
            items: items.collect::<Result<_>>()?,
            reached: Reached {
                tables: self.tables,
                files: self.next,
                ..Reached::default()
            },
            bytes,
        }))
    }
}

fn read(input: &Input, file: usize) -> Result<Result<Item, SkippedRow>> {
    let identity = Identity::File(number(file)?);
    let read = input.read().map(|document| Item {
        identity,
        id: input.id().to_owned(),
        text: document.content,
        record: None,
        number: None,
    });
    Ok(read.map_err(|error| Unreadable::from(error).of(input.id()).into()))
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
        limit: None,
    })
}

/// Documents, tables and files are counted in 32 bits.
pub(super) fn number(index: usize) -> Result<u32> {
    u32::try_from(index)
        .map_err(|_| Error::refused("more than 4294967295 documents in one dataset"))
}
