//! How many documents have each part of a document, and what so many have that it says little.

use std::ops::Range;

use crate::align::Sequence;
use crate::chunk::Chunk;
use crate::digest::{Key, Minutia};
use crate::recipe::Recipe;
use crate::select::Frequencies;
use crate::token::{Source, Span, Tokens};

/// From how many documents on text is common: more than a tenth of them, and at least five.
pub(crate) fn common_from(documents: u32) -> u32 {
    (documents / 10 + 1).max(5)
}

/// How many documents have each chunk of a document, in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rarity {
    chunks: Vec<(Span, u32)>,
}

impl Rarity {
    pub(crate) fn of(
        source: Source<'_>,
        recipe: &Recipe,
        key: &Key,
        seen: &dyn Frequencies,
        collection: &dyn Frequencies,
    ) -> Rarity {
        let (tokens, minutiae) = recipe.minutiae(source, key, seen);
        let mut chunks: Vec<(Span, u32)> = minutiae
            .iter()
            .filter_map(|minutia| Some((span(&tokens, minutia)?, minutia.digest)))
            .map(|(span, digest)| (span, collection.documents_with(digest)))
            .collect();
        chunks.sort_by_key(|(span, documents)| (span.start, span.end, *documents));
        Rarity { chunks }
    }

    /// How many documents have the chunks within some bytes.
    pub(crate) fn within(&self, span: Span) -> Vec<u32> {
        let first = self
            .chunks
            .partition_point(|(chunk, _)| chunk.start < span.start);
        self.chunks[first..]
            .iter()
            .take_while(|(chunk, _)| chunk.start < span.end)
            .filter(|(chunk, _)| chunk.end <= span.end)
            .map(|&(_, documents)| documents)
            .collect()
    }

    /// How many documents share a piece of text: the median of its chunks.
    pub(crate) fn documents(&self, span: Span) -> Option<u32> {
        let mut all = self.within(span);
        all.sort_unstable();
        all.get(all.len() / 2).copied()
    }

    /// The runs of words that at least so many documents have.
    pub(crate) fn common(&self, sequence: &Sequence, at_least: u32) -> Vec<Range<u32>> {
        self.chunks
            .iter()
            .filter(|(_, documents)| *documents >= at_least)
            .map(|&(span, _)| sequence.words_in(span))
            .collect()
    }
}

/// Where a chunk stands; tokens picked from here and there stand nowhere in particular.
fn span(tokens: &Tokens, minutia: &Minutia) -> Option<Span> {
    match &minutia.chunk {
        Chunk::Run(run) => Some(tokens.source(run.clone())),
        Chunk::Picked(_) => None,
    }
}
