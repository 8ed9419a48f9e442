//! A text as the aligners see it: its words as numbers.

use std::collections::HashMap;
use std::ops::Range;

use super::meanings::Meanings;
use super::tables::tables;
use crate::number::index32;
use crate::token::{Span, Token, Tokenizer, Tokens, Words, is_part};

/// The number of a word in a [`Vocabulary`]; equal words have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub u32);

/// The words of a text, in order, with their places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    words: Vec<Word>,
    places: Vec<Token>,
    /// Tables and forms, in order.
    tables: Vec<Range<u32>>,
}

/// The words that some texts have, numbered in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    numbers: HashMap<Box<str>, Word>,
    terms: Vec<Box<str>>,
    /// The first word that begins like this.
    beginnings: HashMap<Box<str>, Word>,
    stems: Vec<Stem>,
}

/// What is left of a word where its ending does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stem {
    /// The first word of the vocabulary with the same beginning.
    pub(super) word: Word,
    /// It is less than a word: one character of a script without spaces.
    pub(super) part: bool,
    /// It has a letter, unlike a number.
    pub(super) lettered: bool,
}

/// What words are compared by where their order and endings do not count: a stem, or two neighbours in
/// a script that writes without spaces, where one character says little.
pub(crate) type Term = (Word, Option<Word>);

/// How many characters a stem has. Words that begin with the same six are mostly forms of one;
/// docs/methods.md has what other lengths and the stemmer of a language would give.
const STEM: usize = 6;

impl Vocabulary {
    /// The tokens that alignment works on, whatever recipe found the pair: words of any script,
    /// normalised and folded.
    pub fn tokens(text: &str) -> Tokens {
        let words = Words {
            fold: true,
            ..Words::default()
        };
        Tokenizer::Words(words).tokens(text)
    }

    /// The sequence of a text's words; new ones get a number.
    pub fn read(&mut self, text: &str) -> Sequence {
        self.sequence(&Vocabulary::tokens(text))
            .with_tables(&tables(text))
    }

    /// The sequence of tokens that were made elsewhere, without tables.
    pub fn sequence(&mut self, tokens: &Tokens) -> Sequence {
        let words = tokens.terms().map(|term| self.number(term)).collect();
        let places = (0..index32(tokens.len())).map(|n| tokens.get(n)).collect();
        Sequence {
            words,
            places,
            tables: Vec::new(),
        }
    }

    /// How many different words there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// What a number stands for.
    pub fn term(&self, word: Word) -> &str {
        &self.terms[word.0 as usize]
    }

    pub(super) fn stem(&self, word: Word) -> Stem {
        self.stems[word.0 as usize]
    }

    /// The terms of words in a row, one at each word.
    pub(crate) fn terms_of(&self, words: &[Word]) -> impl Iterator<Item = Term> {
        let stem = |at: usize| words.get(at).map(|&word| self.stem(word));
        (0..words.len()).filter_map(move |at| {
            let this = stem(at)?;
            let next = stem(at + 1).filter(|next| this.part && next.part);
            Some((this.word, next.map(|next| next.word)))
        })
    }

    /// Gives words that mean the same one stem; those that come later have their own again.
    pub fn apply(&mut self, meanings: &Meanings) {
        let mut firsts: HashMap<u32, Word> = HashMap::new();
        for (term, stem) in self.terms.iter().zip(&mut self.stems) {
            if let Some(group) = meanings.group(term) {
                stem.word = *firsts.entry(group).or_insert(stem.word);
            }
        }
    }

    /// Two words that no text has, one for each side of a pair: what they stand for on one side is
    /// never equal to anything on the other.
    pub(crate) fn masks(&mut self) -> [Word; 2] {
        // Private-use characters are no letters, so no term has them.
        ["\u{e000}", "\u{e001}"].map(|term| self.number(term))
    }

    fn number(&mut self, term: &str) -> Word {
        if let Some(&word) = self.numbers.get(term) {
            return word;
        }
        let word = Word(index32(self.terms.len()));
        let first = *self
            .beginnings
            .entry(beginning(term).into())
            .or_insert(word);
        self.stems.push(Stem {
            word: first,
            part: is_part(term),
            lettered: term.chars().any(char::is_alphabetic),
        });
        self.numbers.insert(term.into(), word);
        self.terms.push(term.into());
        word
    }
}

/// The stem of a word.
pub(super) fn beginning(term: &str) -> &str {
    let end = term.char_indices().nth(STEM);
    &term[..end.map_or(term.len(), |(at, _)| at)]
}

impl Sequence {
    /// The words.
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// Where each word stands.
    pub fn places(&self) -> &[Token] {
        &self.places
    }

    /// Which words stand in tables and forms.
    pub(super) fn tables(&self) -> &[Range<u32>] {
        &self.tables
    }

    /// The same with the tables of its text.
    #[must_use]
    pub(crate) fn with_tables(mut self, tables: &[Span]) -> Sequence {
        let words = tables.iter().map(|&table| self.words_in(table));
        self.tables = words.filter(|words| !words.is_empty()).collect();
        self
    }

    /// The words that stand wholly within some bytes of the text.
    pub(crate) fn words_in(&self, span: Span) -> Range<u32> {
        let places = &self.places;
        let start = places.partition_point(|place| place.source.start < span.start);
        let end = places.partition_point(|place| place.source.end <= span.end);
        index32(start)..index32(end.max(start))
    }

    /// How many words there are.
    pub fn len(&self) -> u32 {
        index32(self.words.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The same places with a mask instead of the words that are not kept.
    pub(crate) fn masked(&self, kept: impl Fn(usize) -> bool, mask: Word) -> Sequence {
        let words = self.words.iter().enumerate();
        let word = |(at, &word): (usize, &Word)| if kept(at) { word } else { mask };
        Sequence {
            words: words.map(word).collect(),
            places: self.places.clone(),
            tables: self.tables.clone(),
        }
    }

    /// The bytes of the original text from the first to the last word of a run.
    ///
    /// # Panics
    ///
    /// If the run is empty or reaches past the last word.
    pub fn source(&self, run: &Range<u32>) -> Span {
        Span {
            start: self.places[run.start as usize].source.start,
            end: self.places[run.end as usize - 1].source.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_begin_the_same_have_one_stem() {
        let mut vocabulary = Vocabulary::default();
        let words = vocabulary.read("canals canal canalise canalised žluťoučký žluťoučké 漢字");
        let stems: Vec<Stem> = words.words().iter().map(|&w| vocabulary.stem(w)).collect();
        let numbers: Vec<u32> = stems.iter().map(|stem| stem.word.0).collect();
        assert_eq!(numbers, [0, 1, 2, 2, 4, 4, 6, 7]);
        assert!(stems[6].part && stems[7].part && !stems[0].part);
    }
}
