//! How fast documents are verified, warm.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use cento::index::registry::{Exclusions, Found, Request, Room, Snapshot};
use cento::{Digest, Fingerprint, Key, Measure, Recipe};

use crate::NOW;
use crate::building::id;
use crate::collection::{Collection, MEAN, fingerprint};
use crate::meter::{percentile, timed};

const QUERIES: u64 = 1000;
/// So often everything is verified; the best round is told.
const ROUNDS: usize = 5;
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
    let segments = snapshot.status().expect("a registry").segments;
    let new = (0..QUERIES).map(|number| collection.documents + BEYOND + number);
    let step = (collection.documents / QUERIES).max(1);
    let old = (0..QUERIES).map(|number| number * step % collection.documents);
    for (name, numbers) in [
        ("new ones", new.collect::<Vec<_>>()),
        ("registered ones", old.collect()),
    ] {
        let query = |number: &u64| query(&snapshot, recipe, &collection.digests_of(*number, MEAN));
        let queries: Vec<Fingerprint> = numbers.iter().map(query).collect();
        for threads in [1, 2] {
            let name = match segments {
                1 => format!("{name}, 1 segment"),
                _ => format!("{name}, {segments} segments"),
            };
            measure(&name, &snapshot, &queries, threads);
        }
    }
}

/// Queries are documents behind those that come in late.
const BEYOND: u64 = 1_000_000;

fn measure(name: &str, snapshot: &Snapshot, queries: &[Fingerprint], threads: usize) {
    let run = |queries: &[Fingerprint]| {
        let mut room = Room::default();
        let mut latencies = Vec::with_capacity(queries.len());
        for query in queries {
            let start = Instant::now();
            let found = verified(snapshot, query, &mut room);
            black_box(found);
            latencies.push(1000.0 * start.elapsed().as_secs_f64());
        }
        latencies
    };
    run(queries);
    let share = queries.len().div_ceil(threads);
    let round = || {
        timed(|| {
            std::thread::scope(|scope| {
                let shares = queries.chunks(share);
                let running: Vec<_> = shares.map(|share| scope.spawn(|| run(share))).collect();
                let done = running.into_iter();
                let latencies = done.flat_map(|thread| thread.join().expect("verified"));
                latencies.collect::<Vec<f64>>()
            })
        })
    };
    let rounds = (0..ROUNDS).map(|_| round());
    let (mut latencies, times) = rounds
        .min_by(|(_, a), (_, b)| a.wall.total_cmp(&b.wall))
        .expect("more than one round");
    let count = latencies.len() as f64;
    println!(
        "{name:<34} {threads:>8} {:>8.2} {:>8.2} {:>10.0} {:>10.0}",
        percentile(&mut latencies, 50),
        percentile(&mut latencies, 99),
        count / times.wall,
        count / times.processor
    );
}

/// What a user gets: who shares how much, and what the best hits are called.
pub(crate) fn verified(snapshot: &Snapshot, query: &Fingerprint, room: &mut Room) -> Found {
    let request = Request {
        query,
        set: None,
        measure: Measure::MaxContainment,
        at_least: 0.01,
        limit: SHOWN,
        exclusions: &Exclusions::default(),
    };
    let found = snapshot.search(&request, room).expect("a sound registry");
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
    let found = verified(snapshot, &query, &mut Room::default());
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
