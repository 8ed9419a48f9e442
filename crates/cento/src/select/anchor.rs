//! Anchors (Manber's sif; Hoad & Zobel's best strategy): chunks that begin where a given string
//! stands in the text.

use std::collections::HashMap;

use crate::digest::Minutia;
use crate::token::Tokens;

/// Thirty-five two-letter anchors of our choice, as the paper took 35 at random and rejected the
/// extremely common ones such as "th" and "it". About 18 of 100 English words have one.
pub const DEFAULT_ANCHORS: [&str; 35] = [
    "ab", "ag", "ap", "av", "br", "ca", "ck", "cl", "cr", "da", "do", "ep", "ev", "fi", "gr", "ib",
    "ig", "ip", "ki", "lu", "mb", "ob", "og", "ov", "pu", "ru", "sk", "sp", "sy", "ub", "ug", "um",
    "vo", "wa", "ye",
];

/// Chunks in whose first token an anchor begins.
pub(super) fn select(tokens: &Tokens, minutiae: &[Minutia], anchors: &[String]) -> Vec<usize> {
    let longest = anchors.iter().map(String::len).max().unwrap_or_default();
    let mut text = String::new();
    // Words come again and again, and most of them stand alone.
    let mut known: HashMap<&str, bool> = HashMap::new();
    let mut begins = |position: &usize| {
        let first = minutiae[*position].chunk.first();
        let term = tokens.term(first);
        let mut search = || {
            read_from(tokens, first, term.len() + longest, &mut text);
            anchors
                .iter()
                .any(|anchor| text.find(anchor.as_str()).is_some_and(|at| at < term.len()))
        };
        if touches_next(tokens, first) {
            search()
        } else {
            *known.entry(term).or_insert_with(search)
        }
    };
    (0..minutiae.len())
        .filter(|position| begins(position))
        .collect()
}

/// The terms from token `first` on, up to `bytes` bytes and as long as they touch in the text: an
/// anchor may span several one-character tokens, never two words.
fn read_from(tokens: &Tokens, first: u32, bytes: usize, out: &mut String) {
    out.clear();
    out.push_str(tokens.term(first));
    let mut index = first;
    while out.len() < bytes && touches_next(tokens, index) {
        index += 1;
        out.push_str(tokens.term(index));
    }
}

/// Whether nothing stands between a token and the next one.
fn touches_next(tokens: &Tokens, index: u32) -> bool {
    (index as usize) + 1 < tokens.len()
        && tokens.get(index).source.end == tokens.get(index + 1).source.start
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::Chunk;
    use crate::digest::Digest;
    use crate::token::{Tokenizer, Words};

    #[track_caller]
    fn check(tokenizer: &Tokenizer, text: &str, anchors: &[&str], expected: &[usize]) {
        let tokens = tokenizer.tokens(text);
        let minutiae: Vec<Minutia> = (0..u32::try_from(tokens.len()).unwrap())
            .map(|n| Minutia {
                digest: Digest(n.into()),
                chunk: Chunk::Run(n..n + 1),
            })
            .collect();
        let anchors: Vec<String> = anchors.iter().map(ToString::to_string).collect();
        assert_eq!(select(&tokens, &minutiae, &anchors), expected, "{text:?}");
    }

    #[test]
    fn anchors_begin_in_the_first_token() {
        let words = Tokenizer::Words(Words::default());
        check(&words, "the canal scale an e", &["ca"], &[1, 2]);
        check(&words, "an terror ante", &["ante"], &[2]);
        check(&Tokenizer::Chars, "antebrante", &["ante"], &[0, 6]);
    }
}
