//! A thesis against a registry of which nothing is in memory.
//!
//! Before every query the registry is closed and the system is asked to drop all its pages, and the
//! query opens it again. So the registry is never in memory but for what that one query fetched,
//! which the table states: the memory that it needs.

use std::fs::File;
use std::hint::black_box;
use std::num::NonZeroU64;
use std::path::Path;

use cento::index::registry::{Scratch, Snapshot};
use cento::{Key, Recipe};
use rustix::fs::{Advice, fadvise};

use crate::NOW;
use crate::collection::Collection;
use crate::meter::{bytes_fetched, percentile, timed};
use crate::verify::{query, verified};

const THESES: u64 = 50;
const LENGTH: u64 = 20_000;
/// Theses are documents that nothing else here has seen.
const BEYOND: u64 = 2_000_000;

pub(crate) fn table(collection: &Collection, recipe: &Recipe, path: &Path) {
    let mut opening = Vec::new();
    let mut searching = Vec::new();
    let mut processor = Vec::new();
    let mut fetched = Vec::new();
    for thesis in 0..THESES {
        let digests = collection.digests_of(collection.documents + BEYOND + thesis, LENGTH);
        drop_pages(path);
        let before = bytes_fetched();
        let (snapshot, times) =
            timed(|| Snapshot::open(path, &Key::PUBLIC, NOW).expect("a registry"));
        opening.push(1000.0 * times.wall);
        let query = query(&snapshot, recipe, &digests);
        let mut scratch = Scratch::default();
        let (_, times) = timed(|| black_box(verified(&snapshot, &query, &mut scratch)));
        searching.push(1000.0 * times.wall);
        processor.push(1000.0 * times.processor);
        fetched.push((bytes_fetched() - before) as f64 / 1e6);
    }
    let size = files(path).iter().map(|file| length(file)).sum::<u64>() as f64 / 1e6;
    println!(
        "{:<48} {:>10} {:>10}",
        format!("a thesis of {LENGTH} digests, nothing in memory"),
        "p50",
        "p99"
    );
    for (name, mut values) in [
        ("opening the registry, ms", opening),
        ("verifying, ms", searching),
        ("  of which on a processor, ms", processor),
        ("fetched from storage by both, MB", fetched),
    ] {
        let half = percentile(&mut values, 50);
        println!(
            "{name:<48} {half:>10.0} {:>10.0}",
            percentile(&mut values, 99)
        );
    }
    println!("{:<48} {size:>10.0}", "the registry, MB");
}

/// Asks the system to forget what it has of the registry's files.
fn drop_pages(path: &Path) {
    for file in files(path) {
        let file = File::open(file).expect("a file");
        file.sync_all().expect("synced");
        fadvise(&file, 0, None::<NonZeroU64>, Advice::DontNeed).expect("advice is taken");
    }
}

fn files(path: &Path) -> Vec<std::path::PathBuf> {
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let mut files = list(path);
    files.extend(list(&path.join("segments")));
    files
}

fn length(file: &Path) -> u64 {
    file.metadata().map_or(0, |file| file.len())
}
