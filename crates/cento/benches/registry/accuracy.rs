//! How far similarity is off if a digest has 24 or 28 bits (Masaryk, section 4.2).
//!
//! A chunk of one document has the digest of some chunk of another by chance with a probability of
//! chunks / 2^bits, so what is off depends on how long documents are and how many bits there are, not
//! on how many documents there are; but the more there are, the worse is the worst of them, and the
//! more of a document is found *somewhere* by chance.

use std::path::Path;

use cento::index::registry::{Findings, Request, Scratch, Snapshot, Which};
use cento::{Key, Measure, Recipe};

use crate::NOW;
use crate::building::{self, Pairs};
use crate::collection::{Collection, Random};
use crate::verify::query;

const QUERIES: u64 = 400;
const EXACT: &str = "masaryk";
/// Upper ends of the exact similarities that are told apart, in percent.
const BINS: [f64; 5] = [0.0, 1.0, 5.0, 20.0, 100.0];
const BINS_NAMED: [&str; 5] = ["0", "to 1", "to 5", "to 20", "to 100"];

/// What is off in the pairs of one bin.
#[derive(Clone, Copy, Default)]
struct Bin {
    pairs: u64,
    sum: f64,
    most: f64,
    over_one: u64,
}

pub(crate) fn table(collection: &Collection, folder: &Path) {
    let exact = answers(collection, folder, EXACT);
    println!(
        "{} documents, {} queries of them, {} pairs; points are those of a percentage\n",
        collection.documents,
        QUERIES,
        QUERIES * (collection.documents - 1)
    );
    println!(
        "{:<12} {:<14} {:>12} {:>12} {:>12} {:>14}",
        "", "exact, %", "pairs", "mean, points", "most, points", "over 1 point"
    );
    let mut globals = vec![(EXACT, mean_global(&exact))];
    for name in ["masaryk-28", "masaryk-24"] {
        let approximate = answers(collection, folder, name);
        for (bin, range) in compare(collection, &exact, &approximate)
            .iter()
            .zip(BINS_NAMED)
        {
            println!(
                "{name:<12} {range:<14} {:>12} {:>12.4} {:>12.2} {:>14}",
                bin.pairs,
                bin.sum / bin.pairs.max(1) as f64,
                bin.most,
                bin.over_one
            );
        }
        globals.push((name, mean_global(&approximate)));
    }
    println!("\n{:<27} {:>12}", "found somewhere, mean", "%");
    for (name, global) in globals {
        println!("{name:<27} {:>12.1}", 100.0 * global);
    }
}

/// Compares the similarity of all pairs of a query and a document.
fn compare(collection: &Collection, exact: &[Answer], approximate: &[Answer]) -> [Bin; 5] {
    let mut bins = [Bin::default(); 5];
    for (exact, approximate) in exact.iter().zip(approximate) {
        let both = exact.similar.iter().chain(&approximate.similar);
        let mut numbers: Vec<u32> = both.map(|(number, _)| *number).collect();
        numbers.sort_unstable();
        numbers.dedup();
        for &number in &numbers {
            let of = |answer: &Answer| 100.0 * answer.of(number);
            let off = (of(approximate) - of(exact)).abs();
            let place = BINS.iter().position(|end| of(exact) <= *end).unwrap_or(4);
            let bin = &mut bins[place];
            bin.pairs += 1;
            bin.sum += off;
            bin.most = bin.most.max(off);
            bin.over_one += u64::from(off > 1.0);
        }
        // All others share nothing, exactly and by chance.
        bins[0].pairs += collection.documents - 1 - numbers.len() as u64;
    }
    bins
}

/// What a query shares with the documents of a registry.
struct Answer {
    /// The similarity of the query to each document that shares something with it, by document.
    similar: Vec<(u32, f32)>,
    global: f64,
}

impl Answer {
    fn of(&self, number: u32) -> f64 {
        let found = self
            .similar
            .binary_search_by_key(&number, |(number, _)| *number);
        found.map_or(0.0, |place| self.similar[place].1.into())
    }
}

/// Builds the registry of a recipe and asks it for documents that are in it.
fn answers(collection: &Collection, folder: &Path, name: &str) -> Vec<Answer> {
    let recipe = Recipe::named(name).expect("a preset");
    let path = folder.join(name);
    building::fill(collection, &recipe, &path, Pairs::None);
    let snapshot = Snapshot::open(&path, &Key::PUBLIC, NOW).expect("a registry");
    let mut scratch = Scratch::default();
    let mut random = Random(5);
    let asked = (0..QUERIES).map(|_| random.below(collection.documents));
    let answers = asked.map(|number| {
        let itself = snapshot.exclusions(&[Which::Id(building::id(number))]);
        let query = query(&snapshot, &recipe, &collection.digests(number));
        let request = Request {
            query: &query,
            set: None,
            measure: Measure::MaxContainment,
            at_least: 0.0,
            limit: usize::MAX,
            exclusions: &itself.expect("a sound registry"),
            base: &[],
        };
        answer(
            &snapshot
                .search(&request, &mut scratch)
                .expect("a sound registry"),
        )
    });
    let answers = answers.collect();
    drop(snapshot);
    std::fs::remove_dir_all(&path).expect("removed");
    answers
}

fn answer(found: &Findings) -> Answer {
    #[expect(clippy::cast_possible_truncation, reason = "seven digits are enough")]
    let similar = found
        .alike
        .iter()
        .map(|alike| (alike.number, alike.score as f32));
    let mut similar: Vec<(u32, f32)> = similar.collect();
    similar.sort_unstable_by_key(|(number, _)| *number);
    Answer {
        similar,
        global: found.global(),
    }
}

fn mean_global(answers: &[Answer]) -> f64 {
    answers.iter().map(|answer| answer.global).sum::<f64>() / answers.len() as f64
}
