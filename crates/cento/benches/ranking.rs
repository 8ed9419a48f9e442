//! What ranking costs beside reading the postings that the queries touch, in one run on one thread.
//!
//! `cargo bench -p cento --bench ranking`: 80,000 generated documents, 53 of them as queries.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cento::index::{Index, Sums};
use cento::{Digest, Fingerprint, Measure, Recipe, Watch};

const DOCUMENTS: usize = 80_000;
const QUERIES: usize = 53;

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first pool");
    let recipe = Recipe::named("rank").expect("a preset");
    let documents: Vec<Fingerprint> = (0..DOCUMENTS)
        .map(|n| document(&recipe, n as u64))
        .collect();
    let index = Index::build(&documents.iter().collect::<Vec<_>>(), Watch::NOBODY)
        .expect("nobody stops it");
    let queries: Vec<&Fingerprint> = documents
        .iter()
        .step_by(DOCUMENTS / QUERIES)
        .take(QUERIES)
        .collect();
    let mut scratch = Sums::default();
    let touched: u64 = queries
        .iter()
        .map(|query| {
            index
                .search(*query, Measure::Containment, 20, &mut scratch)
                .postings
        })
        .sum();
    println!(
        "{DOCUMENTS} documents, {} postings; {QUERIES} queries touch {touched} of them",
        index.postings()
    );
    println!("one thread, best of 5\n");
    println!("{:<24} {:>10} {:>8}", "", "ms a query", "ratio");
    let read = best(|| queries.iter().map(|query| index.read(query)).sum());
    let print = |name: &str, time: Duration| {
        let milliseconds = 1000.0 * time.as_secs_f64() / QUERIES as f64;
        println!(
            "{name:<24} {milliseconds:>10.3} {:>8.2}",
            time.as_secs_f64() / read.as_secs_f64()
        );
    };
    print("reading the postings", read);
    for measure in Measure::ALL {
        let time = best(|| {
            let hits = |query: &&Fingerprint| {
                index.search(*query, measure, 20, &mut scratch).hits.len() as u64
            };
            queries.iter().map(hits).sum()
        });
        print(measure.name(), time);
    }
}

fn best(mut run: impl FnMut() -> u64) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    };
    (0..5).map(time).min().expect("five runs")
}

/// A document of 300 words from a vocabulary of 50,000 with the skew of Zipf's law, without its
/// first thirty ranks: those are stop words.
fn document(recipe: &Recipe, number: u64) -> Fingerprint {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let uniform = (state >> 11) as f64 / (1u64 << 53) as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a rank"
        )]
        let rank = (30.0 * (50_000f64 / 30.0).powf(uniform)) as u64;
        Digest(rank.wrapping_mul(0xbf58_476d_1ce4_e5b9))
    };
    Fingerprint::from_digests(recipe.id(), 300, (0..300).map(|_| word()).collect())
}
