//! Runs of so many words that two texts have in common. Those of a text are gathered once, for all the
//! pairs that it is in.

use std::collections::HashSet;

use super::Word;
use crate::number::index32;

/// A run of so many words that both texts have is no accident; docs/methods.md has the measurement.
pub(crate) const RUN: usize = 8;

/// All runs of one length of a text: the hash of each above its place, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordRuns {
    length: usize,
    hashed: Vec<u64>,
}

/// The runs that two texts have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedRuns {
    /// Where they start on either side, ascending.
    pub(crate) starts: [Vec<u32>; 2],
    /// Where equal ones start on both sides, not all of them where there are very many: by diagonal, so
    /// that those of one longer run come in a row.
    pub(crate) equal: Vec<EqualRuns>,
}

/// Where equal runs start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EqualRuns {
    /// The same for all places that are equally far from each other on both sides.
    pub(crate) diagonal: usize,
    pub(crate) left: usize,
}

/// How many places of one run are tried against those of another.
const PLACES: usize = 8;

impl WordRuns {
    pub(crate) fn of(words: &[Word], length: usize) -> WordRuns {
        let mut hashed: Vec<u64> = words
            .windows(length)
            .enumerate()
            .map(|(place, run)| hash(run) << 32 | place as u64)
            .collect();
        hashed.sort_unstable();
        WordRuns { length, hashed }
    }

    /// What two texts with these words have in common.
    pub(crate) fn shared(&self, other: &WordRuns, words: [&[Word]; 2]) -> SharedRuns {
        let mut shared = SharedRuns::default();
        let run = |side: usize, place: usize| &words[side][place..place + self.length];
        self.meet(other, |lefts, rights| {
            self.starts(words, [lefts, rights], |side, start| {
                shared.starts[side].push(index32(start));
            });
            for &left in lefts.iter().take(PLACES) {
                for &right in rights.iter().take(PLACES) {
                    let (left, right) = (place(left), place(right));
                    if run(0, left) == run(1, right) {
                        let diagonal = words[1].len() + left - right;
                        shared.equal.push(EqualRuns { diagonal, left });
                    }
                }
            }
        });
        for starts in &mut shared.starts {
            starts.sort_unstable();
        }
        shared.equal.sort_unstable();
        shared
    }

    /// Calls `found` with each side and place of a run that the other side has too.
    pub(crate) fn common(
        &self,
        other: &WordRuns,
        words: [&[Word]; 2],
        mut found: impl FnMut(usize, usize),
    ) {
        self.meet(other, |lefts, rights| {
            self.starts(words, [lefts, rights], &mut found);
        });
    }

    /// Of the entries of one hash, those whose run the other side has too.
    fn starts(
        &self,
        words: [&[Word]; 2],
        entries: [&[u64]; 2],
        mut found: impl FnMut(usize, usize),
    ) {
        let run = |side: usize, place: usize| &words[side][place..place + self.length];
        // The runs of one hash are nearly always one and the same.
        let first = run(0, place(entries[0][0]));
        let is_one = |side: usize| {
            let mut all = entries[side].iter();
            all.all(|&entry| run(side, place(entry)) == first)
        };
        if is_one(0) && is_one(1) {
            for side in [0, 1] {
                for &entry in entries[side] {
                    found(side, place(entry));
                }
            }
            return;
        }
        for side in [0, 1] {
            let others = entries[1 - side].iter();
            let others: HashSet<&[Word]> =
                others.map(|&entry| run(1 - side, place(entry))).collect();
            for &entry in entries[side] {
                if others.contains(run(side, place(entry))) {
                    found(side, place(entry));
                }
            }
        }
    }

    /// Calls `found` with the entries of either side that have a hash which both have.
    fn meet(&self, other: &WordRuns, mut found: impl FnMut(&[u64], &[u64])) {
        let (mut left, mut right) = (self.hashed.as_slice(), other.hashed.as_slice());
        while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
            match (a >> 32).cmp(&(b >> 32)) {
                std::cmp::Ordering::Less => left = &left[1..],
                std::cmp::Ordering::Greater => right = &right[1..],
                std::cmp::Ordering::Equal => {
                    let same = |entries: &[u64]| {
                        let others = entries.iter().position(|entry| entry >> 32 != a >> 32);
                        others.unwrap_or(entries.len())
                    };
                    let (in_left, after_left) = left.split_at(same(left));
                    let (in_right, after_right) = right.split_at(same(right));
                    found(in_left, in_right);
                    (left, right) = (after_left, after_right);
                }
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the lower half is what is wanted"
)]
fn place(entry: u64) -> usize {
    entry as u32 as usize
}

/// 32 bits of a run; what they say is checked.
fn hash(run: &[Word]) -> u64 {
    let mixed = run.iter().fold(0_u64, |hash, word| {
        (hash.rotate_left(23) ^ u64::from(word.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_both_have() {
        let words = |text: &str| -> Vec<Word> { text.bytes().map(|b| Word(b.into())).collect() };
        let (left, right) = (words("abcdefghixabcdefgh"), words("zabcdefghiy"));
        let shared = WordRuns::of(&left, RUN).shared(&WordRuns::of(&right, RUN), [&left, &right]);
        assert_eq!(shared.starts, [vec![0, 1, 10], vec![1, 2]]);
        let equal: Vec<(usize, usize)> = (shared.equal.iter())
            .map(|equal| (equal.left, right.len() + equal.left - equal.diagonal))
            .collect();
        assert_eq!(equal, [(0, 1), (1, 2), (10, 1)]);
    }
}
