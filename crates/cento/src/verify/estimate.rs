//! How much of a document a registered one has, where only digests are kept: the words in chunks that
//! both have.

use crate::align::Vocabulary;
use crate::digest::Digest;
use crate::index::registry::{Prepare, SpanOf};
use crate::number::index32;
use crate::report::{Bytes, EstimatedWords, StretchPlace};
use crate::stretch::{Terms, stretch_words};
use crate::token::Tokens;

/// Where the words of a text stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordPlaces(Vec<Bytes>);

impl WordPlaces {
    /// The words that alignment would count.
    pub fn of(text: &str) -> WordPlaces {
        WordPlaces::of_words(&Vocabulary::tokens(text))
    }

    /// The same, and what the stretches of the text are made of.
    pub fn with_terms(text: &str, prepare: &Prepare) -> (WordPlaces, Terms) {
        let words = Vocabulary::tokens(text);
        (WordPlaces::of_words(&words), prepare.terms(&words))
    }

    fn of_words(tokens: &Tokens) -> WordPlaces {
        let place = |number| {
            let source = tokens.get(number).source;
            Bytes {
                start: source.start,
                end: source.end,
            }
        };
        WordPlaces((0..index32(tokens.len())).map(place).collect())
    }

    /// How many words there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Where a stretch stands that begins with a block.
    pub(super) fn stretch(&self, block: u32) -> Option<StretchPlace> {
        let range = stretch_words(block, self.0.len());
        let words = self.0.get(range.clone())?;
        Some(StretchPlace {
            start: words.first()?.start,
            end: words.last()?.end,
            words: [index32(range.start + 1), index32(range.end)],
        })
    }

    /// Which words stand in some parts of the text, which are in order and do not overlap.
    pub(super) fn within(&self, parts: &[Bytes]) -> Vec<bool> {
        let mut parts = parts.iter().peekable();
        let is_within = |word: &Bytes| {
            while parts.next_if(|part| part.end < word.end).is_some() {}
            parts.peek().is_some_and(|part| part.start <= word.start)
        };
        self.0.iter().map(is_within).collect()
    }

    /// The words in shared parts, without those that are left out.
    pub(super) fn estimate(&self, shared: &[Bytes], left_out: &[Bytes]) -> EstimatedWords {
        let left_out = self.within(left_out);
        let counted = self.within(shared).into_iter().zip(&left_out);
        EstimatedWords {
            words: index32(self.0.len()),
            left_out: index32(left_out.iter().filter(|is_out| **is_out).count()),
            shared: index32(counted.filter(|(shared, out)| *shared && !**out).count()),
        }
    }
}

/// The bytes that some digests cover, in order and without overlap; the digests are sorted.
pub(super) fn parts(spans: &[SpanOf], digests: &[Digest]) -> Vec<Bytes> {
    let parts = spans
        .iter()
        .filter(|span| digests.binary_search(&span.digest).is_ok())
        .map(|span| Bytes {
            start: span.start,
            end: span.end,
        })
        .collect();
    joined(parts)
}

/// Parts in order and without overlap.
pub(super) fn joined(mut parts: Vec<Bytes>) -> Vec<Bytes> {
    parts.sort_unstable_by_key(|part| (part.start, part.end));
    parts.dedup_by(|next, last| {
        let joined = next.start <= last.end;
        if joined {
            last.end = last.end.max(next.end);
        }
        joined
    });
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(start: u32, end: u32) -> Bytes {
        Bytes { start, end }
    }

    #[test]
    fn parts_are_joined() {
        let span = |digest, start, end| SpanOf {
            digest: Digest(digest),
            start,
            end,
        };
        let spans = [
            span(1, 0, 10),
            span(2, 5, 12),
            span(3, 20, 30),
            span(1, 40, 50),
        ];
        let found = parts(&spans, &[Digest(1), Digest(2)]);
        assert_eq!(found, [bytes(0, 12), bytes(40, 50)]);
    }

    #[test]
    fn words_are_counted_once_and_never_if_they_are_left_out() {
        let words = WordPlaces::of("One two, three four five six.");
        assert_eq!(words.count(), 6);
        // "One two, three" and "four five".
        let shared = [bytes(0, 14), bytes(15, 24)];
        let estimate = words.estimate(&shared, &[]);
        let counts = |words: EstimatedWords| (words.words, words.left_out, words.shared);
        assert_eq!(counts(estimate), (6, 0, 5));
        // "two, three four" is of a template.
        let without = words.estimate(&shared, &[bytes(4, 19)]);
        assert_eq!(counts(without), (6, 3, 2));
        assert!((without.share() - 2.0 / 3.0).abs() < 1e-9);
        assert_eq!(counts(words.estimate(&[], &[])), (6, 0, 0));
    }
}
