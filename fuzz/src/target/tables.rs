//! Tables that are written again: another text in a record is the text that is read from it.

use std::fs;

use cento_ingest::{Keys, Limits, Shard};

use super::{Seed, Target, holds, refused};
use crate::seeds::containers;

pub(super) fn target() -> Target {
    let rows = [
        ("rows.jsonl", containers::JSON_LINES),
        ("rows.csv", containers::SEPARATED),
        ("rows.tsv", "text\tid\n\"a\tb\"\t1\nplain\t2\n"),
    ];
    Target {
        name: "tables",
        seeds: rows
            .map(|(name, rows)| Seed::new(name, rows))
            .into_iter()
            .collect(),
        check,
    }
}

/// Every character that one of the forms must escape.
const TEXT: &str = "another, \"text\";\tof two\r\nlines \\ \u{e9}\u{1f600}";

fn check(name: &str, input: &[u8]) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(told)?;
    let path = folder.path().join(name);
    fs::write(&path, input).map_err(told)?;
    let limits = Limits {
        file_size: 1 << 16,
        ..Limits::default()
    };
    let shard = match Shard::open(&path, &Keys::default(), &limits) {
        Ok(Some(shard)) => shard,
        Ok(None) => return Ok(()),
        Err(error) => return refused(&error),
    };
    let records = match shard.records(None) {
        Ok(records) => records,
        Err(error) => return refused(&error),
    };
    let mut end = shard.start();
    for record in records {
        let mut record = match record {
            Ok(record) => record,
            Err(bad) => {
                refused(&bad.error)?;
                continue;
            }
        };
        holds(end <= record.offset && record.offset < record.end, || {
            format!("a record at {}..{}", record.offset, record.end)
        })?;
        end = record.end;
        let row = match shard.parse(&record) {
            Ok(row) => row,
            Err(bad) => {
                refused(&bad.error)?;
                continue;
            }
        };
        let edited = shard.with_text(&record.bytes, TEXT);
        record.bytes = edited.map_err(|error| format!("no text for row {}: {error}", row.line))?;
        let again = shard.parse(&record).map_err(|bad| bad.error.to_string())?;
        holds(again.text == TEXT, || format!("read as {:?}", again.text))?;
        holds(again.id == row.id, || format!("the id is {:?}", again.id))?;
    }
    Ok(())
}
