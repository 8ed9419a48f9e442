//! The places of a text in the order of what follows them.

use crate::align::Word;
use crate::align::suffix_sort::{self, SuffixText};

/// All places of a text, sorted by the words that follow them.
pub(super) struct Suffixes {
    /// The rank of each place.
    pub(super) ranks: Vec<u32>,
    /// How many words the place of each rank has in common with the one before it; 0 for the first.
    pub(super) common: Vec<u32>,
}

/// How many places can be sorted: they are numbered by 31 bits.
pub(super) const MOST: u64 = i32::MAX as u64;

/// Sorts the places of a text, unless there are too many or that fails.
pub(super) fn sort(words: &[Word]) -> Option<Suffixes> {
    let mut text = dense(words)?;
    let sorted = suffix_sort::sort(SuffixText::Numbers(&mut text)).ok()?;
    let mut ranks = vec![0; text.len()];
    let mut common = vec![0; text.len()];
    for (rank, &place) in (0..).zip(&sorted.order) {
        ranks[place as usize] = rank;
        common[rank as usize] = sorted.shared[place as usize];
    }
    Some(Suffixes { ranks, common })
}

/// The words numbered from 0 without gaps.
fn dense(words: &[Word]) -> Option<Vec<i32>> {
    i32::try_from(words.len()).ok()?;
    let mut distinct = words.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let number = |word: &Word| i32::try_from(distinct.binary_search(word).ok()?).ok();
    words.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banana() {
        let words: Vec<Word> = "banana".bytes().map(|b| Word(u32::from(b) << 20)).collect();
        let suffixes = sort(&words).unwrap();
        assert_eq!(suffixes.ranks, [3, 2, 5, 1, 4, 0]);
        assert_eq!(suffixes.common, [0, 1, 3, 0, 0, 2]);
        for len in 0..3 {
            assert_eq!(sort(&words[..len]).unwrap().ranks.len(), len);
        }
    }
}
