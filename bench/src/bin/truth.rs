//! Every pair of documents of which one has at least half of the shingles of the other, computed
//! without hashing: what tools are judged by.
//!
//! It shares no code with Cento on purpose. A shingle is five consecutive words between single
//! spaces, kept as the numbers of the words, so that no two shingles are ever confused.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};

use anyhow::{Context as _, Result, bail, ensure};
use rayon::prelude::*;
use serde_json::Value;

/// How many words a shingle has.
const WORDS: usize = 5;
/// How many bits the number of a word has.
const BITS: u32 = 25;
/// Shingles are sorted in so many parts, to need less memory at a time.
const PARTS: u128 = 16;

/// The documents of a JSONL file.
struct Documents {
    ids: Vec<String>,
    /// The distinct shingles of each, sorted.
    shingles: Vec<Vec<u128>>,
}

fn main() -> Result<()> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [input, output] = paths.as_slice() else {
        bail!("usage: truth INPUT.jsonl PAIRS.tsv");
    };
    let mut documents = read(input).with_context(|| input.clone())?;
    let sizes: Vec<u32> = documents.shingles.iter().map(|s| number(s.len())).collect();
    let lists = lists(&std::mem::take(&mut documents.shingles));
    let pairs = pairs(&lists, &sizes);
    let mut out = BufWriter::new(File::create(output).with_context(|| output.clone())?);
    for (left, right, shared) in &pairs {
        let (left, right) = (*left as usize, *right as usize);
        writeln!(
            out,
            "{}\t{}\t{shared}\t{}\t{}",
            documents.ids[left], documents.ids[right], sizes[left], sizes[right]
        )?;
    }
    out.flush()?;
    writeln!(
        io::stderr(),
        "{} documents, {} pairs",
        sizes.len(),
        pairs.len()
    )?;
    Ok(())
}

fn read(path: &str) -> Result<Documents> {
    let mut numbers: HashMap<String, u128> = HashMap::new();
    let mut documents = Documents {
        ids: Vec::new(),
        shingles: Vec::new(),
    };
    for line in BufReader::new(File::open(path)?).lines() {
        let row: Value = serde_json::from_str(&line?)?;
        let (Some(id), Some(text)) = (row["id"].as_str(), row["text"].as_str()) else {
            bail!("a line without an id or a text");
        };
        let mut words: Vec<u128> = Vec::new();
        for word in text.split(' ') {
            let next = numbers.len() as u128;
            let number = match numbers.get(word) {
                Some(number) => *number,
                None => *numbers.entry(word.to_owned()).or_insert(next),
            };
            words.push(number);
        }
        ensure!(numbers.len() < 1 << BITS, "too many different words");
        let shingle = |window: &[u128]| window.iter().fold(0, |all, word| all << BITS | word);
        let mut shingles: Vec<u128> = words.windows(WORDS).map(shingle).collect();
        shingles.sort_unstable();
        shingles.dedup();
        documents.ids.push(id.to_owned());
        documents.shingles.push(shingles);
    }
    Ok(documents)
}

/// For each shingle that several documents have, those documents.
fn lists(shingles: &[Vec<u128>]) -> Vec<Vec<u32>> {
    let part = |part: u128| {
        let mut places: Vec<(u128, u32)> = Vec::new();
        for (document, shingles) in (0..).zip(shingles) {
            let own = shingles.iter().filter(|shingle| **shingle % PARTS == part);
            places.extend(own.map(|shingle| (*shingle, document)));
        }
        places.sort_unstable();
        let several = places.chunk_by(|a, b| a.0 == b.0).filter(|s| s.len() > 1);
        several
            .map(|same| same.iter().map(|place| place.1).collect())
            .collect::<Vec<Vec<u32>>>()
    };
    (0..PARTS).flat_map(part).collect()
}

/// The pairs that share at least half of the smaller one, with how many shingles they share.
fn pairs(lists: &[Vec<u32>], sizes: &[u32]) -> Vec<(u32, u32, u32)> {
    let mut of_document: Vec<Vec<u32>> = vec![Vec::new(); sizes.len()];
    for (number, list) in (0..).zip(lists) {
        for document in list {
            of_document[*document as usize].push(number);
        }
    }
    let of_left = |counts: &mut Vec<u32>, left: usize| {
        for list in &of_document[left] {
            for right in &lists[*list as usize] {
                counts[*right as usize] += 1;
            }
        }
        let mut found = Vec::new();
        for (right, count) in counts.iter_mut().enumerate() {
            let shared = std::mem::take(count);
            if right > left && shared > 0 && 2 * shared >= sizes[left].min(sizes[right]) {
                found.push((number(left), number(right), shared));
            }
        }
        found
    };
    (0..sizes.len())
        .into_par_iter()
        .map_init(|| vec![0; sizes.len()], of_left)
        .collect::<Vec<_>>()
        .concat()
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("fewer than 2^32 documents and shingles of one")
}
