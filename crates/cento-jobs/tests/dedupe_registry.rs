//! Documents are carried by what they are, never by the order in which they happen to be read: the
//! second reading of a dataset may fail where the first one did not.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cento::index::registry::{Entry, Retained, Retention};
use cento_jobs::dedupe::{self, Kind, NearDuplicates, NearDuplicatesOutcome, Options, Passages};
use cento_jobs::registry::RegistryOptions;
use cento_jobs::{Event, Result, Step, Watch};
use support::{contents, new_registry, text};

/// The ids in a registry, with the texts that were registered under them.
fn registered(registry: &RegistryOptions) -> BTreeMap<String, String> {
    let snapshot = registry.place(&Watch::NOBODY).unwrap().snapshot().unwrap();
    let mut entries = Vec::new();
    let visit = |entry| {
        entries.push(entry);
        Ok(())
    };
    snapshot.entries(visit).unwrap();
    let text = |entry: Entry| match snapshot.retained(entry.number).unwrap() {
        Some(Retained::Text(text)) => (entry.facts.id, text),
        _ => panic!("{} without a text", entry.facts.id),
    };
    entries.into_iter().map(text).collect()
}

fn options(input: &Path, output: &Path, wanted: NearDuplicates) -> Options {
    Options {
        inputs: vec![input.to_owned()],
        output: output.to_owned(),
        kind: Kind::NearDuplicates(Box::new(wanted)),
        max_errors: 0.5,
        ..Options::default()
    }
}

/// Runs a job, and does something at the beginning of a step.
fn at<T>(step: Step, what: impl Fn() + Sync, job: impl FnOnce(&Watch<'_>) -> Result<T>) -> T {
    let tell = |event: Event| {
        if matches!(event, Event::Begin { step: now, .. } if now == step) {
            what();
        }
    };
    job(&Watch::new(&tell, &|| false)).unwrap()
}

fn near(options: &Options, watch: &Watch<'_>) -> Result<NearDuplicatesOutcome> {
    match dedupe::run(options, watch)? {
        dedupe::Outcome::NearDuplicates(done) => Ok(done),
        other => panic!("{other:?}"),
    }
}

/// What is kept goes into a registry.
fn registering(registry: &RegistryOptions) -> NearDuplicates {
    NearDuplicates {
        registry: Some(registry.registry.clone()),
        ..NearDuplicates::default()
    }
}

/// Files: a, b, a copy of b, d.
fn write_files(folder: &Path) {
    std::fs::create_dir_all(folder).unwrap();
    for (name, seed) in [("a", 1), ("b", 2), ("c", 2), ("d", 4)] {
        std::fs::write(folder.join(format!("{name}.txt")), text(seed, 100)).unwrap();
    }
}

#[test]
fn a_file_that_cannot_be_read_again_shifts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    write_files(&input);
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    let options = options(&input, &folder.path().join("out"), registering(&registry));
    let remove = || std::fs::remove_file(input.join("a.txt")).unwrap();
    let done = at(Step::Registering, remove, |watch| near(&options, watch));
    assert_eq!((done.kept, done.registered), (3, Some(2)));
    assert_eq!(done.not_read_again, 1);
    let expected = [("b.txt", text(2, 100)), ("d.txt", text(4, 100))];
    let expected = expected.map(|(id, text)| (id.to_owned(), text));
    assert_eq!(registered(&registry), BTreeMap::from(expected));
}

#[test]
fn a_row_that_cannot_be_read_again_shifts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("in.jsonl");
    let row = |id: &str, seed| format!("{{\"id\": \"{id}\", \"text\": \"{}\"}}\n", text(seed, 100));
    let rows = [row("a", 1), row("b", 2), row("c", 2), row("d", 4)];
    std::fs::write(&table, rows.concat()).unwrap();
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    let options = options(
        &table,
        &folder.path().join("out.jsonl"),
        registering(&registry),
    );
    let damage = || {
        let damaged = rows.concat().replacen('{', "(", 1);
        std::fs::write(&table, damaged).unwrap();
    };
    let done = at(Step::Registering, damage, |watch| near(&options, watch));
    assert_eq!((done.registered, done.not_read_again), (Some(2), 1));
    let ids: Vec<String> = registered(&registry).into_keys().collect();
    assert_eq!(ids, ["b", "d"]);
}

#[test]
fn a_text_that_has_changed_is_not_registered() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    write_files(&input);
    let registry = new_registry(&folder.path().join("registry"), Retention::Text);
    let options = options(&input, &folder.path().join("out"), registering(&registry));
    let change = || std::fs::write(input.join("b.txt"), text(9, 50)).unwrap();
    let done = at(Step::Registering, change, |watch| near(&options, watch));
    assert_eq!((done.registered, done.not_read_again), (Some(2), 1));
    let ids: Vec<String> = registered(&registry).into_keys().collect();
    assert_eq!(ids, ["a.txt", "d.txt"]);
}

#[test]
fn a_file_that_cannot_be_cut_shifts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in"), folder.path().join("out"));
    std::fs::create_dir(&input).unwrap();
    let shared = text(7, 30);
    for name in ["a", "b", "c"] {
        let content = format!("Of {name}. {shared} {name} ends.");
        std::fs::write(input.join(format!("{name}.txt")), content).unwrap();
    }
    let options = Options {
        inputs: vec![input.clone()],
        output: output.clone(),
        kind: Kind::Passages(Passages { min_words: 20 }),
        max_errors: 0.5,
        ..Options::default()
    };
    let remove = || std::fs::remove_file(input.join("a.txt")).unwrap();
    at(Step::Writing, remove, |watch| dedupe::run(&options, watch));
    let written = contents(&output.join("kept"));
    let names: Vec<&str> = written.keys().map(String::as_str).collect();
    assert_eq!(names, ["b.txt", "c.txt"]);
    // The first place is the first that is still there.
    assert!(written["b.txt"].len() > shared.len());
    assert_eq!(written["c.txt"], b"Of c. c ends.");
}

/// The bytes of what is in a work folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn a_run_that_ended_after_it_had_registered_goes_on_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| -> PathBuf { folder.path().join(name) };
    let input = inside("in");
    write_files(&input);
    let registry = new_registry(&inside("registry"), Retention::Text);
    let wanted = NearDuplicates {
        registry: Some(registry.registry.clone()),
        work: Some(inside("work")),
        ..NearDuplicates::default()
    };
    let options = options(&input, &inside("out"), wanted);
    let keep = || copy(&inside("work"), &inside("kept work"));
    let done = at(Step::Registering, keep, |watch| near(&options, watch));
    assert_eq!((done.kept, done.registered), (3, Some(3)));
    assert!(!inside("work").exists());
    let (before, known) = (contents(&inside("out")), registered(&registry));
    // As if the power had failed before the work folder was removed.
    copy(&inside("kept work"), &inside("work"));
    let done = near(&options, &Watch::NOBODY).unwrap();
    assert!(done.is_continued);
    assert_eq!((done.kept, done.registered), (3, Some(0)));
    assert_eq!(contents(&inside("out")), before);
    assert_eq!(registered(&registry), known);
    // Begun anew, everything is known.
    let again = Options {
        output: inside("again"),
        ..options
    };
    let done = near(&again, &Watch::NOBODY).unwrap();
    assert_eq!((done.kept, done.in_registry), (0, Some(4)));
}
