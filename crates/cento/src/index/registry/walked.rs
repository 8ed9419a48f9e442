//! Searching with rows of bits finds what walking every list finds, whatever was removed, excluded
//! or is standard text.

use std::sync::Arc;

use proptest::prelude::*;

use super::broad::Rows;
use super::catalog::SegmentRow;
use super::catalog::ignored::IgnoredRow;
use super::ignore::IgnoreList;
use super::postings::{Piece, Postings, Slice};
use super::search::{Exclusions, Request};
use super::tally::Scratch;
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::index::segment::{Schema, Segment, build};
use crate::measure::Measure;
use crate::recipe::Recipe;
use crate::watch::Watch;

/// What a registry may look like.
#[derive(Clone, Debug)]
struct Shape {
    /// How many documents each segment has.
    segments: Vec<u32>,
    /// One document in so many is removed; none if 0.
    removed_every: u32,
    /// How many of the most common digests are standard text of one set.
    standard: u64,
    excluded: Vec<u32>,
    query: u64,
    at_least: f64,
    measure: Measure,
}

fn shapes() -> impl Strategy<Value = Shape> {
    (
        prop::collection::vec(0u32..500, 1..4),
        0u32..6,
        0u64..4,
        prop::collection::vec(0u32..900, 0..20),
        0u64..2000,
        prop::sample::select(vec![0.0, 0.01, 0.1, 0.5, 1.0]),
        prop::sample::select(vec![
            Measure::MaxContainment,
            Measure::Containment,
            Measure::Resemblance,
            Measure::Symmetric,
        ]),
    )
        .prop_map(
            |(segments, removed_every, standard, mut excluded, query, at_least, measure)| {
                excluded.sort_unstable();
                excluded.dedup();
                Shape {
                    segments,
                    removed_every,
                    standard,
                    excluded,
                    query,
                    at_least,
                    measure,
                }
            },
        )
}

/// A document of digests that many have, that some have, and that nobody else has.
fn digests(document: u64) -> Vec<Digest> {
    let mixed = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let common = (0..12).filter(|phrase| mixed(document * 31 + phrase) >> 60 > *phrase);
    let some = (0..5).map(|place| 1000 + (document % 40) * 10 + place);
    let own = (0..document % 50).map(|place| 1_000_000 + document * 100 + place);
    let mut digests: Vec<Digest> = common
        .chain(some)
        .chain(own)
        .map(mixed)
        .map(Digest)
        .collect();
    digests.sort_unstable();
    digests
}

fn set_of(document: u32) -> Option<&'static str> {
    document.is_multiple_of(3).then_some("a set")
}

fn check(shape: &Shape) {
    let recipe = Recipe::named("words | window:3 | fast:64 | all").unwrap();
    let schema = Schema::new(&recipe, 64).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let fingerprint = |document| Fingerprint::from_digests(recipe.id(), 9, digests(document));
    let mut pieces = Vec::new();
    let mut next = 0;
    for (number, &documents) in (0..).zip(&shape.segments) {
        let path = folder.path().join(number.to_string());
        let numbers: Vec<u32> = (next..next + documents).collect();
        let fingerprints = numbers.iter().map(|number| fingerprint(u64::from(*number)));
        let fingerprints: Vec<Fingerprint> = fingerprints.collect();
        let summary = build(
            &path,
            &schema,
            &fingerprints.iter().collect::<Vec<_>>(),
            Watch::NOBODY,
        )
        .unwrap();
        pieces.push(Piece {
            stretches: Vec::new(),
            vectors: None,
            row: SegmentRow {
                stretches: None,
                vectors: None,
                number,
                documents: numbers,
                postings: summary.postings,
                bytes: summary.bytes,
            },
            digests: vec![Slice::whole(Arc::new(Segment::open(&path).unwrap()))],
        });
        next += documents;
    }
    let standard = (0..shape.standard).map(|phrase| IgnoredRow {
        name: "a form".to_owned(),
        set: "a set".to_owned(),
        digest: Digest((phrase + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    });
    let ignored = IgnoreList::of(&standard.collect::<Vec<_>>());
    let is_live = |number: &u32| number.checked_rem(shape.removed_every) != Some(0);
    let live: Vec<(u32, u32)> = (0..next)
        .filter(is_live)
        .map(|number| {
            let digests = digests(u64::from(number));
            (number, ignored.count(set_of(number), &digests))
        })
        .collect();
    let members: Vec<Vec<u32>> = ignored
        .sets()
        .keys()
        .map(|_| (0..next).filter(|n| set_of(*n).is_some()).collect())
        .collect();
    let with_rows = Postings::new(&pieces, &live, ignored.clone(), &members);
    let mut walking = Postings::new(&pieces, &live, ignored, &members);
    walking.rows = Rows::within(0);
    let query = fingerprint(shape.query);
    let request = Request {
        base: &[],
        query: &query,
        set: None,
        measure: shape.measure,
        at_least: shape.at_least,
        limit: usize::MAX,
        exclusions: &Exclusions {
            numbers: shape.excluded.clone(),
        },
    };
    let mut scratch = Scratch::default();
    let found = with_rows.search(&request, &mut scratch).unwrap();
    let again = with_rows.search(&request, &mut scratch).unwrap();
    let walked = walking.search(&request, &mut scratch).unwrap();
    assert_eq!(found, walked);
    assert_eq!(again, walked);
    let numbers: Vec<u32> = found.alike.iter().map(|alike| alike.number).collect();
    assert_eq!(
        with_rows.shared_digests(&request, &numbers).unwrap(),
        walking.shared_digests(&request, &numbers).unwrap()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn rows_find_what_walking_finds(shape in shapes()) {
        check(&shape);
    }
}
