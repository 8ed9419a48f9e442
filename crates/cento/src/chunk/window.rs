//! Neighbouring tokens, so many at a time.

use std::num::NonZeroU32;

use super::{Chunk, whole};
use crate::number::index32;
use crate::token::Tokens;

/// Windows of `len` tokens that start every `step` tokens. What is left at the end is no window.
pub(super) fn of_tokens(tokens: &Tokens, len: NonZeroU32, step: NonZeroU32) -> Vec<Chunk> {
    let count = index32(tokens.len());
    let len = len.get();
    if count < len {
        return whole(tokens);
    }
    let starts = (0..=count - len).step_by(step.get() as usize);
    starts.map(|start| Chunk::Run(start..start + len)).collect()
}

/// From every token on, as many as it takes to fill `bytes` bytes (Manber's sif).
pub(super) fn of_bytes(tokens: &Tokens, bytes: NonZeroU32) -> Vec<Chunk> {
    let bytes = bytes.get() as usize;
    let sizes: Vec<usize> = tokens.terms().map(str::len).collect();
    let mut chunks = Vec::new();
    let mut end = 0;
    let mut filled = 0;
    for (start, size) in sizes.iter().enumerate() {
        while filled < bytes && end < sizes.len() {
            filled += sizes[end];
            end += 1;
        }
        if filled < bytes {
            break;
        }
        chunks.push(Chunk::Run(index32(start)..index32(end)));
        filled -= size;
    }
    if chunks.is_empty() {
        whole(tokens)
    } else {
        chunks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Tokenizer, Words};

    fn nonzero(n: u32) -> NonZeroU32 {
        NonZeroU32::new(n).unwrap()
    }

    #[track_caller]
    fn check(chunks: &[Chunk], expected: &[(u32, u32)]) {
        let runs: Vec<Chunk> = expected
            .iter()
            .map(|&(start, end)| Chunk::Run(start..end))
            .collect();
        assert_eq!(chunks, runs);
    }

    #[test]
    fn windows() {
        let tokens = Tokenizer::Words(Words::default()).tokens("a b c d e f g");
        check(
            &of_tokens(&tokens, nonzero(5), nonzero(1)),
            &[(0, 5), (1, 6), (2, 7)],
        );
        check(
            &of_tokens(&tokens, nonzero(3), nonzero(3)),
            &[(0, 3), (3, 6)],
        );
        check(&of_tokens(&tokens, nonzero(7), nonzero(1)), &[(0, 7)]);
        check(&of_tokens(&tokens, nonzero(9), nonzero(1)), &[(0, 7)]);
    }

    #[test]
    fn byte_windows_never_cut_a_character() {
        let tokens = Tokenizer::Chars.tokens("abécd");
        check(&of_bytes(&tokens, nonzero(3)), &[(0, 3), (1, 3), (2, 4)]);
        check(&of_bytes(&tokens, nonzero(50)), &[(0, 5)]);
    }
}
