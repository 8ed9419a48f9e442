//! The windows of a text: so many words in a row, and a digest of each.

use std::hash::{BuildHasherDefault, Hasher};

use twox_hash::XxHash3_64;

use crate::align::Vocabulary;
use crate::token::Tokens;

/// The words of a text, and the digests of its windows.
#[derive(Clone, Debug)]
pub struct Windows {
    tokens: Tokens,
    digests: Vec<u64>,
    length: u32,
}

/// Digests are mixed already; a table takes them as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mixed(u64);

/// What builds a table whose keys are digests.
pub(super) type ByDigest = BuildHasherDefault<Mixed>;

impl Windows {
    /// All windows of `length` words, by the place of their first word. A shorter text has none.
    ///
    /// # Panics
    ///
    /// If the text is 4 GiB or longer.
    pub fn of(text: &str, length: u32) -> Windows {
        Windows::from_tokens(Vocabulary::tokens(text), length)
    }

    pub(super) fn from_tokens(tokens: Tokens, length: u32) -> Windows {
        let digests = digests(&tokens, length);
        Windows {
            tokens,
            digests,
            length,
        }
    }

    /// The words.
    pub fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    pub(super) fn into_tokens(self) -> Tokens {
        self.tokens
    }

    /// The digest of the window that begins at each word.
    pub fn digests(&self) -> &[u64] {
        &self.digests
    }

    /// How many words a window has.
    pub fn length(&self) -> u32 {
        self.length
    }

    /// The same words with digests that are no good: every window has one of a few.
    #[cfg(test)]
    pub(super) fn colliding(mut self, kinds: u64) -> Windows {
        for digest in &mut self.digests {
            *digest %= kinds;
        }
        self
    }
}

/// A polynomial over the hashes of the words: the first word can be taken away again, so that a
/// window costs the same whatever its length.
fn digests(tokens: &Tokens, length: u32) -> Vec<u64> {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let length = length as usize;
    if length == 0 || tokens.len() < length {
        return Vec::new();
    }
    let words: Vec<u64> = tokens
        .terms()
        .map(|term| XxHash3_64::oneshot(term.as_bytes()))
        .collect();
    let top = (1..length).fold(1_u64, |power, _| power.wrapping_mul(FACTOR));
    let mut sum = 0_u64;
    let mut digests = Vec::with_capacity(words.len() + 1 - length);
    for (place, word) in words.iter().enumerate() {
        sum = sum.wrapping_mul(FACTOR).wrapping_add(*word);
        if let Some(first) = (place + 1).checked_sub(length) {
            digests.push(mixed(sum));
            sum = sum.wrapping_sub(words[first].wrapping_mul(top));
        }
    }
    digests
}

/// Every bit of the number in every bit of the result.
pub(super) fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let number = (number ^ (number >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    number ^ (number >> 32)
}

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = mixed(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_the_same_digest_wherever_it_stands() {
        let one = Windows::of("x One two, three four", 3);
        let other = Windows::of("ONE\ntwo three", 3);
        assert_eq!(one.digests().len(), 3);
        assert_eq!(one.digests()[1], other.digests()[0]);
        assert_ne!(one.digests()[0], other.digests()[0]);
        let swapped = Windows::of("two one three", 3);
        assert_ne!(swapped.digests()[0], other.digests()[0]);
        assert!(Windows::of("one two", 3).digests().is_empty());
        assert!(Windows::of("one two", 0).digests().is_empty());
    }
}
