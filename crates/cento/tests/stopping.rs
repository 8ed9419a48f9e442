//! Work that is stopped at any moment ends with `Error::Stopped` and leaves nothing half done.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use cento::index::registry::{
    Extent, Facts, Names, OnChange, Registry, Retention, Settings, Snapshot, backup, check, export,
    import, merge,
};
use cento::index::{ClusterQuery, DigestStore, Stars, components};
use cento::sketch::{Bands, Sketcher};
use cento::verify::{Query, VerifySettings, verify};
use cento::{
    Document, Error, Fingerprint, Key, NoCollection, Recipe, Role, ScanSettings, SetMeasure, Texts,
    Watch, scan, scan_approximately,
};

const NOW: &str = "2026-03-01T12:00:00Z";

/// Stops work at the first question whether to go on, then at a later one, and so on until it is not
/// asked so often any more. `after` looks at what each attempt left; it is told whether the work
/// came to its end.
fn at_every_step<T>(
    mut work: impl FnMut(Watch<'_>) -> Result<T, Error>,
    mut after: impl FnMut(bool),
) -> T {
    let mut allowed = 0;
    loop {
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= allowed;
        match work(Watch::new(&|_, _| (), &stop)) {
            Ok(done) => {
                after(true);
                assert!(allowed > 0, "it never asked");
                return done;
            }
            Err(Error::Stopped) => after(false),
            Err(error) => panic!("{error}"),
        }
        allowed += allowed / 3 + 1;
    }
}

/// Texts that share passages.
fn text(number: u64) -> String {
    let words = |seed: u64, count: u64| {
        (0..count).map(move |n| {
            let value = (seed * 1000 + n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            format!("word{}", value % 20_000)
        })
    };
    let all: Vec<String> = words(number, 150).chain(words(number / 2, 60)).collect();
    all.join(" ")
}

fn fingerprint(number: u64) -> Fingerprint {
    Recipe::default().fingerprint(&text(number), &Key::PUBLIC, &NoCollection)
}

fn documents(count: u64) -> Vec<Document> {
    let document = |number| Document {
        language: None,
        author: None,
        id: format!("d{number}"),
        label: format!("d{number}"),
        role: Role::New,
        words: 210,
        warnings: Vec::new(),
        disguised: cento::disguise::Disguised::default(),
        stretches: cento::Stretches::default(),
        fingerprint: fingerprint(number),
        passages: Vec::new(),
    };
    (0..count).map(document).collect()
}

#[test]
fn comparing() {
    let documents = documents(40);
    let settings = ScanSettings::default();
    let read = |id: &str| Some(text(id[1..].parse().unwrap()).into());
    let texts = Texts {
        aligner: cento::align::Aligner::default(),
        meanings: &cento::align::Meanings::none,
        read: &read,
        marks: false,
        templates: Vec::new(),
        key: &Key::PUBLIC,
        seen: &NoCollection,
    };
    let whole = scan(documents.clone(), &settings, Some(&texts), Watch::NOBODY).unwrap();
    let found = at_every_step(
        |watch| scan(documents.clone(), &settings, Some(&texts), watch),
        |_| (),
    );
    assert_eq!(found, whole);
    at_every_step(
        |watch| scan(documents.clone(), &settings, None, watch),
        |_| (),
    );
    let sketcher = Sketcher {
        bands: Bands { bands: 8, rows: 2 },
        seed: 1,
    };
    at_every_step(
        |watch| scan_approximately(documents.clone(), &settings, &sketcher, None, watch),
        |_| (),
    );
}

#[cfg(feature = "compress")]
#[test]
fn compressing() {
    use cento::compress::{Compressor, similarity};
    let text: Vec<String> = (0..44).map(text).collect();
    let text = text.concat();
    for by in Compressor::ALL {
        let [left, right] = [&text, &text].map(String::as_bytes);
        at_every_step(|watch| similarity(left, right, by, watch), |_| ());
    }
}

#[test]
fn clustering() {
    let mut store = DigestStore::in_memory();
    for number in 0..60 {
        store.push(&fingerprint(number)).unwrap();
    }
    let order: Vec<u32> = (0..60).collect();
    let query = ClusterQuery {
        measure: SetMeasure::MaxContainment,
        at_least: 0.2,
        memory: 100_000,
        sketcher: None,
    };
    at_every_step(|watch| components(&store, &order, &query, watch), |_| ());
    let search = |watch: Watch<'_>| {
        let mut stars = Stars::new(&store, &order, query, watch)?;
        while !stars.is_done() {
            stars.pass(watch)?;
        }
        Ok(stars.fates())
    };
    let fates = at_every_step(search, |_| ());
    assert_eq!(fates, search(Watch::NOBODY).unwrap());
}

/// A registry of the documents with these numbers, in several segments.
fn registry(path: &Path, numbers: std::ops::Range<u64>) {
    let settings = Settings {
        retention: Retention::Text,
        ..Settings::default()
    };
    Registry::create(path, settings, None, NOW).unwrap();
    let mut registry = open(path);
    for number in numbers {
        let facts = Facts {
            id: format!("d{number:03}"),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, &text(number));
        registry.add(candidate, OnChange::Version).unwrap();
        if number % 50 == 49 {
            registry.commit().unwrap();
        }
    }
    registry.finish().unwrap();
}

fn open(path: &Path) -> Registry {
    Registry::open(path, &Key::PUBLIC, "a test").unwrap()
}

fn snapshot(path: &Path) -> Snapshot {
    Snapshot::open(path, &Key::PUBLIC, NOW).unwrap()
}

/// How many documents and pairs a sound registry has.
#[track_caller]
fn size(path: &Path) -> (u64, u64) {
    let checked = check(path, &Key::PUBLIC, Extent::Sample, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, [""; 0]);
    (checked.documents, checked.pairs)
}

#[test]
fn verifying() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    registry(&path, 0..60);
    let snapshot = snapshot(&path);
    let queries: Vec<Query> = (60..80)
        .map(|number| Query::new(format!("q{number}"), &text(number), &snapshot))
        .collect();
    let settings = VerifySettings::default();
    let mut verification = at_every_step(
        |watch| verify(&snapshot, &queries, &settings, watch),
        |_| (),
    );
    let report = at_every_step(|watch| verification.report(None, watch), |_| ());
    assert_eq!(report.pairs.len(), 20);
}

#[test]
fn checking_and_compacting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r");
    registry(&path, 0..150);
    let before = size(&path);
    for extent in [Extent::Sample, Extent::All] {
        at_every_step(|watch| check(&path, &Key::PUBLIC, extent, watch), |_| ());
    }
    let compacted = at_every_step(
        |watch| open(&path).compact(watch),
        |_| assert_eq!(size(&path), before),
    );
    assert!(compacted.is_swept);
}

#[test]
fn importing() {
    let folder = tempfile::tempdir().unwrap();
    let [into, from, whole] = ["into", "from", "whole"].map(|name| folder.path().join(name));
    registry(&into, 0..50);
    registry(&from, 50..100);
    registry(&whole, 0..100);
    let (before, behind) = (size(&into), size(&whole));
    let from = snapshot(&from);
    at_every_step(
        |watch| import(&mut open(&into), &from, OnChange::Version, watch),
        |is_done| assert_eq!(size(&into), if is_done { behind } else { before }),
    );
}

#[test]
fn exporting_and_merging() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other, to] = ["one", "other", "to"].map(|name| folder.path().join(name));
    registry(&one, 0..50);
    registry(&other, 50..100);
    let (one, other) = (snapshot(&one), snapshot(&other));
    at_every_step(
        |watch| export(&one, &to, Names::Kept, watch),
        |is_done| assert_eq!(to.exists(), is_done),
    );
    assert_eq!(size(&to).0, 50);
    // A folder that was there stays, with what is in it.
    let there = folder.path().join("there");
    std::fs::create_dir(&there).unwrap();
    std::fs::write(there.join("key"), "somebody's").unwrap();
    let names = || std::fs::read_dir(&there).unwrap().count();
    at_every_step(
        |watch| merge(&[&one, &other], &there, watch),
        |is_done| assert!(is_done || names() == 1),
    );
    assert_eq!(size(&there).0, 100);
    assert!(!there.join("unfinished").exists());
}

#[test]
fn backing_up() {
    let folder = tempfile::tempdir().unwrap();
    let [from, to] = ["from", "to"].map(|name| folder.path().join(name));
    registry(&from, 0..100);
    at_every_step(
        |watch| backup(&from, &to, watch),
        |is_done| assert_eq!(to.exists(), is_done),
    );
    assert_eq!(size(&to), size(&from));
    // A copy from before stays what it was until the new one is complete.
    let before = size(&to);
    let mut registry = open(&from);
    let facts = Facts {
        id: "new".to_owned(),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, &text(200));
    registry.add(candidate, OnChange::Version).unwrap();
    registry.finish().unwrap();
    let behind = size(&from);
    at_every_step(
        |watch| backup(&from, &to, watch),
        |is_done| assert_eq!(size(&to), if is_done { behind } else { before }),
    );
}
