//! What a registry finds beside what comparing everything with everything finds, for queries that
//! are short and long beside it, and fingerprints that were made elsewhere.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use cento::index::registry::{
    Facts, Findings, OnChange, Rarity, Registry, Request, Retention, Scratch, Settings, Snapshot,
    Which,
};
use cento::{Digest, Fingerprint, Key, Measure, Recipe};
use tempfile::TempDir;

const NOW: &str = "2026-03-01T12:00:00Z";
const DOCUMENTS: u64 = 900;
/// The kept bits of a digest are its upper ones.
const SHIFT: u32 = 20;

fn recipe() -> Recipe {
    Recipe::named("words | window:3 | fast:64 | all").unwrap()
}

/// Documents with digests of their own, some that few have, and some that many have; a few have a
/// long text in common, and many several hundred phrases.
fn digests(document: u64) -> BTreeSet<u64> {
    let own = (0..20).map(|place| 1_000_000 + document * 100 + place);
    let few = (0..10).map(|place| 500_000 + (document / 3) * 10 + place);
    let some = (0..5).map(|place| 200_000 + (document % 20) * 10 + place);
    let long = (0..700).filter(|_| document % 50 == 7);
    let long = long.map(|place| 300_000 + place);
    let common = (0..document % 7 * 50).map(|place| 100_000 + place);
    let shared = few.chain(some).chain(long).chain(common);
    own.chain(shared).collect()
}

fn fingerprint(digests: &BTreeSet<u64>) -> Fingerprint {
    let digests = digests.iter().map(|digest| Digest(digest << SHIFT));
    Fingerprint::from_digests(recipe().id(), 100, digests.collect())
}

struct Case {
    _folder: TempDir,
    path: PathBuf,
}

/// A registry of all documents, in several segments.
fn registry() -> Case {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("registry");
    let settings = Settings {
        recipe: recipe(),
        retention: Retention::Digests,
        kept_bits: 44,
        pairs: false,
        stretches: cento::index::registry::KeptStretches::None,
        style: None,
    };
    Registry::create(&path, settings, None, NOW).unwrap();
    let mut registry = Registry::open(&path, &Key::PUBLIC, "a test").unwrap();
    for document in 0..DOCUMENTS {
        let facts = Facts {
            id: document.to_string(),
            registered: NOW.to_owned(),
            ..Facts::default()
        };
        let fingerprint = [fingerprint(&digests(document))];
        let content = document.to_le_bytes();
        let candidate = registry
            .prepare()
            .candidate_of(facts, &fingerprint, 100, &content)
            .unwrap();
        registry.add(candidate, OnChange::Refuse).unwrap();
        if document % 350 == 0 {
            registry.commit().unwrap();
        }
    }
    registry.commit().unwrap();
    Case {
        _folder: folder,
        path,
    }
}

/// What each document shares with a query, by how rare it is, without one document.
fn expected(query: &BTreeSet<u64>, without: Option<u64>) -> BTreeMap<u32, [u32; 3]> {
    let mut having: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for document in (0..DOCUMENTS).filter(|document| Some(*document) != without) {
        for digest in digests(document).intersection(query) {
            let number = u32::try_from(document + 1).unwrap();
            having.entry(*digest).or_default().push(number);
        }
    }
    let mut shared: BTreeMap<u32, [u32; 3]> = BTreeMap::new();
    for numbers in having.values() {
        let class = usize::from(numbers.len() > 3) + usize::from(numbers.len() > 100);
        for number in numbers {
            shared.entry(*number).or_default()[class] += 1;
        }
    }
    shared
}

fn search(
    snapshot: &Snapshot,
    query: &BTreeSet<u64>,
    at_least: f64,
    without: Option<u64>,
    scratch: &mut Scratch,
) -> Findings {
    let query = snapshot.prepare().query_of(&fingerprint(query)).unwrap();
    let which = without.map(|document| Which::Id(document.to_string()));
    let request = Request {
        query: &query,
        set: None,
        measure: Measure::MaxContainment,
        at_least,
        limit: usize::MAX,
        exclusions: &snapshot.exclusions(which.as_slice()).unwrap(),
        base: &[],
    };
    snapshot.search(&request, scratch).unwrap()
}

#[test]
fn what_is_found_equals_comparing_everything() {
    let case = registry();
    let snapshot = Snapshot::open(&case.path, &Key::PUBLIC, NOW).unwrap();
    let short: BTreeSet<u64> = digests(77).into_iter().skip(20).take(3).collect();
    let foreign: BTreeSet<u64> = (0..10).collect();
    let of_long: BTreeSet<u64> = (300_000..300_256).collect();
    let of_common: BTreeSet<u64> = (100_000..100_256).collect();
    let long: BTreeSet<u64> = (0..500)
        .flat_map(digests)
        .chain(3_000_000..3_070_000)
        .collect();
    // The scratch is used for all of them, one after the other.
    let mut scratch = Scratch::default();
    for query in [
        digests(500),
        digests(507),
        of_long,
        of_common,
        short,
        long,
        foreign,
        digests(3),
        BTreeSet::new(),
    ] {
        for without in [None, Some(500)] {
            let all = expected(&query, without);
            for at_least in [0.0, 0.05, 0.3, 1.0] {
                let found = search(&snapshot, &query, at_least, without, &mut scratch);
                let listed: BTreeMap<u32, [u32; 3]> = found
                    .alike
                    .iter()
                    .map(|alike| {
                        let Rarity { rare, some, common } = alike.rarity;
                        assert_eq!(alike.overlap.shared, rare + some + common);
                        (alike.number, [rare, some, common])
                    })
                    .collect();
                let is_listed = |number: u32, shared: [u32; 3]| {
                    let size = digests(u64::from(number) - 1).len().min(query.len());
                    f64::from(shared.iter().sum::<u32>()) / size as f64 >= at_least
                };
                let mut wanted = all.clone();
                wanted.retain(|number, shared| is_listed(*number, *shared));
                assert_eq!(listed, wanted);
                assert_eq!(found.at_least, wanted.len() as u64);
                assert_eq!(found.below, (all.len() - wanted.len()) as u64);
            }
        }
    }
}

#[test]
fn fingerprints_of_another_recipe_are_refused() {
    let case = registry();
    let snapshot = Snapshot::open(&case.path, &Key::PUBLIC, NOW).unwrap();
    let other = Recipe::named("words | window:4 | fast:64 | all").unwrap();
    let foreign = Fingerprint::from_digests(other.id(), 1, vec![Digest(1)]);
    assert!(snapshot.prepare().query_of(&foreign).is_err());
    let candidate = snapshot
        .prepare()
        .candidate_of(Facts::default(), &[foreign], 1, b"");
    assert!(candidate.is_err());
}
