//! What vectors of style cost in a registry: adding one document to 10,000 and to 100,000, and finding
//! the nearest ones.
//!
//! ```text
//! cargo bench -p cento --bench vectors -- [--style STYLE] [--folder DIR]
//! ```
//!
//! Documents are some two hundred generated words each. To a registry of either size, documents are
//! added one by one, each in a commit of its own, until all merging that they cause is done; the mean
//! is what one costs. Pairs are not counted, because counting them reads the catalogue.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use cento::Key;
use cento::index::registry::{
    Exclusions, Facts, OnChange, Registry, Retention, Settings, Snapshot,
};
use cento::style::Style;
use rayon::prelude::*;

const NOW: &str = "2026-03-01T12:00:00Z";
const SIZES: [u32; 2] = [10_000, 100_000];
/// How many are added one by one.
const LATE: u32 = 500;
/// How many are registered together before that.
const TOGETHER: u32 = 2_000;
const QUERIES: u32 = 200;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let value = |name: &str| {
        let place = arguments.iter().position(|argument| argument == name);
        place.and_then(|place| arguments.get(place + 1)).cloned()
    };
    let style = value("--style").unwrap_or("style-english".to_owned());
    let style: Style = style.parse().expect("a style");
    let folder = match value("--folder").map(PathBuf::from) {
        Some(folder) => tempfile::tempdir_in(folder),
        None => tempfile::tempdir(),
    };
    let folder = folder.expect("a temporary folder");
    println!("{style}: {} numbers a vector\n", style.dimensions());
    println!(
        "{:>9} {:>12} {:>14} {:>16} {:>16}",
        "vectors", "bytes", "ms to add one", "looked at", "ms to find 10"
    );
    let mut costs = Vec::new();
    for size in SIZES {
        let path = folder.path().join(size.to_string());
        fill(&path, size, &style);
        let cost = add_late(&path, size);
        let (looked_at, finding) = find(&path, size);
        let status = Snapshot::open(&path, &Key::PUBLIC, NOW).expect("a registry");
        let bytes = status.status().expect("a status").vector_bytes;
        println!("{size:>9} {bytes:>12} {cost:>14.2} {looked_at:>16.0} {finding:>16.3}");
        costs.push(cost);
    }
    println!(
        "\nadding one to the larger costs {:.2} times as much",
        costs[1] / costs[0]
    );
}

fn fill(path: &Path, size: u32, style: &Style) {
    let settings = Settings {
        recipe: "words+fold | window:5 | fast:64 | all"
            .parse()
            .expect("a recipe"),
        retention: Retention::Digests,
        pairs: false,
        style: Some(style.clone()),
        ..Settings::default()
    };
    Registry::create(path, settings, None, NOW).expect("a new registry");
    let mut registry = open(path);
    let numbers: Vec<u32> = (0..size).collect();
    for numbers in numbers.chunks(TOGETHER as usize) {
        let prepare = registry.prepare();
        let candidates: Vec<_> = (numbers.par_iter())
            .map(|&number| prepare.candidate(facts(number), &text(number)))
            .collect();
        for candidate in candidates {
            registry.add(candidate, OnChange::Version).expect("added");
        }
        registry.commit().expect("committed");
    }
    registry.finish().expect("merged");
}

/// Milliseconds for each document.
fn add_late(path: &Path, size: u32) -> f64 {
    let mut registry = open(path);
    let start = Instant::now();
    for number in size..size + LATE {
        let candidate = registry.prepare().candidate(facts(number), &text(number));
        registry.add(candidate, OnChange::Version).expect("added");
        registry.commit().expect("committed");
    }
    registry.finish().expect("merged");
    start.elapsed().as_secs_f64() * 1000.0 / f64::from(LATE)
}

/// How many vectors were looked at, and milliseconds, on average.
fn find(path: &Path, size: u32) -> (f64, f64) {
    let snapshot = Snapshot::open(path, &Key::PUBLIC, NOW).expect("a registry");
    let queries = (0..QUERIES).map(|number| text(10 * size + number));
    let vectors = queries.filter_map(|text| snapshot.prepare().vector(&text));
    let vectors: Vec<_> = vectors.collect();
    let start = Instant::now();
    let looked_at = vectors.iter().map(|vector| {
        let nearest = snapshot.nearest(vector, 10, &Exclusions::default());
        nearest.expect("an answer").looked_at as f64
    });
    let looked_at = looked_at.sum::<f64>() / f64::from(QUERIES);
    (
        looked_at,
        start.elapsed().as_secs_f64() * 1000.0 / f64::from(QUERIES),
    )
}

fn open(path: &Path) -> Registry {
    Registry::open(path, &Key::PUBLIC, "the benchmark").expect("a registry")
}

fn facts(number: u32) -> Facts {
    Facts {
        id: number.to_string(),
        registered: NOW.to_owned(),
        ..Facts::default()
    }
}

/// Sentences by a seed: each author has words that they like more or less than others do.
fn text(number: u32) -> String {
    const WORDS: [&str; 40] = [
        "the",
        "and",
        "but",
        "so",
        "of",
        "to",
        "a",
        "in",
        "that",
        "it",
        "was",
        "is",
        "if",
        "which",
        "who",
        "he",
        "they",
        "because",
        "built",
        "given",
        "taken",
        "repaired",
        "court",
        "judge",
        "evidence",
        "doctor",
        "patient",
        "disease",
        "market",
        "price",
        "bank",
        "server",
        "file",
        "network",
        "remember",
        "wonderful",
        "animal",
        "house",
        "river",
        "yellow",
    ];
    let mut state = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as usize
    };
    let weights: Vec<usize> = (0..WORDS.len())
        .map(|place| 1 + random() % if place < 18 { 30 } else { 6 })
        .collect();
    let sum: usize = weights.iter().sum();
    let mut text = String::new();
    for place in 0..150 + random() % 100 {
        let mut rest = random() % sum;
        let mut chosen = 0;
        while rest >= weights[chosen] {
            rest -= weights[chosen];
            chosen += 1;
        }
        text += WORDS[chosen];
        text += if place % 14 == 13 { ". " } else { " " };
    }
    text
}
