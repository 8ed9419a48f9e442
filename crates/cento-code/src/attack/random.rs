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

    /// One of several, of which there is at least one.
    pub(super) fn one_of<'v, T>(&mut self, values: &'v [T]) -> &'v T {
        &values[self.below(values.len())]
    }

    /// Puts values in random order.
    pub(super) fn shuffle<T>(&mut self, values: &mut [T]) {
        for place in 1..values.len() {
            let other = self.below(place + 1);
            values.swap(place, other);
        }
    }
}

/// A number for a text: FNV-1a.
pub(super) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_and_fnv_as_published() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn shuffling_keeps_everything() {
        let mut random = Random::new(5);
        let mut values: Vec<usize> = (0..40).collect();
        random.shuffle(&mut values);
        assert!(
            values
                .iter()
                .enumerate()
                .any(|(place, value)| place != *value)
        );
        values.sort_unstable();
        assert!(values.into_iter().eq(0..40));
    }
}
