//! Sketches hold what they promise: the S-curve for what is found, and nothing that is not there.

#![allow(clippy::unwrap_used, reason = "a test that cannot unwrap has failed")]

use cento::index::{ClusterQuery, DigestStore, DocId, Fate, Index, PairQuery, Stars};
use cento::sketch::{Bands, Sketch, Sketcher, Sketches};
use cento::{Digest, Fingerprint, Recipe, SetMeasure, Watch};
use proptest::prelude::*;

fn fingerprint(digests: impl IntoIterator<Item = u64>) -> Fingerprint {
    let recipe = Recipe::named("default").unwrap().id();
    Fingerprint::from_digests(recipe, 9, digests.into_iter().map(Digest).collect())
}

fn sketches(fingerprints: &[Fingerprint], sketcher: Sketcher) -> Sketches {
    let made: Vec<Sketch> = fingerprints
        .iter()
        .map(|fingerprint| sketcher.sketch(fingerprint.digests()))
        .collect();
    Sketches::new(sketcher.bands, made)
}

/// A number that looks random.
fn number(seed: u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def0;
    for _ in 0..3 {
        state ^= state >> 32;
        state = state.wrapping_mul(0xd6e8_feb8_6659_fd93);
    }
    state ^ state >> 32
}

/// Two documents of `size` digests each, of which they have `shared` in common.
fn two(pair: u64, size: u64, shared: u64, bits: u32) -> [Fingerprint; 2] {
    let digest = |place: u64| number(pair << 32 | place) >> (64 - bits);
    [
        fingerprint((0..size).map(digest)),
        fingerprint((size - shared..2 * size - shared).map(digest)),
    ]
}

#[test]
fn values_agree_as_often_as_documents_resemble_each_other() {
    let bands = Bands { bands: 64, rows: 4 };
    for (size, shared, bits) in [
        (3000, 2000, 64),
        (3000, 2000, 32),
        (300, 30, 64),
        (30, 20, 64),
        (3, 1, 64),
    ] {
        let (mut equal, mut all) = (0.0, 0.0);
        for pair in 0..300 {
            let [left, right] = two(pair, size, shared, bits);
            let sketcher = Sketcher { bands, seed: pair };
            let left = sketcher.values(left.digests());
            let right = sketcher.values(right.digests());
            assert!(!left.contains(&u64::MAX));
            equal += left.iter().zip(&right).filter(|(a, b)| a == b).count() as f64;
            all += left.len() as f64;
        }
        let resemblance = shared as f64 / (2 * size - shared) as f64;
        let seen = equal / all;
        assert!(
            (seen - resemblance).abs() < 0.02,
            "{size}: {seen} {resemblance}"
        );
    }
}

#[test]
fn pairs_are_found_as_often_as_the_curve_says() {
    const PAIRS: u64 = 1500;
    for (size, bands, rows) in [(1200, 20, 5), (40, 20, 5), (400, 58, 4)] {
        let bands = Bands { bands, rows };
        for tenth in [2, 4, 5, 6, 8] {
            // Sets of `size` that share so many have about this many tenths of resemblance.
            let shared = 2 * size * tenth / (10 + tenth);
            let resemblance = shared as f64 / (2 * size - shared) as f64;
            let found = (0..PAIRS).filter(|&pair| {
                let fingerprints = two(pair, size, shared, 64);
                let sketches = sketches(&fingerprints, Sketcher { bands, seed: pair });
                sketches.has_candidate()[0]
            });
            let (found, chance) = (
                found.count() as f64 / PAIRS as f64,
                bands.chance(resemblance),
            );
            let allowed = 0.01 + 4.0 * (chance * (1.0 - chance) / PAIRS as f64).sqrt();
            assert!(
                (found - chance).abs() < allowed,
                "{size} {bands:?} {resemblance}: {found} {chance}"
            );
        }
    }
}

/// Documents that share digests by chance, some of them much.
fn documents() -> impl Strategy<Value = Vec<Fingerprint>> {
    let document = (0u64..6, proptest::collection::vec(0u64..40, 0..30));
    proptest::collection::vec(document, 0..25).prop_map(|documents| {
        let digests = |(family, places): (u64, Vec<u64>)| {
            fingerprint(
                places
                    .into_iter()
                    .map(move |place| number(family << 8 | place)),
            )
        };
        documents.into_iter().map(digests).collect()
    })
}

fn exact(fingerprints: &[Fingerprint], at_least: f64, old_from: u32) -> Vec<cento::index::Pair> {
    let fingerprints: Vec<&Fingerprint> = fingerprints.iter().collect();
    let query = PairQuery {
        measure: SetMeasure::Resemblance,
        at_least,
        old_from,
        max_documents: None,
        steps: PairQuery::STEPS,
    };
    Index::build(&fingerprints, Watch::NOBODY)
        .unwrap()
        .pairs(&query, Watch::NOBODY)
        .unwrap()
        .pairs
}

fn stars(fingerprints: &[Fingerprint], at_least: f64, sketcher: Option<Sketcher>) -> Vec<Fate> {
    let mut store = DigestStore::in_memory();
    for fingerprint in fingerprints {
        store.push(fingerprint).unwrap();
    }
    let order: Vec<u32> = (0..).take(fingerprints.len()).collect();
    let query = ClusterQuery {
        measure: SetMeasure::Resemblance,
        at_least,
        memory: u64::MAX,
        sketcher,
    };
    let mut stars = Stars::new(&store, &order, query, Watch::NOBODY).unwrap();
    while !stars.is_done() {
        stars.pass(Watch::NOBODY).unwrap();
    }
    stars.fates()
}

proptest! {
    #[test]
    fn what_is_found_is_true(documents in documents(), seed: u64, old_from in 0u32..30) {
        let bands = Bands { bands: 10, rows: 3 };
        let sketches = sketches(&documents, Sketcher { bands, seed });
        let digests = |document: DocId| documents[document.0 as usize].digests();
        let found = sketches.pairs(SetMeasure::Resemblance, 0.5, old_from, digests, Watch::NOBODY).unwrap();
        let exact = exact(&documents, 0.5, old_from);
        prop_assert!(found.pairs.iter().all(|pair| exact.contains(pair)));
        prop_assert!(found.pairs.is_sorted_by_key(|pair| (pair.left, pair.right)));
        prop_assert!(found.candidates >= found.pairs.len() as u64);
        // Equal documents have equal sketches.
        for pair in exact.iter().filter(|pair| pair.score >= 1.0) {
            prop_assert!(found.pairs.contains(pair));
        }
        let has = sketches.has_candidate();
        prop_assert!(found.pairs.iter().all(|pair| has[pair.left.0 as usize]));
    }

    #[test]
    fn enough_bands_find_what_is_exact(documents in documents(), seed: u64) {
        let bands = Bands { bands: 300, rows: 1 };
        let sketches = sketches(&documents, Sketcher { bands, seed });
        let digests = |document: DocId| documents[document.0 as usize].digests();
        let found = sketches.pairs(SetMeasure::Resemblance, 0.3, u32::MAX, digests, Watch::NOBODY).unwrap();
        prop_assert_eq!(found.pairs, exact(&documents, 0.3, u32::MAX));
        let sketcher = Sketcher { bands, seed };
        prop_assert_eq!(stars(&documents, 0.3, Some(sketcher)), stars(&documents, 0.3, None));
    }

    #[test]
    fn threads_and_order_have_no_say(documents in documents(), seed: u64) {
        let sketcher = Sketcher { bands: Bands { bands: 12, rows: 2 }, seed };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let sketches = sketches(&documents, sketcher);
                let digests = |document: DocId| documents[document.0 as usize].digests();
                let stars = stars(&documents, 0.5, Some(sketcher));
                (sketches.pairs(SetMeasure::Resemblance, 0.5, u32::MAX, digests, Watch::NOBODY).unwrap(), stars)
            })
        };
        prop_assert_eq!(on(1), on(3));
        for document in &documents {
            let mut digests = document.digests().to_vec();
            let sketch = sketcher.sketch(&digests);
            digests.reverse();
            prop_assert_eq!(sketch, sketcher.sketch(&digests));
        }
    }
}
