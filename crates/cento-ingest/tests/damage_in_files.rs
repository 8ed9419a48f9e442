//! Damaged files with documents in them: archives, compressed files, mailboxes, web archives and
//! tables. Nothing panics, nothing grows, and every file is found or skipped with a reason.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod containers;
mod long;
mod pack;
mod samples;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use cento_ingest::{Error, Grouping, Options, Readers, SkippedFile, find};
use proptest::prelude::*;

const TEXT_LIMIT: u64 = 20_000;

/// Small limits, so that a leak shows.
fn options() -> Options {
    let mut options = Options {
        grouping: Grouping::PerFile,
        ..Options::default()
    };
    options.reading.limits.file_size = 1 << 20;
    options.reading.limits.text_size = TEXT_LIMIT;
    options
}

/// Whether a parser failed, rather than the file.
fn is_failure(error: &Error) -> bool {
    match error {
        Error::Failed(_) => true,
        Error::In { error, .. } => is_failure(error),
        Error::Parts(errors) => errors.iter().any(is_failure),
        _ => false,
    }
}

/// Reads everything under a folder, and checks that each of its files is accounted for.
fn survive(folder: &Path, options: &Options) {
    let readers = Readers::new(options);
    let found = find(&[folder.to_path_buf()], options, &readers).unwrap();
    let mut files: BTreeSet<String> = BTreeSet::new();
    let file_of = |id: &str| id.split(['/', ':']).next().unwrap().to_owned();
    for SkippedFile { id, error } in found.skipped {
        assert!(!is_failure(&error), "{id} panicked");
        assert!(!error.to_string().is_empty(), "{id}");
        files.insert(file_of(&id));
    }
    for source in found.documents.iter().chain(&found.templates) {
        // A row may have an id of its own; its file keeps the name.
        files.extend(source.parts.iter().map(|part| file_of(&part.file)));
        match readers.read(source) {
            Ok(document) => assert!(document.content.len() as u64 <= TEXT_LIMIT),
            Err(error) => assert!(!is_failure(&error), "{} panicked", source.id),
        }
    }
    for entry in fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            name == "info.csv" || files.contains(&name),
            "{name} is missing"
        );
    }
}

#[test]
fn whole_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in containers::all() {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let options = options();
    survive(folder.path(), &options);
    let readers = Readers::new(&options);
    let found = find(&[folder.path().to_path_buf()], &options, &readers).unwrap();
    // A link in each tar archive, and nothing else.
    assert_eq!(found.skipped.len(), 5, "{:?}", found.skipped);
    for source in &found.documents {
        readers.read(source).unwrap();
    }
}

/// Writes files under numbers, a folder full at a time, and reads them.
fn survive_all(files: impl Iterator<Item = (String, Vec<u8>)>) {
    let mut files = files.peekable();
    while files.peek().is_some() {
        let folder = tempfile::tempdir().unwrap();
        for (number, (name, bytes)) in files.by_ref().take(2000).enumerate() {
            fs::write(folder.path().join(format!("{number}-{name}")), bytes).unwrap();
        }
        survive(folder.path(), &options());
    }
}

#[test]
fn truncated_anywhere() {
    survive_all(containers::all().into_iter().flat_map(|(name, bytes)| {
        // Tar archives are long and mostly noughts.
        let step = if bytes.len() > 2000 { 13 } else { 1 };
        let lengths = (0..bytes.len()).step_by(long::step(step));
        lengths.map(move |length| (name.clone(), bytes[..length].to_vec()))
    }));
}

#[test]
fn every_byte_flipped_once() {
    survive_all(containers::all().into_iter().flat_map(|(name, bytes)| {
        let step = if bytes.len() > 2000 { 7 } else { 1 };
        (0..bytes.len())
            .step_by(long::step(step))
            .map(move |place| {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << (place % 8);
                (name.clone(), damaged)
            })
    }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(long::cases(1000)))]

    #[test]
    fn many_bytes_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
    ) {
        survive_all(containers::all().into_iter().map(|(name, mut bytes)| {
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            (name, bytes)
        }));
    }

    #[test]
    fn tables_of_anything(
        rows in prop::collection::vec(prop::sample::select(
            "{}[]\"\\,;:\t\n\r textidu0189.-\u{e9}\u{1f600}".chars().collect::<Vec<_>>()), 0..300),
    ) {
        let rows: String = rows.into_iter().collect();
        let starts = [
            ("a.jsonl", "{\"text\": \"x\"}\n"), ("b.csv", "id,text\n"), ("c.tsv", "text\tid\n"),
            ("d.jsonl", ""), ("e.csv", ""),
        ];
        survive_all(starts.into_iter().map(|(name, start)| {
            (name.to_owned(), format!("{start}{rows}").into_bytes())
        }));
    }

    #[test]
    fn descriptions_of_anything(
        rows in prop::collection::vec(prop::sample::select(
            "\",;\n\r afilename.txtrue1\u{e9}".chars().collect::<Vec<_>>()), 0..300),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let rows: String = rows.into_iter().collect();
        let info = format!("filename,label,created_at,full_name,ignored\n{rows}");
        fs::write(folder.path().join("info.csv"), info).unwrap();
        fs::write(folder.path().join("a.txt"), "words of a file").unwrap();
        survive(folder.path(), &options());
    }
}
