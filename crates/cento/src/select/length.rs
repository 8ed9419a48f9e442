//! Culling by length (Finkel et al., section 2.2): very short chunks say little, very long ones
//! rarely survive copying.

use super::order_by;
use super::value::ceil_sqrt;
use crate::digest::Minutia;

/// The ⌈√n⌉ chunks whose lengths are closest to the median.
///
/// Among equally close ones the paper does not choose; we take the smallest digests, a choice that
/// an insertion elsewhere in the text does not move.
pub(super) fn sqrt(minutiae: &[Minutia]) -> Vec<usize> {
    let twice_median = twice_median(minutiae);
    let mut order = order_by(minutiae.len(), |position| {
        let minutia = &minutiae[position];
        (
            (2 * minutia.chunk.len()).abs_diff(twice_median),
            minutia.digest,
        )
    });
    order.truncate(ceil_sqrt(minutiae.len()));
    order
}

/// The chunks with |L − m| ≤ b·s, where m is the median and s the standard deviation of the
/// lengths; b starts at `start` and grows by as much until at least √n chunks are selected.
pub(super) fn variance(minutiae: &[Minutia], start: f64) -> Vec<usize> {
    let median = twice_median(minutiae) as f64 / 2.0;
    let deviation = standard_deviation(minutiae);
    let wanted = ceil_sqrt(minutiae.len());
    let mut b = start;
    loop {
        let close = |position: &usize| {
            (minutiae[*position].chunk.len() as f64 - median).abs() <= b * deviation
        };
        let kept: Vec<usize> = (0..minutiae.len()).filter(close).collect();
        if kept.len() >= wanted {
            return kept;
        }
        b += start;
    }
}

/// Twice the median length, which is whole even where the median is the mean of two lengths.
fn twice_median(minutiae: &[Minutia]) -> usize {
    let mut lengths: Vec<usize> = minutiae.iter().map(|minutia| minutia.chunk.len()).collect();
    lengths.sort_unstable();
    match lengths.len() {
        0 => 0,
        n => lengths[(n - 1) / 2] + lengths[n / 2],
    }
}

fn standard_deviation(minutiae: &[Minutia]) -> f64 {
    let count = minutiae.len() as f64;
    let lengths = || minutiae.iter().map(|minutia| minutia.chunk.len() as f64);
    let mean = lengths().sum::<f64>() / count;
    (lengths().map(|length| (length - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;
    use crate::digest::Digest;

    fn of_lengths(lengths: &[u32]) -> Vec<Minutia> {
        let minutia = |(n, &len): (usize, &u32)| Minutia {
            digest: Digest(n as u64),
            chunk: Chunk::Run(0..len),
        };
        lengths.iter().enumerate().map(minutia).collect()
    }

    #[test]
    fn closest_to_the_median() {
        let minutiae = of_lengths(&[1, 10, 11, 30, 12, 2, 9, 40, 10]);
        // Sorted 1 2 9 10 10 11 12 30 40: median 10, three of nine are kept.
        let mut kept = sqrt(&minutiae);
        kept.sort_unstable();
        assert_eq!(kept, [1, 2, 8]);
    }

    #[test]
    fn b_grows_until_enough_stay() {
        // Median 10, mean 13.9, s = 12.3: b = 0.1 allows a difference of 1.2.
        let minutiae = of_lengths(&[1, 10, 11, 30, 12, 2, 9, 40, 10]);
        assert_eq!(variance(&minutiae, 0.1), [1, 2, 6, 8]);
        // Median 20 (the mean of 10 and 30), s = 15.8: nothing is nearer than 10, so b becomes 0.7.
        let minutiae = of_lengths(&[0, 10, 30, 40]);
        assert_eq!(variance(&minutiae, 0.1), [1, 2]);
        // All alike: the deviation is 0 and all stay.
        assert_eq!(variance(&of_lengths(&[5, 5, 5]), 0.1), [0, 1, 2]);
        assert!(variance(&[], 0.1).is_empty());
    }
}
