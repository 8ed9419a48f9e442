//! The parts of two texts that can be in a common run: most pairs share little, and sorting suffixes
//! is the dearest part of aligning them.
//!
//! A run of at least `shortest` symbols has a whole one of the blocks that the left text is cut into,
//! each half as long. So the blocks that stand nowhere in the right text are in no run, and neither
//! is what is far from all others. What looks like a block by its hash and is none costs a little
//! time and changes nothing. Only where a run stands at more places than anybody looks at, another
//! one of them may be taken than in the whole texts.

use std::ops::Range;

use super::symbols::{SEPARATOR, Symbols, Text};
use crate::number::index32;

/// Two texts without most of what they do not share.
pub(super) struct Narrow {
    pub(super) text: Text,
    /// Where each document stands in `text`.
    pub(super) documents: [Range<u32>; 2],
    /// For each place of `text` where it was before.
    pub(super) origins: Vec<u32>,
}

/// Shorter runs have blocks that stand everywhere.
const SHORTEST: u32 = 24;

impl Narrow {
    /// The parts of two documents that can be in runs of at least `shortest` symbols; none if that is
    /// nearly everything.
    pub(super) fn of(symbols: &Symbols, shortest: u32) -> Option<Narrow> {
        if shortest < SHORTEST {
            return None;
        }
        let block = shortest.div_ceil(2) as usize;
        let [left, right] = [0, 1].map(|number| {
            let place = symbols.document(number);
            place.start as usize..place.end as usize
        });
        match &symbols.text {
            Text::Bytes(bytes) => {
                let last = bytes.iter().max()?.checked_add(1)?;
                let kept = kept(bytes, u64::from, [left, right], block)?;
                let separators = [u8::try_from(SEPARATOR).ok()?, last];
                Some(cut(bytes, &kept, separators, Text::Bytes))
            }
            Text::Numbers(numbers) => {
                let last = numbers.iter().max()?.checked_add(1)?;
                let code = |number: i32| u64::from(number.cast_unsigned());
                let kept = kept(numbers, code, [left, right], block)?;
                let separators = [SEPARATOR.cast_signed(), last];
                Some(cut(numbers, &kept, separators, Text::Numbers))
            }
        }
    }
}

/// The kept parts of both documents, in order and apart; none if they are more than three quarters.
fn kept<T: Copy>(
    text: &[T],
    code: impl Fn(T) -> u64,
    [left, right]: [Range<usize>; 2],
    block: usize,
) -> Option<[Vec<Range<usize>>; 2]> {
    let blocks = Blocks::of(text, &code, &left, block);
    let mut parts = [
        Parts::new(left.clone(), block),
        Parts::new(right.clone(), block),
    ];
    let mut is_found = vec![false; blocks.hashes.len()];
    let mut hash = Rolling::new(block);
    for place in right.clone() {
        let leaving = place
            .checked_sub(block)
            .filter(|leaving| *leaving >= right.start);
        hash.step(
            code(text[place]),
            leaving.map(|leaving| code(text[leaving])),
        );
        if place + 1 < right.start + block {
            continue;
        }
        let found = blocks.find(hash.value);
        if !found.is_empty() {
            parts[1].add(place + 1 - block);
            is_found[found].fill(true);
        }
    }
    let mut starts: Vec<usize> = (blocks.hashes.iter().zip(&is_found))
        .filter_map(|((_, start), is_found)| is_found.then_some(*start))
        .collect();
    starts.sort_unstable();
    for start in starts {
        parts[0].add(start);
    }
    let [left_parts, right_parts] = parts.map(|parts| parts.ranges);
    let length = |ranges: &[Range<usize>]| ranges.iter().map(Range::len).sum::<usize>();
    let total = length(&left_parts) + length(&right_parts);
    (4 * total <= 3 * (left.len() + right.len())).then_some([left_parts, right_parts])
}

/// The kept parts one after the other. Behind each stands a symbol that the other document has
/// nowhere, so that no run goes on from one part to the next.
fn cut<T: Copy>(
    text: &[T],
    kept: &[Vec<Range<usize>>; 2],
    separators: [T; 2],
    wrap: impl Fn(Vec<T>) -> Text,
) -> Narrow {
    let mut narrow = Vec::new();
    let mut origins = Vec::new();
    let documents = [0, 1].map(|number: usize| {
        let start = index32(narrow.len());
        for part in &kept[number] {
            narrow.extend_from_slice(&text[part.clone()]);
            narrow.push(separators[number]);
            origins.extend(index32(part.start)..=index32(part.end));
        }
        start..index32(narrow.len())
    });
    Narrow {
        text: wrap(narrow),
        documents,
        origins,
    }
}

/// The blocks of a text by their hashes.
struct Blocks {
    /// Hash and start, sorted.
    hashes: Vec<(u64, usize)>,
    /// A bit for each value of the upper bits that a hash has: most have none.
    hints: Vec<u64>,
}

const HINT_BITS: u32 = 16;

impl Blocks {
    fn of<T: Copy>(
        text: &[T],
        code: &impl Fn(T) -> u64,
        within: &Range<usize>,
        block: usize,
    ) -> Blocks {
        let whole = text[within.clone()].chunks_exact(block);
        let mut hashes: Vec<(u64, usize)> = whole
            .zip((within.start..).step_by(block))
            .map(|(symbols, start)| {
                let mut hash = Rolling::new(block);
                for symbol in symbols {
                    hash.step(code(*symbol), None);
                }
                (hash.value, start)
            })
            .collect();
        hashes.sort_unstable();
        let mut hints = vec![0; 1 << (HINT_BITS - 6)];
        for (hash, _) in &hashes {
            let (word, bit) = hint(*hash);
            hints[word] |= bit;
        }
        Blocks { hashes, hints }
    }

    /// The places in `hashes` of the blocks with a hash.
    fn find(&self, hash: u64) -> Range<usize> {
        let (word, bit) = hint(hash);
        if self.hints[word] & bit == 0 {
            return 0..0;
        }
        let start = self.hashes.partition_point(|(other, _)| *other < hash);
        let same = self.hashes[start..]
            .iter()
            .take_while(|(other, _)| *other == hash);
        start..start + same.count()
    }
}

fn hint(hash: u64) -> (usize, u64) {
    let high = hash >> (64 - HINT_BITS);
    let word = usize::try_from(high >> 6).expect("a few bits");
    (word, 1 << (high & 63))
}

/// The hash of the last few symbols.
struct Rolling {
    value: u64,
    /// What the symbol that leaves has been multiplied by.
    oldest: u64,
}

impl Rolling {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

    fn new(length: usize) -> Rolling {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        Rolling {
            value: 0,
            oldest: Rolling::FACTOR.wrapping_pow(length),
        }
    }

    fn step(&mut self, symbol: u64, leaving: Option<u64>) {
        // Symbols are small numbers; one more than that, so that 0 counts as well.
        self.value = self
            .value
            .wrapping_mul(Rolling::FACTOR)
            .wrapping_add(symbol + 1);
        if let Some(leaving) = leaving {
            self.value = self
                .value
                .wrapping_sub(self.oldest.wrapping_mul(leaving + 1));
        }
    }
}

/// Parts of a document around blocks that were found in the other one.
struct Parts {
    within: Range<usize>,
    block: usize,
    ranges: Vec<Range<usize>>,
}

impl Parts {
    fn new(within: Range<usize>, block: usize) -> Parts {
        Parts {
            within,
            block,
            ranges: Vec::new(),
        }
    }

    /// A block and what a run may have beside its outermost blocks: less than a block. Starts must
    /// not go back.
    fn add(&mut self, start: usize) {
        let first = start.saturating_sub(self.block).max(self.within.start);
        let end = (start + 2 * self.block).min(self.within.end);
        match self.ranges.last_mut() {
            Some(last) if first <= last.end => last.end = end,
            _ => self.ranges.push(first..end),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::{Shortest, Vocabulary};
    use super::*;

    proptest! {
        /// Whatever stands in both texts for long enough is kept in both, whole.
        #[test]
        fn runs_are_kept(
            left in proptest::collection::vec(0..400u32, 0..200),
            right in proptest::collection::vec(0..400u32, 0..200),
            from in 0..200usize,
            words in 1..60usize,
            to in 0..200usize,
        ) {
            const SHORTEST: u32 = 60;
            let mut right = right;
            let copied: Vec<u32> = left.iter().copied().skip(from).take(words).collect();
            let to = to.min(right.len());
            right.splice(to..to, copied);
            let text = |words: &[u32]| {
                words.iter().map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
            };
            let mut vocabulary = Vocabulary::default();
            let [left, right] = [&left, &right].map(|words| vocabulary.read(&text(words)));
            let chars = Shortest::Chars(SHORTEST.try_into().unwrap());
            let symbols = Symbols::read(&[&left, &right], &vocabulary, chars).unwrap();
            let Some(narrow) = Narrow::of(&symbols, SHORTEST) else {
                return Ok(());
            };
            let Text::Bytes(bytes) = &symbols.text else {
                return Ok(());
            };
            let [left, right] = [0, 1].map(|number| symbols.document(number));
            let length = SHORTEST as usize;
            let is_kept = |place: u32| narrow.origins.windows(length + 1).any(|origins| {
                origins[0] == place && origins[length - 1] == place + SHORTEST - 1
            });
            for one in left.clone() {
                for other in right.clone() {
                    let at = |place: u32| bytes.get(place as usize..place as usize + length);
                    let are_whole = one + SHORTEST <= left.end && other + SHORTEST <= right.end;
                    if are_whole && at(one) == at(other) {
                        prop_assert!(is_kept(one) && is_kept(other));
                    }
                }
            }
        }
    }
}
