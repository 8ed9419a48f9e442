//! How fast documents are verified, warm.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use cento::index::registry::{Exclusions, Findings, Request, Scratch, Snapshot};
use cento::{Digest, Fingerprint, Key, Measure, Recipe};

use crate::NOW;
use crate::building::id;
use crate::collection::{Collection, MEAN, fingerprint};
use crate::meter::{Times, percentile, timed};

const QUERIES: u64 = 1000;
/// So often everything is verified, each kind in its turn; the best round of each is told. On a
/// machine that others use too, some rounds say more about them.
const ROUNDS: usize = 20;
/// How many of the best hits are looked up in the catalogue.
const SHOWN: usize = 10;

pub(crate) fn header() {
    println!(
        "{:<34} {:>8} {:>8} {:>8} {:>10} {:>10}",
        "verify, 2,400 digests a document", "threads", "p50 ms", "p99 ms", "a second", "a CPU s"
    );
}

/// New documents and registered ones, on one thread and on two.
pub(crate) fn rows(collection: &Collection, recipe: &Recipe, path: &Path) {
    let snapshot = Snapshot::open(path, &Key::PUBLIC, NOW).expect("a registry");
    // As a server does.
    snapshot.hold(true);
    let segments = match snapshot.status().expect("a registry").segments {
        1 => "1 segment".to_owned(),
        segments => format!("{segments} segments"),
    };
    let new = (0..QUERIES).map(|number| collection.documents + BEYOND + number);
    let step = (collection.documents / QUERIES).max(1);
    let old = (0..QUERIES).map(|number| number * step % collection.documents);
    let query = |number: u64| query(&snapshot, recipe, &collection.digests_of(number, MEAN));
    let kinds: [(&str, Vec<Fingerprint>); 2] = [
        ("new ones", new.map(query).collect()),
        ("registered ones", old.map(query).collect()),
    ];
    let mut rows = Vec::new();
    for (name, queries) in &kinds {
        verify(&snapshot, queries);
        rows.extend([1, 2].map(|threads| (name, queries, threads, None::<Round>)));
    }
    for _ in 0..ROUNDS {
        for (_, queries, threads, best) in &mut rows {
            let round = round(&snapshot, queries, *threads);
            if best
                .as_ref()
                .is_none_or(|best| round.times.wall < best.times.wall)
            {
                *best = Some(round);
            }
        }
    }
    for (name, queries, threads, best) in rows {
        let Round {
            mut latencies,
            times,
        } = best.expect("more than one round");
        let count = queries.len() as f64;
        println!(
            "{:<34} {threads:>8} {:>8.2} {:>8.2} {:>10.0} {:>10.0}",
            format!("{name}, {segments}"),
            percentile(&mut latencies, 50),
            percentile(&mut latencies, 99),
            count / times.wall,
            count / times.processor
        );
    }
}

/// Queries are documents behind those that come in late.
const BEYOND: u64 = 1_000_000;

/// What it took to verify all queries once.
struct Round {
    /// How long each took, in milliseconds.
    latencies: Vec<f64>,
    times: Times,
}

fn round(snapshot: &Snapshot, queries: &[Fingerprint], threads: usize) -> Round {
    let shares = queries.chunks(queries.len().div_ceil(threads));
    let (latencies, times) = timed(|| {
        std::thread::scope(|scope| {
            let running: Vec<_> = shares
                .map(|share| scope.spawn(|| verify(snapshot, share)))
                .collect();
            let done = running.into_iter();
            let latencies = done.flat_map(|thread| thread.join().expect("verified"));
            latencies.collect()
        })
    });
    Round { latencies, times }
}

fn verify(snapshot: &Snapshot, queries: &[Fingerprint]) -> Vec<f64> {
    let mut scratch = Scratch::default();
    let mut latencies = Vec::with_capacity(queries.len());
    for query in queries {
        let start = Instant::now();
        black_box(verified(snapshot, query, &mut scratch));
        latencies.push(1000.0 * start.elapsed().as_secs_f64());
    }
    latencies
}

/// What a user gets: who shares how much, and what the best hits are called.
pub(crate) fn verified(
    snapshot: &Snapshot,
    query: &Fingerprint,
    scratch: &mut Scratch,
) -> Findings {
    let request = Request {
        query,
        set: None,
        measure: Measure::MaxContainment,
        at_least: 0.01,
        limit: SHOWN,
        exclusions: &Exclusions::default(),
        base: &[],
    };
    let found = snapshot
        .search(&request, scratch)
        .expect("a sound registry");
    for alike in &found.alike {
        black_box(snapshot.entry(alike.number).expect("a sound registry"));
    }
    found
}

/// Whether a document is its own best hit.
pub(crate) fn found_itself(
    snapshot: &Snapshot,
    recipe: &Recipe,
    number: u64,
    digests: &[Digest],
) -> bool {
    let query = query(snapshot, recipe, digests);
    let found = verified(snapshot, &query, &mut Scratch::default());
    let is_it = |alike: &cento::index::registry::Alike| {
        let entry = snapshot.entry(alike.number).expect("a sound registry");
        entry.is_some_and(|entry| entry.facts.id == id(number))
    };
    found
        .alike
        .iter()
        .any(|alike| alike.score >= 1.0 && is_it(alike))
}

/// The fingerprint of digests as the registry remembers it.
pub(crate) fn query(snapshot: &Snapshot, recipe: &Recipe, digests: &[Digest]) -> Fingerprint {
    let query = snapshot.prepare().query_of(&fingerprint(recipe, digests));
    query.expect("the registry's own recipe")
}
