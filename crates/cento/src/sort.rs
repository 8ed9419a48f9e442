//! Sorting and searching digests, which are spread evenly over their range.

use crate::digest::Digest;

/// Sorts digests in ascending order.
pub(crate) fn sort(digests: &mut [Digest]) {
    digests.sort_unstable();
}

/// The position of the first of some sorted digests that is not below `wanted`.
///
/// Evenly spread digests lie near where the rule of three puts them: looking there first touches
/// one or two lines of the cache where a binary search would touch ten.
pub(crate) fn lower_bound(digests: &[Digest], wanted: Digest) -> usize {
    let (Some(first), Some(last)) = (digests.first(), digests.last()) else {
        return 0;
    };
    if wanted <= *first {
        return 0;
    }
    if wanted > *last {
        return digests.len();
    }
    let share = (wanted.0 - first.0) as f64 / (last.0 - first.0) as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a length"
    )]
    let guess = ((share * digests.len() as f64) as usize).min(digests.len() - 1);
    // From the guess on, ever longer steps up or down until the place is between two of them.
    let mut low = guess;
    let mut step = 8;
    while low > 0 && digests[low] >= wanted {
        low = low.saturating_sub(step);
        step *= 2;
    }
    let mut high = guess;
    let mut step = 8;
    while high < digests.len() && digests[high] < wanted {
        high = (high + step).min(digests.len());
        step *= 2;
    }
    low + digests[low..high].partition_point(|&digest| digest < wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_bound_is_partition_point() {
        let even: Vec<Digest> = (0..1000).map(|n| Digest(n * 1_000_003)).collect();
        let skewed: Vec<Digest> = (0..64).map(|n| Digest(1 << n)).collect();
        for digests in [&even[..], &skewed, &even[..1], &[]] {
            let near = digests
                .iter()
                .flat_map(|d| [d.0.saturating_sub(1), d.0, d.0.saturating_add(1)]);
            for wanted in near.chain([0, 5, u64::MAX]).map(Digest) {
                let expected = digests.partition_point(|&digest| digest < wanted);
                assert_eq!(lower_bound(digests, wanted), expected, "{wanted:?}");
            }
        }
    }
}
