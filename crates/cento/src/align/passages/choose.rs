//! Fragments that compete for the same text → the best set of those that do not.
//!
//! What a unit is worth is how far it resembles its best partner beyond what makes a seed, times its
//! words; a unit without a partner costs as much as it lacks. So a long fragment that merely touches
//! on the same matter yields to short ones that correspond sentence by sentence.

use super::fragments::Fragment;
use super::units::Texts;
use super::{Settings, seeds};

/// The fragments whose units are worth most together, with no left unit in two of them.
pub(super) fn best(
    texts: &Texts<'_>,
    mut fragments: Vec<Fragment>,
    settings: &Settings,
) -> Vec<Fragment> {
    fragments.sort_by_key(|one| {
        let (left, right) = (&one.left, &one.right);
        (left.end, left.start, right.start, right.end)
    });
    let mut kept = kept(texts, &fragments, settings).into_iter();
    fragments.retain(|_| kept.next() == Some(true));
    fragments
}

/// Which fragments of those in order of their ends are in the best set.
fn kept(texts: &Texts<'_>, fragments: &[Fragment], settings: &Settings) -> Vec<bool> {
    let before = |number: usize| {
        let start = fragments[number].left.start;
        fragments[..number].partition_point(|one| one.left.end <= start)
    };
    // Of the first fragments, ever more of them: what the best set is worth, and whether the last
    // fragment is in it.
    let mut sets = vec![(0.0, false)];
    for (number, fragment) in fragments.iter().enumerate() {
        let without: f64 = sets[number].0;
        let with = sets[before(number)].0 + worth(texts, fragment, settings);
        sets.push((with.max(without), with > without));
    }
    let mut kept = vec![false; fragments.len()];
    let mut rest = fragments.len();
    while rest > 0 {
        if sets[rest].1 {
            kept[rest - 1] = true;
            rest = before(rest - 1);
        } else {
            rest -= 1;
        }
    }
    kept
}

/// What the units of a fragment are worth; the sum is never nothing, so that a fragment without a
/// rival stays.
fn worth(texts: &Texts<'_>, fragment: &Fragment, settings: &Settings) -> f64 {
    const LEAST: f64 = 1e-6;
    let mut alike = vec![0.0f64; fragment.left.len()];
    for seed in &fragment.seeds {
        let best = &mut alike[(seed.left - fragment.left.start) as usize];
        *best = best.max(seeds::cosine(texts, seed.left, seed.right));
    }
    let units = fragment.left.clone().zip(alike);
    let worth = units.map(|(unit, alike)| {
        let words = texts.left.units[unit as usize].len() as f64;
        words * (alike - settings.unit_cosine)
    });
    worth.sum::<f64>().max(LEAST)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::Seed;
    use super::super::units::texts_of;
    use super::*;

    /// A text of sentences of ten words: those of one number are equal, but for as many words at the
    /// end as there are hundreds in it.
    fn text(sentences: &[u32]) -> String {
        let sentence = |&number: &u32| {
            let own = 10 - number / 100;
            let words: Vec<String> = (0..10)
                .map(|word| {
                    if word < own {
                        format!("w{}x{word}", number % 100)
                    } else {
                        format!("v{number}x{word}")
                    }
                })
                .collect();
            format!("A{}. ", words.join(" "))
        };
        sentences.iter().map(sentence).collect()
    }

    fn fragment(left: Range<u32>, right: Range<u32>, seeds: &[(u32, u32)]) -> Fragment {
        let seed = |&(left, right): &(u32, u32)| Seed { left, right };
        Fragment {
            left,
            right,
            cosine: 0.5,
            seeds: seeds.iter().map(seed).collect(),
        }
    }

    #[track_caller]
    fn check(left: &[u32], right: &[u32], fragments: Vec<Fragment>, expected: &[Range<u32>]) {
        let texts = texts_of(&text(left), &text(right));
        let best = best(&texts, fragments, &Settings::default());
        let rights: Vec<Range<u32>> = best.into_iter().map(|one| one.right).collect();
        assert_eq!(rights, expected);
    }

    #[test]
    fn two_that_correspond_rather_than_a_long_one_that_hardly_does() {
        let left = [1, 2, 60, 61, 3, 4];
        let right = [601, 602, 70, 71, 603, 604, 1, 2, 3, 4];
        let fragments = || {
            vec![
                fragment(0..6, 0..6, &[(0, 0), (1, 1), (4, 4), (5, 5)]),
                fragment(0..2, 6..8, &[(0, 6), (1, 7)]),
                fragment(4..6, 8..10, &[(4, 8), (5, 9)]),
            ]
        };
        check(&left, &right, fragments(), &[6..8, 8..10]);
        let reversed = fragments().into_iter().rev().collect();
        check(&left, &right, reversed, &[6..8, 8..10]);
    }

    #[test]
    fn what_has_no_rival_stays() {
        let fragments = vec![
            fragment(0..5, 0..1, &[(0, 0)]),
            fragment(5..6, 1..2, &[(5, 1)]),
        ];
        check(&[1, 60, 61, 62, 63, 2], &[1, 2], fragments, &[0..1, 1..2]);
    }
}
