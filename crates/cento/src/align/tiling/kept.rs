//! The words that can be part of a tile: those in windows that both texts have.

use std::collections::HashSet;
use std::ops::Range;

use crate::align::Word;
use crate::number::index32;

/// The words of both texts that lie in windows which the other one has too, the left text's first.
///
/// A run is a stretch of neighbours of one text. A tile lies within a run on either side, because
/// all of its windows are shared. Windows are told apart by hashes alone: two that collide keep
/// words that no tile will cover.
#[derive(Default)]
pub(super) struct Kept {
    words: Vec<Word>,
    /// Where each word stands in its text.
    places: Vec<u32>,
    /// Where the run of each word ends, as an index of `words`.
    ends: Vec<u32>,
    /// How many of the words are the left text's.
    lefts: u32,
}

impl Kept {
    pub(super) fn of(left: &[Word], right: &[Word], window: u32) -> Kept {
        let mut kept = Kept::default();
        let [in_left, in_right] = [left, right].map(|words| hashes(words, window as usize));
        if in_left.is_empty() || in_right.is_empty() {
            return kept;
        }
        for run in shared_runs(&in_left, &in_right, window) {
            kept.push(left, run);
        }
        kept.lefts = index32(kept.words.len());
        for run in shared_runs(&in_right, &in_left, window) {
            kept.push(right, run);
        }
        kept
    }

    pub(super) fn words(&self) -> &[Word] {
        &self.words
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        index32(self.words.len())
    }

    /// Where a word stands in its text.
    pub(super) fn place(&self, at: u32) -> u32 {
        self.places[at as usize]
    }

    /// One past the last word of the run that a word is in.
    pub(super) fn run_end(&self, at: u32) -> u32 {
        self.ends[at as usize]
    }

    pub(super) fn is_left(&self, at: u32) -> bool {
        at < self.lefts
    }

    /// How many words of each text there are.
    pub(super) fn sides(&self) -> [u32; 2] {
        [self.lefts, self.len() - self.lefts]
    }

    fn push(&mut self, text: &[Word], run: Range<u32>) {
        let end = self.len() + (run.end - run.start);
        self.words
            .extend_from_slice(&text[run.start as usize..run.end as usize]);
        self.places.extend(run);
        self.ends.resize(end as usize, end);
    }
}

/// The runs of words that are covered by windows whose hashes the other text has.
fn shared_runs(own: &[u64], other: &[u64], window: u32) -> Vec<Range<u32>> {
    let known: HashSet<u64> = other.iter().copied().collect();
    let mut runs: Vec<Range<u32>> = Vec::new();
    for (start, _) in (0..).zip(own).filter(|(_, hash)| known.contains(hash)) {
        let end = start + window;
        match runs.last_mut() {
            Some(run) if run.end >= start => run.end = end,
            _ => runs.push(start..end),
        }
    }
    runs
}

/// The hash of every window, each from the one before it.
fn hashes(words: &[Word], window: usize) -> Vec<u64> {
    /// Odd, so that no bit of a word is lost however far it is shifted.
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let Some(start) = words.get(..window) else {
        return Vec::new();
    };
    let add = |hash: u64, word: &Word| hash.wrapping_mul(BASE).wrapping_add(mixed(*word));
    let leaving = (0..window).fold(1_u64, |power, _| power.wrapping_mul(BASE));
    let mut hash = start.iter().fold(0, add);
    let mut hashes = Vec::with_capacity(words.len() - window + 1);
    hashes.push(hash);
    for (gone, come) in words.iter().zip(&words[window..]) {
        hash = add(hash, come).wrapping_sub(mixed(*gone).wrapping_mul(leaving));
        hashes.push(hash);
    }
    hashes
}

/// A number of a word that differs in all bits from that of its neighbour in the vocabulary.
fn mixed(word: Word) -> u64 {
    let mut bits = (u64::from(word.0) + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits ^ (bits >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shared_windows_are_kept() {
        let words = |numbers: &[u32]| numbers.iter().map(|&n| Word(n)).collect::<Vec<_>>();
        let left = words(&[1, 2, 3, 4, 9, 5, 6, 7]);
        let right = words(&[5, 6, 7, 8, 1, 2, 3, 4]);
        let kept = Kept::of(&left, &right, 3);
        assert_eq!(kept.places, [0, 1, 2, 3, 5, 6, 7, 0, 1, 2, 4, 5, 6, 7]);
        assert_eq!(kept.ends, [4, 4, 4, 4, 7, 7, 7, 10, 10, 10, 14, 14, 14, 14]);
        assert_eq!(kept.sides(), [7, 7]);
        assert_eq!(Kept::of(&left, &right, 5).len(), 0);
        assert_eq!(Kept::of(&left, &right, 9).len(), 0);
        assert_eq!(Kept::of(&[], &right, 1).len(), 0);
    }
}
