//! What could not be read.

use cento::report::Skipped;
use cento_ingest::{BadRow, Limit};
use serde_json::{Value, json};

use crate::error::{At as _, Error, Result};

/// A row or a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SkippedRow {
    pub(super) file: String,
    pub(super) line: Option<u64>,
    pub(super) reason: String,
    /// The limit that was reached, if it was one.
    pub(super) limit: Option<String>,
}

impl SkippedRow {
    pub(super) fn of_row(table: &str, bad: &BadRow) -> SkippedRow {
        SkippedRow {
            file: table.to_owned(),
            line: Some(bad.line),
            reason: bad.error.to_string(),
            limit: bad.error.limit().map(|limit| limit.name().to_owned()),
        }
    }

    /// As skipped.jsonl has it.
    pub(super) fn json(&self) -> Value {
        let mut json = json!({"file": self.file, "line": self.line, "reason": self.reason});
        if let Some(limit) = &self.limit {
            json["limit"] = json!(limit);
        }
        json
    }

    fn error(&self) -> Error {
        let limit = self.limit.as_deref().and_then(Limit::named);
        let message = self.reason.clone();
        match limit {
            Some(limit) => cento_ingest::Error::Limit { limit, message }.into(),
            None => Error::Refused(message),
        }
    }
}

impl From<Skipped> for SkippedRow {
    fn from(skipped: Skipped) -> SkippedRow {
        SkippedRow {
            file: skipped.id,
            line: None,
            reason: skipped.reason,
            limit: skipped.limit,
        }
    }
}

/// Refuses data of which too much cannot be read, or in which there is nothing.
pub(super) fn expect_few(skipped: &[SkippedRow], read: usize, most: f64) -> Result<()> {
    let all = read + skipped.len();
    let Some(first) = skipped.first() else {
        return match read {
            0 => Err(Error::refused("there are no documents in it")),
            _ => Ok(()),
        };
    };
    if skipped.len() as f64 <= most * all as f64 {
        return Ok(());
    }
    let line = first.line.map(|line| format!(", line {line}"));
    Err(first.error()).at(format_args!(
        "{} of {all} documents cannot be read, and a share of {most} is allowed; the first is {}{}",
        skipped.len(),
        first.file.escape_debug(),
        line.unwrap_or_default(),
    ))
}
