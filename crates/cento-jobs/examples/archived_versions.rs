//! Gets every version of a page from an archive, compares it with the file that it was made from, and
//! measures what two of them cost: `archived_versions ARCHIVE NAME FILE...`. For bench/archive.
#![allow(clippy::print_stdout, reason = "a program of its own")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use cento_jobs::archive::{ArchiveOptions, get};
use cento_jobs::{Result, Watch};

const ROUNDS: usize = 300;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let archive = ArchiveOptions {
        archive: PathBuf::from(arguments.next().unwrap_or_default()),
    };
    let name = arguments.next().unwrap_or_default();
    let files: Vec<String> = arguments.collect();
    let get = |version: usize| {
        let options = get::Options {
            archive: archive.clone(),
            version: format!("{name}@{version}"),
            transferred: false,
        };
        get::run(&options, &Watch::NOBODY)
    };
    let mut equal = 0;
    for (number, file) in files.iter().enumerate() {
        let bytes = get(number + 1)?.bytes;
        equal += usize::from(std::fs::read(file).is_ok_and(|original| original == bytes));
    }
    println!(
        "{equal} of {} versions come back byte for byte",
        files.len()
    );
    if files.len() < 100 {
        return Ok(());
    }
    // By turns, so that whatever else the machine does meets both; the fastest of many.
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (version, best) in [10, files.len()].into_iter().zip(&mut best) {
            let start = Instant::now();
            get(version)?;
            *best = start.elapsed().min(*best);
        }
    }
    let [tenth, last] = best.map(|time| time.as_secs_f64() * 1000.0);
    println!(
        "to get version 10 takes {tenth:.2} ms, version {} {last:.2} ms: {:.2} times",
        files.len(),
        last / tenth
    );
    Ok(())
}
