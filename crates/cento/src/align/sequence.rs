//! A text as the aligners see it: its words as numbers.

use std::collections::HashMap;
use std::ops::Range;

use crate::token::{Span, Token, Tokenizer, Tokens, Words, index32};

/// The number of a word in a [`Vocabulary`]; equal words have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub u32);

/// The words of a text, in order, with their places in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    words: Vec<Word>,
    places: Vec<Token>,
}

/// The words that some texts have, numbered in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    numbers: HashMap<Box<str>, Word>,
    terms: Vec<Box<str>>,
}

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
    }

    /// The sequence of tokens that were made elsewhere.
    pub fn sequence(&mut self, tokens: &Tokens) -> Sequence {
        let words = tokens.terms().map(|term| self.number(term)).collect();
        let places = (0..index32(tokens.len())).map(|n| tokens.get(n)).collect();
        Sequence { words, places }
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

    fn number(&mut self, term: &str) -> Word {
        if let Some(&word) = self.numbers.get(term) {
            return word;
        }
        let word = Word(index32(self.terms.len()));
        self.numbers.insert(term.into(), word);
        self.terms.push(term.into());
        word
    }
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

    /// How many words there are.
    pub fn len(&self) -> u32 {
        index32(self.words.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
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
