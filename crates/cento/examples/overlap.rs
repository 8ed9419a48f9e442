//! The exact overlap of all .txt files of a folder, each with each.
//!
//! `cargo run --release -p cento --example overlap -- FOLDER [LOWEST [CHARACTERS]]` prints a line for
//! each pair of which one file is in the other to at least LOWEST (0.1), by common runs of at least
//! CHARACTERS (60), and on standard error how long everything took.
//! `-- --pairs A.txt B.txt [C.txt D.txt]...` prints just these pairs, each read by itself.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example prints what it finds"
)]

use std::error::Error;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cento::Watch;
use cento::align::maximal::{Wanted, overlap, overlaps};
use cento::align::{Sequence, Shortest, Vocabulary};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((flag, files)) if flag == "--pairs" => pairs(files),
        Some((folder, [])) => all(Path::new(folder), 0.1, Shortest::DEFAULT),
        Some((folder, [lowest])) => all(Path::new(folder), lowest.parse()?, Shortest::DEFAULT),
        Some((folder, [lowest, characters])) => {
            let shortest = Shortest::Chars(characters.parse::<NonZeroU32>()?);
            all(Path::new(folder), lowest.parse()?, shortest)
        }
        _ => Err("give a folder, the lowest overlap and the shortest run".into()),
    }
}

fn pairs(files: &[String]) -> Result<(), Box<dyn Error>> {
    for pair in files.chunks_exact(2) {
        let mut vocabulary = Vocabulary::default();
        let left = vocabulary.read(&read(Path::new(&pair[0]))?);
        let right = vocabulary.read(&read(Path::new(&pair[1]))?);
        let [of_left, of_right] =
            overlap(&left, &right, &vocabulary, Shortest::DEFAULT, Watch::NOBODY)?;
        println!("{of_left:.6}\t{of_right:.6}\t{}\t{}", pair[0], pair[1]);
    }
    Ok(())
}

fn all(folder: &Path, lowest: f64, shortest: Shortest) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let mut vocabulary = Vocabulary::default();
    let mut sequences: Vec<Sequence> = Vec::new();
    for path in &files {
        sequences.push(vocabulary.read(&read(path)?));
    }
    let reading = start.elapsed().as_secs_f64();
    let sequences: Vec<&Sequence> = sequences.iter().collect();
    let start = Instant::now();
    let found = overlaps(
        &sequences,
        &vocabulary,
        shortest,
        Wanted::AtLeast(lowest),
        Watch::NOBODY,
    )?;
    for pair in &found.pairs {
        let [left, right] = pair
            .documents
            .map(|number| files[number as usize].display());
        let [of_left, of_right] = pair.overlap;
        println!("{of_left:.6}\t{of_right:.6}\t{left}\t{right}");
    }
    eprintln!(
        "{} documents read in {reading:.2} s, {} pairs of at least {lowest} found in {:.2} s",
        files.len(),
        found.pairs.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}

fn read(path: &Path) -> Result<String, std::io::Error> {
    Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned())
}
