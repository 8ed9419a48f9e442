//! Sorting and searching digests, which are spread evenly over their range.

use crate::digest::Digest;

/// Sorts digests in ascending order.
///
/// Evenly spread digests are put into cells by their upper bits, a few to a cell, and then only
/// neighbours have to be compared. Digests that crowd into one cell are sorted there as usual.
pub(crate) fn sort(digests: &mut Vec<Digest>) {
    /// From how many digests on the cells pay.
    const WORTH_IT: usize = 128;
    /// The most cells that stay in a core's cache.
    const MOST_CELLS: usize = 1 << 14;
    if digests.len() < WORTH_IT {
        return digests.sort_unstable();
    }
    let largest = digests.iter().fold(0, |largest, digest| largest | digest.0);
    let cells = (digests.len() / 4).next_power_of_two().min(MOST_CELLS);
    let shift = (64 - largest.leading_zeros()).saturating_sub(cells.trailing_zeros());
    let cell = |digest: Digest| usize::try_from(digest.0 >> shift).expect("a cell's number");
    // One cell more than there are, so that `ends[cell]` is first a start and then an end.
    let mut ends = vec![0u32; cells + 1];
    for &digest in &*digests {
        ends[cell(digest) + 1] += 1;
    }
    let mut total = 0;
    for end in &mut ends {
        total += *end;
        *end = total;
    }
    let mut sorted = vec![Digest(0); digests.len()];
    for &digest in &*digests {
        let place = &mut ends[cell(digest)];
        sorted[*place as usize] = digest;
        *place += 1;
    }
    let mut start = 0;
    for &end in &ends[..cells] {
        sort_few(&mut sorted[start..end as usize]);
        start = end as usize;
    }
    *digests = sorted;
}

/// Sorts a slice that is nearly always very short.
fn sort_few(digests: &mut [Digest]) {
    if digests.len() > 24 {
        return digests.sort_unstable();
    }
    for place in 1..digests.len() {
        let digest = digests[place];
        let mut hole = place;
        while hole > 0 && digests[hole - 1] > digest {
            digests[hole] = digests[hole - 1];
            hole -= 1;
        }
        digests[hole] = digest;
    }
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
    fn sorting_is_sorting() {
        let even = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let kinds: [fn(u64) -> u64; 5] = [
            |n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            |n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40,
            |n| 1 << (n % 64),
            |n| n % 3,
            |_| 0,
        ];
        for (kind, count) in kinds
            .iter()
            .flat_map(|kind| [0, 1, 127, 128, 5000].map(|n| (kind, n)))
        {
            let mut digests: Vec<Digest> = (0..count).map(|n| Digest(kind(even(n)))).collect();
            let mut expected = digests.clone();
            expected.sort_unstable();
            sort(&mut digests);
            assert_eq!(digests, expected);
        }
    }

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
