//! What a guard costs beside making a fingerprint of each page, in one run on one thread.
//!
//! `cargo bench -p cento --bench guard`: a site of 5,000 generated pages and a trap of 16,000.

#![allow(clippy::print_stdout, reason = "a benchmark prints its table")]

use std::time::{Duration, Instant};

use cento::guard::{Decision, Guard, Limits, Method};
use cento::{Key, NoCollection, Recipe};

fn main() {
    let crawls = [
        ("site, 5,000 pages", site()),
        ("trap, 16,000 pages", trap()),
    ];
    println!("pages of 300 words as text; one thread, best of 5\n");
    println!(
        "{:<22} {:>24} {:>14} {:>8}",
        "", "", "pages a second", "ratio"
    );
    for (name, pages) in &crawls {
        let recipe = Recipe::default();
        let fingerprints = best(|| {
            let digests = |(_, text): &(String, String)| {
                let fingerprint = recipe.fingerprint(text.as_str(), &Key::PUBLIC, &NoCollection);
                fingerprint.digests().len()
            };
            pages.iter().map(digests).sum()
        });
        print(
            name,
            "fingerprints alone",
            fingerprints,
            pages.len(),
            fingerprints,
        );
        for (called, method) in [
            ("guard by content", Method::Content),
            ("guard by Plagiarex", Method::Plagiarex),
        ] {
            let limits = Limits {
                method,
                ..Limits::default()
            };
            let time = best(|| {
                let mut guard = Guard::new(limits.clone());
                let stopped = pages
                    .iter()
                    .filter(|(url, text)| guard.see(url, text).decision == Decision::Stop);
                stopped.count()
            });
            print("", called, time, pages.len(), fingerprints);
        }
    }
    println!("\na host takes at most {} bytes", Guard::BYTES_PER_HOST);
}

fn print(name: &str, called: &str, time: Duration, pages: usize, other: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "some thousands of pages")]
    let speed = pages as f64 / time.as_secs_f64();
    let ratio = time.as_secs_f64() / other.as_secs_f64();
    println!("{name:<22} {called:>24} {speed:>14.0} {ratio:>8.2}");
}

fn best(mut work: impl FnMut() -> usize) -> Duration {
    let times = (0..5).map(|_| {
        let started = Instant::now();
        std::hint::black_box(work());
        started.elapsed()
    });
    times.min().unwrap_or_default()
}

/// Words from a seed.
fn words(state: &mut u64, count: usize) -> String {
    const SYLLABLES: [&str; 8] = ["ka", "lo", "mi", "ren", "tu", "sa", "vel", "no"];
    let mut text = String::new();
    for at in 0..count {
        *state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        for shift in [33, 36, 39, 42] {
            text.push_str(SYLLABLES[usize::try_from(*state >> shift & 7).unwrap_or(0)]);
        }
        text.push(if at % 12 == 11 { '\n' } else { ' ' });
    }
    text
}

fn site() -> Vec<(String, String)> {
    let mut state = 1;
    let navigation = words(&mut state, 60);
    let page = |at| {
        let text = format!("{navigation}{}", words(&mut state, 240));
        (format!("http://site.example/article/{at}"), text)
    };
    (0..5_000).map(page).collect()
}

fn trap() -> Vec<(String, String)> {
    let mut state = 2;
    let body = words(&mut state, 295);
    let page = |at: usize| {
        let path = "/minutes/agenda".repeat(1 + at % 60);
        let text = format!("{body}\nModified on {} July 2004", at % 31);
        (format!("http://county.example{path}/{at}"), text)
    };
    (0..16_000).map(page).collect()
}
