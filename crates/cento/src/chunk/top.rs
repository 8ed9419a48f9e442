//! One chunk for a whole text: its longest words, or those of a band of idf.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use super::{Chunk, Rank};
use crate::digest::term_digest;
use crate::number::index32;
use crate::select::Frequencies;
use crate::token::{Tokens, gb2312_code};

/// The `count` highest-ranked distinct tokens, best first, document order among equals (Kellogg,
/// section 2).
pub(super) fn chunk(tokens: &Tokens, count: NonZeroU32, by: Rank) -> Vec<Chunk> {
    let rank = |term: &str| match by {
        Rank::Length => term.chars().count(),
        Rank::Gb2312 => term
            .chars()
            .next()
            .and_then(gb2312_code)
            .map_or(0, usize::from),
    };
    let mut picked = distinct(tokens);
    picked.sort_by_key(|&index| Reverse(rank(tokens.term(index))));
    picked.truncate(count.get() as usize);
    vec![Chunk::Picked(picked.into())]
}

/// The distinct tokens whose idf lies in `band`, as a share of the highest idf that the collection
/// allows (Chowdhury et al.'s I-Match). Without a collection all tokens stay.
pub(super) fn band(
    tokens: &Tokens,
    band: RangeInclusive<f64>,
    seen: &dyn Frequencies,
) -> Vec<Chunk> {
    let documents = f64::from(seen.documents());
    let mut picked = distinct(tokens);
    if documents > 1.0 {
        picked.retain(|&index| {
            let with = f64::from(seen.documents_with(term_digest(tokens.term(index))).max(1));
            band.contains(&((documents / with).ln() / documents.ln()))
        });
    }
    if picked.is_empty() {
        Vec::new()
    } else {
        vec![Chunk::Picked(picked.into())]
    }
}

/// The first occurrence of each term, in document order.
fn distinct(tokens: &Tokens) -> Vec<u32> {
    let mut known = HashSet::new();
    (0..index32(tokens.len()))
        .filter(|&index| known.insert(tokens.term(index)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Tokenizer;

    #[test]
    fn longest_first_then_document_order() {
        let tokens = Tokenizer::Lowercase.tokens("of modified at modified up");
        let chunks = chunk(&tokens, NonZeroU32::new(3).unwrap(), Rank::Length);
        let terms: Vec<&str> = chunks[0]
            .indices()
            .map(|index| tokens.term(index))
            .collect();
        assert_eq!(terms, ["modified", "of", "at"]);
    }

    #[test]
    fn highest_code_first() {
        let tokens = Tokenizer::Hanzi.tokens("啊，齄座啊");
        let chunks = chunk(&tokens, NonZeroU32::new(2).unwrap(), Rank::Gb2312);
        let terms: Vec<&str> = chunks[0]
            .indices()
            .map(|index| tokens.term(index))
            .collect();
        assert_eq!(terms, ["齄", "座"]);
    }
}
