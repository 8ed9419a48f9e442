//! A registry whose files are cut, changed or missing: an error that names the file or a fault that
//! `check` finds, never a panic, and never another answer.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::{Path, PathBuf};

use cento::index::registry::{
    Exclusions, Extent, Facts, OnChange, Registry, Request, Retention, Scratch, Settings, Snapshot,
    check,
};
use cento::{Error, Key, Measure, Recipe, Watch};

const NOW: &str = "2026-03-01T12:00:00Z";

fn key() -> Key {
    Key::new([5; 16])
}

fn text(seed: usize) -> String {
    let word = |n: usize| format!("w{}", (seed / 2 * 37 + n * n) % 900);
    (0..80).map(word).collect::<Vec<_>>().join(" ")
}

/// A registry of ten documents in two segments.
fn make(path: &Path) {
    let settings = Settings {
        recipe: Recipe::named("default").unwrap(),
        retention: Retention::Text,
        kept_bits: Settings::KEPT_BITS,
        pairs: true,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(path, settings, Some(&key()), NOW).unwrap();
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    for number in 0..10 {
        let facts = Facts {
            id: format!("document {number}"),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(number));
        registry.add(candidate, OnChange::Version).unwrap();
        if number == 6 {
            registry.commit().unwrap();
        }
    }
    registry
        .ignore("a form", None, "w1 w4 w9 w16 w25 w36")
        .unwrap();
    registry.finish().unwrap();
}

/// Everything that a reader can ask.
fn ask(path: &Path) -> Result<Vec<String>, Error> {
    let snapshot = Snapshot::open(path, &key(), NOW)?;
    let mut answers = Vec::new();
    let mut scratch = Scratch::default();
    for number in 0..10 {
        let query = snapshot.prepare().fingerprints(&text(number));
        let request = Request {
            query: &query[0],
            set: None,
            measure: Measure::Resemblance,
            at_least: 0.0,
            limit: 100,
            exclusions: &Exclusions::default(),
            base: &[],
        };
        let found = snapshot.search(&request, &mut scratch)?;
        for alike in &found.alike {
            let entry = snapshot.entry(alike.number)?;
            let kept = snapshot.retained(alike.number)?;
            answers.push(format!("{number} {alike:?} {entry:?} {kept:?}"));
        }
        let latest = snapshot.latest(&format!("document {number}"))?;
        answers.push(format!("{latest:?}"));
    }
    answers.push(format!("{:?}", snapshot.pairs(0.0, None, Watch::NOBODY)?));
    Ok(answers)
}

fn files(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path
            .extension()
            .is_some_and(|kind| kind == "sqlite" || kind == "cento")
        {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Either the answer is the right one, or there is an error that names a file of the registry.
#[track_caller]
fn assert_honest(path: &Path, expected: &[String], what: &str) -> bool {
    match ask(path) {
        Ok(answers) => {
            let is_found = || match check(path, &key(), Extent::Sample, Watch::NOBODY) {
                Ok(checked) => !checked.faults.is_empty(),
                Err(_) => true,
            };
            assert!(answers == expected || is_found(), "{what}: another answer");
            true
        }
        Err(error) => {
            let message = error.to_string();
            let names = message.contains("catalog.sqlite")
                || message.contains(".cento")
                || message.contains(&path.display().to_string());
            assert!(names, "{what}: {message}");
            false
        }
    }
}

#[test]
fn damaged_files_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    make(&path);
    let expected = ask(&path).unwrap();
    let checked = check(&path, &key(), Extent::Sample, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    let mut refused = 0;
    for file in files(&path) {
        let bytes = std::fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        // What is left of readers is made anew.
        let restore = |bytes: &[u8]| {
            for journal in ["catalog.sqlite-wal", "catalog.sqlite-shm"] {
                let _ = std::fs::remove_file(path.join(journal));
            }
            std::fs::write(&file, bytes).unwrap();
        };
        let step = (bytes.len() / 150).max(1);
        for place in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[place] ^= 1 << (place % 8);
            restore(&changed);
            let what = format!("{name}, bit {} of byte {place}", place % 8);
            refused += usize::from(!assert_honest(&path, &expected, &what));
        }
        for keep in [0, 1, bytes.len() / 3, bytes.len() - 1] {
            restore(&bytes[..keep]);
            assert_honest(&path, &expected, &format!("{name} cut to {keep}"));
        }
        restore(&bytes);
        std::fs::remove_file(&file).unwrap();
        let what = format!("{name} is missing");
        assert!(!assert_honest(&path, &expected, &what), "{what}");
        restore(&bytes);
    }
    assert!(refused > 20, "{refused}");
    assert_eq!(ask(&path).unwrap(), expected);
}

#[test]
fn a_registry_of_the_future_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    make(&path);
    let file = path.join("catalog.sqlite");
    let mut bytes = std::fs::read(&file).unwrap();
    // SQLite keeps the user's version there.
    bytes[60..64].copy_from_slice(&9u32.to_be_bytes());
    std::fs::write(&file, bytes).unwrap();
    let error = Snapshot::open(&path, &key(), NOW).err().unwrap();
    assert!(error.to_string().contains("version 9"), "{error}");
}

#[test]
fn another_database_is_not_a_registry() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("catalog.sqlite"),
        "not a database at all",
    )
    .unwrap();
    let error = Snapshot::open(folder.path(), &key(), NOW).err().unwrap();
    assert!(error.to_string().contains("catalog.sqlite"), "{error}");
}
