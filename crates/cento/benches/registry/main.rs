//! What a registry costs: building it, its bytes, and how fast documents are verified against it,
//! on documents with the shape of an archive of theses.
//!
//! ```text
//! cargo bench -p cento --bench registry -- [--full | --postings N] [--folder DIR]
//! cargo bench -p cento --bench registry -- [--full | --postings N] --at DIR
//! cargo bench -p cento --bench registry -- [--full | --postings N] --pairs
//! cargo bench -p cento --bench registry -- [--full | --postings N] --accuracy
//! cargo bench -p cento --bench registry -- [--full | --postings N] --arrivals
//! ```
//!
//! Without `--full`, which is 600 million postings, it is 20 million. Everything is written below
//! `--folder` or in a temporary folder, and removed in the end. With `--at` the compacted registry is
//! kept there as it is, and if there is one already, documents are only verified against it. With
//! `--pairs` it is only built, with the pairs of documents that are alike; with `--accuracy` it is
//! about digests of fewer bits; with `--arrivals` it is built, and documents arrive one by one while
//! others verify.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

mod accuracy;
#[allow(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on stops where it is"
)]
#[path = "../../tests/arrivals/mod.rs"]
mod arrivals;
mod building;
mod cold;
mod collection;
mod meter;
mod verify;

use std::path::PathBuf;

use building::Pairs;
use cento::index::registry::{Registry, Snapshot};
use cento::{Key, Recipe};
use collection::Collection;
use meter::timed;

/// The recipe of the registry: 64 bits, of which it keeps as many as registries do.
const RECIPE: &str = "words+fold | window:5 | fast:64 | all";
const NOW: &str = "2026-03-01T12:00:00Z";
const FULL: u64 = 600_000_000;
const SMALL: u64 = 20_000_000;
/// How many documents come in late.
const BATCH: u64 = 100;

fn main() {
    let arguments = Arguments::read();
    let parent = &arguments.folder;
    let folder = match parent {
        Some(parent) => tempfile::tempdir_in(parent),
        None => tempfile::tempdir(),
    };
    let folder = folder.expect("a temporary folder");
    let collection = Collection::new(arguments.postings);
    if arguments.accuracy {
        accuracy::table(&collection, folder.path());
        return;
    }
    let recipe: Recipe = RECIPE.parse().expect("a recipe");
    building::header(&collection, &recipe);
    if arguments.pairs {
        let path = folder.path().join("pairs");
        building::build(&collection, &recipe, &path, Pairs::Kept);
        return;
    }
    if arguments.arrivals {
        let path = folder.path().join("registry");
        building::build(&collection, &recipe, &path, Pairs::None);
        println!();
        arriving(&path);
        return;
    }
    let is_kept = arguments.at.is_some();
    let path = arguments.at.unwrap_or(folder.path().join("registry"));
    let is_new = !path.exists();
    if is_new {
        building::build(&collection, &recipe, &path, Pairs::None);
        println!();
        verify::header();
        verify::rows(&collection, &recipe, &path);
        building::compact(&path);
        println!();
    }
    verify::header();
    verify::rows(&collection, &recipe, &path);
    println!();
    if !is_kept {
        late_batch(&collection, &recipe, &path);
        println!();
    }
    cold::table(&collection, &recipe, &path);
}

/// Lets documents arrive while others verify.
fn arriving(path: &std::path::Path) {
    const OTHERS: usize = 2;
    let waiting = arrivals::arrive(path, BATCH, OTHERS);
    let mut waited: Vec<f64> = waiting
        .arrivals
        .iter()
        .map(std::time::Duration::as_secs_f64)
        .collect();
    waited.sort_by(f64::total_cmp);
    let (middle, worst) = (waited[waited.len() / 2], waited[waited.len() - 1]);
    println!("{BATCH} documents arrive one by one while {OTHERS} others verify");
    println!("{:<48} {:>10} {:>10}", "", "median s", "worst s");
    let name = "registered, found and compared both ways";
    println!("{name:<48} {middle:>10.3} {worst:>10.3}");
    let name = format!("{} verified meanwhile", waiting.verified);
    println!(
        "{name:<48} {:>10} {:>10.3}",
        "",
        waiting.longest.as_secs_f64()
    );
}

/// Adds a batch to the full registry, and looks whether it is found.
fn late_batch(collection: &Collection, recipe: &Recipe, path: &std::path::Path) {
    let first = collection.documents;
    let numbers = first..first + BATCH;
    let batch: Vec<_> = numbers
        .map(|number| (number, collection.digests(number)))
        .collect();
    let ((), times) = timed(|| {
        let mut registry = Registry::open(path, &Key::PUBLIC, "the benchmark").expect("a registry");
        for (number, digests) in &batch {
            building::add(&mut registry, recipe, *number, digests);
        }
        registry.commit().expect("committed");
        let snapshot = Snapshot::open(path, &Key::PUBLIC, NOW).expect("a registry");
        for (number, digests) in &batch {
            let found = verify::found_itself(&snapshot, recipe, *number, digests);
            assert!(found, "document {number} is not found");
        }
    });
    println!("{:<48} {:>10} {:>10}", "", "wall s", "CPU s");
    let name = format!("{BATCH} more documents, until each is found");
    building::row(&name, times);
}

struct Arguments {
    postings: u64,
    accuracy: bool,
    pairs: bool,
    arrivals: bool,
    folder: Option<PathBuf>,
    at: Option<PathBuf>,
}

impl Arguments {
    fn read() -> Arguments {
        let mut arguments = Arguments {
            postings: SMALL,
            accuracy: false,
            pairs: false,
            arrivals: false,
            folder: None,
            at: None,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--full" => arguments.postings = FULL,
                "--accuracy" => arguments.accuracy = true,
                "--pairs" => arguments.pairs = true,
                "--arrivals" => arguments.arrivals = true,
                "--postings" => {
                    let number = words.next().and_then(|number| number.parse().ok());
                    arguments.postings = number.expect("--postings wants a number");
                }
                "--folder" => {
                    arguments.folder = Some(words.next().expect("--folder wants a folder").into());
                }
                "--at" => {
                    arguments.at = Some(words.next().expect("--at wants a path").into());
                }
                // Cargo says this to every benchmark.
                "--bench" => {}
                other => panic!("{other} is not an option; see the head of this file"),
            }
        }
        arguments
    }
}
