//! Pieces → passages: how the two sides differ, and how much.

use std::ops::Range;

use super::runs::Run;
use super::units::Texts;
use crate::align::{Kind, Passage, Sequence, Word};
use crate::number::index32;
use crate::word_map::WordMap;

/// From this share of words in order on, a passage is edited, below it paraphrased.
const EDITED: f64 = 0.5;

/// How many pairs of words are looked at, 64 at a time, to count the words in order. For larger
/// passages the runs are counted, which may be fewer.
const PAIRS: usize = 1 << 31;

/// The passage that these words of the two sides make.
pub(super) fn passage(
    left: &Sequence,
    right: &Sequence,
    texts: &Texts<'_>,
    runs: &[Run],
    of_left: Range<u32>,
    of_right: Range<u32>,
) -> Passage {
    let a = &left.words()[of_left.start as usize..of_left.end as usize];
    let b = &right.words()[of_right.start as usize..of_right.end as usize];
    let (kind, similarity) = if a == b {
        (Kind::Exact, 1.0)
    } else {
        let words = (a.len() + b.len()) as f64;
        let in_order = if a.len().saturating_mul(b.len()) <= PAIRS {
            common_in_order(a, b)
        } else {
            in_runs(&of_left, &of_right, runs)
        };
        let order = 2.0 * in_order as f64 / words;
        let any = common(
            texts.left.sorted_terms(&of_left),
            texts.right.sorted_terms(&of_right),
        );
        let matter = 2.0 * f64::from(any) / words;
        let kind = if order >= EDITED {
            Kind::Edited
        } else {
            Kind::Paraphrased
        };
        (kind, f64::midpoint(order, matter))
    };
    Passage {
        left: of_left,
        right: of_right,
        kind,
        similarity,
    }
}

/// How many words two texts have in common in the same order: the length of their longest common
/// subsequence, by rows of bits (Hyyrö's form of Allison and Dix).
fn common_in_order(left: &[Word], right: &[Word]) -> usize {
    let start = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let (left, right) = (&left[start..], &right[start..]);
    let blocks = left.len().div_ceil(64);
    let mut places: WordMap<Word, Vec<(usize, u64)>> = WordMap::default();
    for (at, &word) in left.iter().enumerate() {
        let list = places.entry(word).or_default();
        match list.last_mut() {
            Some((block, bits)) if *block == at / 64 => *bits |= 1 << (at % 64),
            _ => list.push((at / 64, 1 << (at % 64))),
        }
    }
    // A bit is 0 where the length grows.
    let mut row = vec![u64::MAX; blocks];
    for word in right {
        let Some(list) = places.get(word) else {
            continue;
        };
        let mut list = list.iter().peekable();
        let mut carry = false;
        for (block, bits) in row.iter_mut().enumerate() {
            let matches = list
                .next_if(|entry| entry.0 == block)
                .map_or(0, |entry| entry.1);
            let both = *bits & matches;
            let (sum, first) = bits.overflowing_add(both);
            let (sum, second) = sum.overflowing_add(u64::from(carry));
            carry = first || second;
            *bits = sum | (*bits & !matches);
        }
    }
    let grown: u32 = (0..left.len())
        .map(|at| u32::from(row[at / 64] >> (at % 64) & 1 == 0))
        .sum();
    start + grown as usize
}

/// The words of a passage that are in runs of equal words, as far as those come in order.
fn in_runs(left: &Range<u32>, right: &Range<u32>, runs: &[Run]) -> usize {
    let first = runs.partition_point(|run| run.left.start < left.start);
    let mut end = right.start;
    let mut words = 0;
    for run in &runs[first..] {
        if run.left.end > left.end {
            break;
        }
        if run.right.start >= end && run.right.end <= right.end {
            words += run.left.len();
            end = run.right.end;
        }
    }
    words
}

/// How many terms two texts have in common in any order; given are those of each, ascending.
fn common(left: Vec<u32>, right: Vec<u32>) -> u32 {
    let mut right = right.into_iter().peekable();
    let shared = left.into_iter().filter(|term| {
        while right.next_if(|other| other < term).is_some() {}
        right.next_if_eq(term).is_some()
    });
    index32(shared.count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word> {
        text.bytes().map(|byte| Word(u32::from(byte))).collect()
    }

    #[track_caller]
    fn check(left: &str, right: &str, expected: usize) {
        assert_eq!(common_in_order(&words(left), &words(right)), expected);
        assert_eq!(common_in_order(&words(right), &words(left)), expected);
    }

    #[test]
    fn words_in_order() {
        check("", "", 0);
        check("", "abc", 0);
        check("abc", "abc", 3);
        check("abcde", "abxde", 4);
        check("abcd", "dcba", 1);
        check("xaxbxcx", "yaybycy", 3);
        let long: String = ('a'..='z').cycle().take(500).collect();
        check(&long, &long[3..], 497);
        check(&long, &format!("{}!{}", &long[..130], &long[130..]), 500);
    }

    #[test]
    fn terms_in_any_order() {
        assert_eq!(common(vec![1, 1, 2, 3], vec![1, 1, 1, 3]), 3);
        assert_eq!(common(vec![], vec![1]), 0);
    }
}
