//! Tables whose rows are documents: JSON lines, comma-separated values and Parquet.
//!
//! Rows are read one at a time, so a table may be larger than memory; each has an offset by which
//! it can be read again.

mod edit;
mod lines;
mod manifest;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;
mod separated;
mod shard;

use serde_json::{Map, Value};

pub use lines::Rows;
pub use manifest::{BadLine, Listed, manifest};
pub use packed::PackedWriter;
#[cfg(feature = "parquet")]
pub(crate) use parquet::Carried;
#[cfg(feature = "parquet")]
pub use parquet::{AddedColumn, AddedValues, ParquetEdit, ParquetRows};
pub(crate) use separated::records;
pub use shard::{Record as TableRecord, Records as TableRecords, Shard};

use crate::options::Keys;
use crate::{Error, FieldKey};

/// A row: a document and whatever else the table says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Where it is: its first byte, or in a Parquet file its number from 0.
    pub offset: u64,
    /// The line that it begins on, or in a Parquet file the row, from 1.
    pub line: u64,
    /// What its id field says.
    pub id: Option<String>,
    /// What its text field says.
    pub text: String,
    /// All other fields.
    pub fields: Map<String, Value>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// A row that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRow {
    /// The line that it begins on, from 1.
    pub line: u64,
    /// Why.
    pub error: Error,
}

/// How the rows of a table are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A JSON object per line.
    JsonLines,
    /// Fields with this byte between them, after a line with their names.
    Separated(u8),
}

/// The names of the fields that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// Of the text.
    pub text: String,
    /// Of the id, if there is one.
    pub id: Option<String>,
}

impl Columns {
    /// The columns that were asked for, or else those with the usual names. Without a text column it
    /// is an error.
    pub fn among(names: &[&str], keys: &Keys) -> Result<Columns, Error> {
        let find = |wanted: &str| names.iter().find(|name| **name == wanted);
        let guess = |usual: &[&str]| {
            let same = |name: &&&str| usual.iter().any(|usual| name.eq_ignore_ascii_case(usual));
            let rank = |name: &&&str| usual.iter().position(|u| name.eq_ignore_ascii_case(u));
            let found = names.iter().filter(same).min_by_key(rank);
            found.map(|name| (*name).to_owned())
        };
        let text = match &keys.text {
            Some(wanted) => find(wanted).map(|name| (*name).to_owned()),
            None => guess(&TEXT_NAMES),
        };
        let missing = |key: FieldKey, wanted: &[&str]| Error::NoField {
            key,
            names: wanted.iter().map(|name| (*name).to_owned()).collect(),
            present: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let text = text.ok_or_else(|| match &keys.text {
            Some(wanted) => missing(FieldKey::Text, &[wanted]),
            None => missing(FieldKey::Text, &TEXT_NAMES),
        })?;
        let id = match &keys.id {
            Some(wanted) => Some(
                find(wanted)
                    .map(|name| (*name).to_owned())
                    .ok_or_else(|| missing(FieldKey::Id, &[wanted]))?,
            ),
            None => guess(&ID_NAMES),
        };
        Ok(Columns { text, id })
    }

    /// Whether a field is one of them.
    #[cfg(feature = "parquet")]
    fn names(&self, field: &str) -> bool {
        self.text == field || self.id.as_deref() == Some(field)
    }

    /// Takes the row's id and text out of its fields; the other fields stay, the id among them.
    fn take(&self, fields: &mut Map<String, Value>) -> Result<(Option<String>, String), Error> {
        let text = match fields.remove(&self.text) {
            Some(Value::String(text)) => text,
            Some(Value::Null) => {
                return Err(Error::Empty(format!("its field {} is empty", self.text)));
            }
            Some(_) => {
                let reason = format!("its field {} is not text", self.text);
                return Err(Error::Unsupported(reason));
            }
            None => return Err(self.no_text()),
        };
        let id = self.id.as_ref().and_then(|id| fields.get(id));
        let id = id.and_then(|id| match id {
            Value::String(id) if !id.is_empty() => Some(id.clone()),
            Value::Number(id) => Some(id.to_string()),
            _ => None,
        });
        Ok((id, text))
    }

    /// The error of a row without a text.
    fn no_text(&self) -> Error {
        Error::NoField {
            key: FieldKey::Text,
            names: vec![self.text.clone()],
            present: Vec::new(),
        }
    }
}

/// The warning about broken characters.
fn replaced(broken: usize) -> Option<String> {
    (broken > 0).then(|| crate::text::replaced(broken, "UTF-8"))
}

const TEXT_NAMES: [&str; 6] = [
    "text",
    "content",
    "body",
    "raw_content",
    "document",
    "passage",
];
const ID_NAMES: [&str; 6] = ["id", "doc_id", "docid", "document_id", "_id", "uuid"];

/// How the rows of a file are written, by its name and its first bytes; `None` if it is a document.
///
/// Comma-separated values without a column for the text are a document like any other.
pub(crate) fn form(head: &[u8], name: &str, keys: &Keys) -> Option<Form> {
    let lower = name.to_ascii_lowercase();
    let ends = |ends: &[&str]| ends.iter().any(|end| lower.ends_with(end));
    if ends(&[".jsonl", ".ndjson"]) {
        return begins_object(head).then_some(Form::JsonLines);
    }
    if !ends(&[".csv", ".tsv", ".tab"]) {
        return None;
    }
    let header = records(head, None).next()?;
    let names: Vec<&str> = header.fields.iter().map(String::as_str).collect();
    Columns::among(&names, keys)
        .ok()
        .map(|_| Form::Separated(header.delimiter))
}

/// Whether a file begins as a Parquet file does, and somebody here can read it.
pub(crate) fn is_parquet(head: &[u8]) -> bool {
    cfg!(feature = "parquet") && head.starts_with(b"PAR1")
}

/// Whether bytes begin as a JSON object does, and rich text does not.
fn begins_object(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let inside = head.trim_ascii_start().strip_prefix(b"{");
    let first = inside.and_then(|inside| inside.trim_ascii_start().first());
    matches!(first, Some(b'"' | b'}'))
}
