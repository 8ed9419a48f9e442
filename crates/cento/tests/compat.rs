//! Registries that older versions have written open for ever.
//!
//! `tests/compat/registry-1` was written by the first version. A change of the format adds a folder
//! and leaves the old ones alone; `CENTO_BLESS=1` writes one that is missing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use cento::index::registry::{
    Exclusions, Extent, Facts, OnChange, Registry, Request, Retained, Retention, Scratch, Settings,
    Snapshot, Which, check,
};
use cento::{Key, Measure, Recipe, Watch};

const NOW: &str = "2026-11-16T00:00:00Z";

fn key() -> Key {
    Key::new(*b"a key of 16 byte")
}

fn text(number: u32) -> String {
    let word = |place: u32| format!("word{}", number / 2 * 10 + place * place % 97);
    (0..60).map(word).collect::<Vec<_>>().join(" ")
}

/// Six documents, one in two versions, one forgotten, a standard text.
fn make(path: &Path) {
    let settings = Settings {
        recipe: Recipe::named("default").unwrap(),
        retention: Retention::Text,
        kept_bits: Settings::KEPT_BITS,
        pairs: true,
    };
    Registry::create(path, settings, Some(&key()), NOW).unwrap();
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    for (id, number) in [("a", 0), ("b", 1), ("c", 2), ("a", 3), ("d", 4), ("e", 5)] {
        let facts = Facts {
            id: id.to_owned(),
            label: Some(format!("Thesis {id}")),
            submitter: Some("somebody".to_owned()),
            set: Some("2026".to_owned()),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(number));
        registry.add(candidate, OnChange::Version).unwrap();
        if number == 3 {
            registry.commit().unwrap();
        }
    }
    registry.forget(&Which::Id("c".to_owned())).unwrap();
    registry.ignore("form", None, &text(5)[..60]).unwrap();
    registry.finish().unwrap();
    for left_over in ["lock", "catalog.sqlite-shm", "catalog.sqlite-wal"] {
        let _ = std::fs::remove_file(path.join(left_over));
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to.join("segments")).unwrap();
    std::fs::copy(from.join("catalog.sqlite"), to.join("catalog.sqlite")).unwrap();
    for entry in std::fs::read_dir(from.join("segments")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.join("segments").join(entry.file_name())).unwrap();
    }
}

#[test]
fn the_first_version_opens() {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat/registry-1");
    if !fixture.exists() && std::env::var_os("CENTO_BLESS").is_some() {
        make(&fixture);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    copy(&fixture, &path);
    let checked = check(&path, &key(), Extent::Sample, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, Vec::<String>::new());
    assert_eq!(checked.documents, 5);
    assert!(
        checked.forgotten > 0,
        "the forgotten one waits to be compacted"
    );
    let snapshot = Snapshot::open(&path, &key(), NOW).unwrap();
    let latest = snapshot.latest("a").unwrap().unwrap();
    assert_eq!(latest.version, 2);
    assert_eq!(latest.facts.label.as_deref(), Some("Thesis a"));
    let kept = snapshot.retained(latest.number).unwrap();
    assert_eq!(kept, Some(Retained::Text(text(3))));
    assert_eq!(snapshot.status().unwrap().ignored[0].name, "form");
    let query = snapshot.prepare().fingerprints(&text(1));
    let request = Request {
        query: &query[0],
        set: None,
        measure: Measure::Resemblance,
        at_least: 0.9,
        limit: 10,
        exclusions: &Exclusions::default(),
        base: &[],
    };
    let found = snapshot.search(&request, &mut Scratch::default()).unwrap();
    let ids: Vec<String> = found
        .alike
        .iter()
        .map(|alike| snapshot.entry(alike.number).unwrap().unwrap().facts.id)
        .collect();
    assert_eq!(ids, ["a", "b"]);
    // It can be written to, too.
    let mut registry = Registry::open(&path, &key(), "a test").unwrap();
    // What the first version had no index for is found.
    let facts = Facts {
        id: "f".to_owned(),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, &text(4));
    let same = registry.same_text(&candidate).unwrap();
    assert_eq!(same.map(|same| same.id).as_deref(), Some("d"));
    registry.compact(Watch::NOBODY).unwrap();
    drop(registry);
    assert_eq!(
        check(&path, &key(), Extent::Sample, Watch::NOBODY)
            .unwrap()
            .forgotten,
        0
    );
}
