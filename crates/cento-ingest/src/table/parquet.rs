//! Parquet tables: rows by their number, a page of one row group in memory at a time.

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::{ReaderIter, TreeBuilder};
use parquet::record::{Field, Row};
use serde_json::{Map, Value};

use super::Columns;
use crate::archive::{Bytes, Member, Payload, PayloadContent};
use crate::options::Reading;

/// A Parquet table, and where in it we are.
pub(crate) struct ParquetTable {
    reader: Box<dyn FileReader>,
    columns: Columns,
    /// The number of the first row of each group, and at the end the number of rows.
    starts: Vec<u64>,
    /// The rows of the current group from `next` on.
    rows: Option<ReaderIter>,
    next: u64,
    limit: u64,
}

impl ParquetTable {
    pub(crate) fn open(bytes: &Bytes, reading: &Reading) -> Result<ParquetTable, String> {
        let damaged = |error: &dyn std::fmt::Display| format!("damaged Parquet table ({error})");
        let reader: Box<dyn FileReader> = match bytes {
            Bytes::File { file, .. } => {
                let file = file.try_clone().map_err(|error| damaged(&error))?;
                Box::new(SerializedFileReader::new(file).map_err(|error| damaged(&error))?)
            }
            Bytes::Memory(bytes) => {
                let bytes = bytes::Bytes::copy_from_slice(bytes);
                Box::new(SerializedFileReader::new(bytes).map_err(|error| damaged(&error))?)
            }
        };
        let metadata = reader.metadata();
        let schema = metadata.file_metadata().schema();
        let names: Vec<&str> = schema.get_fields().iter().map(|field| field.name()).collect();
        let columns = Columns::among(&names, &reading.keys)?;
        let mut starts = vec![0];
        for group in metadata.row_groups() {
            let count = u64::try_from(group.num_rows()).unwrap_or(0);
            starts.push(starts.last().copied().unwrap_or(0) + count);
        }
        Ok(ParquetTable {
            reader,
            columns,
            starts,
            rows: None,
            next: 0,
            limit: reading.limits.file_size,
        })
    }

    pub(crate) fn next_member(&mut self) -> Option<Member> {
        let number = self.next;
        if number >= *self.starts.last()? {
            return None;
        }
        let suffix = format!(":{}", number + 1);
        Some(match self.document(number) {
            Ok((id, text)) => Member::record(number, suffix, id, text.len() as u64),
            Err(reason) => {
                self.next = number + 1;
                Member {
                    suffix,
                    ..Member::skipped(number, String::new(), reason)
                }
            }
        })
    }

    pub(crate) fn take(&mut self, number: u64) -> Result<Payload, String> {
        let (_, text) = self.document(number)?;
        Ok(Payload {
            content: PayloadContent::Text(text),
            name: String::new(),
            warnings: Vec::new(),
        })
    }

    fn document(&mut self, number: u64) -> Result<(Option<String>, String), String> {
        let row = self.row(number)?;
        let fields: Map<String, Value> = row
            .get_column_iter()
            .filter(|(name, _)| **name == self.columns.text || Some(*name) == self.columns.id.as_ref())
            .map(|(name, field)| (name.clone(), value(field)))
            .collect();
        let (id, text, _) = self.columns.take(fields)?;
        if text.len() as u64 > self.limit {
            let limit = crate::size(self.limit);
            return Err(format!("longer than {limit}; --max-file-size allows more"));
        }
        Ok((id, text))
    }

    fn row(&mut self, number: u64) -> Result<Row, String> {
        let damaged = |error: &dyn std::fmt::Display| format!("damaged ({error})");
        let group = self.starts.partition_point(|start| *start <= number).saturating_sub(1);
        let start = self.starts[group];
        let is_on_the_way = self.next <= number && self.next >= start;
        if self.rows.is_none() || !is_on_the_way {
            let reader = self.reader.get_row_group(group).map_err(|error| damaged(&error))?;
            let schema = self.reader.metadata().file_metadata().schema_descr_ptr();
            let rows = TreeBuilder::new().as_iter(schema, &*reader);
            self.rows = Some(rows.map_err(|error| damaged(&error))?);
            self.next = start;
        }
        let skipped = usize::try_from(number - self.next).unwrap_or(usize::MAX);
        let row = self.rows.as_mut().and_then(|rows| rows.nth(skipped));
        self.next = number + 1;
        if self.starts.contains(&self.next) {
            self.rows = None;
        }
        row.ok_or("no longer there")?.map_err(|error| damaged(&error))
    }
}

/// A field as JSON; what JSON has no form for is written as text.
fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Str(text) => Value::String(text.clone()),
        Field::Bool(is) => Value::Bool(*is),
        Field::Byte(number) => (*number).into(),
        Field::Short(number) => (*number).into(),
        Field::Int(number) => (*number).into(),
        Field::Long(number) => (*number).into(),
        Field::Bytes(bytes) => match bytes.as_utf8() {
            Ok(text) => Value::String(text.to_owned()),
            Err(_) => Value::Null,
        },
        field => Value::String(field.to_string()),
    }
}
