//! What the exact overlap of all pairs costs beside sorting the suffixes of the same text.
//!
//! `cargo bench -p cento --bench exact_overlap -- FOLDER` reads the files of a folder; without one,
//! the documents are generated, each of which has pieces of others.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::path::Path;
use std::time::Instant;

use cento::Watch;
use cento::align::maximal::{Wanted, overlaps};
use cento::align::{Sequence, Shortest, Vocabulary};

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let texts = folder
        .as_deref()
        .map_or_else(generated, |folder| read(Path::new(folder)));
    let megabytes = texts.iter().map(String::len).sum::<usize>() as f64 / 1e6;
    println!(
        "{} documents, {megabytes:.1} MB, {} threads, one run\n",
        texts.len(),
        rayon::current_num_threads()
    );

    let start = Instant::now();
    let mut vocabulary = Vocabulary::default();
    let sequences: Vec<Sequence> = texts.iter().map(|text| vocabulary.read(text)).collect();
    let reading = start.elapsed().as_secs_f64();
    drop(texts);

    let documents: Vec<&Sequence> = sequences.iter().collect();
    let start = Instant::now();
    let wanted = Wanted::AtLeast(0.1);
    let found = overlaps(
        &documents,
        &vocabulary,
        Shortest::DEFAULT,
        wanted,
        Watch::NOBODY,
    )
    .expect("short enough");
    let exact = start.elapsed().as_secs_f64();
    let peak = peak_memory();

    let joined = normalised(&sequences, &vocabulary);
    let start = Instant::now();
    let mut order = vec![0; joined.len()];
    assert_eq!(libsais_rs::libsais(&joined, &mut order, 0, None), 0);
    let sorting = start.elapsed().as_secs_f64();

    let characters = joined.len() as f64;
    println!("{:<44} {:>8}", "", "s");
    println!("{:<44} {reading:>8.2}", "reading the words, one thread");
    println!(
        "{:<44} {exact:>8.2}",
        "all pairs of at least 0.1, and each to all"
    );
    println!(
        "{:<44} {sorting:>8.2}",
        "sorting the suffixes alone, one thread"
    );
    println!(
        "{:<44} {:>8.2}",
        "all pairs / sorting alone",
        exact / sorting
    );
    println!("\n{:<44} {:>8.2}", "peak memory, GB", peak / 1e9);
    println!(
        "{:<44} {:>8.1}",
        "bytes for each character, words included",
        peak / characters
    );
    let global = found.global.iter().filter(|&&share| share >= 0.1).count();
    println!(
        "\n{:.1} million characters, {} pairs, {global} documents of which others have 0.1",
        characters / 1e6,
        found.pairs.len()
    );
}

/// All documents as one text: words joined by a space, a line for each document.
fn normalised(sequences: &[Sequence], vocabulary: &Vocabulary) -> Vec<u8> {
    let mut joined = Vec::new();
    for sequence in sequences {
        for &word in sequence.words() {
            joined.extend_from_slice(vocabulary.term(word).as_bytes());
            joined.push(b' ');
        }
        joined.pop();
        joined.push(b'\n');
    }
    joined
}

/// What the system says that this program has needed at most, in bytes; 0 where it does not say.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) * 1024.0
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
    let mut random = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % limit as u64).expect("below the limit")
    };
    let mut texts: Vec<Vec<String>> = Vec::new();
    for document in 0..500 {
        let mut words: Vec<String> = Vec::new();
        for _ in 0..20 {
            if document > 0 && random(4) == 0 {
                let other = &texts[random(texts.len())];
                let start = random(other.len() - 150);
                words.extend_from_slice(&other[start..start + 150]);
            } else {
                words.extend((0..150).map(|_| format!("w{}", random(1000) * random(1000) / 50)));
            }
        }
        texts.push(words);
    }
    texts.iter().map(|words| words.join(" ")).collect()
}
