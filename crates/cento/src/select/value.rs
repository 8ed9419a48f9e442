//! Selection by the value of the digest. No chunk is needed, so the fused path selects here too.

use std::collections::VecDeque;

use super::{Modulus, Selector, Size};
use crate::digest::Digest;

/// About how many minutiae `modulo:auto` leaves.
const AUTO_SIZE: usize = 128;

/// Positions of the digests that a selector by value keeps, ascending.
pub(super) fn select(selector: &Selector, digests: &[Digest]) -> Vec<usize> {
    match selector {
        Selector::Modulo(modulus) => modulo(digests, *modulus),
        Selector::Smallest(size) => smallest(digests, *size),
        Selector::Winnow(window) => winnow(digests, window.get() as usize),
        Selector::Sample(most) => sample(digests, most.get() as usize),
        _ => unreachable!("only selectors by value come here"),
    }
}

/// Keeps what a selector by value keeps, in document order.
pub(crate) fn select_digests(selector: &Selector, digests: Vec<Digest>) -> Vec<Digest> {
    if *selector == Selector::All {
        return digests;
    }
    let positions = select(selector, &digests);
    positions
        .into_iter()
        .map(|position| digests[position])
        .collect()
}

/// Pure hashing (text sifting, section 2.3): digests that are 0 modulo s.
fn modulo(digests: &[Digest], modulus: Modulus) -> Vec<usize> {
    let modulus = match modulus {
        Modulus::Fixed(modulus) => u64::from(modulus.get()),
        // s = 2^j with the smallest j that brings n / s down to the size (Broder's suggestion).
        Modulus::Auto => digests.len().div_ceil(AUTO_SIZE).next_power_of_two() as u64,
    };
    let divides = |position: &usize| digests[*position].0.is_multiple_of(modulus);
    (0..digests.len()).filter(divides).collect()
}

/// Min-hashing (text sifting, section 2.3): the m smallest distinct digests.
///
/// Every occurrence of a kept digest stays, as with any other selector.
fn smallest(digests: &[Digest], size: Size) -> Vec<usize> {
    let count = digests.len();
    let size = match size {
        Size::Fixed(size) => size.get() as usize,
        Size::Sqrt => ceil_sqrt(count),
        Size::Linear => count.div_ceil(10),
    };
    let mut distinct = digests.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let Some(&largest) = distinct.get(size.min(distinct.len()).wrapping_sub(1)) else {
        return Vec::new();
    };
    (0..count)
        .filter(|&position| digests[position] <= largest)
        .collect()
}

/// Winnowing (Schleimer, Wilkerson & Aiken): the smallest digest of every window, the rightmost of
/// equals. Any two texts that share `window` digests in a row share a selected one.
fn winnow(digests: &[Digest], window: usize) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    // Positions of ever larger digests; the front is the smallest of the window.
    let mut candidates: VecDeque<usize> = VecDeque::new();
    for position in 0..digests.len() {
        while candidates
            .back()
            .is_some_and(|&last| digests[last] >= digests[position])
        {
            candidates.pop_back();
        }
        candidates.push_back(position);
        if candidates[0] + window <= position {
            candidates.pop_front();
        }
        // A text shorter than the window is one window.
        let complete = position + 1 >= window || position + 1 == digests.len();
        if complete && kept.last() != Some(&candidates[0]) {
            kept.push(candidates[0]);
        }
    }
    kept
}

/// A sample of a bounded size: digests that are 0 modulo the smallest power of two that leaves at most
/// `most` distinct ones.
///
/// Every text of a length between two bounds is sampled at the same rate, so two texts that share a
/// digest keep it both, whatever else is in them; of two rates, the coarser one is part of the finer.
fn sample(digests: &[Digest], most: usize) -> Vec<usize> {
    let mut distinct = digests.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut level = 0;
    while distinct.len() > most && level < u64::BITS {
        level += 1;
        distinct.retain(|digest| digest.0.trailing_zeros() >= level);
    }
    (0..digests.len())
        .filter(|&position| digests[position].0.trailing_zeros() >= level)
        .collect()
}

/// ⌈√n⌉ in integers.
pub(super) fn ceil_sqrt(n: usize) -> usize {
    let root = n.isqrt();
    root + usize::from(root * root < n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::NonZeroU32;

    #[track_caller]
    fn check(selector: &Selector, digests: &[u64], expected: &[u64]) {
        let digests = digests.iter().copied().map(Digest).collect();
        let kept = select_digests(selector, digests);
        assert_eq!(
            kept.iter().map(|digest| digest.0).collect::<Vec<_>>(),
            expected
        );
    }

    fn nonzero(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    #[test]
    fn by_value() {
        let digests = [
            77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98,
        ];
        // The worked example of the winnowing paper, window 4.
        check(
            &Selector::Winnow(nonzero(4)),
            &digests,
            &[17, 17, 8, 39, 17],
        );
        check(
            &Selector::Modulo(Modulus::Fixed(nonzero(25))),
            &digests,
            &[50],
        );
        check(
            &Selector::Smallest(Size::Fixed(nonzero(2))),
            &digests,
            &[17, 17, 8, 17],
        );
        check(
            &Selector::Smallest(Size::Linear),
            &digests,
            &[17, 17, 8, 17],
        );
        check(&Selector::Winnow(nonzero(4)), &[3, 1, 2], &[1]);
        check(&Selector::Smallest(Size::Sqrt), &[], &[]);
    }

    #[test]
    fn auto_modulus_bounds_the_size() {
        let digests: Vec<u64> = (0..100_000)
            .map(|n: u64| n.wrapping_mul(0x9e37_79b9))
            .collect();
        let digests: Vec<Digest> = digests.into_iter().map(Digest).collect();
        let kept = modulo(&digests, Modulus::Auto).len();
        assert!((64..=160).contains(&kept), "{kept}");
        assert_eq!(modulo(&digests[..128], Modulus::Auto).len(), 128);
    }

    #[test]
    fn a_sample_is_never_larger_than_asked_for() {
        check(
            &Selector::Sample(nonzero(3)),
            &[8, 3, 8, 5, 12],
            &[8, 8, 12],
        );
        check(&Selector::Sample(nonzero(3)), &[8, 3, 8, 5], &[8, 3, 8, 5]);
        check(&Selector::Sample(nonzero(1)), &[0, 0, 7], &[0, 0]);
        check(&Selector::Sample(nonzero(1)), &[0, 1 << 63], &[0]);
        check(&Selector::Sample(nonzero(1)), &[], &[]);
        let digests: Vec<u64> = (1..100_000)
            .map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let digests: Vec<Digest> = digests.into_iter().map(Digest).collect();
        let kept = sample(&digests, 256).len();
        assert!((100..=256).contains(&kept), "{kept}");
    }

    #[test]
    fn square_roots_round_up() {
        for (n, root) in [(0, 0), (1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (10, 4)] {
            assert_eq!(ceil_sqrt(n), root);
        }
    }
}
