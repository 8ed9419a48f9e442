//! Files with documents in them: archives, compressed files, mailboxes, web archives and tables.

use std::fs;

use cento_ingest::{Grouping, Options, Readers, find};

use super::{Seed, Target, holds, refused};
use crate::seeds::{containers, parquet_table};

const TEXT_LIMIT: u64 = 20_000;

pub(super) fn target() -> Target {
    let containers = containers::all().into_iter();
    let mut seeds: Vec<Seed> = containers
        .map(|(name, bytes)| Seed::new(name, bytes))
        .collect();
    let groups = [0..9, 9..12];
    seeds.push(Seed::new("rows.parquet", parquet_table::plain(&groups)));
    Target {
        name: "files",
        seeds,
        check,
    }
}

fn check(name: &str, input: &[u8]) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(told)?;
    let path = folder.path().join(name);
    fs::write(&path, input).map_err(told)?;
    let mut options = Options {
        grouping: Grouping::PerFile,
        ..Options::default()
    };
    options.reading.limits.file_size = 1 << 20;
    options.reading.limits.text_size = TEXT_LIMIT;
    let readers = Readers::new(&options);
    let found = find(&[path], &options, &readers).map_err(|error| error.to_string())?;
    holds(found.documents.len() + found.skipped.len() > 0, || {
        "the file is neither found nor skipped".to_owned()
    })?;
    for skipped in &found.skipped {
        refused(&skipped.error)?;
    }
    for document in &found.documents {
        match readers.read(document) {
            Ok(read) => holds(read.content.len() as u64 <= TEXT_LIMIT, || {
                format!("{} bytes of text", read.content.len())
            })?,
            Err(error) => refused(&error)?,
        }
    }
    Ok(())
}
