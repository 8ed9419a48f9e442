//! Fragments and runs → passages: neighbours joined, slight ones dropped.

use std::ops::Range;

use super::fragments::Fragment;
use super::runs::Run;
use super::units::Texts;
use super::{Settings, shared};
use crate::number::index32;

/// Words that correspond, before anybody asked how.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) left: Range<u32>,
    pub(super) right: Range<u32>,
    /// How alike the least alike part is; 1 for a run.
    alike: f64,
    /// It is a long run or has one.
    solid: bool,
}

/// The pieces that become passages, by place.
pub(super) fn pieces(
    texts: &Texts<'_>,
    runs: &[Run],
    fragments: Vec<Fragment>,
    settings: &Settings,
) -> Vec<Piece> {
    let is_long = |run: &&Run| run.is_long(settings);
    let mut pieces: Vec<Piece> = runs.iter().filter(is_long).map(Piece::of_run).collect();
    pieces.extend(fragments.into_iter().map(|fragment| Piece {
        left: texts.left.words(&fragment.left),
        right: texts.right.words(&fragment.right),
        alike: fragment.cosine,
        solid: false,
    }));
    let mut pieces = join(sorted(pieces), settings);
    let least = if runs.iter().any(|run| run.is_long(settings)) {
        settings.evidence_beside_run
    } else {
        settings.evidence
    };
    pieces.retain(|piece| piece.solid || evidence(texts, &piece.left, &piece.right) >= least);
    let mut covered = vec![false; texts.left.length()];
    for piece in &pieces {
        covered[piece.left.start as usize..piece.left.end as usize].fill(true);
    }
    let alone = |run: &&Run| {
        run.reaches(settings.lone_run, settings)
            && !covered[run.left.start as usize..run.left.end as usize].contains(&true)
    };
    pieces.extend(runs.iter().filter(alone).map(Piece::of_run));
    sorted(pieces)
}

impl Piece {
    fn of_run(run: &Run) -> Piece {
        Piece {
            left: run.left.clone(),
            right: run.right.clone(),
            alike: 1.0,
            solid: true,
        }
    }
}

fn sorted(mut pieces: Vec<Piece>) -> Vec<Piece> {
    pieces.sort_by_key(|p| (p.left.start, p.left.end, p.right.start, p.right.end));
    pieces
}

/// Makes one of neighbours that follow each other on both sides: long runs, and what is around
/// them.
fn join(pieces: Vec<Piece>, settings: &Settings) -> Vec<Piece> {
    let mut joined: Vec<Piece> = Vec::new();
    for next in pieces {
        if let Some(last) = joined.last_mut()
            && (last.solid || next.solid)
            && last.alike.min(next.alike) >= settings.join_cosine
            && adjoin(last, &next, settings.join_gap)
        {
            last.left.end = last.left.end.max(next.left.end);
            last.right.start = last.right.start.min(next.right.start);
            last.right.end = last.right.end.max(next.right.end);
            last.alike = last.alike.min(next.alike);
            last.solid = true;
        } else {
            joined.push(next);
        }
    }
    joined
}

/// Whether the second piece goes on where the first ends, on both sides, or overlaps it on both.
fn adjoin(first: &Piece, second: &Piece, gap: u32) -> bool {
    let goes_on = |first: &Range<u32>, second: &Range<u32>| {
        second.start <= first.end + gap && first.end <= second.start + gap
    };
    let sides = [(&first.left, &second.left), (&first.right, &second.right)];
    sides.iter().all(|(a, b)| goes_on(a, b)) || sides.iter().all(|(a, b)| shared(a, b) > 0)
}

/// How much two sides have in common: the weight of their common terms, in terms that occur once
/// on either side.
pub(super) fn evidence(texts: &Texts<'_>, left: &Range<u32>, right: &Range<u32>) -> f64 {
    let distinct = |mut terms: Vec<u32>| {
        terms.dedup();
        terms
    };
    let left = distinct(texts.left.sorted_terms(left));
    let right = distinct(texts.right.sorted_terms(right));
    let common = left.iter().filter(|term| right.binary_search(term).is_ok());
    let weight: f64 = common
        .map(|&term| f64::from(texts.weights[term as usize]))
        .sum();
    weight / texts.rare()
}

/// Which units are for the most part in long runs, or in tables.
pub(super) fn inside<'r>(
    units: &[Range<u32>],
    runs: impl Iterator<Item = &'r Range<u32>>,
) -> Vec<bool> {
    let mut words = vec![0; units.len()];
    for run in runs {
        let first = units.partition_point(|unit| unit.end <= run.start);
        for (unit, words) in units.iter().zip(&mut words).skip(first) {
            if unit.start >= run.end {
                break;
            }
            *words += shared(unit, run);
        }
    }
    let of = units.iter().map(|unit| index32(unit.len()));
    words
        .into_iter()
        .zip(of)
        .map(|(in_run, all)| 2 * in_run >= all)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(left: Range<u32>, right: Range<u32>, alike: f64) -> Piece {
        Piece {
            left,
            right,
            alike,
            solid: alike >= 1.0,
        }
    }

    #[track_caller]
    fn check(pieces: Vec<Piece>, expected: &[(Range<u32>, Range<u32>)]) {
        let joined: Vec<(Range<u32>, Range<u32>)> = join(sorted(pieces), &Settings::default())
            .into_iter()
            .map(|piece| (piece.left, piece.right))
            .collect();
        assert_eq!(joined, expected);
    }

    #[test]
    fn neighbours_of_a_long_run_join_it() {
        check(
            vec![piece(0..50, 0..50, 1.0), piece(60..100, 55..90, 0.5)],
            &[(0..100, 0..90)],
        );
        check(
            vec![piece(0..50, 0..50, 1.0), piece(55..100, 52..97, 1.0)],
            &[(0..100, 0..97)],
        );
    }

    #[test]
    fn a_long_run_inside_a_fragment_is_part_of_it() {
        check(
            vec![piece(0..200, 10..190, 0.8), piece(50..100, 55..105, 1.0)],
            &[(0..200, 10..190)],
        );
    }

    #[test]
    fn what_is_far_or_different_or_out_of_order_stays_apart() {
        for (left, right, alike) in [
            (60..100, 200..240, 0.5),
            (200..240, 60..100, 0.5),
            (60..100, 55..90, 0.35),
            (100..150, 0..50, 1.0),
        ] {
            let apart = [(0..50, 100..150), (left.clone(), right.clone())];
            check(
                vec![piece(0..50, 100..150, 1.0), piece(left, right, alike)],
                &apart,
            );
        }
        let fragments = vec![piece(0..50, 0..50, 0.6), piece(55..90, 55..90, 0.6)];
        check(fragments, &[(0..50, 0..50), (55..90, 55..90)]);
    }

    #[test]
    fn units_inside_runs() {
        let units = [0..10, 10..20, 20..30, 30..40];
        let inside = |runs: &[Range<u32>]| inside(&units, runs.iter());
        assert_eq!(inside(&[]), [false; 4]);
        assert_eq!(inside(&[4..25, 36..40]), [true, true, true, false]);
        assert_eq!(inside(&[7..12, 12..16]), [false, true, false, false]);
    }
}
