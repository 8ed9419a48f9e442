//! Numbers of 32 bits where the language counts in 64.

/// A place or a count in 32 bits.
///
/// Texts are shorter than 4 GiB, which [`Tokenizer::tokens`](crate::token::Tokenizer::tokens)
/// checks, and a token takes at least one byte; an index holds fewer than 2³¹ documents.
pub(crate) fn index32(index: usize) -> u32 {
    u32::try_from(index).expect("places and counts have 32 bits")
}
