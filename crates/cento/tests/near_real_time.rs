//! Near real time, as Masaryk's paper wants it (section 4): users wait a few minutes at most, and the
//! archive goes on answering. With `CENTO_LONG` the archive has 20 million postings, otherwise a tenth;
//! `cargo bench -p cento --bench registry -- --full --arrivals` has the paper's 600 million.

#![cfg(feature = "registry")]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]
#![allow(clippy::print_stdout, reason = "it says how long everything took")]

mod arrivals;

use std::time::{Duration, Instant};

use cento::index::registry::{Facts, KeptStretches, OnChange, Registry, Settings};
use cento::{Digest, Fingerprint, Key, Recipe};

const NOW: &str = "2026-03-01T12:00:00Z";
/// How many chunks a document of the archive has.
const CHUNKS: u64 = 2400;
/// The shortest time between two runs of the paper's system.
const LONGEST: Duration = Duration::from_mins(1);

#[test]
fn documents_that_arrive_are_registered_and_found_while_others_verify() {
    let is_long = std::env::var_os("CENTO_LONG").is_some();
    let (postings, documents) = if is_long {
        (20_000_000, 50)
    } else {
        (2_000_000, 10)
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    let started = Instant::now();
    fill(&path, postings);
    let filled = started.elapsed();
    let waiting = arrivals::arrive(&path, documents, 2);
    let worst = waiting.arrivals.iter().max().unwrap();
    println!(
        "{postings} postings, made in {:.1} s; {} documents arrived, each registered, found and \
         compared both ways in at most {:.2} s; {} verified meanwhile, each in at most {:.2} s",
        filled.as_secs_f64(),
        waiting.arrivals.len(),
        worst.as_secs_f64(),
        waiting.verified,
        waiting.longest.as_secs_f64()
    );
    assert!(*worst < LONGEST, "an arrival took {worst:?}");
    assert!(
        waiting.longest < LONGEST,
        "a verification took {:?}",
        waiting.longest
    );
    assert!(waiting.verified > 0);
}

/// Makes an archive of so many postings: documents of chunks that no other has.
fn fill(path: &std::path::Path, postings: u64) {
    let recipe = Recipe::named("masaryk").unwrap();
    let settings = Settings {
        recipe: recipe.clone(),
        stretches: KeptStretches::None,
        ..Settings::default()
    };
    Registry::create(path, settings, None, NOW).unwrap();
    let mut registry = Registry::open(path, &Key::PUBLIC, "the archive").unwrap();
    for document in 0..postings / CHUNKS {
        let digest = |chunk| {
            let number: u64 = document * CHUNKS + chunk + 1;
            Digest(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
        };
        let digests = (0..CHUNKS).map(digest).collect();
        let tokens = u32::try_from(CHUNKS + 4).unwrap();
        let fingerprint = [Fingerprint::from_digests(recipe.id(), tokens, digests)];
        let facts = Facts {
            id: format!("{document:08}"),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let content = document.to_le_bytes();
        let prepare = registry.prepare();
        let candidate = prepare.candidate_of(facts, &fingerprint, CHUNKS + 4, &content);
        registry.add(candidate.unwrap(), OnChange::Refuse).unwrap();
        if registry.pending_postings() > postings / 4 {
            registry.commit().unwrap();
        }
    }
    registry.finish().unwrap();
}
