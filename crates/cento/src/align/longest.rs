//! The longest run of equal words within the passages of a pair.

use std::collections::HashMap;

use super::{Kind, Passage, Sequence, Word};

/// How many words the longest run has that is equal, word by word, within any of the passages.
pub fn longest_run(left: &Sequence, right: &Sequence, passages: &[Passage]) -> u32 {
    let exact = passages
        .iter()
        .filter(|passage| passage.kind == Kind::Exact);
    let mut longest = exact
        .map(|passage| passage.left.len())
        .max()
        .unwrap_or_default();
    for passage in passages
        .iter()
        .filter(|passage| passage.kind != Kind::Exact)
    {
        let (l, r) = (&passage.left, &passage.right);
        let left = &left.words()[l.start as usize..l.end as usize];
        let right = &right.words()[r.start as usize..r.end as usize];
        while let Some(longer) = common_run(left, right, longest + 1) {
            longest = longer;
        }
    }
    crate::number::index32(longest)
}

/// The length of a maximal common run of at least `shortest` words, if there is any.
fn common_run(left: &[Word], right: &[Word], shortest: usize) -> Option<usize> {
    if left.len().min(right.len()) < shortest {
        return None;
    }
    let mut starts: HashMap<u64, usize> = HashMap::new();
    for (start, hash) in rolling(left, shortest) {
        starts.entry(hash).or_insert(start);
    }
    rolling(right, shortest).find_map(|(at, hash)| {
        let start = *starts.get(&hash)?;
        let equal = left[start..]
            .iter()
            .zip(&right[at..])
            .take_while(|(a, b)| a == b)
            .count();
        (equal >= shortest).then_some(equal)
    })
}

/// A hash of every window of so many words.
fn rolling(words: &[Word], length: usize) -> impl Iterator<Item = (usize, u64)> {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    let value = |word: Word| u64::from(word.0) + 1;
    let mut oldest_weight = 1_u64;
    for _ in 1..length {
        oldest_weight = oldest_weight.wrapping_mul(BASE);
    }
    let mut hash = 0_u64;
    (0..words.len()).filter_map(move |end| {
        if let Some(oldest) = end.checked_sub(length) {
            hash = hash.wrapping_sub(value(words[oldest]).wrapping_mul(oldest_weight));
        }
        hash = hash.wrapping_mul(BASE).wrapping_add(value(words[end]));
        (end + 1 >= length).then(|| (end + 1 - length, hash))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::Vocabulary;

    #[test]
    fn the_longest_of_several() {
        let mut vocabulary = Vocabulary::default();
        let left = vocabulary.read("one two three x four five six seven y eight");
        let right = vocabulary.read("one two three z four five six seven w eight");
        let passage = Passage {
            left: 0..10,
            right: 0..10,
            kind: Kind::Edited,
            similarity: 0.8,
        };
        assert_eq!(longest_run(&left, &right, &[passage]), 4);
        assert_eq!(longest_run(&left, &right, &[]), 0);
    }
}
