//! Throughput of the fused path against a bare scalar loop, in one run on one machine.
//!
//! `cargo bench -p cento --bench throughput`. The text is made by a seeded generator, so that anyone
//! can repeat it; with `-- FILE` it is the file's.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use cento::{Key, NoCollection, Recipe};

fn main() {
    let file = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let text = match &file {
        Some(path) => std::fs::read_to_string(path).expect("the file is readable UTF-8"),
        None => english(24 << 20),
    };
    let documents: Vec<&str> = split(&text, 40 << 10);
    let megabytes = text.len() as f64 / 1e6;
    println!(
        "{megabytes:.1} MB of {} in {} documents, one thread, best of 7\n",
        file.as_deref().unwrap_or("generated English-like text"),
        documents.len()
    );
    let recipe = Recipe::named("default").expect("a preset");
    let scalar = best(|| {
        documents
            .iter()
            .fold(0, |sum, text| sum ^ scalar_loop(text.as_bytes()))
    });
    let rate = |time: Duration| megabytes / time.as_secs_f64();
    println!("{:<46} {:>8} {:>8}", "", "MB/s", "ratio");
    let print = |name: &str, time: Duration| {
        let ratio = scalar.as_secs_f64() / time.as_secs_f64();
        println!("{name:<46} {:>8.0} {ratio:>8.2}", rate(time));
    };
    print("scalar loop, nothing kept", scalar);
    let in_order = best(|| {
        let count = |text: &&str| {
            recipe
                .fused_digests(text, &Key::PUBLIC)
                .map_or(0, |d| d.len())
        };
        documents.iter().map(count).sum::<usize>() as u64
    });
    print("default, digests in document order", in_order);
    let sorted = best(|| {
        let count = |text: &&str| {
            recipe
                .fingerprint(*text, &Key::PUBLIC, &NoCollection)
                .digests()
                .len() as u64
        };
        documents.iter().map(count).sum()
    });
    print("default, sorted and deduplicated", sorted);
    for name in [
        "winnow",
        "shingle",
        "sift-window",
        "hz-full",
        "masaryk",
        "ov",
    ] {
        let recipe = Recipe::named(name).expect("a preset");
        let time = best(|| {
            let count = |text: &&str| {
                recipe
                    .fingerprint(*text, &Key::PUBLIC, &NoCollection)
                    .digests()
                    .len() as u64
            };
            documents.iter().map(count).sum()
        });
        print(&format!("{name}, fused"), time);
    }
}

/// The bare loop that the issue of speed is measured by: fold case, split words, hash them, roll a
/// five-word sum, keep nothing.
fn scalar_loop(text: &[u8]) -> u64 {
    let mut ring = [0u64; 5];
    let mut words = 0;
    let mut sum = 0u64;
    let mut hash = 0u64;
    let mut inside = false;
    let mut seen = 0;
    let mut finish = |hash: u64| {
        sum = sum.wrapping_add(hash).wrapping_sub(ring[words % 5]);
        ring[words % 5] = hash;
        words += 1;
        seen ^= sum.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    };
    for &byte in text {
        if byte.is_ascii_alphanumeric() {
            hash = (hash ^ u64::from(byte | 0x20)).wrapping_mul(0x0000_0100_0000_01b3);
            inside = true;
        } else if inside {
            finish(hash);
            hash = 0xcbf2_9ce4_8422_2325;
            inside = false;
        }
    }
    if inside {
        finish(hash);
    }
    seen
}

fn best(mut run: impl FnMut() -> u64) -> Duration {
    let time = |_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed()
    };
    (0..7).map(time).min().expect("seven runs")
}

/// Cuts a text into documents of about `size` bytes at spaces.
fn split(text: &str, size: usize) -> Vec<&str> {
    let mut documents = Vec::new();
    let mut rest = text;
    while rest.len() > size {
        let middle = rest.ceil_char_boundary(size);
        let at = rest[middle..]
            .find(' ')
            .map_or(rest.len(), |at| middle + at);
        documents.push(&rest[..at]);
        rest = &rest[at..];
    }
    documents.push(rest);
    documents
}

/// Words with the lengths and the skew of English, in sentences.
fn english(size: usize) -> String {
    let mut state = 0x5eed_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    // Word lengths of running English, in percent.
    let lengths = [3, 18, 21, 16, 11, 8, 8, 5, 4, 3, 1, 1, 1];
    let vocabulary: Vec<String> = (0..20_000)
        .map(|_| {
            let mut point = random() % 100;
            let mut length = 1;
            for (index, percent) in lengths.iter().enumerate() {
                length = index + 1;
                if point < *percent {
                    break;
                }
                point -= percent;
            }
            let letter = |_| char::from(b'a' + u8::try_from(random() % 26).expect("a letter"));
            (0..length).map(letter).collect()
        })
        .collect();
    let mut text = String::with_capacity(size + 64);
    let mut sentence = 0;
    while text.len() < size {
        // The product of two uniform numbers favours the front of the vocabulary, as Zipf's law does.
        let rank = (random() % 20_000) * (random() % 20_000) / 20_000;
        let word = &vocabulary[usize::try_from(rank).expect("small")];
        if sentence == 0 {
            text.push_str(&word[..1].to_ascii_uppercase());
            text.push_str(&word[1..]);
        } else {
            text.push_str(word);
        }
        sentence += 1;
        if sentence > 8 && random() % 12 == 0 {
            text.push_str(if random() % 4 == 0 { ".\n" } else { ". " });
            sentence = 0;
        } else {
            text.push_str(if random() % 14 == 0 { ", " } else { " " });
        }
    }
    text
}
