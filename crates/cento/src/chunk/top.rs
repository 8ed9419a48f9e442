//! One chunk for a whole text: its longest words, or those of a band of idf.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use super::{Chunk, Rank};
use crate::digest::term_digest;
use crate::number::index32;
use crate::select::Frequencies;
use crate::token::{Script, Tokens, gb2312_code, is_kana, jisx0208_code};

/// The `count` highest-ranked distinct tokens, best first, document order among equals (Kellogg,
/// section 2); those of each script if it is by scripts.
pub(super) fn chunks(tokens: &Tokens, count: NonZeroU32, by: Rank) -> Vec<Chunk> {
    let distinct = distinct(tokens);
    let picked = |ranked: Vec<u32>, rank: &dyn Fn(&str) -> usize| {
        let mut picked = ranked;
        picked.sort_by_key(|&index| Reverse(rank(tokens.term(index))));
        picked.truncate(count.get() as usize);
        Chunk::Picked(picked.into())
    };
    match by {
        Rank::Length => vec![picked(distinct, &length)],
        Rank::Gb2312 => vec![picked(distinct, &|term| code(term, gb2312_code))],
        Rank::Jisx0208 => vec![picked(distinct, &|term| code(term, jisx0208_code))],
        Rank::Scripts => {
            let mut groups: BTreeMap<Option<Script>, Vec<u32>> = BTreeMap::new();
            let mut characters = Vec::new();
            for index in distinct {
                match first(tokens.term(index)) {
                    Some(c) if is_character(c) => characters.push(index),
                    c => groups
                        .entry(c.and_then(Script::of))
                        .or_default()
                        .push(index),
                }
            }
            let has_kana = |&index: &u32| first(tokens.term(index)).is_some_and(is_kana);
            let order = if characters.iter().any(has_kana) {
                jisx0208_code
            } else {
                gb2312_code
            };
            characters.retain(|&index| code(tokens.term(index), order) > 0);
            let words = groups.into_values().map(|group| picked(group, &length));
            let mut chunks: Vec<Chunk> = words.collect();
            if !characters.is_empty() {
                chunks.push(picked(characters, &|term| code(term, order)));
            }
            chunks.sort_by_key(|chunk| chunk.indices().min());
            chunks
        }
    }
}

fn length(term: &str) -> usize {
    term.chars().count()
}

fn first(term: &str) -> Option<char> {
    term.chars().next()
}

/// Whether it is a token by itself, since the words of its script do not stand between spaces.
fn is_character(c: char) -> bool {
    gb2312_code(c).is_some() || jisx0208_code(c).is_some()
}

/// The code of a character in a standard, 0 if it has none there.
fn code(term: &str, order: fn(char) -> Option<u16>) -> usize {
    first(term).and_then(order).map_or(0, usize::from)
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
        let tokens = Tokenizer::Lowercase(None).tokens("of modified at modified up");
        let chunks = chunks(&tokens, NonZeroU32::new(3).unwrap(), Rank::Length);
        let terms: Vec<&str> = chunks[0]
            .indices()
            .map(|index| tokens.term(index))
            .collect();
        assert_eq!(terms, ["modified", "of", "at"]);
    }

    #[test]
    fn highest_code_first() {
        let tokens = Tokenizer::Hanzi.tokens("啊，齄座啊");
        let chunks = chunks(&tokens, NonZeroU32::new(2).unwrap(), Rank::Gb2312);
        let terms: Vec<&str> = chunks[0]
            .indices()
            .map(|index| tokens.term(index))
            .collect();
        assert_eq!(terms, ["齄", "座"]);
    }

    #[test]
    fn a_chunk_for_each_script() {
        let check = |text: &str, expected: &[&[&str]]| {
            let tokens = Tokenizer::Scripts.tokens(text);
            let chunks = chunks(&tokens, NonZeroU32::new(2).unwrap(), Rank::Scripts);
            let terms = |chunk: &Chunk| -> Vec<String> {
                let terms = chunk.indices().map(|index| tokens.term(index).to_owned());
                terms.collect()
            };
            let actual: Vec<Vec<String>> = chunks.iter().map(terms).collect();
            assert_eq!(actual, expected);
        };
        check(
            "an old archive: мост и река, 座啊齄 архив",
            &[&["archive", "old"], &["архив", "мост"], &["齄", "座"]],
        );
        // With kana it is Japanese: 齄 has no code there.
        check("座の駅齄", &[&["座", "駅"]]);
        check("", &[]);
    }
}
