//! Wide fragments → summaries: a short text and the long one that it sums up.
//!
//! A summary takes a sentence here and there from all over its original, so its seeds lie close
//! together on one side only, and what corresponds to it is the original as a whole.

use std::ops::Range;

use super::fragments::Fragment;
use super::units::{Text, Texts};
use super::{Seed, Settings, shared};
use crate::number::index32;

/// A fragment with one side much longer than the other as a summary, if it is one.
pub(super) fn whole(
    texts: &Texts<'_>,
    mut fragment: Fragment,
    settings: &Settings,
) -> Option<Fragment> {
    let left = texts.left.words(&fragment.left).len() as f64;
    let right = texts.right.words(&fragment.right).len() as f64;
    let (long, text) = if right > settings.summary_ratio * left {
        (&mut fragment.right, &texts.right)
    } else if left > settings.summary_ratio * right {
        (&mut fragment.left, &texts.left)
    } else {
        return None;
    };
    // A gap before the end of the text counts as one inside would.
    if long.start <= settings.summary_gap {
        long.start = 0;
    }
    let last = index32(text.units.len());
    if last - long.end <= settings.summary_gap {
        long.end = last;
    }
    let covered = text.words(long).len() as f64;
    let is_whole = covered >= settings.summary_cover * text.length() as f64;
    (is_whole && seeded(&fragment, left < right) >= settings.summary_seeded).then_some(fragment)
}

/// The share of the shorter side's units that have a seed: a summary is about its original from
/// beginning to end, whereas two texts on one subject merely have sentences in common.
fn seeded(fragment: &Fragment, left_is_shorter: bool) -> f64 {
    let side = |seed: &Seed| {
        if left_is_shorter {
            seed.left
        } else {
            seed.right
        }
    };
    let mut units: Vec<u32> = fragment.seeds.iter().map(side).collect();
    units.sort_unstable();
    units.dedup();
    let all = if left_is_shorter {
        &fragment.left
    } else {
        &fragment.right
    };
    f64::from(index32(units.len())) / f64::from(index32(all.len()).max(1))
}

/// Whether an ordinary fragment has nearly all of the shorter side of a summary, so that the
/// summary is only this fragment with stray seeds.
pub(super) fn explains(
    texts: &Texts<'_>,
    one: &Fragment,
    summary: &Fragment,
    settings: &Settings,
) -> bool {
    let words = |text: &Text<'_>, units: &Range<u32>| f64::from(index32(text.words(units).len()));
    let (left, right) = (
        words(&texts.left, &one.left),
        words(&texts.right, &one.right),
    );
    let balanced = right < settings.summary_ratio * left && left < settings.summary_ratio * right;
    let (text, mine, its) =
        if words(&texts.left, &summary.left) < words(&texts.right, &summary.right) {
            (&texts.left, &one.left, &summary.left)
        } else {
            (&texts.right, &one.right, &summary.right)
        };
    let common = shared(&text.words(mine), &text.words(its));
    balanced && f64::from(common) >= settings.summary_explained * words(text, its)
}
