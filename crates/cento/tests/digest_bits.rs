//! Digests of 24 and 28 bits in a registry, and how far similarity is off then (Masaryk, section
//! 4.2). A small version of `cargo bench --bench registry -- --accuracy`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use cento::index::registry::{
    Exclusions, Extent, Facts, OnChange, Registry, Request, Retention, Scratch, Settings, Snapshot,
    check,
};
use cento::{Key, Measure, Recipe, Watch};

const NOW: &str = "2026-03-01T12:00:00Z";
const DOCUMENTS: u64 = 150;

/// Documents of 200 to 800 words. Each has a passage of another one, some have much of it.
fn texts() -> Vec<String> {
    let words = |seed: u64, count: u64| {
        (0..count).map(move |place| {
            let mixed = (seed << 20 | place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            format!("w{}", (mixed ^ mixed >> 29) % 30_011)
        })
    };
    let text = |number: u64| {
        let own = words(number, 200 + number * 37 % 600);
        let borrowed = words(number / 2, number * 7 % 200);
        own.chain(borrowed).collect::<Vec<_>>().join(" ")
    };
    (0..DOCUMENTS).map(text).collect()
}

/// How much of each document is in each other one, in percent.
fn similarities(preset: &str, texts: &[String]) -> Vec<Vec<f64>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    let settings = Settings {
        recipe: Recipe::named(preset).unwrap(),
        retention: Retention::Digests,
        kept_bits: Settings::KEPT_BITS,
        pairs: false,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(&path, settings, None, NOW).unwrap();
    let mut registry = Registry::open(&path, &Key::PUBLIC, "a test").unwrap();
    for (number, text) in texts.iter().enumerate() {
        let facts = Facts {
            id: number.to_string(),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let candidate = registry.prepare().candidate(facts, text);
        registry.add(candidate, OnChange::Refuse).unwrap();
        if number % 40 == 0 {
            registry.commit().unwrap();
        }
    }
    registry.compact(Watch::NOBODY).unwrap();
    drop(registry);
    assert!(
        check(&path, &Key::PUBLIC, Extent::Sample, Watch::NOBODY)
            .unwrap()
            .faults
            .is_empty()
    );
    let snapshot = Snapshot::open(&path, &Key::PUBLIC, NOW).unwrap();
    let mut scratch = Scratch::default();
    let of_text = |text: &String| {
        let query = snapshot.prepare().fingerprints(text);
        let request = Request {
            query: &query[0],
            set: None,
            measure: Measure::MaxContainment,
            at_least: 0.0,
            limit: usize::MAX,
            exclusions: &Exclusions::default(),
            base: &[],
        };
        let mut row = vec![0.0; texts.len()];
        for alike in snapshot.search(&request, &mut scratch).unwrap().alike {
            row[alike.number as usize - 1] = 100.0 * alike.overlap.containment()[0];
        }
        row
    };
    texts.iter().map(of_text).collect()
}

#[test]
fn fewer_bits_are_off_by_little_and_only_where_little_is_shared() {
    let texts = texts();
    let exact = similarities("masaryk", &texts);
    for (preset, points) in [("masaryk-28", 1.0), ("masaryk-24", 5.0)] {
        let mut off_anywhere = false;
        let approximate = similarities(preset, &texts);
        for (exact, approximate) in exact.iter().flatten().zip(approximate.iter().flatten()) {
            let off = (exact - approximate).abs();
            assert!(off <= points, "{preset}: {approximate} instead of {exact}");
            assert!(
                off <= 1.0 || *exact < 5.0,
                "{preset}: {approximate} {exact}"
            );
            off_anywhere |= off > 0.0;
        }
        assert!(off_anywhere || preset == "masaryk-28");
    }
}

#[test]
fn every_document_contains_itself() {
    let texts = texts();
    for preset in ["masaryk", "masaryk-28", "masaryk-24"] {
        for (number, row) in similarities(preset, &texts).iter().enumerate() {
            assert!((row[number] - 100.0).abs() < 1e-9, "{preset} {number}");
        }
    }
}
