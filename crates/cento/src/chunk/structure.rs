//! Sentences and paragraphs.

use std::num::NonZeroU32;

use super::Chunk;
use super::breakpoint::is_breakpoint;
use crate::digest::word_hash;
use crate::number::index32;
use crate::token::{Token, Tokens};

/// Sentences; with a modulus above 1, sentences up to and including one whose hash is a multiple of
/// it (Brin, Davis & Garcia-Molina's COPS).
pub(super) fn sentences(tokens: &Tokens, modulus: NonZeroU32) -> Vec<Chunk> {
    let sentences = runs(tokens, |token| token.sentence);
    let mut chunks = Vec::new();
    let mut start = 0;
    for (position, sentence) in sentences.iter().enumerate() {
        let hash = sentence.indices().fold(0u64, |hash, index| {
            hash.rotate_left(7)
                .wrapping_add(word_hash(tokens.term(index).as_bytes()))
        });
        let end = sentence.first() + index32(sentence.len());
        if is_breakpoint(hash, modulus) || position + 1 == sentences.len() {
            chunks.push(Chunk::Run(start..end));
            start = end;
        }
    }
    chunks
}

/// Paragraphs: what blank lines separate.
pub(super) fn paragraphs(tokens: &Tokens) -> Vec<Chunk> {
    runs(tokens, |token| token.paragraph)
}

/// Runs of tokens with the same number.
fn runs(tokens: &Tokens, number: impl Fn(Token) -> u32) -> Vec<Chunk> {
    let count = index32(tokens.len());
    let mut chunks = Vec::new();
    let mut start = 0;
    for index in 1..=count {
        if index == count || number(tokens.get(index)) != number(tokens.get(start)) {
            chunks.push(Chunk::Run(start..index));
            start = index;
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Tokenizer, Words};

    #[test]
    fn sentences_and_paragraphs() {
        let text = "One two. Three four five.\n\nSix! Seven eight";
        let tokens = Tokenizer::Words(Words::default()).tokens(text);
        let one = NonZeroU32::MIN;
        let expected = [0..2, 2..5, 5..6, 6..8].map(Chunk::Run);
        assert_eq!(sentences(&tokens, one), expected);
        assert_eq!(paragraphs(&tokens), [0..5, 5..8].map(Chunk::Run));
        let joined = sentences(&tokens, NonZeroU32::new(1000).unwrap());
        assert_eq!(joined.iter().map(Chunk::len).sum::<usize>(), 8);
    }
}
