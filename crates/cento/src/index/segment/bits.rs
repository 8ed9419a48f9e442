//! Bit vectors and packed numbers, read from bytes that nobody vouches for.
//!
//! Every read is within bounds or says [`Damage`]; nothing here trusts a number that it has read.

use super::map::fetch;

/// What is wrong with the bytes of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Damage(pub(super) &'static str);

/// How many bytes so many bits take: whole words and one more, so that eight bytes can be read from
/// wherever a number starts.
pub(super) fn bytes_for(bits: u64) -> Option<u64> {
    bits.div_ceil(64).checked_add(1)?.checked_mul(8)
}

/// A number with its lowest `bits` bits set.
pub(super) fn low_bits(bits: u32) -> u64 {
    !u64::MAX.checked_shl(bits).unwrap_or(0)
}

/// How many bits the numbers below `count` need.
pub(super) fn ceil_log2(count: u64) -> u32 {
    64 - count.saturating_sub(1).leading_zeros()
}

/// Numbers of the same width without gaps between them.
#[derive(Clone, Copy, Default)]
pub(super) struct Packed<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) width: u32,
}

impl Packed<'_> {
    /// So many bits can be read at once from anywhere.
    pub(super) const SURE_BITS: u32 = 57;

    /// The number at a place.
    #[inline]
    pub(super) fn get(&self, place: u64) -> Result<u64, Damage> {
        let bit = place.checked_mul(u64::from(self.width)).ok_or(OUTSIDE)?;
        let byte = usize::try_from(bit / 8).map_err(|_| OUTSIDE)?;
        let shift = u32::from(bit.to_le_bytes()[0] & 7);
        let mut number = word_at(self.bytes, byte).ok_or(OUTSIDE)? >> shift;
        if shift + self.width > 64 {
            let next = *self.bytes.get(byte + 8).ok_or(OUTSIDE)?;
            number |= u64::from(next) << (64 - shift);
        }
        Ok(number & low_bits(self.width))
    }

    /// The bits from `bit` on, [`Packed::SURE_BITS`] or more of them.
    #[inline]
    pub(super) fn some_from(&self, bit: u64) -> Result<u64, Damage> {
        let byte = usize::try_from(bit / 8).ok();
        let word = byte.and_then(|byte| word_at(self.bytes, byte));
        Ok(word.ok_or(OUTSIDE)? >> (bit % 8))
    }

    /// Has the numbers at some places brought near, or where many begin and end.
    #[inline]
    pub(super) fn fetch(&self, first: u64, behind: u64) {
        let byte = |place: u64| place.saturating_mul(u64::from(self.width)) / 8;
        fetch(self.bytes, byte(first));
        fetch(self.bytes, byte(behind.saturating_sub(1)) + LAST_BYTE);
    }
}

/// A bit vector in which the place of the n-th one is found from the sample before it.
#[derive(Clone, Copy, Default)]
pub(super) struct Bits<'a> {
    pub(super) bytes: &'a [u8],
    /// How many bits it has.
    pub(super) len: u64,
    /// The places of every 2^shift-th one, 8 bytes each.
    pub(super) samples: &'a [u8],
    pub(super) shift: u32,
}

impl Bits<'_> {
    /// The ones divide the vector into groups, each ended by its one: where group `number` starts,
    /// and the place of its one.
    #[inline]
    pub(super) fn group(&self, number: u64) -> Result<(u64, u64), Damage> {
        let start = match number.checked_sub(1) {
            None => 0,
            Some(before) => self.select(before)? + 1,
        };
        Ok((start, self.next_one(start)?))
    }

    /// The place of one number `number`.
    #[inline]
    pub(super) fn select(&self, number: u64) -> Result<u64, Damage> {
        let place = self
            .sample(number)
            .filter(|&place| place < self.len)
            .ok_or(Damage("a sample lies outside its bit vector"))?;
        let mut left = number & low_bits(self.shift);
        let mut word_place = place / 64;
        let mut word = self.word(word_place)? & (u64::MAX << (place % 64));
        loop {
            let up_to = ones_up_to_bytes(word);
            let ones = up_to >> 56;
            if left < ones {
                return self.within(word_place * 64 + u64::from(select_in_word(word, up_to, left)));
            }
            left -= ones;
            word_place += 1;
            word = self.word(word_place)?;
        }
    }

    /// The place of the first one from `from` on.
    #[inline]
    pub(super) fn next_one(&self, from: u64) -> Result<u64, Damage> {
        let mut word_place = from / 64;
        let mut word = self.word(word_place)? & (u64::MAX << (from % 64));
        while word == 0 {
            word_place += 1;
            word = self.word(word_place)?;
        }
        self.within(word_place * 64 + u64::from(word.trailing_zeros()))
    }

    /// The 57 bits or more from `from` on.
    #[inline]
    pub(super) fn some_from(&self, from: u64) -> Result<u64, Damage> {
        let byte = usize::try_from(from / 8).ok();
        let word = byte.and_then(|byte| word_at(self.bytes, byte));
        Ok(word.ok_or(ENDS_EARLY)? >> (from % 8))
    }

    /// Whether it has so many ones, all samples are right, and nothing stands behind its end.
    pub(super) fn check(&self, ones: u64) -> Result<(), Damage> {
        let (words, _) = self.bytes.as_chunks::<8>();
        let mut seen = 0;
        for (word_place, word) in (0..).zip(words) {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                let place = self.within(word_place * 64 + u64::from(word.trailing_zeros()))?;
                if seen & low_bits(self.shift) == 0 && self.sample(seen) != Some(place) {
                    return Err(Damage("a sample is wrong"));
                }
                seen += 1;
                word &= word - 1;
            }
        }
        if seen == ones {
            Ok(())
        } else {
            Err(ENDS_EARLY)
        }
    }

    /// Has the samples brought near that [`Bits::fetch`] reads.
    #[inline]
    pub(super) fn fetch_samples(&self, number: u64) {
        let byte = (number >> self.shift).saturating_mul(8);
        fetch(self.samples, byte);
        fetch(self.samples, byte.saturating_add(8));
    }

    /// Has the bits brought near that `select` begins with, and those a little behind where it will
    /// probably end.
    #[inline]
    pub(super) fn fetch(&self, number: u64) {
        let place = self.sample(number).unwrap_or(0);
        let next = self.sample(number.saturating_add(1 << self.shift));
        let bits = next.unwrap_or(place).saturating_sub(place);
        let within = number & low_bits(self.shift);
        let end = place.saturating_add(bits.saturating_mul(within) >> self.shift);
        fetch(self.bytes, place / 8);
        fetch(self.bytes, end / 8 + LAST_BYTE);
    }

    #[inline]
    fn sample(&self, number: u64) -> Option<u64> {
        let byte = usize::try_from((number >> self.shift).checked_mul(8)?).ok()?;
        word_at(self.samples, byte)
    }

    #[inline]
    fn word(&self, place: u64) -> Result<u64, Damage> {
        let byte = usize::try_from(place.saturating_mul(8)).ok();
        byte.and_then(|byte| word_at(self.bytes, byte))
            .ok_or(ENDS_EARLY)
    }

    /// A one behind the end is damage, not an answer.
    #[inline]
    fn within(&self, place: u64) -> Result<u64, Damage> {
        if place < self.len {
            Ok(place)
        } else {
            Err(ENDS_EARLY)
        }
    }
}

/// Eight bytes are read at once; often enough the last of them is in the next line of the cache, and
/// would have to be waited for if it were not asked for as well.
const LAST_BYTE: u64 = 7;

const OUTSIDE: Damage = Damage("a packed number lies outside its section");
const ENDS_EARLY: Damage = Damage("a bit vector has fewer ones than it should");

#[inline]
fn word_at(bytes: &[u8], byte: usize) -> Option<u64> {
    let eight = bytes.get(byte..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*eight))
}

const ONE_EACH: u64 = 0x0101_0101_0101_0101;

/// For each byte of a word how many ones it and the bytes below it have.
///
/// The ones of all eight bytes are counted at once, and added up from byte to byte by one
/// multiplication.
#[inline]
fn ones_up_to_bytes(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(ONE_EACH)
}

/// The place of one number `number` in a word that has more ones than that; `up_to` is what
/// [`ones_up_to_bytes`] says of it.
#[inline]
fn select_in_word(word: u64, up_to: u64, number: u64) -> u32 {
    const TOP_EACH: u64 = 0x8080_8080_8080_8080;
    // The top bit of a byte stays where `number` is not below the ones up to that byte.
    let passed = (number.wrapping_mul(ONE_EACH) | TOP_EACH).wrapping_sub(up_to) & TOP_EACH;
    let [.., bytes_passed] = (passed >> 7).wrapping_mul(ONE_EACH).to_le_bytes();
    let start = 8 * u32::from(bytes_passed & 7);
    let before = up_to << 8 >> start & 0xff;
    let [byte, ..] = (word >> start).to_le_bytes();
    let [number, ..] = number.wrapping_sub(before).to_le_bytes();
    start + u32::from(SELECT_IN_BYTE[usize::from(byte)][usize::from(number & 7)])
}

/// The places of the ones of every byte. Counting them one by one would be as fast, if anybody could
/// tell beforehand how many there are.
static SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut ones) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][ones] = bit;
                ones += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_of_every_width() {
        for width in 0..=64 {
            let number = |place: u64| place.wrapping_mul(0x9e37_79b9_7f4a_7c15) & low_bits(width);
            let mut bits: Vec<bool> = Vec::new();
            for place in 0..100 {
                bits.extend((0..width).map(|bit| number(place) >> bit & 1 == 1));
            }
            let bytes = bytes_of(&bits);
            let packed = Packed {
                bytes: &bytes,
                width,
            };
            for place in 0..100 {
                assert_eq!(packed.get(place), Ok(number(place)), "{width} {place}");
            }
            assert!(width == 0 || packed.get(u64::MAX / 2).is_err());
        }
    }

    #[test]
    fn select_finds_every_one() {
        for (every, shift) in [(1, 0), (2, 3), (3, 8), (100, 1), (1000, 0)] {
            let bits: Vec<bool> = (0..5000u64)
                .map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & 0xffff < 0xffff / every)
                .chain([true])
                .collect();
            let ones: Vec<u64> = (0..)
                .zip(&bits)
                .filter(|(_, bit)| **bit)
                .map(|(at, _)| at)
                .collect();
            let samples: Vec<u8> = ones
                .iter()
                .step_by(1 << shift)
                .flat_map(|at| at.to_le_bytes())
                .collect();
            let bytes = bytes_of(&bits);
            let vector = Bits {
                bytes: &bytes,
                len: bits.len() as u64,
                samples: &samples,
                shift,
            };
            for (number, &place) in (0..).zip(&ones) {
                assert_eq!(vector.select(number), Ok(place));
            }
            assert!(vector.select(ones.len() as u64).is_err());
            assert!(vector.select(u64::MAX).is_err());
            assert!(vector.next_one(bits.len() as u64).is_err());
        }
    }

    fn bytes_of(bits: &[bool]) -> Vec<u8> {
        let count = bytes_for(bits.len() as u64).unwrap();
        let mut bytes = vec![0; usize::try_from(count).unwrap()];
        for (place, _) in bits.iter().enumerate().filter(|(_, bit)| **bit) {
            bytes[place / 8] |= 1 << (place % 8);
        }
        bytes
    }

    #[test]
    fn bits_that_numbers_need() {
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 250_000].map(ceil_log2),
            [0, 0, 1, 2, 2, 3, 18]
        );
    }
}
