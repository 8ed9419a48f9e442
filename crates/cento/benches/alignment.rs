//! What aligning a pair costs beside reading it: ordinary text, and text that repeats itself.
//!
//! `cargo bench -p cento --bench alignment` generates the pairs.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::Instant;

use cento::align::{Aligner, Vocabulary};

fn main() {
    println!("milliseconds for one pair, one run; in brackets: times reading its words\n");
    println!(
        "{:<34} {:>6} {:>8}  {:>16} {:>16} {:>16}",
        "pair", "MB", "reading", "passages", "maximal:60", "tiling:9"
    );
    let story = sentences(1, 170_000);
    let line = "the same line of text stands here and says nothing new\n";
    for (name, left, right) in [
        ("every ninth word changed", story.clone(), edited(&story)),
        ("two unrelated texts", story.clone(), sentences(2, 170_000)),
        ("one half copied", story.clone(), half(&story)),
        (
            "one word, a million times",
            "canal ".repeat(1_000_000),
            format!("{}lock", "canal ".repeat(999_999)),
        ),
        (
            "100,000 equal lines",
            line.repeat(100_000),
            line.repeat(99_990),
        ),
        (
            "two million zeros",
            "0".repeat(2_000_000),
            "0".repeat(2_000_001),
        ),
    ] {
        row(name, &left, &right);
    }
}

fn row(name: &str, left: &str, right: &str) {
    let start = Instant::now();
    let mut vocabulary = Vocabulary::default();
    let (first, second) = (vocabulary.read(left), vocabulary.read(right));
    let reading = start.elapsed().as_secs_f64();
    let times = ["passages", "maximal:60", "tiling:9"].map(|aligner| {
        let aligner: Aligner = aligner.parse().expect("a name of an aligner");
        let start = Instant::now();
        let alignment = aligner.align(&first, &second, &vocabulary);
        let seconds = start.elapsed().as_secs_f64();
        let mark = if alignment.limited { "*" } else { "" };
        format!("{:.0}{mark} ({:.1})", seconds * 1e3, seconds / reading)
    });
    println!(
        "{name:<34} {:>6.1} {:>8.0}  {:>16} {:>16} {:>16}",
        (left.len() + right.len()) as f64 / 1e6,
        reading * 1e3,
        times[0],
        times[1],
        times[2]
    );
}

/// Sentences of words that are as frequent as those of a language: few common, many rare.
fn sentences(seed: u64, words: usize) -> String {
    let mut state = seed;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / f64::from(1_u32 << 31)
    };
    let mut text = String::new();
    let mut left = 0;
    for _ in 0..words {
        // The rank of a word is log-uniform, as Zipf's law has it.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "from 1 to 30,000"
        )]
        let rank = 30_000_f64.powf(next()) as u64;
        if left == 0 {
            text.push_str("Then ");
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 8 to 28"
            )]
            let length = 8 + (next() * 20.0) as u32;
            left = length;
        }
        text.push_str(&name(rank));
        left -= 1;
        text.push_str(if left == 0 { ". " } else { " " });
    }
    text
}

/// A word for each number, the longer the rarer.
fn name(mut number: u64) -> String {
    const SYLLABLES: [&str; 12] = [
        "ka", "lo", "mi", "ru", "ten", "sa", "vo", "ni", "dra", "pel", "ho", "que",
    ];
    let mut word = String::new();
    while number > 0 {
        word.push_str(SYLLABLES[usize::try_from(number % 12).expect("less than 12")]);
        number /= 12;
    }
    word
}

fn edited(text: &str) -> String {
    let words = text.split(' ').enumerate();
    let words: Vec<&str> = words
        .map(|(at, word)| if at % 9 == 4 { "changed" } else { word })
        .collect();
    words.join(" ")
}

/// The first half of a text behind as much of another one.
fn half(text: &str) -> String {
    let middle = text.len() / 2;
    let middle = text[..middle].rfind(' ').unwrap_or(middle);
    format!("{} {}", sentences(3, 85_000), &text[..middle])
}
