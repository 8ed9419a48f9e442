//! A table that is one shard of a dataset: read record by record, parsed wherever there is a free
//! thread, and written again as it was.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::lines::{Layout, Lines, Whole, longer_than};
use super::packed::PackedWriter;
#[cfg(feature = "parquet")]
use super::parquet::{Carried, ParquetRows};
use super::separated::split;
use super::{BadRow, Columns, Form, Row, form};
use crate::Error;
#[cfg(feature = "parquet")]
use crate::archive::Bytes;
use crate::archive::{Packing, Stream, file_name};
use crate::options::{Keys, Limits};

/// A table of JSON lines or separated values, compressed or not, or a Parquet file.
pub struct Shard {
    path: PathBuf,
    #[cfg(feature = "parquet")]
    keys: Keys,
    limits: Limits,
    store: Store,
}

/// How a shard keeps its rows.
enum Store {
    Lines {
        layout: Layout,
        packing: Option<Packing>,
        /// Where the first record begins.
        start: u64,
    },
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A record as it stands in the file.
pub struct Record {
    /// Its first byte, or in a Parquet file its number from 0.
    pub offset: u64,
    /// One past its last byte, the line break included; or the number of the next row.
    pub end: u64,
    /// The line that it begins on, or in a Parquet file the row, from 1.
    pub line: u64,
    /// Its bytes without the line break; none of a row of a Parquet file.
    pub bytes: Vec<u8>,
    /// What it says, where there are no bytes to parse.
    row: Option<Row>,
}

impl Shard {
    /// Opens a file, if it is such a table; records of more bytes than the limit of a file are not
    /// read.
    pub fn open(path: &Path, keys: &Keys, limits: &Limits) -> Result<Option<Shard>, Error> {
        let cannot = |error: io::Error| Error::cannot_read(&error);
        let shard = |store| Shard {
            path: path.to_owned(),
            #[cfg(feature = "parquet")]
            keys: keys.clone(),
            limits: *limits,
            store,
        };
        let mut head = start_of(File::open(path).map_err(cannot)?)?;
        if super::is_parquet(&head) {
            #[cfg(feature = "parquet")]
            {
                let shard = shard(Store::Parquet);
                shard.parquet_rows(None)?;
                return Ok(Some(shard));
            }
        }
        let mut name = file_name(path);
        let packing = Packing::of(&head);
        if let Some(packing) = packing {
            name = packing.strip(&name);
            head = start_of(unpacked(path, Some(packing), limits)?)?;
        }
        let form = match form(&head, &name, keys) {
            Some(form) => form,
            // Even if its first line is broken.
            None if is_lines(&name) && !head.is_empty() => Form::JsonLines,
            None => return Ok(None),
        };
        let stream = unpacked(path, packing, limits)?;
        let reader = BufReader::with_capacity(1 << 18, stream);
        let mut lines = Lines::new(reader, limits.file_size);
        lines.skip_mark()?;
        let (names, start) = match form {
            Form::Separated(delimiter) => {
                let first = lines.first(form)?;
                (split(&first, delimiter), lines.offset)
            }
            Form::JsonLines => {
                let start = lines.offset;
                (names_of_first(&mut lines)?, start)
            }
        };
        let columns = Columns::among(&names.iter().map(String::as_str).collect::<Vec<_>>(), keys)?;
        Ok(Some(shard(Store::Lines {
            layout: Layout {
                form,
                columns,
                names,
            },
            packing,
            start,
        })))
    }

    /// Whether files with such names are tables, as far as the name can tell.
    pub fn is_name(path: &Path) -> bool {
        let name = file_name(path).to_ascii_lowercase();
        let packed = [".gz", ".bz2", ".xz", ".zst"];
        let inner = packed.iter().find_map(|end| name.strip_suffix(end));
        let lines = [".jsonl", ".ndjson", ".csv", ".tsv", ".tab"];
        let is_lines = lines
            .iter()
            .any(|end| inner.unwrap_or(&name).ends_with(end));
        is_lines || name.ends_with(".parquet")
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How the rows are written, where they are lines.
    pub fn form(&self) -> Option<Form> {
        match &self.store {
            Store::Lines { layout, .. } => Some(layout.form),
            #[cfg(feature = "parquet")]
            Store::Parquet => None,
        }
    }

    /// The names of its fields: those of the header or the schema, or of the first row that is an
    /// object, and others may have more.
    pub fn field_names(&self) -> Vec<String> {
        match &self.store {
            Store::Lines { layout, .. } => layout.names.clone(),
            #[cfg(feature = "parquet")]
            Store::Parquet => match self.parquet_rows(None) {
                Ok(rows) => rows.field_names(),
                Err(_) => Vec::new(),
            },
        }
    }

    /// Whether it is compressed.
    pub fn is_packed(&self) -> bool {
        self.packing().is_some()
    }

    /// How many bytes there are before the first record: a header and a byte order mark.
    pub fn start(&self) -> u64 {
        match &self.store {
            Store::Lines { start, .. } => *start,
            #[cfg(feature = "parquet")]
            Store::Parquet => 0,
        }
    }

    /// How many bytes there are about, unpacked.
    pub fn size(&self) -> u64 {
        let bytes = self.path.metadata().map_or(0, |file| file.len());
        let times = match &self.store {
            Store::Lines { packing: None, .. } => 1,
            // Text takes a quarter of its size, more or less.
            _ => 4,
        };
        bytes.saturating_mul(times)
    }

    /// All records that are not blank, in order. Of the rows of a Parquet file only the text, the id
    /// and one more field are read.
    pub fn records(&self, field: Option<&str>) -> Result<Records, Error> {
        #[cfg(not(feature = "parquet"))]
        let _ = field;
        match &self.store {
            Store::Lines { layout, .. } => {
                let reader = BufReader::with_capacity(1 << 20, self.unpacked()?);
                let mut lines = Lines::new(reader, self.limits.file_size);
                lines.skip_mark()?;
                if let Form::Separated(_) = layout.form {
                    lines.first(layout.form)?;
                }
                Ok(Records(RecordsOf::Lines {
                    lines,
                    form: layout.form,
                }))
            }
            #[cfg(feature = "parquet")]
            Store::Parquet => {
                let rows = self.parquet_rows(field)?;
                Ok(Records(RecordsOf::Parquet(Box::new(rows))))
            }
        }
    }

    /// What a record says.
    pub fn parse(&self, record: &Record) -> Result<Row, BadRow> {
        if let Some(row) = &record.row {
            return Ok(row.clone());
        }
        let place = (record.offset, record.line);
        let row = match &self.store {
            Store::Lines { layout, .. } => layout.row(&record.bytes, place),
            #[cfg(feature = "parquet")]
            Store::Parquet => Err(Error::Changed("not a row".to_owned())),
        };
        row.map_err(|error| BadRow {
            line: record.line,
            error,
        })
    }

    /// The bytes of a record with another text in it; everything else stays as it is.
    pub fn with_text(&self, record: &[u8], text: &str) -> Result<Vec<u8>, Error> {
        match &self.store {
            Store::Lines { layout, .. } => super::edit::with_text(layout, record, text),
            #[cfg(feature = "parquet")]
            Store::Parquet => Err(Error::Unsupported(
                "rows of Parquet files have no bytes of their own".to_owned(),
            )),
        }
    }

    /// The bytes of the table, unpacked.
    pub fn unpacked(&self) -> Result<Stream, Error> {
        unpacked(&self.path, self.packing(), &self.limits)
    }

    /// What writes such a table to a new file, compressed as this one is.
    pub fn writer(&self, file: File) -> Result<PackedWriter, Error> {
        PackedWriter::new(file, self.packing())
    }

    fn packing(&self) -> Option<Packing> {
        match &self.store {
            Store::Lines { packing, .. } => *packing,
            #[cfg(feature = "parquet")]
            Store::Parquet => None,
        }
    }

    #[cfg(feature = "parquet")]
    pub(super) fn parquet_rows(&self, field: Option<&str>) -> Result<ParquetRows, Error> {
        let bytes = Bytes::open(&self.path).map_err(|error| Error::cannot_read(&error))?;
        let carried = match field {
            Some(field) => Carried::Also(field.to_owned()),
            None => Carried::Needed,
        };
        ParquetRows::new(bytes, &self.keys, self.limits.file_size, &carried)
    }
}

impl Record {
    /// How many bytes it is, more or less.
    pub fn size(&self) -> usize {
        let text = self.row.as_ref().map_or(0, |row| row.text.len());
        self.bytes.len() + text + 1
    }
}

/// The records of a shard.
pub struct Records(RecordsOf);

enum RecordsOf {
    Lines {
        lines: Lines<BufReader<Stream>>,
        form: Form,
    },
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetRows>),
}

impl Iterator for Records {
    type Item = Result<Record, BadRow>;

    fn next(&mut self) -> Option<Result<Record, BadRow>> {
        match &mut self.0 {
            RecordsOf::Lines { lines, form } => next_line(lines, *form),
            #[cfg(feature = "parquet")]
            RecordsOf::Parquet(rows) => rows.next().map(|row| {
                row.map(|row| Record {
                    offset: row.offset,
                    end: row.offset + 1,
                    line: row.line,
                    bytes: Vec::new(),
                    row: Some(row),
                })
            }),
        }
    }
}

fn next_line(lines: &mut Lines<BufReader<Stream>>, form: Form) -> Option<Result<Record, BadRow>> {
    let outcome = match lines.next_record(form) {
        Ok(None) => return None,
        Ok(Some(Whole::Yes)) => Ok(Record {
            offset: lines.start,
            end: lines.offset,
            line: lines.first_line,
            bytes: std::mem::take(&mut lines.record),
            row: None,
        }),
        Ok(Some(Whole::No)) => Err(longer_than(lines.limit)),
        Err(error) => {
            lines.is_done = true;
            Err(Error::damaged(&error).and(", and everything after it"))
        }
    };
    Some(outcome.map_err(|error| BadRow {
        line: lines.first_line,
        error,
    }))
}

/// The bytes of a file, unpacked as far as the limits allow.
fn unpacked(path: &Path, packing: Option<Packing>, limits: &Limits) -> Result<Stream, Error> {
    let file = File::open(path).map_err(|error| Error::cannot_read(&error))?;
    let file: Stream = Box::new(file);
    Ok(match packing {
        Some(packing) => packing.unpack(file, limits),
        None => file,
    })
}

/// Enough of a table to see its names.
fn start_of(reader: impl io::Read) -> Result<Vec<u8>, Error> {
    let mut head = Vec::new();
    let outcome = reader.take(1 << 16).read_to_end(&mut head);
    match outcome {
        Err(error) if head.is_empty() => Err(Error::damaged(&error)),
        _ => Ok(head),
    }
}

fn is_lines(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".jsonl", ".ndjson"].iter().any(|end| lower.ends_with(end))
}

/// The names of the fields of the first line that is an object, among the first thousand.
fn names_of_first(lines: &mut Lines<BufReader<Stream>>) -> Result<Vec<String>, Error> {
    for _ in 0..1000 {
        let next = lines.next_record(Form::JsonLines);
        match next.map_err(|error| Error::cannot_read(&error))? {
            Some(Whole::Yes) => {
                if let Ok(row) = serde_json::from_slice::<Map<String, Value>>(&lines.record) {
                    return Ok(row.into_iter().map(|(name, _)| name).collect());
                }
            }
            Some(Whole::No) => {}
            None => break,
        }
    }
    Err(Error::Damaged("no line of it is a JSON object".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (Shard, Vec<Result<Record, BadRow>>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let limits = Limits {
            file_size: 1000,
            ..Limits::default()
        };
        let shard = Shard::open(&path, &Keys::default(), &limits)
            .unwrap()
            .unwrap();
        let records = shard.records(None).unwrap().collect();
        (shard, records)
    }

    #[test]
    fn records_cover_the_file() {
        let lines = "\u{feff}broken\n{\"text\": \"a\"}\n\n{\"text\": null, \"id\": 3}";
        let (shard, records) = read("a.jsonl", lines);
        let records: Vec<Record> = records.into_iter().map(Result::unwrap).collect();
        let places: Vec<(u64, u64, u64)> = records
            .iter()
            .map(|record| (record.offset, record.end, record.line))
            .collect();
        assert_eq!(places, [(3, 10, 1), (10, 24, 2), (25, 48, 4)]);
        assert!(shard.parse(&records[0]).is_err());
        assert_eq!(shard.parse(&records[1]).unwrap().text, "a");
        let empty = shard.parse(&records[2]).unwrap_err().error;
        assert_eq!(empty.to_string(), "its field text is empty");
    }

    #[test]
    fn separated_values_begin_behind_their_header() {
        let (shard, records) = read("a.csv", "id,text\n1,\"two\nlines\"\n2,x\n");
        assert_eq!(shard.start(), 8);
        let record = records[0].as_ref().unwrap();
        assert_eq!((record.offset, record.end, record.line), (8, 22, 2));
        assert_eq!(shard.parse(record).unwrap().text, "two\nlines");
    }
}
