//! Random numbers of our own, so that a seed means the same on every machine and in every version.

/// `SplitMix64`.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not zero.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next()) * bound as u128;
        usize::try_from(wide >> 64).expect("it is below a bound that is a usize")
    }

    /// So many different numbers below `bound`, or all of them, in random order.
    pub(super) fn sample(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..bound).collect();
        let count = count.min(bound);
        for place in 0..count {
            let other = place + self.below(bound - place);
            numbers.swap(place, other);
        }
        numbers.truncate(count);
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_as_published() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn samples_are_distinct_and_in_bounds() {
        let mut random = Random::new(5);
        for bound in 1..40 {
            let mut sample = random.sample(bound / 2, bound);
            sample.sort_unstable();
            sample.dedup();
            assert_eq!(sample.len(), bound / 2);
            assert!(sample.iter().all(|&number| number < bound));
        }
        assert_eq!(random.sample(9, 3).len(), 3);
    }
}
