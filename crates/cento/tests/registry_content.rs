//! A registry can be whole, with every checksum in order, and not that of its texts: `check` makes
//! digests from kept texts. Pairs always follow from digests.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use cento::index::registry::{
    Checked, Extent, Facts, OnChange, Registry, Retention, Settings, Snapshot, check,
};
use cento::{Key, Recipe, Watch};
use rusqlite::Connection;

const NOW: &str = "2026-03-01T12:00:00Z";

fn key() -> Key {
    Key::new([5; 16])
}

/// Two texts each have half of their words in common; all have as many words, and none twice.
fn text(seed: usize) -> String {
    let word = |n: usize| match n {
        0..40 => format!("s{}w{n}", seed / 2),
        _ => format!("own{seed}w{n}"),
    };
    (0..80).map(word).collect::<Vec<_>>().join(" ")
}

fn make(path: &Path, recipe: &str, retention: Retention, seeds: std::ops::Range<usize>) {
    let recipe = Recipe::named(recipe).unwrap();
    let settings = Settings {
        pairs: recipe.passages.is_none(),
        recipe,
        retention,
        kept_bits: Settings::KEPT_BITS,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(path, settings, Some(&key()), NOW).unwrap();
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    for (number, seed) in seeds.enumerate() {
        let facts = Facts {
            id: format!("document {number}"),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(seed));
        registry.add(candidate, OnChange::Version).unwrap();
    }
    registry.finish().unwrap();
}

fn checked(path: &Path, extent: Extent) -> Checked {
    check(path, &key(), extent, Watch::NOBODY).unwrap()
}

fn segment(path: &Path) -> std::path::PathBuf {
    let files = std::fs::read_dir(path.join("segments")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1);
    files.remove(0)
}

#[test]
fn what_is_kept_proves_digests() {
    for (retention, recipe, proved) in [
        (Retention::Text, "default", 6),
        (Retention::Spans, "default", 6),
        (Retention::Text, "sift", 6),
        (Retention::Text, "rank-passages", 6),
        (Retention::Digests, "default", 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        make(folder.path(), recipe, retention, 0..6);
        for extent in [Extent::Sample, Extent::All] {
            let checked = checked(folder.path(), extent);
            assert_eq!(checked.faults, Vec::<String>::new(), "{recipe}");
            assert_eq!(checked.proved, proved, "{recipe} {retention}");
        }
    }
}

/// A copy with the segments of another registry: numbers and lengths fit, and nothing can be found.
#[test]
fn segments_of_other_texts_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let [own, other] = ["own", "other"].map(|name| folder.path().join(name));
    make(&own, "default", Retention::Text, 0..6);
    make(&other, "default", Retention::Text, 100..106);
    std::fs::copy(segment(&other), segment(&own)).unwrap();
    for extent in [Extent::Sample, Extent::All] {
        let faults = checked(&own, extent).faults;
        assert_eq!(faults.len(), 6, "{faults:?}");
        assert_eq!(
            faults[0],
            "document 0 has other digests than what is kept of it makes"
        );
    }
}

/// Older programs kept a list of pairs. Whatever it says, pairs are those that the digests make, and
/// nothing is left of the list once somebody has written to the registry.
#[test]
fn an_old_list_of_pairs_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    make(path, "default", Retention::Digests, 0..6);
    let pairs = || {
        let snapshot = Snapshot::open(path, &key(), NOW).unwrap();
        snapshot.pairs(0.0, None, Watch::NOBODY).unwrap()
    };
    let before = pairs();
    assert_eq!(before.len(), 3);
    let catalog = || Connection::open(path.join("catalog.sqlite")).unwrap();
    for row in ["(1, 2, 7, 0)", "(5, 6, 1, 0)", "(1, 3, 9, 0)"] {
        let sql = format!("INSERT INTO pairs VALUES {row}");
        catalog().execute(&sql, []).unwrap();
    }
    assert_eq!(pairs(), before);
    assert_eq!(checked(path, Extent::All).faults, Vec::<String>::new());
    assert_eq!(checked(path, Extent::All).pairs, 3);
    let mut registry = Registry::open(path, &key(), "a test").unwrap();
    let id = cento::index::registry::Which::Id("document 0".to_owned());
    registry.forget(&id).unwrap();
    registry.finish().unwrap();
    let sql = "SELECT count(*) FROM pairs";
    let left: u64 = catalog().query_row(sql, [], |row| row.get(0)).unwrap();
    assert_eq!((left, pairs().len()), (0, 2));
    assert_eq!(checked(path, Extent::All).faults, Vec::<String>::new());
}
