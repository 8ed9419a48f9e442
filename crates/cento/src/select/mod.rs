//! Minutiae → fewer minutiae: which of them represent the text.
//!
//! A selector sees both the chunk and its digest: length, structure and anchors need the chunk;
//! modulus, minimum, winnowing and rarity need the digest.

mod anchor;
mod length;
mod letters;
mod position;
mod rarity;
mod value;

use std::num::NonZeroU32;

pub use anchor::DEFAULT_ANCHORS;
pub use rarity::Counts;

pub(crate) use value::select_digests;

use crate::digest::{Digest, Minutia};
use crate::token::Tokens;

/// What a stage may ask about the collection. The only trait in the pipeline.
///
/// The answers are frozen: the same at indexing and at query time, or a text would not find itself.
pub trait Frequencies: Sync {
    /// How many documents the collection has.
    fn documents(&self) -> u32;
    /// How many of them have this digest.
    fn documents_with(&self, digest: Digest) -> u32;
}

/// A collection of no documents, for recipes that do not ask about it.
pub struct NoCollection;

impl Frequencies for NoCollection {
    fn documents(&self) -> u32 {
        0
    }

    fn documents_with(&self, _: Digest) -> u32 {
        0
    }
}

/// Which minutiae are kept.
#[derive(Clone, Debug, PartialEq)]
pub enum Selector {
    /// All of them; `all`.
    All,
    /// The first so many; `first:15`.
    First(NonZeroU32),
    /// So many at random, seeded by the text itself; `random:15`, `random:15,7`.
    Random {
        /// How many.
        keep: NonZeroU32,
        /// Another seed makes another choice.
        seed: u64,
    },
    /// Those whose digest is 0 modulo a number; `modulo:10`, `modulo:auto`.
    Modulo(Modulus),
    /// Those with the smallest digests; `smallest:100`, `smallest:sqrt`, `smallest:linear`.
    Smallest(Size),
    /// The smallest digest of every so many in a row; `winnow:4`.
    Winnow(NonZeroU32),
    /// At most so many: those whose digest is 0 modulo the smallest power of two that leaves no
    /// more; `sample:256`.
    Sample(NonZeroU32),
    /// All, but of the letters behind the structure of a program only those whose digest is 0 modulo a
    /// number: what the normal form forgets counts, but for less; `letters:3`.
    Letters(NonZeroU32),
    /// ⌈√n⌉ chunks whose length is closest to the median; `sqrt`.
    SqrtLength,
    /// Chunks whose length is within b standard deviations of the median, b raised from this start
    /// until √n stay; `variance:0.1`.
    VarianceLength(f64),
    /// Chunks that begin at an anchor; `anchors`, `anchors:ante,orm`.
    Anchors(Vec<String>),
    /// Chunks that begin at the K-th token of a sentence; `kth-in-sentence:5`.
    KthInSentence(NonZeroU32),
    /// Chunks that begin every K-th sentence; `kth-sentence:5`.
    KthSentence(NonZeroU32),
    /// Chunks that begin at the K-th token of a paragraph; `kth-in-paragraph:15`.
    KthInParagraph(NonZeroU32),
    /// The so many that are rarest in the document; `rarest-in-document:15`.
    RarestInDocument(NonZeroU32),
    /// The so many that are rarest in the collection; `rarest-in-collection:15`.
    RarestInCollection(NonZeroU32),
    /// The so many whose first word has the rarest prefix; `rarest-prefix:3,15`.
    RarestPrefix {
        /// Characters in a prefix.
        chars: NonZeroU32,
        /// How many are kept.
        keep: NonZeroU32,
    },
}

/// The modulus of `modulo`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modulus {
    /// The same for all documents.
    Fixed(NonZeroU32),
    /// The power of two that leaves about a hundred minutiae, however long the document is.
    Auto,
}

/// How many `smallest` keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// So many.
    Fixed(NonZeroU32),
    /// The square root of the number of chunks, rounded up.
    Sqrt,
    /// A tenth of the number of chunks, rounded up.
    Linear,
}

impl Selector {
    /// Whether the digest is all that it looks at.
    pub(crate) fn is_by_value(&self) -> bool {
        matches!(
            self,
            Selector::All
                | Selector::Modulo(_)
                | Selector::Smallest(_)
                | Selector::Winnow(_)
                | Selector::Sample(_)
        )
    }

    /// The minutiae that are kept, in document order.
    pub fn select(
        &self,
        tokens: &Tokens,
        minutiae: Vec<Minutia>,
        seen: &dyn Frequencies,
    ) -> Vec<Minutia> {
        let kept: Vec<usize> = match self {
            Selector::All => return minutiae,
            Selector::First(count) => (0..minutiae.len().min(count.get() as usize)).collect(),
            Selector::Random { keep, seed } => position::random(&minutiae, *keep, *seed),
            Selector::Modulo(_)
            | Selector::Smallest(_)
            | Selector::Winnow(_)
            | Selector::Sample(_) => {
                let digests: Vec<Digest> = minutiae.iter().map(|minutia| minutia.digest).collect();
                value::select(self, &digests)
            }
            Selector::Letters(modulus) => letters::select(tokens, &minutiae, *modulus),
            Selector::SqrtLength => length::sqrt(&minutiae),
            Selector::VarianceLength(start) => length::variance(&minutiae, *start),
            Selector::Anchors(anchors) => anchor::select(tokens, &minutiae, anchors),
            Selector::KthInSentence(k) => position::kth_in_sentence(tokens, &minutiae, *k),
            Selector::KthSentence(k) => position::kth_sentence(tokens, &minutiae, *k),
            Selector::KthInParagraph(k) => position::kth_in_paragraph(tokens, &minutiae, *k),
            Selector::RarestInDocument(keep) => rarity::in_document(&minutiae, *keep),
            Selector::RarestInCollection(keep) => rarity::in_collection(&minutiae, *keep, seen),
            Selector::RarestPrefix { chars, keep } => {
                rarity::prefix(tokens, &minutiae, *chars, *keep)
            }
        };
        keep_at(minutiae, kept)
    }
}

/// The minutiae at these positions, which may come in any order.
fn keep_at(minutiae: Vec<Minutia>, mut positions: Vec<usize>) -> Vec<Minutia> {
    positions.sort_unstable();
    let mut wanted = positions.into_iter().peekable();
    let numbered = minutiae.into_iter().enumerate();
    numbered
        .filter(|(position, _)| wanted.next_if_eq(position).is_some())
        .map(|(_, minutia)| minutia)
        .collect()
}

/// The positions from 0 to `count` ordered by `key`; equal ones stay in document order.
fn order_by<K: Ord>(count: usize, key: impl Fn(usize) -> K) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_cached_key(|&position| key(position));
    order
}
