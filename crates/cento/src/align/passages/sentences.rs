//! Paraphrased passages → sentences: only what corresponds, sentence by sentence.
//!
//! As a whole, a paraphrased passage may be a chapter and the few lines that sum it up. A person who
//! is shown that sees mostly text without a counterpart; shown sentence by sentence, each part stands
//! beside what it resembles, and the rest belongs to its author.

use std::collections::BTreeMap;
use std::ops::Range;

use super::join::evidence;
use super::runs::Run;
use super::units::Texts;
use super::{Seed, Settings, kind, seeds, shared};
use crate::align::{Kind, Passage, Sequence};

/// The parts of a paraphrased passage that are alike, in the order of the left text.
pub(super) fn parts(
    sides: [&Sequence; 2],
    texts: &Texts<'_>,
    runs: &[Run],
    found: &[Seed],
    whole: &Passage,
    settings: &Settings,
) -> Vec<Passage> {
    let [left, right] = sides;
    let within =
        |range: &Range<u32>, all: &Range<u32>| shared(range, all) == range.end - range.start;
    let lasting = runs.iter().filter(|run| {
        run.reaches(settings.lone_run, settings)
            && within(&run.left, &whole.left)
            && within(&run.right, &whole.right)
    });
    let mut places: Vec<[Range<u32>; 2]> = lasting
        .map(|run| [run.left.clone(), run.right.clone()])
        .collect();
    let inside = found.iter().filter(|seed| {
        within(&texts.left.units[seed.left as usize], &whole.left)
            && within(&texts.right.units[seed.right as usize], &whole.right)
    });
    for [lefts, rights] in in_a_row(best(texts, inside.copied())) {
        places.push([texts.left.words(&lefts), texts.right.words(&rights)]);
    }
    places.sort_by_key(|[left, right]| (left.start, left.end, right.start, right.end));
    places.dedup();
    places
        .into_iter()
        .map(|[of_left, of_right]| kind::passage(left, right, texts, runs, of_left, of_right))
        .filter(|part| {
            part.similarity >= settings.least_alike
                && (part.kind != Kind::Paraphrased
                    || evidence(texts, &part.left, &part.right) >= settings.least_evidence)
        })
        .collect()
}

/// The seeds that no other seed of the same left or of the same right unit excels.
fn best(texts: &Texts<'_>, found: impl Iterator<Item = Seed>) -> Vec<Seed> {
    let scored: Vec<(f64, Seed)> = found
        .map(|seed| (seeds::cosine(texts, seed.left, seed.right), seed))
        .collect();
    let highest = |unit: fn(&Seed) -> u32| {
        let mut highest: BTreeMap<u32, f64> = BTreeMap::new();
        for (score, seed) in &scored {
            let best = highest.entry(unit(seed)).or_insert(*score);
            *best = best.max(*score);
        }
        highest
    };
    let (of_left, of_right) = (highest(|seed| seed.left), highest(|seed| seed.right));
    let mut kept: Vec<Seed> = scored
        .into_iter()
        .filter(|(score, seed)| {
            of_left.get(&seed.left) == Some(score) || of_right.get(&seed.right) == Some(score)
        })
        .map(|(_, seed)| seed)
        .collect();
    kept.sort_by_key(|seed| (seed.left, seed.right));
    kept
}

/// Units that follow each other on both sides, as one.
fn in_a_row(seeds: Vec<Seed>) -> Vec<[Range<u32>; 2]> {
    let mut rows: Vec<[Range<u32>; 2]> = Vec::new();
    for Seed { left, right } in seeds {
        let goes_on = |row: &&mut [Range<u32>; 2]| {
            let next = |range: &Range<u32>, unit: u32| unit + 1 >= range.end && unit <= range.end;
            next(&row[0], left) && next(&row[1], right)
        };
        match rows.iter_mut().rev().take(4).find(goes_on) {
            Some(row) => {
                row[0].end = row[0].end.max(left + 1);
                row[1].end = row[1].end.max(right + 1);
            }
            None => rows.push([left..left + 1, right..right + 1]),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed((left, right): (u32, u32)) -> Seed {
        Seed { left, right }
    }

    #[test]
    fn neighbours_on_both_sides_are_one() {
        let rows = |seeds: &[(u32, u32)]| in_a_row(seeds.iter().copied().map(seed).collect());
        assert_eq!(rows(&[(0, 0), (1, 1), (2, 2)]), [[0..3, 0..3]]);
        assert_eq!(rows(&[(0, 0), (0, 1), (1, 2)]), [[0..2, 0..3]]);
        assert_eq!(rows(&[(0, 5), (1, 4)]), [[0..1, 5..6], [1..2, 4..5]]);
        assert_eq!(rows(&[(0, 0), (2, 1)]), [[0..1, 0..1], [2..3, 1..2]]);
    }
}
