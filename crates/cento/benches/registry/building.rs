//! Building the registry, and how large it becomes.

use std::collections::BTreeMap;
use std::path::Path;

use cento::index::registry::{Facts, OnChange, Registry, Retention, Settings, Snapshot};
use cento::index::segment::{Segment, floor_bits};
use cento::{Digest, Key, Recipe, Watch};
use rayon::prelude::*;

use crate::NOW;
use crate::collection::{Collection, MEAN, Random, fingerprint};
use crate::meter::{MemoryWatch, Times, peak_megabytes, timed};

/// The most postings that are committed together.
const COMMIT: u64 = 30_000_000;
/// How many documents are generated together.
const TOGETHER: usize = 200;

/// Whether the pairs of documents that are alike are kept up to date.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pairs {
    Kept,
    None,
}

/// Says what is going to be built.
pub(crate) fn header(collection: &Collection, recipe: &Recipe) {
    println!(
        "{} documents of {MEAN} chunks on average; {recipe}, {} bits kept; {} threads\n",
        collection.documents,
        Settings::KEPT_BITS.min(recipe.digester.bits),
        rayon::current_num_threads()
    );
    println!("{:<48} {:>10} {:>10}", "", "wall s", "CPU s");
}

pub(crate) fn row(name: &str, times: Times) {
    println!("{name:<48} {:>10.2} {:>10.2}", times.wall, times.processor);
}

/// Builds a registry; says what it took.
pub(crate) fn build(collection: &Collection, recipe: &Recipe, path: &Path, pairs: Pairs) {
    let memory = MemoryWatch::start();
    let (filled, times) = timed(|| fill(collection, recipe, path, pairs));
    match pairs {
        Pairs::Kept => row(
            &format!("build with its {} pairs from 1 %", filled.pairs),
            times,
        ),
        Pairs::None => row("build", times),
    }
    row("  of which the documents were made in", filled.generating);
    print_memory(memory);
}

/// What filling a registry came to.
pub(crate) struct Filled {
    generating: Times,
    pairs: u64,
}

/// Fills a new registry in commits, as somebody who loads an archive would.
pub(crate) fn fill(collection: &Collection, recipe: &Recipe, path: &Path, pairs: Pairs) -> Filled {
    let settings = Settings {
        recipe: recipe.clone(),
        retention: Retention::Digests,
        kept_bits: Settings::KEPT_BITS,
        pairs: pairs == Pairs::Kept,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(path, settings, None, NOW).expect("a new registry");
    let mut registry = Registry::open(path, &Key::PUBLIC, "the benchmark").expect("a registry");
    let mut filled = Filled {
        generating: Times::default(),
        pairs: 0,
    };
    let together = COMMIT.min(collection.documents * MEAN / 10);
    let numbers: Vec<u64> = (0..collection.documents).collect();
    for numbers in numbers.chunks(TOGETHER) {
        let (documents, times) = timed(|| generated(collection, numbers));
        filled.generating.wall += times.wall;
        filled.generating.processor += times.processor;
        for (number, digests) in &documents {
            add(&mut registry, recipe, *number, digests);
        }
        if registry.pending_postings() >= together {
            filled.pairs += registry.commit().expect("committed").pairs;
        }
    }
    filled.pairs += registry.finish().expect("committed").pairs;
    filled
}

fn print_memory(memory: MemoryWatch) {
    println!("{:<48} {:>10.0}", "  peak memory, MB", memory.megabytes());
    let with_files = peak_megabytes();
    println!(
        "{:<48} {with_files:>10.0}",
        "  and mapped files, so far, MB"
    );
}

/// Compacts a registry; says how large it is then.
pub(crate) fn compact(path: &Path) {
    let memory = MemoryWatch::start();
    let ((), times) = timed(|| {
        let mut registry = Registry::open(path, &Key::PUBLIC, "the benchmark").expect("a registry");
        registry.compact(Watch::NOBODY).expect("compacted");
    });
    println!("\n{:<48} {:>10} {:>10}", "", "wall s", "CPU s");
    row("compact", times);
    print_memory(memory);
    let segment = only_segment(path);
    let ((), times) = timed(|| segment.check(Watch::NOBODY).expect("a sound segment"));
    row("check of everything", times);
    let (lengths, times) = timed(|| lengths(&segment));
    row("walk over all postings", times);
    let postings = segment.postings();
    let longest = lengths.last_key_value().map_or(0, |(length, _)| *length);
    let alone = lengths.get(&1).copied().unwrap_or(0);
    let status = Snapshot::open(path, &Key::PUBLIC, NOW).and_then(|snapshot| snapshot.status());
    let catalog = status.expect("a registry").catalog_bytes;
    let bytes = segment.bytes() as f64 / postings as f64;
    let kept = segment.schema().kept_bits();
    let floor = floor_bits(kept, segment.documents(), lengths) / 8.0 / postings as f64;
    println!();
    println!("{:<48} {:>10}", "postings", postings);
    println!("{:<48} {:>10}", "digests", segment.digests());
    println!("{:<48} {:>10}", "  in one document only", alone);
    println!("{:<48} {:>10}", "longest list", longest);
    println!("{:<48} {bytes:>10.2}", "bytes a posting");
    println!("{:<48} {floor:>10.2}", "floor, bytes a posting");
    println!("{:<48} {:>10.2}", "ratio", bytes / floor);
    let catalog = catalog as f64 / postings as f64;
    println!("{:<48} {catalog:>10.2}", "catalogue, bytes a posting");
}

/// Adds a generated document.
pub(crate) fn add(registry: &mut Registry, recipe: &Recipe, number: u64, digests: &[Digest]) {
    let facts = Facts {
        id: id(number),
        submitter: Some(format!("s{}", number % 50_000)),
        set: Some(format!("set {}", number % 10)),
        registered: NOW.to_owned(),
        ..Facts::default()
    };
    let fingerprint = [fingerprint(recipe, digests)];
    let words = digests.len() as u64 + 4;
    let candidate =
        registry
            .prepare()
            .candidate_of(facts, &fingerprint, words, &number.to_le_bytes());
    let candidate = candidate.expect("the registry's own recipe");
    registry
        .add(candidate, OnChange::Refuse)
        .expect("a new document");
}

/// The id of a document; ids have another order than numbers.
pub(crate) fn id(number: u64) -> String {
    format!("{:016x}", Random(number).next())
}

/// The one segment of a compacted registry.
pub(crate) fn only_segment(path: &Path) -> Segment {
    let mut files = std::fs::read_dir(path.join("segments")).expect("a folder");
    let file = files.next().expect("a segment").expect("an entry");
    Segment::open(&file.path()).expect("a segment")
}

fn generated(collection: &Collection, numbers: &[u64]) -> Vec<(u64, Vec<Digest>)> {
    let document = |&number: &u64| (number, collection.digests(number));
    numbers.par_iter().map(document).collect()
}

/// How many lists have each length.
fn lengths(segment: &Segment) -> BTreeMap<u64, u64> {
    let mut lengths = vec![0u64; segment.documents() as usize + 1];
    let mut lists = segment.lists();
    while let Some(list) = lists.next_list().expect("a sound segment") {
        lengths[list.postings.len()] += 1;
    }
    let lengths = (0..).zip(lengths);
    lengths.filter(|(_, count)| *count > 0).collect()
}
