//! How fast one core makes fingerprints of the lines of a file, in megabytes per second: what
//! bench/python holds the Python package against.
//!
//!     cargo run --release -p cento --example fingerprints -- TEXTS RECIPE

use std::hint::black_box;
use std::time::Instant;

use cento::{Key, NoCollection, Recipe};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, recipe] = arguments.as_slice() else {
        return Err("usage: fingerprints TEXTS RECIPE".into());
    };
    let texts = std::fs::read_to_string(path)?;
    let recipe = Recipe::named(recipe)?;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let mut made = Vec::new();
        for text in texts.lines() {
            let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
            made.push(fingerprint.digests().to_vec());
        }
        black_box(made);
        best = best.min(start.elapsed().as_secs_f64());
    }
    #[expect(clippy::print_stdout, reason = "this is the result")]
    {
        println!("{:.1}", texts.len() as f64 / 1e6 / best);
    }
    Ok(())
}
