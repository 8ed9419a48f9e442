//! The places of a text in the order of what follows them.

use crate::align::Word;
use crate::number::index32;

/// All places of a text, sorted by the words that follow them.
pub(super) struct Suffixes {
    /// The rank of each place.
    pub(super) ranks: Vec<u32>,
    /// How many words the place of each rank has in common with the one before it; 0 for the first.
    pub(super) common: Vec<u32>,
}

/// How many places can be sorted: they are numbered by 31 bits.
pub(super) const MOST: u64 = i32::MAX as u64;

/// Sorts the places of a text, unless there are too many.
pub(super) fn sort(words: &[Word]) -> Option<Suffixes> {
    let mut text = dense(words)?;
    let letters = text.iter().max().map_or(0, |last| last + 1);
    let mut order = vec![0_i32; text.len()];
    if libsais_rs::libsais_int(&mut text, &mut order, letters, 0) != 0 {
        return None;
    }
    let mut order_of_places = Vec::with_capacity(order.len());
    for place in order {
        order_of_places.push(u32::try_from(place).ok()?);
    }
    let mut ranks = vec![0; text.len()];
    for (rank, &place) in (0..).zip(&order_of_places) {
        ranks[place as usize] = rank;
    }
    let common = common_words(words, &order_of_places, &ranks);
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

/// Kasai et al. 2001: what a place has in common with its neighbour is at most one word less than
/// what the place before it has.
fn common_words(words: &[Word], order: &[u32], ranks: &[u32]) -> Vec<u32> {
    let mut common = vec![0; words.len()];
    let mut length = 0;
    for (place, &rank) in ranks.iter().enumerate() {
        if rank == 0 {
            length = 0;
            continue;
        }
        let before = order[rank as usize - 1] as usize;
        let here = words[place + length..].iter();
        let same = here.zip(&words[before + length..]);
        length += same.take_while(|(one, other)| one == other).count();
        common[rank as usize] = index32(length);
        length = length.saturating_sub(1);
    }
    common
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
