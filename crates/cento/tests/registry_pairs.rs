//! The pairs of a registry are those of the documents that are there, however they got there.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use cento::index::registry::{
    Facts, Names, OnChange, PAIRS_FROM, Registry, Settings, Snapshot, Which, export, import, merge,
};
use cento::{Digest, Key, Watch};
use proptest::prelude::*;

const NOW: &str = "2026-03-01T12:00:00Z";
/// Text that more documents have than this makes no pairs.
const MOST: usize = 100;

/// A text of its own, a passage that it has in common with its neighbour, and a licence that all have.
fn text(number: u32) -> String {
    let words = |name: &str, number: u32, count: u32| {
        let word = |place| format!("{name}{number}x{place}");
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    };
    let own = words("own", number, 20 + number % 7);
    let passage = words("passage", number / 2, 5 + number % 3);
    format!("{own} {passage} {}", words("licence", 0, 15))
}

fn id(number: u32) -> String {
    format!("d{number:03}")
}

fn create(path: &Path) {
    Registry::create(path, Settings::default(), None, NOW).unwrap();
}

fn open(path: &Path) -> Registry {
    Registry::open(path, &Key::PUBLIC, "a test").unwrap()
}

fn snapshot(path: &Path) -> Snapshot {
    Snapshot::open(path, &Key::PUBLIC, NOW).unwrap()
}

fn register(path: &Path, numbers: &[u32], batch: usize) {
    let mut registry = open(path);
    for batch in numbers.chunks(batch.max(1)) {
        for number in batch {
            let facts = Facts {
                id: id(*number),
                registered: NOW.to_owned(),
                ..Facts::default()
            };
            let candidate = registry.prepare().candidate(facts, &text(*number));
            registry.add(candidate, OnChange::Version).unwrap();
        }
        registry.commit().unwrap();
    }
    registry.finish().unwrap();
}

type Pairs = BTreeMap<(String, String), u32>;

/// The pairs that a registry lists, with how many digests they share.
fn listed(path: &Path, of: Option<&str>) -> Pairs {
    let snapshot = snapshot(path);
    let pairs = snapshot.pairs(0.0, of, Watch::NOBODY).unwrap();
    let pair = |pair: &cento::index::registry::AlikePair| {
        let (a, b) = (pair.earlier.facts.id.clone(), pair.later.facts.id.clone());
        ((a.clone().min(b.clone()), a.max(b)), pair.overlap.shared)
    };
    let found: Pairs = pairs.iter().map(pair).collect();
    assert_eq!(found.len(), pairs.len(), "no pair twice");
    found
}

/// The pairs by their definition.
fn defined(numbers: &BTreeSet<u32>) -> Pairs {
    let folder = tempfile::tempdir().unwrap();
    create(folder.path());
    let snapshot = snapshot(folder.path());
    let digests = |number: &u32| {
        let fingerprint = snapshot.prepare().fingerprints(&text(*number)).remove(0);
        (*number, fingerprint.digests().to_vec())
    };
    let documents: Vec<(u32, Vec<Digest>)> = numbers.iter().map(digests).collect();
    let mut having: BTreeMap<Digest, usize> = BTreeMap::new();
    for digest in documents.iter().flat_map(|(_, digests)| digests) {
        *having.entry(*digest).or_default() += 1;
    }
    let mut pairs = Pairs::new();
    for (place, (a, left)) in documents.iter().enumerate() {
        for (b, right) in &documents[place + 1..] {
            let shared = left.iter().filter(|digest| right.contains(digest));
            let rare = shared.clone().filter(|digest| having[digest] <= MOST);
            let smaller = left.len().min(right.len()) as f64;
            if rare.count() as f64 >= PAIRS_FROM * smaller {
                let shared = u32::try_from(shared.count()).unwrap();
                pairs.insert((id(*a), id(*b)), shared);
            }
        }
    }
    pairs.retain(|_, shared| *shared > 0);
    pairs
}

#[test]
fn what_everybody_has_makes_no_pairs() {
    for (documents, pairs) in [(100, 100 * 99 / 2), (101, 50), (130, 65)] {
        let folder = tempfile::tempdir().unwrap();
        create(folder.path());
        register(folder.path(), &(0..documents).collect::<Vec<_>>(), 1000);
        let found = listed(folder.path(), None);
        assert_eq!(found.len(), pairs, "{documents}");
        assert_eq!(found, defined(&(0..documents).collect()));
        let of_one = listed(folder.path(), Some("d007"));
        let is_of_it = |(a, b): &(String, String)| a == "d007" || b == "d007";
        let expected: Pairs = found
            .into_iter()
            .filter(|(pair, _)| is_of_it(pair))
            .collect();
        assert_eq!(of_one, expected);
    }
}

/// How documents come into a registry: in which order, how many at a time, in how many registries that
/// are merged, imported or exported, and which others are there in between.
#[derive(Clone, Debug)]
struct Way {
    order: Vec<u32>,
    batch: usize,
    first: usize,
    forgotten: Vec<u32>,
    join: usize,
}

fn ways() -> impl Strategy<Value = (BTreeSet<u32>, Way)> {
    let documents = prop::sample::subsequence((0u32..112).collect::<Vec<_>>(), 96..108);
    documents.prop_flat_map(|documents| {
        let order = Just(documents.clone()).prop_shuffle();
        let forgotten = prop::collection::vec(112u32..125, 0..12);
        let way = (order, 1usize..80, 0usize..90, forgotten, 0usize..4);
        let way = way.prop_map(|(order, batch, first, forgotten, join)| Way {
            order,
            batch,
            first,
            forgotten,
            join,
        });
        (Just(documents.into_iter().collect()), way)
    })
}

/// Goes a way; gives back where the registry is.
fn go(way: &Way, folder: &Path) -> std::path::PathBuf {
    let [one, other, whole] = ["one", "other", "whole"].map(|name| folder.join(name));
    create(&one);
    register(&one, &way.forgotten, way.batch);
    let (first, rest) = way.order.split_at(way.first);
    register(&one, first, way.batch);
    if way.join == 0 {
        register(&one, rest, way.batch);
    } else {
        create(&other);
        register(&other, rest, way.batch);
    }
    let mut registry = open(&one);
    let forgotten = way.forgotten.iter().map(|number| Which::Id(id(*number)));
    registry.forget_all(&forgotten.collect::<Vec<_>>()).unwrap();
    registry.finish().unwrap();
    match way.join {
        0 => one,
        1 => {
            let mut registry = open(&one);
            let from = snapshot(&other);
            import(&mut registry, &from, OnChange::Version, Watch::NOBODY).unwrap();
            registry.finish().unwrap();
            one
        }
        join => {
            let (one, other) = (snapshot(&one), snapshot(&other));
            merge(&[&other, &one], &whole, Watch::NOBODY).unwrap();
            if join == 2 {
                return whole;
            }
            let copy = folder.join("copy");
            export(&snapshot(&whole), &copy, Names::Kept, Watch::NOBODY).unwrap();
            copy
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn any_way_to_the_same_documents_gives_the_same_pairs((documents, way) in ways()) {
        let folder = tempfile::tempdir().unwrap();
        let path = go(&way, folder.path());
        prop_assert_eq!(listed(&path, None), defined(&documents));
    }
}
