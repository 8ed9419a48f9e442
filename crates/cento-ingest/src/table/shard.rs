//! A table of lines that is read record by record, parsed wherever there is a free thread, and copied
//! byte by byte.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::lines::{Layout, Lines, Whole};
use super::separated::split;
use super::{BadRow, Columns, Form, Row, form};
use crate::options::{Keys, size};

/// A table of JSON lines or separated values.
pub struct Shard {
    path: PathBuf,
    form: Form,
    layout: Layout,
    limit: u64,
    /// Where the first record begins.
    start: u64,
}

/// A record as it stands in the file.
pub struct Record {
    /// Its first byte.
    pub offset: u64,
    /// One past its last byte, the line break included.
    pub end: u64,
    /// The line that it begins on, from 1.
    pub line: u64,
    /// Its bytes without the line break.
    pub bytes: Vec<u8>,
}

impl Shard {
    /// Opens a file, if it is such a table; records of more bytes than `limit` are not read.
    pub fn open(path: &Path, keys: &Keys, limit: u64) -> Result<Option<Shard>, String> {
        let reason = |error: std::io::Error| format!("cannot be read: {error}");
        let mut head = Vec::new();
        let file = File::open(path).map_err(reason)?;
        file.take(1 << 16).read_to_end(&mut head).map_err(reason)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_lines = path.extension().is_some_and(|end| {
            ["jsonl", "ndjson"]
                .iter()
                .any(|usual| end.eq_ignore_ascii_case(usual))
        });
        let form = match form(&head, &name, keys) {
            Some(form) => form,
            // Even if its first line is broken.
            None if is_lines && !head.is_empty() => Form::JsonLines,
            None => return Ok(None),
        };
        let reader = BufReader::with_capacity(1 << 18, File::open(path).map_err(reason)?);
        let mut lines = Lines::new(reader, limit);
        lines.skip_mark().map_err(reason)?;
        let (names, start) = match form {
            Form::Separated(delimiter) => {
                let first = lines.first(form).map_err(reason)?;
                (split(&first, delimiter), lines.offset)
            }
            Form::JsonLines => {
                let start = lines.offset;
                (names_of_first(&mut lines).map_err(reason)?, start)
            }
        };
        let columns = Columns::among(&names.iter().map(String::as_str).collect::<Vec<_>>(), keys)?;
        Ok(Some(Shard {
            path: path.to_owned(),
            form,
            layout: Layout {
                form,
                columns,
                names,
            },
            limit,
            start,
        }))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How the rows are written.
    pub fn form(&self) -> Form {
        self.form
    }

    /// How many bytes there are before the first record: a header and a byte order mark.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// All records that are not blank, in order.
    pub fn records(&self) -> Result<Records, String> {
        let reason = |error: std::io::Error| format!("cannot be read: {error}");
        let reader = BufReader::with_capacity(1 << 20, File::open(&self.path).map_err(reason)?);
        let mut lines = Lines::new(reader, self.limit);
        lines.skip_mark().map_err(reason)?;
        if let Form::Separated(_) = self.form {
            lines.first(self.form).map_err(reason)?;
        }
        Ok(Records {
            lines,
            form: self.form,
        })
    }

    /// What a record says.
    pub fn parse(&self, record: &Record) -> Result<Row, BadRow> {
        let place = (record.offset, record.line);
        self.layout
            .row(&record.bytes, place)
            .map_err(|reason| BadRow {
                line: record.line,
                reason,
            })
    }
}

/// The records of a shard.
pub struct Records {
    lines: Lines<BufReader<File>>,
    form: Form,
}

impl Iterator for Records {
    type Item = Result<Record, BadRow>;

    fn next(&mut self) -> Option<Result<Record, BadRow>> {
        let outcome = match self.lines.next_record(self.form) {
            Ok(None) => return None,
            Ok(Some(Whole::Yes)) => Ok(Record {
                offset: self.lines.start,
                end: self.lines.offset,
                line: self.lines.first_line,
                bytes: std::mem::take(&mut self.lines.record),
            }),
            Ok(Some(Whole::No)) => Err(format!(
                "longer than {}; --max-file-size allows more",
                size(self.lines.limit)
            )),
            Err(error) => {
                self.lines.is_done = true;
                Err(format!("cannot be read: {error}"))
            }
        };
        Some(outcome.map_err(|reason| BadRow {
            line: self.lines.first_line,
            reason,
        }))
    }
}

/// The names of the fields of the first line that is an object, among the first thousand.
fn names_of_first(lines: &mut Lines<BufReader<File>>) -> std::io::Result<Vec<String>> {
    for _ in 0..1000 {
        match lines.next_record(Form::JsonLines)? {
            Some(Whole::Yes) => {
                if let Ok(row) = serde_json::from_slice::<Map<String, Value>>(&lines.record) {
                    return Ok(row.into_iter().map(|(name, _)| name).collect());
                }
            }
            Some(Whole::No) => {}
            None => break,
        }
    }
    Err(std::io::Error::other("no line of it is a JSON object"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> (Shard, Vec<Result<Record, BadRow>>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let shard = Shard::open(&path, &Keys::default(), 1000).unwrap().unwrap();
        let records = shard.records().unwrap().collect();
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
        assert!(
            shard
                .parse(&records[2])
                .unwrap_err()
                .reason
                .contains("empty")
        );
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
