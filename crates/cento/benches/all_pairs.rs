//! What finding all pairs costs beside fingerprinting and sorting the postings, in one run on one
//! thread.
//!
//! `cargo bench -p cento --bench all_pairs -- FOLDER` reads the files of a folder; without one, the
//! documents are generated: unrelated texts, versions of each other, and a shared footer.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::Path;
use std::time::{Duration, Instant};

use cento::index::{Index, PairQuery};
use cento::{Fingerprint, Key, NoCollection, Recipe, SetMeasure, Watch};

fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .expect("the first pool");
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let texts = folder
        .as_deref()
        .map_or_else(generated, |folder| read(Path::new(folder)));
    let bytes: usize = texts.iter().map(String::len).sum();
    println!(
        "{} documents, {:.1} MB, one thread, best of 5\n",
        texts.len(),
        bytes as f64 / 1e6
    );
    let recipe = Recipe::named("default").expect("a preset");
    let query = PairQuery {
        measure: SetMeasure::MaxContainment,
        at_least: 0.1,
        old_from: u32::MAX,
        max_documents: None,
        steps: PairQuery::STEPS,
    };
    let mut best = [Duration::MAX; 3];
    let mut found = (0, 0, 0);
    for _ in 0..5 {
        let start = Instant::now();
        let fingerprints: Vec<Fingerprint> = texts
            .iter()
            .map(|text| recipe.fingerprint(text, &Key::PUBLIC, &NoCollection))
            .collect();
        let fingerprinted = Instant::now();
        let fingerprints: Vec<&Fingerprint> = fingerprints.iter().collect();
        let index = Index::build(&fingerprints, Watch::NOBODY).expect("nobody stops it");
        let sorted = Instant::now();
        let pairs = index.pairs(&query, Watch::NOBODY).expect("nobody stops it");
        let done = Instant::now();
        found = (
            index.postings(),
            pairs.pairs.len(),
            pairs.below.unwrap_or(0),
        );
        let times = [fingerprinted - start, sorted - fingerprinted, done - sorted];
        best = [0, 1, 2].map(|phase| best[phase].min(times[phase]));
    }
    let [fingerprint, sort, pairs] = best.map(|time| time.as_secs_f64());
    println!("{:<42} {:>8}", "", "s");
    println!("{:<42} {fingerprint:>8.3}", "fingerprints");
    println!("{:<42} {sort:>8.3}", "postings sorted into the index");
    println!("{:<42} {pairs:>8.3}", "all pairs at 0.1");
    let ratio = (fingerprint + sort + pairs) / (fingerprint + sort);
    println!(
        "{:<42} {ratio:>8.2}",
        "all of it / fingerprints and sorting"
    );
    println!(
        "\n{} postings, {} pairs listed, {} below the threshold",
        found.0, found.1, found.2
    );
}

fn read(folder: &Path) -> Vec<String> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let text = |path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    paths.iter().map(text).collect()
}

fn generated() -> Vec<String> {
    let mut state = 0x5eed_u64;
    let mut random = move |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    };
    let footer = (0..60)
        .map(|n| format!("footer{n}"))
        .collect::<Vec<_>>()
        .join(" ");
    let mut texts: Vec<String> = Vec::new();
    for document in 0..2000 {
        let mut words: Vec<String> = if document % 5 == 0 || texts.is_empty() {
            (0..5000)
                .map(|_| format!("w{}", random(1000) * random(1000) / 50))
                .collect()
        } else {
            texts[texts.len() - 1]
                .split(' ')
                .map(str::to_owned)
                .collect()
        };
        for _ in 0..words.len() / 30 {
            let at = usize::try_from(random(words.len() as u64)).expect("small");
            words[at] = format!("x{}", random(1 << 40));
        }
        texts.push(words.join(" "));
    }
    texts
        .iter()
        .map(|text| format!("{text} {footer}"))
        .collect()
}
