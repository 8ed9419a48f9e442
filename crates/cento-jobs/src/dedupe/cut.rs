//! What is cut out of texts.

use std::ops::Range;

use cento::repeats::without;
use cento::token::Tokens;
use cento_report::Characters;

use super::corpus::Item;
use super::rewrite::Action;

/// How much text was found that stands elsewhere too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) words: u64,
    pub(super) bytes: u64,
    pub(super) characters: u64,
}

impl Cut {
    /// What some runs of words come to.
    pub(super) fn of(tokens: &Tokens, runs: &[Range<u32>], characters: &Characters<'_>) -> Cut {
        let mut cut = Cut::default();
        for run in runs {
            let bytes = tokens.source(run.clone());
            let count = characters.before(bytes.end) - characters.before(bytes.start);
            cut.add(Cut {
                words: run.len() as u64,
                bytes: u64::from(bytes.end - bytes.start),
                characters: u64::from(count),
            });
        }
        cut
    }

    pub(super) fn add(&mut self, other: Cut) {
        self.words += other.words;
        self.bytes += other.bytes;
        self.characters += other.characters;
    }
}

/// What is left of a document without some of its words.
pub(super) fn action(item: &Item, tokens: &Tokens, runs: &[Range<u32>]) -> Action {
    match without(&item.text, tokens, runs) {
        Some(text) => Action::Change(text),
        None => Action::Remove,
    }
}
