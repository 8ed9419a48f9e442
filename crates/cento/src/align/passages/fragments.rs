//! Chains → fragments: units that are alike as a whole, with their borders.

use std::ops::Range;

use super::scale::Scale;
use super::units::Texts;
use super::{Seed, Settings, chain, choose, shared, summary};

/// Units of one text and those of the other that correspond to them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fragment {
    pub(super) left: Range<u32>,
    pub(super) right: Range<u32>,
    /// The cosine of the terms of the two sides.
    pub(super) cosine: f64,
    pub(super) seeds: Vec<Seed>,
}

/// How often a fragment may lose an end.
const TRIMS: usize = 64;

/// The fragments of some seeds, and whether a limit kept some from being found. No two have a left
/// unit in common.
pub(super) fn find(
    texts: &Texts<'_>,
    seeds: &[Seed],
    settings: &Settings,
) -> (Vec<Fragment>, bool) {
    if seeds.is_empty() {
        return (Vec::new(), false);
    }
    let mut scale = Scale::new(texts);
    let mut fragments = Vec::new();
    valid(
        &mut scale,
        seeds.to_vec(),
        settings.gap,
        settings,
        &mut fragments,
    );
    for fragment in &mut fragments {
        trim(&mut scale, fragment);
    }
    let mut wide = Vec::new();
    valid(
        &mut scale,
        seeds.to_vec(),
        settings.summary_gap,
        settings,
        &mut wide,
    );
    let summaries: Vec<Fragment> = wide
        .into_iter()
        .filter_map(|fragment| summary::whole(texts, fragment, settings))
        .filter(|summary| {
            !fragments
                .iter()
                .any(|one| summary::explains(texts, one, summary, settings))
        })
        .collect();
    fragments.retain(|one| {
        !summaries.iter().any(|summary| {
            shared(&one.left, &summary.left) > 0 && shared(&one.right, &summary.right) > 0
        })
    });
    fragments.extend(summaries);
    (choose::best(texts, fragments, settings), scale.limited())
}

/// Chains whose sides are alike; the others are tried again with smaller gaps.
fn valid(
    scale: &mut Scale<'_>,
    seeds: Vec<Seed>,
    gap: u32,
    settings: &Settings,
    found: &mut Vec<Fragment>,
) {
    for seeds in chain::chains(seeds, gap) {
        let (left, right) = spans(&seeds);
        let cosine = scale.cosine(&left, &right);
        if cosine >= settings.fragment_cosine {
            found.push(Fragment {
                left,
                right,
                cosine,
                seeds,
            });
        } else if let Some(smaller) = chain::splits_at(&seeds)
            && gap > 0
        {
            // In between it would be the same chain, and no more alike.
            let smaller = smaller.min(gap - 1);
            scale.skip(&left, &right, gap - 1 - smaller);
            valid(scale, seeds, smaller, settings, found);
        } else {
            scale.skip(&left, &right, gap);
        }
    }
}

/// Takes away ends that the other side does not need.
///
/// A stray seed makes one side reach too far: a unit at its end resembles one in the middle of the
/// other side, which has a better partner. Such an end goes if the rest is more alike without it.
fn trim(scale: &mut Scale<'_>, fragment: &mut Fragment) {
    for _ in 0..TRIMS {
        let ends = [
            fragment.left.start,
            fragment.left.end - 1,
            fragment.right.start,
            fragment.right.end - 1,
        ];
        let mut best: Option<Fragment> = None;
        for (number, end) in ends.into_iter().enumerate() {
            let on_left = number < 2;
            let mut seeds = fragment.seeds.clone();
            seeds.retain(|seed| end != if on_left { seed.left } else { seed.right });
            if seeds.is_empty() {
                continue;
            }
            let (left, right) = spans(&seeds);
            let other_stays = if on_left {
                right == fragment.right
            } else {
                left == fragment.left
            };
            if !other_stays {
                continue;
            }
            let cosine = scale.cosine(&left, &right);
            if cosine >= best.as_ref().map_or(fragment.cosine, |best| best.cosine) {
                best = Some(Fragment {
                    left,
                    right,
                    cosine,
                    seeds,
                });
            }
        }
        match best {
            Some(better) => *fragment = better,
            None => return,
        }
    }
}

fn spans(seeds: &[Seed]) -> (Range<u32>, Range<u32>) {
    let span = |place: fn(&Seed) -> u32| {
        let low = seeds.iter().map(place).min().unwrap_or(0);
        let high = seeds.iter().map(place).max().unwrap_or(0);
        low..high + 1
    };
    (span(|seed| seed.left), span(|seed| seed.right))
}

#[cfg(test)]
mod tests {
    use super::super::units::texts_of;
    use super::*;

    /// A text of sentences of ten words each; sentences of one number have the same words.
    fn text(sentences: &[u32]) -> String {
        let sentence = |number: &u32| {
            let words: Vec<String> = (0..10).map(|word| format!("w{number}x{word}")).collect();
            format!("A{}. ", words.join(" "))
        };
        sentences.iter().map(sentence).collect()
    }

    #[track_caller]
    fn check(
        left: &[u32],
        right: &[u32],
        seeds: &[(u32, u32)],
        expected: &[(Range<u32>, Range<u32>)],
    ) {
        let texts = texts_of(&text(left), &text(right));
        let seed = |&(left, right): &(u32, u32)| Seed { left, right };
        let seeds: Vec<Seed> = seeds.iter().map(seed).collect();
        let mut found: Vec<(Range<u32>, Range<u32>)> = find(&texts, &seeds, &Settings::default())
            .0
            .into_iter()
            .map(|fragment| (fragment.left, fragment.right))
            .collect();
        found.sort_by_key(|fragment| fragment.0.start);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_chain_of_sentences() {
        check(
            &[90, 1, 2, 3, 91],
            &[1, 80, 2, 3],
            &[(1, 0), (2, 2), (3, 3)],
            &[(1..4, 0..4)],
        );
    }

    #[test]
    fn sides_that_differ_too_much_are_cut_where_the_gap_is() {
        // One sentence in five is common.
        let left = [1, 60, 61, 62, 63, 2];
        let right = [1, 70, 71, 72, 73, 2];
        check(
            &left,
            &right,
            &[(0, 0), (5, 5)],
            &[(0..1, 0..1), (5..6, 5..6)],
        );
    }

    #[test]
    fn a_stray_end_goes() {
        // The right unit 5 resembles the left unit 1, which has a partner already.
        check(
            &[1, 2, 3],
            &[1, 2, 3, 70, 71, 72],
            &[(0, 0), (1, 1), (2, 2), (1, 5)],
            &[(0..3, 0..3)],
        );
    }

    #[test]
    fn a_summary_and_all_of_its_original() {
        let original: Vec<u32> = (0..16).collect();
        check(
            &[90, 3, 8, 12, 91],
            &original,
            &[(1, 3), (2, 8), (3, 12)],
            &[(1..4, 0..16)],
        );
    }

    #[test]
    fn a_long_fragment_outranks_an_equal_sentence_elsewhere() {
        let right: Vec<u32> = [1, 2, 70, 4, 5]
            .into_iter()
            .chain(50..60)
            .chain([4])
            .collect();
        check(
            &[1, 2, 3, 4, 5],
            &right,
            &[(0, 0), (1, 1), (3, 3), (4, 4), (3, 15)],
            &[(0..5, 0..5)],
        );
    }

    #[test]
    fn of_two_for_one_left_unit_the_more_alike() {
        let right: Vec<u32> = [1, 2].into_iter().chain(50..70).chain([1, 80]).collect();
        check(
            &[1, 2],
            &right,
            &[(0, 0), (1, 1), (0, 22), (1, 23)],
            &[(0..2, 0..2)],
        );
    }
}
