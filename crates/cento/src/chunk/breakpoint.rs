//! Hashed breakpoints (Finkel et al., section 2.1; after SCAM).

use std::num::NonZeroU32;

use super::Chunk;
use crate::digest::word_hash;
use crate::number::index32;
use crate::token::Tokens;

/// Ends a chunk at every token whose hash is a multiple of `modulus`.
///
/// Inserting or deleting a token disturbs only the chunks next to it, which a fixed-size partition
/// cannot promise. The expected length is `modulus` tokens; a common word that happens to hash to
/// zero shortens every chunk. The paper does not name its token hash; ours is the `fast` one.
pub(super) fn chunks(tokens: &Tokens, modulus: NonZeroU32) -> Vec<Chunk> {
    let ends = tokens
        .terms()
        .map(|term| is_breakpoint(word_hash(term.as_bytes()), modulus));
    split(ends)
}

pub(super) fn is_breakpoint(hash: u64, modulus: NonZeroU32) -> bool {
    hash.is_multiple_of(u64::from(modulus.get()))
}

/// Runs that end where `ends` says so; what is left over is the last one.
fn split(ends: impl Iterator<Item = bool>) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for (index, ends_here) in ends.enumerate() {
        at = index32(index + 1);
        if ends_here {
            chunks.push(Chunk::Run(start..at));
            start = at;
        }
    }
    if start < at {
        chunks.push(Chunk::Run(start..at));
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_at_breakpoints() {
        let runs = split([false, true, true, false].into_iter());
        assert_eq!(runs, [Chunk::Run(0..2), Chunk::Run(2..3), Chunk::Run(3..4)]);
        assert_eq!(split([true].into_iter()), [Chunk::Run(0..1)]);
    }
}
