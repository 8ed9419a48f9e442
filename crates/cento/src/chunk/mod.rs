//! Tokens → chunks: which tokens belong together.
//!
//! A chunk is an ordered list of token indices, contiguous or not. That one idea holds windows,
//! sentences, the longest words of a text and the clusters of text sifting.

mod breakpoint;
mod cluster;
mod structure;
mod top;
mod window;

use std::num::NonZeroU32;
use std::ops::Range;

use crate::digest::Key;
use crate::number::index32;
use crate::select::Frequencies;
use crate::token::Tokens;

/// An ordered list of token indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Chunk {
    /// Neighbouring tokens.
    Run(Range<u32>),
    /// Tokens from here and there.
    Picked(Box<[u32]>),
}

/// How tokens are put together.
#[derive(Clone, Debug, PartialEq)]
pub enum Chunker {
    /// `len` neighbouring tokens, a new chunk every `step`; `window:5`, `window:3,3`.
    Window {
        /// Tokens in a chunk.
        len: NonZeroU32,
        /// Tokens from one chunk's start to the next one's.
        step: NonZeroU32,
    },
    /// A chunk ends at every token whose hash is a multiple of the modulus; `breakpoint:10`.
    Breakpoint(NonZeroU32),
    /// Whole sentences; with a modulus above 1, several until a hashed breakpoint; `sentence:5`.
    Sentence(NonZeroU32),
    /// Whole paragraphs; `paragraph`.
    Paragraph,
    /// One chunk of the highest-ranked distinct tokens; `top:5`, `top:5,gb2312`.
    Top {
        /// How many.
        count: NonZeroU32,
        /// What ranks them.
        by: Rank,
    },
    /// Clusters that skip tokens as a keyed hash says; `skip:10,0.3`.
    Skip(Skip),
    /// The inner chunker once for every part of the vocabulary, without that part;
    /// `partition:2,skip:10,0.3`.
    Partition {
        /// Into how many parts the vocabulary is split.
        parts: NonZeroU32,
        /// What runs on the rest.
        inner: Inner,
    },
    /// Neighbouring tokens that take at least so many bytes; `bytes:50`.
    Bytes(NonZeroU32),
    /// One chunk of the distinct tokens whose normalised idf lies in a band; `band:0.1,0.9`.
    Band {
        /// The lowest idf kept, as a share of the highest possible.
        low: f64,
        /// The highest idf kept.
        high: f64,
    },
    /// The chunks of several chunkers, one after the other; `window:10 & skip:10,0.3`.
    Union(Vec<Chunker>),
}

/// What ranks the tokens of `top`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// The longest first.
    Length,
    /// The highest GB 2312 code first.
    Gb2312,
    /// The highest JIS X 0208 code first.
    Jisx0208,
    /// One chunk for each script: words by their length, Chinese characters by GB 2312, and those
    /// of a text with kana by JIS X 0208.
    Scripts,
}

impl Rank {
    pub(crate) const ALL: [Rank; 4] = [Rank::Length, Rank::Gb2312, Rank::Jisx0208, Rank::Scripts];

    /// What stands for it in a recipe's text form; nothing for the usual one.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Rank::Length => None,
            Rank::Gb2312 => Some("gb2312"),
            Rank::Jisx0208 => Some("jisx0208"),
            Rank::Scripts => Some("scripts"),
        }
    }
}

/// Random skipping (text sifting, section 2.2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skip {
    /// Tokens in a cluster; `None` lets the stop set end it.
    pub len: Option<NonZeroU32>,
    /// Share of the hash range in the add set A.
    pub add: f64,
    /// Share of the hash range in the stop set S. With a fixed length it takes the place of A for
    /// the last token, and has the same share.
    pub stop: f64,
}

/// What a partition runs on each remaining part.
#[derive(Clone, Debug, PartialEq)]
pub enum Inner {
    /// A sliding window of so many tokens.
    Window(NonZeroU32),
    /// Random skipping.
    Skip(Skip),
}

impl Chunker {
    /// The chunks of a text, in the order of their first tokens; those of a partition one part after
    /// the other.
    ///
    /// A text that is too short for a single window or cluster is one chunk.
    pub fn chunks(&self, tokens: &Tokens, key: &Key, seen: &dyn Frequencies) -> Vec<Chunk> {
        if tokens.is_empty() {
            return Vec::new();
        }
        match self {
            Chunker::Window { len, step } => window::of_tokens(tokens, *len, *step),
            Chunker::Breakpoint(modulus) => breakpoint::chunks(tokens, *modulus),
            Chunker::Sentence(modulus) => structure::sentences(tokens, *modulus),
            Chunker::Paragraph => structure::paragraphs(tokens),
            Chunker::Top { count, by } => top::chunks(tokens, *count, *by),
            Chunker::Skip(skip) => cluster::skip(tokens, skip, key),
            Chunker::Partition { parts, inner } => cluster::partition(tokens, *parts, inner, key),
            Chunker::Bytes(bytes) => window::of_bytes(tokens, *bytes),
            Chunker::Band { low, high } => top::band(tokens, *low..=*high, seen),
            Chunker::Union(chunkers) => chunkers
                .iter()
                .flat_map(|chunker| chunker.chunks(tokens, key, seen))
                .collect(),
        }
    }
}

impl Chunker {
    /// Whether this chunker or a part of it is one that `is` names.
    pub(crate) fn any(&self, is: &dyn Fn(&Chunker) -> bool) -> bool {
        match self {
            Chunker::Union(chunkers) => chunkers.iter().any(|chunker| chunker.any(is)),
            _ => is(self),
        }
    }
}

impl Chunk {
    /// How many tokens it has.
    pub fn len(&self) -> usize {
        match self {
            Chunk::Run(run) => run.len(),
            Chunk::Picked(picked) => picked.len(),
        }
    }

    /// Whether it has none. No chunker makes such a chunk.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of its first token.
    ///
    /// # Panics
    ///
    /// If the chunk is empty.
    pub fn first(&self) -> u32 {
        match self {
            Chunk::Run(run) => run.start,
            Chunk::Picked(picked) => picked[0],
        }
    }

    /// Its token indices, in order.
    pub fn indices(&self) -> impl Iterator<Item = u32> {
        let (run, picked): (Range<u32>, &[u32]) = match self {
            Chunk::Run(run) => (run.clone(), &[]),
            Chunk::Picked(picked) => (0..0, picked),
        };
        run.chain(picked.iter().copied())
    }
}

/// The whole text as one chunk.
fn whole(tokens: &Tokens) -> Vec<Chunk> {
    vec![Chunk::Run(0..index32(tokens.len()))]
}
