//! Maps by the numbers of words. Those are given out by a vocabulary one after another, so nobody can
//! choose them to collide, and the usual hash, which guards against that, takes most of an alignment's
//! time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are made of numbers of words.
pub(crate) type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Multiplies and turns.
#[derive(Default)]
pub(crate) struct Mixer(u64);

/// The golden ratio in 64 bits: multiples of it are spread evenly.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_isize(&mut self, number: isize) {
        // What tells the variants of an enum apart.
        self.write_u64(number.unsigned_abs() as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(23) ^ number).wrapping_mul(SPREAD);
    }

    fn finish(&self) -> u64 {
        // A table takes the lowest bits, and a product has its best above.
        self.0.rotate_left(26)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_one_after_another_are_spread() {
        let mut places = vec![0u32; 1 << 12];
        for number in 0..1u32 << 12 {
            let mut mixer = Mixer::default();
            mixer.write_u32(number);
            places[(mixer.finish() & 0xfff) as usize] += 1;
        }
        let most = places.iter().max().copied();
        assert!(most < Some(12), "{most:?}");
    }
}
