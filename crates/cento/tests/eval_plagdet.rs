//! Plagdet by its definition, character by character, and what follows from it.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

use std::collections::BTreeSet;

use cento::eval::plagdet::{Case, CharRange, Pair, Score};
use proptest::prelude::*;

/// The two documents of a pair and the places in them.
type Characters = BTreeSet<(usize, u32)>;

fn characters(case: &Case) -> [Characters; 2] {
    let of =
        |side: usize, range: CharRange| (range.start..range.end).map(|at| (side, at)).collect();
    [of(0, case.suspicious), of(1, case.source)]
}

/// s ⊓ r: the characters that a case and a detection have in common, if the one detects the other.
fn meet(one: &Case, other: &Case) -> Characters {
    let [one, other] = [characters(one), characters(other)];
    let common = |side: usize| &one[side] & &other[side];
    if common(0).is_empty() || common(1).is_empty() {
        return Characters::new();
    }
    &common(0) | &common(1)
}

/// The average over `of` of the share that the union of the meets with `by` has.
fn macro_average(pairs: &[(Vec<Case>, Vec<Case>)]) -> f64 {
    let mut sum = 0.0;
    let mut count = 0.0;
    for (of, by) in pairs {
        for one in of {
            let covered: Characters = by.iter().flat_map(|other| meet(one, other)).collect();
            let all: Characters = characters(one).into_iter().flatten().collect();
            sum += covered.len() as f64 / all.len() as f64;
            count += 1.0;
        }
    }
    if count == 0.0 { 0.0 } else { sum / count }
}

fn by_definition(pairs: &[Pair]) -> [f64; 4] {
    let swapped = |pair: &Pair| (pair.detections.clone(), pair.cases.clone());
    let straight = |pair: &Pair| (pair.cases.clone(), pair.detections.clone());
    let precision = macro_average(&pairs.iter().map(swapped).collect::<Vec<_>>());
    let recall = macro_average(&pairs.iter().map(straight).collect::<Vec<_>>());
    let detecting = |pair: &Pair, case: &Case| {
        let detections = pair.detections.iter();
        detections
            .filter(|other| !meet(case, other).is_empty())
            .count()
    };
    let counts: Vec<usize> = pairs
        .iter()
        .flat_map(|pair| pair.cases.iter().map(move |case| detecting(pair, case)))
        .filter(|&count| count > 0)
        .collect();
    let granularity = if counts.is_empty() {
        1.0
    } else {
        counts.iter().sum::<usize>() as f64 / counts.len() as f64
    };
    let mean = if precision + recall == 0.0 {
        0.0
    } else {
        2.0 * precision * recall / (precision + recall)
    };
    [
        precision,
        recall,
        granularity,
        mean / (1.0 + granularity).log2(),
    ]
}

fn numbers(score: &Score) -> [f64; 4] {
    [
        score.precision,
        score.recall,
        score.granularity,
        score.plagdet,
    ]
}

fn close(found: [f64; 4], expected: [f64; 4]) -> bool {
    found
        .iter()
        .zip(expected)
        .all(|(a, b)| (a - b).abs() < 1e-9)
}

fn range() -> impl Strategy<Value = CharRange> {
    (0u32..60, 1u32..25).prop_map(|(start, len)| (start..start + len).into())
}

fn cases(most: usize) -> impl Strategy<Value = Vec<Case>> {
    let case = (range(), range()).prop_map(|(suspicious, source)| Case { suspicious, source });
    prop::collection::vec(case, 0..most)
}

fn pairs() -> impl Strategy<Value = Vec<Pair>> {
    let pair = (cases(4), cases(6)).prop_map(|(cases, detections)| Pair { cases, detections });
    prop::collection::vec(pair, 1..4)
}

proptest! {
    #[test]
    fn equals_the_definition(pairs in pairs()) {
        match Score::of(&pairs) {
            None => prop_assert!(pairs.iter().all(|pair| pair.cases.is_empty())),
            Some(score) => {
                let expected = by_definition(&pairs);
                prop_assert!(close(numbers(&score), expected), "{score:?}, not {expected:?}");
            }
        }
    }

    #[test]
    fn stays_within_its_bounds(pairs in pairs()) {
        if let Some(score) = Score::of(&pairs) {
            prop_assert!((0.0..=1.0).contains(&score.precision));
            prop_assert!((0.0..=1.0).contains(&score.recall));
            prop_assert!(score.granularity >= 1.0);
            prop_assert!((0.0..=1.0).contains(&score.plagdet));
            // A mean of two equal numbers may differ from them in its last bit.
            let best = score.precision.max(score.recall) + 1e-12;
            prop_assert!(score.plagdet <= best);
        }
    }

    #[test]
    fn detecting_the_cases_themselves_is_perfect(cases in cases(6)) {
        // Cases that overlap detect each other; apart, each detects itself alone.
        let apart = |(n, case): (u32, Case)| {
            let moved = |range: CharRange| (range.start + 100 * n..range.end + 100 * n).into();
            Case { suspicious: moved(case.suspicious), source: moved(case.source) }
        };
        let cases: Vec<Case> = (0..).zip(cases).map(apart).collect();
        let pair = Pair { cases: cases.clone(), detections: cases };
        if let Some(score) = Score::of([&pair]) {
            prop_assert!(close(numbers(&score), [1.0; 4]), "{score:?}");
        }
    }

    #[test]
    fn in_pieces_everything_is_found_but_plagdet_falls(case in cases(2), at in 1u32..25) {
        let Some(case) = case.first().filter(|case| {
            case.suspicious.len().min(case.source.len()) > u64::from(at)
        }) else {
            return Ok(());
        };
        let cut = |range: CharRange| {
            let middle = range.start + at;
            [(range.start..middle).into(), (middle..range.end).into()]
        };
        let (suspicious, source) = (cut(case.suspicious), cut(case.source));
        let piece = |n: usize| Case { suspicious: suspicious[n], source: source[n] };
        let pair = Pair { cases: vec![case.clone()], detections: vec![piece(0), piece(1)] };
        let score = Score::of([&pair]).unwrap();
        prop_assert!(close(numbers(&score), [1.0, 1.0, 2.0, 1.0 / 3f64.log2()]), "{score:?}");
    }
}
