//! The nearest neighbours by style in a registry are those of a search through all texts, whatever
//! became of the registry since.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cento::index::registry::{
    Exclusions, Extent, Facts, KeptStretches, Names, OnChange, Registry, Retention, Settings,
    Snapshot, Which, backup, check, export, import, merge,
};
use cento::style::Style;
use cento::{Error, Key, Watch};
use proptest::prelude::*;
use tempfile::TempDir;

const NOW: &str = "2026-03-01T12:00:00Z";
const STYLE: &str = "style:the,and,@syllables,@clauses,@law,@wine=cask+grape";

fn key() -> Key {
    Key::new([7; 16])
}

/// Words by a seed. One in three is not English, and lacks the measurements of English.
fn text(seed: u32) -> String {
    const ENGLISH: [&str; 16] = [
        "the", "and", "of", "that", "it", "was", "a", "if", "court", "judge", "animal", "remember",
        "cask", "grapes", "he", "in",
    ];
    const OTHER: [&str; 8] = [
        "mlýn", "stojí", "the", "řeka", "cask", "voda", "pole", "and",
    ];
    let words: &[&str] = if seed.is_multiple_of(3) {
        &OTHER
    } else {
        &ENGLISH
    };
    let mut state = u64::from(seed) + 1;
    let mut text = String::new();
    for number in 0..60 + seed % 40 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        text += words[usize::try_from(state >> 33).unwrap() % words.len()];
        text += if number % 9 == 8 { ". " } else { " " };
    }
    text
}

struct Case {
    _folder: TempDir,
    path: PathBuf,
}

impl Case {
    fn new(settings: Settings) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("registry");
        Registry::create(&path, settings, Some(&key()), NOW).unwrap();
        Case {
            _folder: folder,
            path,
        }
    }

    fn open(&self) -> Registry {
        Registry::open(&self.path, &key(), "a test").unwrap()
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.path.parent().unwrap().join(name)
    }

    fn files(&self, ending: &str) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.path.join("segments")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let mut files: Vec<PathBuf> = files
            .filter(|path| path.extension().is_some_and(|found| found == ending))
            .collect();
        files.sort();
        files
    }
}

fn settings() -> Settings {
    Settings {
        retention: Retention::Text,
        style: Some(STYLE.parse().unwrap()),
        ..Settings::default()
    }
}

/// Registers a text under its seed, and commits.
fn add(registry: &mut Registry, seed: u32) {
    let facts = Facts {
        id: format!("{seed:05}"),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, &text(seed));
    registry.add(candidate, OnChange::Version).unwrap();
    registry.commit().unwrap();
}

fn snapshot(path: &Path) -> Snapshot {
    Snapshot::open(path, &key(), NOW).unwrap()
}

/// Who is nearest, as the registry says; ties by id, which is not the order of the numbers here.
fn found(path: &Path, query: &str, count: usize) -> Vec<(u64, String)> {
    let snapshot = snapshot(path);
    let vector = snapshot.prepare().vector(query).unwrap();
    let nearest = snapshot.nearest(&vector, count, &Exclusions::default());
    let nearest = nearest.unwrap().documents.into_iter();
    nearest
        .map(|near| (near.distance.to_bits(), near.entry.facts.id))
        .collect()
}

/// The same by looking at all texts.
fn linear(seeds: &[u32], query: &str, count: usize) -> Vec<(u64, String)> {
    let style: Style = STYLE.parse().unwrap();
    let from = style.vector(query).unwrap();
    let mut all: Vec<(f64, String)> = seeds
        .iter()
        .filter_map(|seed| {
            let distance = style.distance(&from, &style.vector(&text(*seed))?)?;
            Some((distance, format!("{seed:05}")))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all.truncate(count);
    let all = all.into_iter();
    all.map(|(distance, id)| (distance.to_bits(), id)).collect()
}

#[track_caller]
fn expect_sound(path: &Path) {
    let checked = check(path, &key(), Extent::All, Watch::NOBODY).unwrap();
    assert_eq!(checked.faults, [""; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Documents come one by one, some are forgotten, the registry may be compacted.
    #[test]
    fn a_registry_finds_what_a_linear_search_finds(
        count in 1..40_u32,
        forgotten in proptest::collection::btree_set(0..40_u32, 0..12),
        query in 0..100_u32,
        nearest in 1..7_usize,
        is_compact: bool,
    ) {
        let case = Case::new(settings());
        let mut registry = case.open();
        for seed in 0..count {
            add(&mut registry, seed);
        }
        for seed in &forgotten {
            registry.forget(&Which::Id(format!("{seed:05}"))).unwrap();
        }
        if is_compact {
            registry.compact(Watch::NOBODY).unwrap();
        }
        registry.finish().unwrap();
        let left: Vec<u32> = (0..count).filter(|seed| !forgotten.contains(seed)).collect();
        let query = text(query);
        prop_assert_eq!(found(&case.path, &query, nearest), linear(&left, &query, nearest));
        expect_sound(&case.path);
    }
}

#[test]
fn copies_have_the_same_neighbours() {
    let case = Case::new(settings());
    let mut registry = case.open();
    (0..30).for_each(|seed| add(&mut registry, seed));
    registry.finish().unwrap();
    let query = text(777);
    let expected = linear(&(0..30).collect::<Vec<_>>(), &query, 8);
    let [copy, exported] = ["copy", "exported"].map(|name| case.beside(name));
    backup(&case.path, &copy, Watch::NOBODY).unwrap();
    let again = backup(&case.path, &copy, Watch::NOBODY).unwrap();
    assert_eq!(again.copied, 0);
    export(&snapshot(&case.path), &exported, Names::Kept, Watch::NOBODY).unwrap();
    let other = Case::new(settings());
    let mut into = other.open();
    import(
        &mut into,
        &snapshot(&exported),
        OnChange::Version,
        Watch::NOBODY,
    )
    .unwrap();
    into.finish().unwrap();
    for path in [&copy, &exported, &other.path] {
        assert_eq!(found(path, &query, 8), expected);
        expect_sound(path);
    }
}

#[test]
fn merging_registries_equals_registering_everything_at_once() {
    let [left, right, both] = [(); 3].map(|()| Case::new(settings()));
    for (case, seeds) in [(&left, 0..20), (&right, 20..45), (&both, 0..45)] {
        let mut registry = case.open();
        seeds.for_each(|seed| add(&mut registry, seed));
        registry.compact(Watch::NOBODY).unwrap();
        registry.finish().unwrap();
    }
    let bytes = |path: &Path| {
        let files = std::fs::read_dir(path.join("segments")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let mut files = files.filter(|path| path.extension().is_some_and(|end| end == "vectors"));
        let bytes = std::fs::read(files.next().unwrap()).unwrap();
        assert_eq!(files.next(), None);
        bytes
    };
    let [a, b] = [&left, &right].map(|case| snapshot(&case.path));
    for (name, order) in [("ab", [&a, &b]), ("ba", [&b, &a])] {
        let into = left.beside(name);
        merge(&order, &into, Watch::NOBODY).unwrap();
        assert!(bytes(&into) == bytes(&both.path), "{name}");
        expect_sound(&into);
    }
}

/// The vectors that files have, by their bytes.
fn rows(case: &Case) -> BTreeMap<Vec<u8>, usize> {
    let mut rows = BTreeMap::new();
    for file in case.files("vectors") {
        let bytes = std::fs::read(file).unwrap();
        for row in bytes[48..].chunks_exact(8 * 6) {
            *rows.entry(row.to_vec()).or_default() += 1;
        }
    }
    rows
}

#[test]
fn nothing_is_left_of_a_forgotten_document() {
    let case = Case::new(settings());
    let mut registry = case.open();
    (0..9).for_each(|seed| add(&mut registry, seed));
    registry.compact(Watch::NOBODY).unwrap();
    let before = rows(&case);
    registry.forget(&Which::Id("00004".to_owned())).unwrap();
    registry.compact(Watch::NOBODY).unwrap();
    registry.finish().unwrap();
    let with_it = Case::new(settings());
    let mut alone = with_it.open();
    add(&mut alone, 4);
    alone.finish().unwrap();
    let own = rows(&with_it);
    let own = own.keys().next().unwrap();
    assert!(before.contains_key(own));
    assert!(!rows(&case).contains_key(own));
}

#[test]
fn a_registry_without_vectors_has_the_files_of_before_and_finds_none() {
    for stretches in KeptStretches::ALL {
        let case = Case::new(Settings {
            stretches,
            ..Settings::default()
        });
        let mut registry = case.open();
        add(&mut registry, 1);
        registry.finish().unwrap();
        assert!(case.files("vectors").is_empty());
        let snapshot = snapshot(&case.path);
        assert_eq!(snapshot.prepare().vector(&text(1)), None);
        let style: Style = STYLE.parse().unwrap();
        let vector = style.vector(&text(1)).unwrap();
        let nearest = snapshot
            .nearest(&vector, 3, &Exclusions::default())
            .unwrap();
        assert!(nearest.documents.is_empty());
    }
}

#[test]
fn registries_of_different_styles_are_not_merged() {
    let plain = Settings {
        style: None,
        ..settings()
    };
    let [left, right] = [settings(), plain].map(Case::new);
    for case in [&left, &right] {
        let mut registry = case.open();
        add(&mut registry, 1);
        registry.finish().unwrap();
    }
    let [a, b] = [&left, &right].map(|case| snapshot(&case.path));
    let refused = merge(&[&a, &b], &left.beside("both"), Watch::NOBODY).unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("without --style"), "{refused}");
    assert!(refused.contains(STYLE), "{refused}");
}

#[test]
fn expired_and_excluded_documents_are_not_near() {
    let case = Case::new(settings());
    let mut registry = case.open();
    (0..6).for_each(|seed| add(&mut registry, seed));
    let facts = Facts {
        id: "gone".to_owned(),
        registered: NOW.to_owned(),
        expires: Some("2026-01-01T00:00:00Z".to_owned()),
        ..Facts::default()
    };
    let candidate = registry.prepare().candidate(facts, &text(3));
    registry.add(candidate, OnChange::Version).unwrap();
    registry.finish().unwrap();
    let query = text(3);
    assert_eq!(found(&case.path, &query, 1)[0].1, "00003");
    let snapshot = snapshot(&case.path);
    let own = snapshot
        .exclusions(&[Which::Id("00003".to_owned())])
        .unwrap();
    let vector = snapshot.prepare().vector(&query).unwrap();
    let nearest = snapshot.nearest(&vector, 9, &own).unwrap().documents;
    assert_eq!(nearest.len(), 5);
    assert!(nearest.iter().all(|near| near.entry.facts.id != "00003"));
}

#[test]
fn damage_is_named() {
    let case = Case::new(settings());
    let mut registry = case.open();
    (0..20).for_each(|seed| add(&mut registry, seed));
    registry.compact(Watch::NOBODY).unwrap();
    registry.finish().unwrap();
    let [file] = &case.files("vectors")[..] else {
        panic!("one file")
    };
    let whole = std::fs::read(file).unwrap();
    let query = text(5);
    for place in 0..whole.len() {
        if place > 60 && place % 97 != 0 {
            continue;
        }
        let mut damaged = whole.clone();
        damaged[place] ^= 0x41;
        std::fs::write(file, &damaged).unwrap();
        match check(&case.path, &key(), Extent::Sample, Watch::NOBODY) {
            Ok(checked) => {
                let faults = checked.faults.join("; ");
                assert!(faults.contains(".vectors"), "{place}: {faults}");
                // Wrong, perhaps, but an answer.
                let _ = found(&case.path, &query, 3);
            }
            Err(error) => assert!(error.to_string().contains(".vectors"), "{place}: {error}"),
        }
    }
    for length in [0, 7, 47, 48, whole.len() - 1] {
        std::fs::write(file, &whole[..length]).unwrap();
        let error = Snapshot::open(&case.path, &key(), NOW).err().unwrap();
        assert!(matches!(error, Error::Format { .. }), "{length}: {error}");
    }
    std::fs::write(file, &whole).unwrap();
    expect_sound(&case.path);
    std::fs::remove_file(file).unwrap();
    let error = Snapshot::open(&case.path, &key(), NOW).err().unwrap();
    assert!(error.to_string().contains(".vectors"), "{error}");
}
