//! A list of documents to register: comma-separated values or JSON lines.

use std::path::PathBuf;

use serde_json::{Map, Value};

use super::records;
use crate::Error;

/// What a list says about one document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// The line of the list, from 1.
    pub line: u64,
    /// The file.
    pub path: PathBuf,
    /// A file with its text, if somebody has extracted it already.
    pub text_path: Option<PathBuf>,
    /// Its id; without one, the path.
    pub id: Option<String>,
    /// What people call it.
    pub label: Option<String>,
    /// Whose it is.
    pub submitter: Option<String>,
    /// The set it belongs to.
    pub set: Option<String>,
    /// When it was made.
    pub date: Option<String>,
    /// When it shall no longer count.
    pub expire: Option<String>,
}

impl Listed {
    /// The file that its text is read from.
    pub fn file(&self) -> &PathBuf {
        self.text_path.as_ref().unwrap_or(&self.path)
    }
}

/// A line of a list that says nothing about a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub error: Error,
}

const COLUMNS: [&str; 8] = [
    "path",
    "text_path",
    "id",
    "label",
    "submitter",
    "set",
    "date",
    "expire",
];

/// The documents of a list, in its order. Columns with other names have no say.
///
/// An error if it has no column `path`.
pub fn manifest(bytes: &[u8]) -> Result<Vec<Result<Listed, BadLine>>, Error> {
    if bytes.trim_ascii_start().starts_with(b"{") {
        Ok(json_lines(bytes))
    } else {
        separated(bytes)
    }
}

fn json_lines(bytes: &[u8]) -> Vec<Result<Listed, BadLine>> {
    let lines = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let lines = lines.filter(|(_, text)| !text.trim_ascii().is_empty());
    lines
        .map(|(line, text)| {
            let fields: Map<String, Value> =
                serde_json::from_slice(text).map_err(|error| BadLine {
                    line,
                    error: Error::Damaged(format!("not a JSON object: {error}")),
                })?;
            listed(line, |name| match fields.get(name) {
                Some(Value::String(value)) => Some(value.clone()),
                Some(Value::Number(value)) => Some(value.to_string()),
                _ => None,
            })
        })
        .collect()
}

fn separated(bytes: &[u8]) -> Result<Vec<Result<Listed, BadLine>>, Error> {
    let mut records = records(bytes, None);
    let header = records
        .next()
        .map(|record| record.fields)
        .unwrap_or_default();
    let header: Vec<String> = header
        .iter()
        .map(|name| name.trim().to_ascii_lowercase())
        .collect();
    if !header.iter().any(|name| name == "path") {
        return Err(Error::Damaged(format!(
            "its first line has no column `path`; the columns are {}",
            COLUMNS.join(", ")
        )));
    }
    let row = |(line, record): (u64, super::separated::Record)| {
        listed(line, |name| {
            let place = header.iter().position(|column| column == name)?;
            record.fields.get(place).cloned()
        })
    };
    Ok((2..).zip(records).map(row).collect())
}

fn listed(line: u64, field: impl Fn(&str) -> Option<String>) -> Result<Listed, BadLine> {
    let field = |name: &str| {
        let value = field(name).map(|value| value.trim().to_owned());
        value.filter(|value| !value.is_empty())
    };
    let text_path = field("text_path").map(PathBuf::from);
    let path = field("path")
        .map(PathBuf::from)
        .or_else(|| text_path.clone());
    Ok(Listed {
        line,
        path: path.ok_or_else(|| BadLine {
            line,
            error: Error::Empty("no path".to_owned()),
        })?,
        text_path,
        id: field("id"),
        label: field("label"),
        submitter: field("submitter"),
        set: field("set"),
        date: field("date"),
        expire: field("expire"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let csv = "path,id,submitter,other\na.pdf,7,\"Novák, J.\",x\n,9,,\n";
        let lines = "{\"path\": \"a.pdf\", \"id\": 7, \"submitter\": \"Novák, J.\"}\n{\"id\": 9}\n";
        let read = |text: &str| manifest(text.as_bytes()).unwrap();
        for all in [read(csv), read(lines)] {
            let first = all[0].as_ref().unwrap();
            assert_eq!(first.path, PathBuf::from("a.pdf"));
            assert_eq!(first.id.as_deref(), Some("7"));
            assert_eq!(first.submitter.as_deref(), Some("Novák, J."));
            assert_eq!(all[1].as_ref().unwrap_err().error.to_string(), "no path");
        }
    }

    #[test]
    fn a_list_without_paths_is_refused() {
        let refused = manifest(b"id;name\n1;a\n").unwrap_err().to_string();
        assert!(refused.contains("`path`"), "{refused}");
        assert!(manifest(b"").is_err());
        assert!(manifest(b"{broken\n").unwrap()[0].is_err());
    }
}
