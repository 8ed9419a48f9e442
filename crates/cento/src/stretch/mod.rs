//! Stretches: documents that have something in common in one place, whatever the rest of them says.
//!
//! A fingerprint tells how much of a document is in another one, so a copied page in a long document
//! goes unnoticed, and so does a paragraph whose words were replaced or put in another order. A
//! stretch of a hundred words is short enough for either to stand out, and a pair of words that stand
//! near each other survives what a chunk of five does not. So a document is cut into blocks of fifty
//! words, a block is its pairs of near words, and two neighbouring blocks are a stretch.
//!
//! ```text
//!  text ─▶ Stretches: (pair of words, block) ─▶ dense: lists of rare pairs ─▶ documents to look at
//! ```
//!
//! This only says where to look: an aligner decides. docs/methods.md, section Stretches, has the
//! numbers.

mod dense;

pub(crate) use dense::dense_pairs;

use std::hash::Hasher as _;

use siphasher::sip::SipHasher13;

use crate::align::Vocabulary;
use crate::digest::{Key, Purpose};
use crate::number::index32;
use crate::token::{Tokens, is_part};

/// The pairs of near words of a document, by blocks.
///
/// ```
/// use cento::{Key, Stretches};
///
/// let stretches = Stretches::of("The town rebuilt its canal in nine years.", &Key::PUBLIC);
/// assert_eq!(stretches.blocks(), 1);
/// // town rebuilt, town canal, rebuilt canal, rebuilt nine, canal nine, canal years, nine years
/// assert_eq!(stretches.len(), 7);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretches {
    blocks: u32,
    /// The digest of a pair in the upper 36 bits, the block below; ascending, each once.
    entries: Vec<u64>,
}

/// The words of a text that make pairs, with their places, under a key: all that its stretches need.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    words: u32,
    terms: Vec<(u32, u64)>,
}

impl Terms {
    /// The words are those that alignment counts.
    pub(crate) fn of(words: &Tokens, key: &Key) -> Terms {
        Terms {
            words: index32(words.len()),
            terms: terms(words, &key.sip13(Purpose::Stretches)),
        }
    }

    /// Their stretches as a registry keeps them: only pairs of neighbours. Those of which both words
    /// are left out do not count.
    #[cfg(feature = "registry")]
    pub(crate) fn registered(&self, key: &Key, is_left_out: impl Fn(u32) -> bool) -> Stretches {
        Stretches::with_reach(self, key, REGISTERED_REACH, is_left_out)
    }
}

/// How many words a block has.
const BLOCK: usize = 50;

/// How many characters of a word count: what differs behind them is mostly the ending.
const STEM: usize = 6;

/// Shorter words stand everywhere, in most languages.
const SHORTEST: usize = 4;

/// How far from each other, among the words that count, the words of a pair are at most.
const REACH: usize = 2;

/// The same in a registry, where every pair takes room on the disk.
#[cfg(feature = "registry")]
const REGISTERED_REACH: usize = 1;

/// How many bits of a digest are kept.
pub(crate) const DIGEST_BITS: u8 = 36;

/// How many bits a block has: what stands behind the last one counts to it.
const BLOCK_BITS: u32 = u64::BITS - DIGEST_BITS as u32;
const LAST_BLOCK: usize = (1 << BLOCK_BITS) - 1;

impl Stretches {
    /// The stretches of a text, under a key.
    pub fn of(text: &str, key: &Key) -> Stretches {
        let terms = Terms::of(&Vocabulary::tokens(text), key);
        Stretches::with_reach(&terms, key, REACH, |_| false)
    }

    fn with_reach(
        Terms { words, terms }: &Terms,
        key: &Key,
        reach: usize,
        is_left_out: impl Fn(u32) -> bool,
    ) -> Stretches {
        let hasher = key.sip13(Purpose::Stretches);
        let mut entries = Vec::with_capacity(reach * terms.len());
        for (at, &(place, term)) in terms.iter().enumerate() {
            let block = (place as usize / BLOCK).min(LAST_BLOCK);
            for &(next, other) in terms[at + 1..].iter().take(reach) {
                let is_left_out = is_left_out(place) && is_left_out(next);
                if term != other && !is_left_out {
                    let digest = pair(&hasher, term, other);
                    entries.push(digest << BLOCK_BITS | block as u64);
                }
            }
        }
        entries.sort_unstable();
        entries.dedup();
        Stretches {
            blocks: index32((*words as usize).div_ceil(BLOCK).min(LAST_BLOCK + 1)),
            entries,
        }
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// How many different pairs the blocks have, all together.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The digest of each pair and its block, ascending.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, u32)> {
        let parts = |entry: &u64| {
            let block = entry & LAST_BLOCK as u64;
            (entry >> BLOCK_BITS, u32::try_from(block).expect("28 bits"))
        };
        self.entries.iter().map(parts)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// A pair of words that more documents have counts for nothing.
pub(crate) const MOST: usize = 20;

/// What a pair of words counts for that so many documents have, besides the one in question.
pub(crate) fn weight(documents: usize) -> f32 {
    1.0 / (documents.max(1) as f32).sqrt()
}

/// The words of the stretch that begins with a block, in a text of so many.
#[cfg(feature = "registry")]
pub(crate) fn stretch_words(block: u32, words: usize) -> std::ops::Range<usize> {
    let start = (block as usize * BLOCK).min(words);
    start..(start + 2 * BLOCK).min(words)
}

/// The words that count, with their places. Of a script without spaces, where one character says
/// little, two neighbours are one.
fn terms(tokens: &Tokens, hasher: &SipHasher13) -> Vec<(u32, u64)> {
    let count = index32(tokens.len());
    let mut terms = Vec::with_capacity(tokens.len());
    for place in 0..count {
        let term = tokens.term(place);
        let mut hasher = *hasher;
        if is_part(term) {
            hasher.write(term.as_bytes());
            if place + 1 < count && is_part(tokens.term(place + 1)) {
                hasher.write(tokens.term(place + 1).as_bytes());
            }
        } else {
            let mut ends = term.char_indices().map(|(start, c)| start + c.len_utf8());
            let Some(shortest) = ends.nth(SHORTEST - 1) else {
                continue;
            };
            let stem = ends.take(STEM - SHORTEST).last().unwrap_or(shortest);
            hasher.write(&term.as_bytes()[..stem]);
        }
        terms.push((place, hasher.finish()));
    }
    terms
}

/// The digest of two words in any order.
fn pair(hasher: &SipHasher13, one: u64, other: u64) -> u64 {
    let mut hasher = *hasher;
    hasher.write_u64(one.min(other));
    hasher.write_u64(one.max(other));
    hasher.finish() >> BLOCK_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Stretches {
        Stretches::of(text, &Key::PUBLIC)
    }

    fn shared(left: &str, right: &str) -> usize {
        let digests = |text: &str| -> std::collections::BTreeSet<u64> {
            of(text).entries().map(|(digest, _)| digest).collect()
        };
        digests(left).intersection(&digests(right)).count()
    }

    #[test]
    fn order_endings_and_short_words_do_not_count() {
        assert_eq!(shared("rebuilding canals", "The canals were rebuilt"), 1);
        assert_eq!(
            shared("rebuilding canals", "canals that were once rebuilt"),
            0
        );
        assert_eq!(shared("a b c d", "a b c d"), 0, "short words make no pairs");
        assert_eq!(
            shared("canal canal", "canal canal"),
            0,
            "one word is no pair"
        );
    }

    #[test]
    fn scripts_without_spaces_have_pairs_too() {
        assert_eq!(shared("水手在港口", "他们说水手在港口"), 7);
        assert_eq!(shared("水手在港口", "口港在手水"), 0);
    }

    #[test]
    fn a_pair_stands_in_the_block_of_its_first_word() {
        let filler = "of ".repeat(60);
        let stretches = of(&format!("{filler}canal bridge {filler}"));
        assert_eq!(stretches.blocks(), 3);
        assert_eq!(stretches.entries.len(), 1);
        assert_eq!(stretches.entries().next().map(|(_, block)| block), Some(1));
    }

    #[test]
    fn a_key_changes_everything() {
        let text = "The town rebuilt its canal in nine years.";
        let keyed = Stretches::of(text, &Key::new([7; 16]));
        let public: Vec<u64> = of(text).entries;
        assert!(keyed.entries.iter().all(|entry| !public.contains(entry)));
        assert_eq!(of(""), Stretches::default());
    }
}
