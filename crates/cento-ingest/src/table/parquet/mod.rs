//! Parquet files whose rows are documents, one row in memory at a time.
//!
//! Row groups are read one after the other, and of each of them one page of every column that is
//! wanted. A row is found again by its number: pages before it are passed over without being
//! unpacked.

mod column;
mod copy;
mod source;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use parquet::basic::{ConvertedType, Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use serde_json::Map;

use self::column::Column;
pub use self::copy::{AddedColumn, AddedValues, ParquetEdit};
use super::lines::longer_than;
use super::{BadRow, Columns, Row};
use crate::Error;
use crate::archive::Bytes;
use crate::options::Keys;

/// The rows of a Parquet file, one after the other.
pub struct ParquetRows {
    file: SerializedFileReader<Bytes>,
    columns: Columns,
    left_out: Vec<String>,
    /// The columns that are read, by their number in the file.
    wanted: Vec<usize>,
    /// Where every row group begins, and where the last one ends.
    starts: Vec<u64>,
    /// Bytes that a text may have.
    limit: u64,
    /// The number of the next row.
    next: u64,
    open: Option<Group>,
}

/// Which fields of rows are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Carried {
    /// The text and the id.
    Needed,
    /// And one more.
    Also(String),
    /// Whatever there is.
    All,
}

/// A row group that is being read, all of its columns at the same row.
struct Group {
    number: usize,
    columns: Vec<Column>,
    /// The number of its next row, counted from the first row of the file.
    next: u64,
}

impl ParquetRows {
    /// Opens a file; texts of more bytes than `limit` are not read.
    pub fn open(path: &Path, keys: &Keys, limit: u64) -> Result<ParquetRows, Error> {
        let bytes = Bytes::open(path).map_err(|error| Error::cannot_open(&error))?;
        ParquetRows::new(bytes, keys, limit, &Carried::All)
    }

    pub(crate) fn new(
        bytes: Bytes,
        keys: &Keys,
        limit: u64,
        carried: &Carried,
    ) -> Result<ParquetRows, Error> {
        let file = guarded(|| SerializedFileReader::new(bytes).map_err(|error| damage(&error)))
            .map_err(|error| error.at("Parquet table"))?;
        let schema = file.metadata().file_metadata().schema_descr();
        let (flat, nested): (Vec<usize>, Vec<usize>) =
            (0..schema.num_columns()).partition(|number| is_flat(&schema.column(*number)));
        let mut left_out: Vec<String> = nested
            .iter()
            .map(|number| root_name(&schema.column(*number)))
            .collect();
        left_out.dedup();
        if let Some(wanted) = keys
            .text
            .iter()
            .chain(&keys.id)
            .find(|k| left_out.contains(k))
        {
            return Err(Error::Unsupported(format!(
                "its field {wanted} is nested; only plain columns are read"
            )));
        }
        let names: Vec<String> = flat.iter().map(|n| root_name(&schema.column(*n))).collect();
        let columns = Columns::among(&names.iter().map(String::as_str).collect::<Vec<_>>(), keys)?;
        let text = flat
            .iter()
            .find(|n| root_name(&schema.column(**n)) == columns.text);
        if let Some(other) = text.map(|n| schema.column(*n)).filter(|c| !is_text(c)) {
            let kind = other.physical_type();
            let reason = format!("its field {} is not text but {kind}", columns.text);
            return Err(Error::Unsupported(reason));
        }
        let wanted = flat.into_iter().filter(|number| {
            let name = root_name(&schema.column(*number));
            match carried {
                Carried::All => true,
                Carried::Also(field) if *field == name => true,
                Carried::Also(_) | Carried::Needed => columns.names(&name),
            }
        });
        let wanted = wanted.collect();
        let mut starts = vec![0_u64];
        for group in file.metadata().row_groups() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(0);
            starts.push(starts.last().copied().unwrap_or(0).saturating_add(rows));
        }
        Ok(ParquetRows {
            file,
            columns,
            left_out,
            wanted,
            starts,
            limit,
            next: 0,
            open: None,
        })
    }

    /// How many rows there are.
    pub fn row_count(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The names of the fields that are read as text and id.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The names of all fields, nested ones too.
    pub(crate) fn field_names(&self) -> Vec<String> {
        let schema = self.file.metadata().file_metadata().schema_descr();
        let columns = schema.columns().iter();
        let mut names: Vec<String> = columns.map(|column| root_name(column)).collect();
        names.dedup();
        names
    }

    /// The nested columns, which are not among the fields of rows.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// The file itself, with its schema: whoever writes some of its rows again copies them from
    /// here column by column, the nested ones too.
    pub fn file(&self) -> &dyn FileReader {
        &self.file
    }

    /// Goes to a row by its number, [`Row::offset`].
    pub fn seek(&mut self, row: u64) {
        self.next = row;
    }

    /// The row group that has a row.
    fn group_of(&self, row: u64) -> usize {
        self.starts.partition_point(|start| *start <= row) - 1
    }

    /// Brings all columns to the next row.
    fn go_to(&mut self, row: u64) -> Result<&mut Group, ParquetError> {
        let number = self.group_of(row);
        let group = match self.open.take() {
            Some(group) if group.number == number && group.next <= row => group,
            _ => {
                let reader = self.file.get_row_group(number)?;
                let columns = self.wanted.iter();
                Group {
                    number,
                    columns: columns
                        .map(|column| Column::open(reader.as_ref(), *column))
                        .collect::<Result<_, _>>()?,
                    next: self.starts[number],
                }
            }
        };
        let group = self.open.insert(group);
        let ahead = usize::try_from(row - group.next)?;
        if ahead > 0 {
            for column in &mut group.columns {
                column.skip(ahead)?;
            }
        }
        group.next = row;
        Ok(group)
    }

    fn row(&mut self, row: u64) -> Result<Result<Row, Error>, Error> {
        let group = self.go_to(row).map_err(|error| damage(&error))?;
        let mut fields = Map::new();
        let mut broken = 0;
        for column in &mut group.columns {
            let (value, replaced) = column.next().map_err(|error| damage(&error))?;
            broken += replaced;
            fields.insert(column.name.clone(), value);
        }
        group.next += 1;
        Ok(self.columns.take(&mut fields).and_then(|(id, text)| {
            if text.len() as u64 > self.limit {
                return Err(longer_than(self.limit));
            }
            Ok(Row {
                offset: row,
                line: row + 1,
                id,
                text,
                fields,
                warnings: super::replaced(broken).into_iter().collect(),
            })
        }))
    }
}

impl Iterator for ParquetRows {
    type Item = Result<Row, BadRow>;

    fn next(&mut self) -> Option<Result<Row, BadRow>> {
        let row = self.next;
        if row >= self.row_count() {
            return None;
        }
        self.next += 1;
        let outcome = guarded(|| self.row(row)).unwrap_or_else(|error| {
            // Where the columns are now, nobody knows.
            self.open = None;
            let end = self.starts[self.group_of(row) + 1];
            let rest = match end - self.next {
                0 => String::new(),
                rest => format!(", and {rest} more rows with it"),
            };
            self.next = end;
            Err(error.and(&rest))
        });
        Some(outcome.map_err(|error| BadRow {
            line: row + 1,
            error,
        }))
    }
}

/// A column of the table itself, one value a row.
fn is_flat(column: &ColumnDescriptor) -> bool {
    column.path().parts().len() == 1 && column.max_rep_level() == 0
}

fn root_name(column: &ColumnDescriptor) -> String {
    column.path().parts().first().cloned().unwrap_or_default()
}

/// Some programs write texts without saying that they are.
fn is_text(column: &ColumnDescriptor) -> bool {
    column.physical_type() == Type::BYTE_ARRAY && column.converted_type() != ConvertedType::DECIMAL
}

fn damage(error: &ParquetError) -> Error {
    let text = error.to_string();
    Error::Damaged(match text.lines().next() {
        Some(line) => format!("damaged ({line})"),
        None => "damaged".to_owned(),
    })
}

/// The library panics on some damaged files.
fn guarded<T>(act: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(act))
        .unwrap_or_else(|_| Err(Error::Damaged("damaged".to_owned())))
}
