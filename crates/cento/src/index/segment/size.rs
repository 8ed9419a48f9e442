//! The least that any format needs, to measure ours by.

use std::f64::consts::{LOG2_E, PI};

/// The logarithm of the number of segments that there could be with so many kept bits, so many
/// documents, and lists of these lengths: pairs of a length and how many lists have it.
///
/// ```text
/// log2 C(2^K, U)  +  log2 C(N - 1, U - 1)  +  Σ log2 C(M, n_i)
///   which digests     how long the lists are    which documents
/// ```
pub fn floor_bits(
    kept_bits: u8,
    documents: u32,
    lengths: impl IntoIterator<Item = (u64, u64)>,
) -> f64 {
    let (mut postings, mut digests, mut lists) = (0, 0, 0.0);
    for (length, count) in lengths {
        postings += length * count;
        digests += count;
        lists += count as f64 * log2_choose(f64::from(documents), length as f64);
    }
    if digests == 0 {
        return 0.0;
    }
    let possible = 2f64.powi(kept_bits.into());
    log2_choose(possible, digests as f64)
        + log2_choose((postings - 1) as f64, (digests - 1) as f64)
        + lists
}

/// log2 of n over k: Stirling's formula in a form that stays exact for n far above k.
fn log2_choose(n: f64, k: f64) -> f64 {
    let k = k.min(n - k);
    if k <= 0.0 {
        return 0.0;
    }
    if k <= 16.0 {
        let mut product = 0.0;
        let mut number = 0.0;
        while number < k {
            product += ((n - number) / (number + 1.0)).log2();
            number += 1.0;
        }
        return product;
    }
    let share = k / n;
    k * (n / k).log2()
        - (n - k) * (-share).ln_1p() * LOG2_E
        - 0.5 * (2.0 * PI * k * (1.0 - share)).log2()
}

#[cfg(test)]
mod tests {
    use super::super::format::{Header, Layout};
    use super::super::schema::Sides;
    use super::*;

    #[test]
    fn choosing() {
        for (n, k, expected) in [
            (5u64, 2u64, 10.0f64),
            (40, 20, 137_846_528_820.0),
            (9, 9, 1.0),
        ] {
            let error = log2_choose(n as f64, k as f64) - expected.log2();
            assert!(error.abs() < 0.02, "{n} over {k}: {error}");
        }
    }

    /// How many lists have each length: a share of them one, the rest with a long tail.
    fn long_tail(postings: u64, mean: f64, documents: u64) -> Vec<(u64, u64)> {
        // Lengths 1, 2, 4, … each `keep` times as frequent as the one before, so that the mean is
        // as wanted: found by halving.
        let top = documents.ilog2().min(16);
        let weights = |keep: f64| -> Vec<(u64, f64)> {
            (0..=top)
                .map(|step| (1 << step, keep.powi(step.cast_signed())))
                .collect()
        };
        let mean_of = |keep: f64| {
            let weights = weights(keep);
            let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
            weights
                .iter()
                .map(|(length, weight)| *length as f64 * weight)
                .sum::<f64>()
                / sum
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if mean_of(middle) < mean {
                low = middle;
            } else {
                high = middle;
            }
        }
        let weights = weights(low);
        let sum: f64 = weights
            .iter()
            .map(|(length, weight)| *length as f64 * weight)
            .sum();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count"
        )]
        let count = |weight: f64| (weight / sum * postings as f64).round() as u64;
        weights
            .into_iter()
            .map(|(length, weight)| (length, count(weight)))
            .collect()
    }

    #[test]
    fn five_bytes_and_one_and_a_half_floors() {
        println!(
            "{:>12} {:>9} {:>5} {:>6} {:>9} {:>9} {:>6}",
            "postings", "documents", "bits", "shared", "bytes", "floor", "ratio"
        );
        let check = |postings: u64, documents: u32, kept: u8, mean: f64| {
            let lengths = long_tail(postings, mean, documents.into());
            let postings: u64 = lengths.iter().map(|(length, count)| length * count).sum();
            let digests: u64 = lengths.iter().map(|(_, count)| count).sum();
            let mut header = Header::new(64.min(kept), kept, 50, documents, postings, Sides::Whole);
            header.digests = digests;
            header.list_shift = (0..40)
                .find(|shift| digests.div_ceil(1 << shift) <= header.most_list_samples())
                .unwrap();
            let layout = Layout::of(&header).unwrap();
            let bytes = layout.file_bytes() as f64 / postings as f64;
            let floor = floor_bits(kept, documents, lengths) / 8.0 / postings as f64;
            println!(
                "{postings:>12} {documents:>9} {kept:>5} {mean:>6.2} {bytes:>9.3} {floor:>9.3} {:>6.2}",
                bytes / floor
            );
            (bytes, bytes / floor)
        };
        let (bytes, ratio) = check(600_000_000, 250_000, 44, 4.0 / 3.0);
        assert!(bytes <= 5.0 && ratio <= 1.5, "{bytes} {ratio}");
        for kept in [44, 48, 56, 64] {
            for (postings, documents) in [
                (10_000, 5),
                (240_000, 100),
                (20_000_000, 8_333),
                (100_000_000, 41_666),
            ] {
                for mean in [1.0, 4.0 / 3.0, 2.0, 3.0] {
                    let (_, ratio) = check(postings, documents, kept, mean);
                    assert!(ratio <= 1.5, "{postings} {kept} {mean}: {ratio}");
                }
            }
        }
        // What the width of 24 and 28 bits comes to, at Masaryk's size.
        check(600_000_000, 250_000, 24, 36.0);
        check(600_000_000, 250_000, 28, 2.5);
        // Long lists, as when words are ranked: gaps would be shorter than numbers.
        check(24_000_000, 80_000, 64, 480.0);
    }
}
