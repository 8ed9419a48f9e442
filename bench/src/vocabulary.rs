//! Made-up words and how often each one is drawn.

use std::collections::HashSet;

use crate::random::{Purpose, Random, exp, ln};

/// The largest vocabulary: all its words are different and none has more than twelve letters.
pub const MOST_WORDS: u32 = 10_000_000;

const CONSONANTS: &[u8] = b"bcdfghjklmnprstvwyz";
const VOWELS: &[u8] = b"aeiou";
const SHORTEST: usize = 2;
const LONGEST: usize = 12;

/// Words by rank, the most frequent first, with Zipf's law over them.
#[derive(Debug)]
pub struct Vocabulary {
    words: Vec<Word>,
    ranks: Zipf,
}

/// A word, then a space, in an array of one size: it is cheaper to copy all of it and cut off what
/// is too much than to copy a number of bytes that is not known before.
#[derive(Clone, Copy, Debug)]
struct Word {
    bytes: [u8; 16],
    letters: u8,
}

impl Vocabulary {
    /// So many words, where the word of rank r is drawn in proportion to 1 / r^exponent.
    pub fn new(words: u32, exponent: f64, seed: u64) -> Self {
        let mut random = Random::new(seed, Purpose::Vocabulary, 0);
        let mut taken = HashSet::with_capacity(words as usize);
        let words: Vec<Word> = (1..=words)
            .map(|rank| new_word(rank, &mut taken, &mut random))
            .collect();
        let ranks = Zipf::new(words.len(), exponent);
        Self { words, ranks }
    }

    /// How many words there are.
    pub fn size(&self) -> usize {
        self.words.len()
    }

    /// Draws a word: its number, which is its rank less one.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> u32 {
        self.ranks.draw(random)
    }

    /// Appends a word and a space.
    #[inline]
    pub fn push(&self, word: u32, out: &mut Vec<u8>) {
        let word = &self.words[word as usize];
        let end = out.len() + usize::from(word.letters) + 1;
        out.extend_from_slice(&word.bytes);
        out.truncate(end);
    }
}

/// Makes a word that is not taken yet, short if its rank is low, as in languages.
fn new_word(rank: u32, taken: &mut HashSet<[u8; 16]>, random: &mut Random) -> Word {
    const TRIES: usize = 8;
    let usual = SHORTEST + 2 * rank.ilog2() as usize / 5;
    let mut letters = (usual + random.below(3)).saturating_sub(1);
    loop {
        letters = letters.clamp(SHORTEST, LONGEST);
        for _ in 0..TRIES {
            let bytes = spell(letters, random);
            if taken.insert(bytes) {
                let letters = u8::try_from(letters).unwrap_or(u8::MAX);
                return Word { bytes, letters };
            }
        }
        letters += 1;
    }
}

/// Consonants and vowels in turn, which anyone can pronounce, and a space.
fn spell(letters: usize, random: &mut Random) -> [u8; 16] {
    let mut bytes = [b' '; 16];
    let first = random.below(4).min(1);
    for (place, byte) in bytes[..letters].iter_mut().enumerate() {
        let alphabet = if (place + first).is_multiple_of(2) {
            VOWELS
        } else {
            CONSONANTS
        };
        *byte = alphabet[random.below(alphabet.len())];
    }
    bytes
}

/// Draws numbers by Zipf's law in constant time: Walker's alias table as Vose builds it.
#[derive(Debug)]
struct Zipf {
    slots: Vec<Slot>,
}

/// A slot is hit as often as any other; it gives its own number if the rest of the draw is below
/// `keep`, and otherwise the other one.
#[derive(Clone, Copy, Debug)]
struct Slot {
    keep: u32,
    other: u32,
}

impl Zipf {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "shares lie between 0 and 1, and numbers below the largest vocabulary"
    )]
    fn new(size: usize, exponent: f64) -> Self {
        let weights: Vec<f64> = (1..=size)
            .map(|rank| exp(-exponent * ln(rank as f64)))
            .collect();
        let scale = size as f64 / weights.iter().sum::<f64>();
        let mut shares: Vec<f64> = weights.iter().map(|weight| weight * scale).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..size).partition(|&number| shares[number] < 1.0);
        // What is left over by rounding keeps its whole slot.
        let mut slots: Vec<Slot> = (0..size)
            .map(|number| Slot {
                keep: u32::MAX,
                other: number as u32,
            })
            .collect();
        while let (Some(&giver), Some(taker)) = (large.last(), small.pop()) {
            slots[taker] = Slot {
                keep: (shares[taker] * f64::from(u32::MAX)) as u32,
                other: giver as u32,
            };
            shares[giver] -= 1.0 - shares[taker];
            if shares[giver] < 1.0 {
                large.pop();
                small.push(giver);
            }
        }
        Self { slots }
    }

    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "one half of the bits is the slot, the other the rest of the draw"
    )]
    fn draw(&self, random: &mut Random) -> u32 {
        let bits = random.bits();
        let number = ((bits >> 32) * self.slots.len() as u64) >> 32;
        let slot = self.slots[number as usize];
        if (bits as u32) < slot.keep {
            number as u32
        } else {
            slot.other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_drawn_as_much_more_often_as_zipf_says() {
        let size = 1000;
        let draws = 1_000_000;
        for exponent in [0.0, 0.7, 1.0, 1.5] {
            let zipf = Zipf::new(size, exponent);
            let mut random = Random::new(5, Purpose::Body, 0);
            let mut counts = vec![0_u32; size];
            for _ in 0..draws {
                counts[zipf.draw(&mut random) as usize] += 1;
            }
            let total: f64 = (1..=size).map(|rank| (rank as f64).powf(-exponent)).sum();
            for rank in [1_u32, 2, 10, 100] {
                let expected = f64::from(draws) * f64::from(rank).powf(-exponent) / total;
                let count = f64::from(counts[rank as usize - 1]);
                assert!(
                    (count - expected).abs() < 6.0 * expected.sqrt(),
                    "rank {rank} with exponent {exponent}: {count}, not {expected}"
                );
            }
            let head: u32 = counts[..100].iter().sum();
            let tail: u32 = counts[900..].iter().sum();
            assert!(exponent == 0.0 || head > 4 * tail);
        }
    }

    #[test]
    fn words_are_different_lower_case_and_short_if_frequent() {
        let vocabulary = Vocabulary::new(20_000, 1.0, 3);
        let mut seen = HashSet::new();
        let mut lengths = Vec::new();
        for number in 0..20_000 {
            let mut word = Vec::new();
            vocabulary.push(number, &mut word);
            assert_eq!(word.pop(), Some(b' '));
            assert!(word.iter().all(u8::is_ascii_lowercase));
            assert!((SHORTEST..=LONGEST).contains(&word.len()));
            lengths.push(word.len());
            assert!(seen.insert(word));
        }
        let mean = |lengths: &[usize]| lengths.iter().sum::<usize>() as f64 / lengths.len() as f64;
        assert!(mean(&lengths[..100]) < mean(&lengths[100..1000]));
        assert!(mean(&lengths[100..1000]) < mean(&lengths[1000..]));
    }
}
