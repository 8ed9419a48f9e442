//! Tables of lines: JSON lines and comma-separated values, one row in memory at a time.

use std::io::{self, BufRead};

use serde_json::{Map, Value};

use super::separated::{end_of_record, split};
use super::{BadRow, Columns, Form, Row};
use crate::options::{Keys, size};
use crate::{Error, Limit};

/// The rows of a table, one after the other.
pub struct Rows<R> {
    lines: Lines<R>,
    layout: Layout,
}

/// What is known of a table before its rows: what its fields are.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(super) form: Form,
    pub(super) columns: Columns,
    /// The names of separated fields, in their order.
    pub(super) names: Vec<String>,
}

impl<R: BufRead> Rows<R> {
    /// Opens a table; rows of more bytes than `limit` are not read.
    pub fn open(reader: R, form: Form, keys: &Keys, limit: u64) -> Result<Rows<R>, Error> {
        let mut lines = Lines::new(reader, limit);
        lines.skip_mark()?;
        let first = lines.first(form)?;
        let names: Vec<String> = match form {
            Form::JsonLines => {
                let row: Map<String, Value> = serde_json::from_slice(&first).map_err(|error| {
                    let damage = format!("its first line is not a JSON object ({error})");
                    Error::Damaged(damage)
                })?;
                lines.again = true;
                row.into_iter().map(|(name, _)| name).collect()
            }
            Form::Separated(delimiter) => split(&first, delimiter),
        };
        let columns = Columns::among(&names.iter().map(String::as_str).collect::<Vec<_>>(), keys)?;
        let layout = Layout {
            form,
            columns,
            names,
        };
        Ok(Rows { lines, layout })
    }

    /// The rows of a table that was opened before, from an offset on.
    pub(crate) fn resume(reader: R, offset: u64, layout: &Layout, limit: u64) -> Rows<R> {
        let mut lines = Lines::new(reader, limit);
        lines.offset = offset;
        Rows {
            lines,
            layout: layout.clone(),
        }
    }

    /// Where the next row begins.
    pub(crate) fn offset(&self) -> u64 {
        if self.lines.again {
            self.lines.start
        } else {
            self.lines.offset
        }
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }
}

impl Layout {
    /// What a record says that begins at a byte and on a line.
    pub(super) fn row(&self, record: &[u8], place: (u64, u64)) -> Result<Row, Error> {
        let mut fields: Map<String, Value> = match self.form {
            Form::JsonLines => serde_json::from_slice(record)
                .map_err(|error| Error::Damaged(format!("not a JSON object ({error})")))?,
            Form::Separated(delimiter) => {
                let values = split(record, delimiter).into_iter().map(Value::String);
                self.names.iter().cloned().zip(values).collect()
            }
        };
        let (id, text) = self.columns.take(&mut fields)?;
        // JSON would not be JSON.
        let broken = match std::str::from_utf8(record) {
            Ok(_) => 0,
            Err(_) => text.matches(char::REPLACEMENT_CHARACTER).count(),
        };
        let (offset, line) = place;
        Ok(Row {
            offset,
            line,
            id,
            text,
            fields,
            warnings: super::replaced(broken).into_iter().collect(),
        })
    }
}

impl<R: BufRead> Iterator for Rows<R> {
    type Item = Result<Row, BadRow>;

    fn next(&mut self) -> Option<Result<Row, BadRow>> {
        let outcome = self.lines.next_record(self.layout.form);
        let outcome = match outcome {
            Ok(None) => return None,
            Ok(Some(Whole::Yes)) => {
                let record = std::mem::take(&mut self.lines.record);
                let place = (self.lines.start, self.lines.first_line);
                let row = self.layout.row(&record, place);
                self.lines.record = record;
                row
            }
            Ok(Some(Whole::No)) => Err(longer_than(self.lines.limit)),
            Err(error) => {
                self.lines.is_done = true;
                Err(Error::damaged(&error))
            }
        };
        Some(outcome.map_err(|error| BadRow {
            line: self.lines.first_line,
            error,
        }))
    }
}

/// The error of a row that is too long.
pub(super) fn longer_than(limit: u64) -> Error {
    Limit::FileSize.reached(format!("longer than {}", size(limit)))
}

pub(super) enum Whole {
    Yes,
    No,
}

pub(super) struct Lines<R> {
    reader: R,
    pub(super) limit: u64,
    pub(super) record: Vec<u8>,
    /// Where the record in `record` begins.
    pub(super) start: u64,
    pub(super) first_line: u64,
    /// What comes after it.
    pub(super) offset: u64,
    line: u64,
    /// The record is to be given out again.
    again: bool,
    pub(super) is_done: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R, limit: u64) -> Lines<R> {
        Lines {
            reader,
            limit,
            record: Vec::new(),
            start: 0,
            first_line: 1,
            offset: 0,
            line: 1,
            again: false,
            is_done: false,
        }
    }

    pub(super) fn skip_mark(&mut self) -> Result<(), Error> {
        let start = self.reader.fill_buf();
        let start = start.map_err(|error| Error::cannot_read(&error))?;
        if start.starts_with(b"\xef\xbb\xbf") {
            self.reader.consume(3);
            self.offset = 3;
        }
        Ok(())
    }

    pub(super) fn first(&mut self, form: Form) -> Result<Vec<u8>, Error> {
        let first = self.next_record(form);
        match first.map_err(|error| Error::cannot_read(&error))? {
            Some(Whole::Yes) => Ok(self.record.clone()),
            Some(Whole::No) => Err(longer_than(self.limit).at("its first line")),
            None => Err(Error::Empty("no rows in it".to_owned())),
        }
    }

    /// Puts the next record that is not blank into `record`, unless it is too long.
    pub(super) fn next_record(&mut self, form: Form) -> io::Result<Option<Whole>> {
        if std::mem::take(&mut self.again) {
            return Ok(Some(Whole::Yes));
        }
        while !self.is_done {
            self.record.clear();
            self.start = self.offset;
            self.first_line = self.line;
            let length = self.read_record(form)?;
            if length == 0 {
                self.is_done = true;
            } else if length > self.limit {
                return Ok(Some(Whole::No));
            } else if !self.record.trim_ascii().is_empty() {
                return Ok(Some(Whole::Yes));
            }
        }
        Ok(None)
    }

    /// Reads up to the end of a record; keeps no more of it than the limit allows.
    fn read_record(&mut self, form: Form) -> io::Result<u64> {
        let mut is_quoted = false;
        let mut length = 0;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(length);
            }
            let end = match form {
                Form::JsonLines => memchr::memchr(b'\n', buffer),
                Form::Separated(_) => end_of_record(buffer, &mut is_quoted),
            };
            let count = end.map_or(buffer.len(), |end| end + 1);
            let piece = &buffer[..count];
            length += count as u64;
            if length <= self.limit {
                self.record.extend_from_slice(piece);
            } else {
                self.record = Vec::new();
            }
            self.line += memchr::memchr_iter(b'\n', piece).count() as u64;
            self.offset += count as u64;
            self.reader.consume(count);
            if end.is_some() {
                if self.record.last() == Some(&b'\n') {
                    self.record.pop();
                }
                return Ok(length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(table: &str, form: Form, limit: u64) -> Vec<Result<Row, BadRow>> {
        let keys = Keys::default();
        Rows::open(table.as_bytes(), form, &keys, limit)
            .unwrap()
            .collect()
    }

    #[test]
    fn json_lines_keep_their_other_fields() {
        let table = "{\"id\": 7, \"text\": \"one\", \"year\": 1999}\n\n{\"text\": \"two\"}\n[]\n{}";
        let found = rows(table, Form::JsonLines, 1000);
        let first = found[0].as_ref().unwrap();
        assert_eq!(
            (first.id.as_deref(), first.text.as_str()),
            (Some("7"), "one")
        );
        assert_eq!(first.fields["year"], 1999);
        let second = found[1].as_ref().unwrap();
        assert_eq!((second.line, &second.id), (3, &None));
        let offset = usize::try_from(second.offset).unwrap();
        assert_eq!(&table[offset..][..8], "{\"text\":");
        assert!(
            found[2]
                .as_ref()
                .unwrap_err()
                .error
                .to_string()
                .starts_with("not a JSON object")
        );
        let missing = &found[3].as_ref().unwrap_err().error;
        assert_eq!(missing.to_string(), "no field named text");
    }

    #[test]
    fn a_row_is_read_again_by_its_offset() {
        let table = "name,content\na,\"b,\nc\"\nd,e\n";
        let open = Rows::open(
            table.as_bytes(),
            Form::Separated(b','),
            &Keys::default(),
            100,
        );
        let open = open.unwrap();
        let layout = open.layout().clone();
        let all: Vec<Row> = open.map(Result::unwrap).collect();
        assert_eq!(all[0].text, "b,\nc");
        assert_eq!((all[1].line, all[1].text.as_str()), (4, "e"));
        for row in all {
            let offset = usize::try_from(row.offset).unwrap();
            let rest = &table.as_bytes()[offset..];
            let again = Rows::resume(rest, row.offset, &layout, 100).next();
            assert_eq!(again.unwrap().unwrap().text, row.text);
        }
    }

    #[test]
    fn a_row_that_is_too_long_is_passed_over() {
        let long = "x".repeat(10_000);
        let table = format!("{{\"text\": \"a\"}}\n{{\"text\": \"{long}\"}}\n{{\"text\": \"c\"}}\n");
        let found = rows(&table, Form::JsonLines, 100);
        assert_eq!(found.len(), 3);
        let error = &found[1].as_ref().unwrap_err().error;
        assert_eq!(error.to_string(), "longer than 100 bytes");
        assert_eq!(error.limit(), Some(Limit::FileSize));
        assert_eq!(found[2].as_ref().unwrap().text, "c");
    }
}
