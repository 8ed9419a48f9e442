//! Programs: texts whose tokens come from a parser of their language.
//!
//! The library has no parsers. Whoever reads a program gives its tokens along with its text, and a
//! recipe that compares programs takes them; of a text alone it makes tokens with one lexer for all
//! languages.

use super::{Token, Tokens};
use crate::number::index32;

/// Which tokens of a program are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// One symbol for each keyword, `i` for an identifier, `0` for a number, punctuation as it is
    /// (Finkel et al., section 2.1); `code`.
    Letters,
    /// The same in a normal form that is equal for programs that do the same in the same way;
    /// `structure:3`, with the revision of the tables that it is made by.
    Structure,
    /// That, and behind it the letters: programs that come to the same normal form may still differ;
    /// `structure:3+letters`.
    Both,
}

impl View {
    /// The tokens that are aligned: the letters behind them stand at the same places once more.
    pub(crate) fn aligned(self) -> View {
        match self {
            View::Letters => View::Letters,
            View::Structure | View::Both => View::Structure,
        }
    }
}

/// What the terms of letters begin with that stand behind the structure; no other terms do.
const LETTER: char = '\'';

/// Whether a term is that of a letter behind the structure.
pub(crate) fn is_letter(term: &str) -> bool {
    term.starts_with(LETTER)
}

/// The revision of the normal form and of the grammars behind it. Fingerprints of different revisions
/// cannot be compared.
pub const STRUCTURE_REVISION: u32 = 3;

/// The tokens of a program, from a parser.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// For [`View::Letters`]; a subroutine is a paragraph.
    pub letters: Tokens,
    /// For [`View::Structure`]; likewise.
    pub structure: Tokens,
}

/// A text, with its tokens if it is a program that was parsed.
#[derive(Clone, Copy, Debug)]
pub struct Source<'t> {
    /// The text.
    pub text: &'t str,
    /// What a parser made of it.
    pub program: Option<&'t Program>,
}

/// The same with a text of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    /// The text.
    pub text: String,
    /// What a parser made of it.
    pub program: Option<Program>,
}

impl Content {
    /// Without copying it.
    pub fn source(&self) -> Source<'_> {
        Source {
            text: &self.text,
            program: self.program.as_ref(),
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Content {
        Content {
            text,
            program: None,
        }
    }
}

impl<'t> From<&'t str> for Source<'t> {
    fn from(text: &'t str) -> Source<'t> {
        Source {
            text,
            program: None,
        }
    }
}

impl<'t> From<&'t String> for Source<'t> {
    fn from(text: &'t String) -> Source<'t> {
        text.as_str().into()
    }
}

impl<'t> From<&'t Content> for Source<'t> {
    fn from(content: &'t Content) -> Source<'t> {
        content.source()
    }
}

impl Program {
    pub(super) fn tokens(&self, view: View) -> Tokens {
        match view {
            View::Letters => self.letters.clone(),
            View::Structure => self.structure.clone(),
            View::Both => with_letters(self.structure.clone(), &self.letters),
        }
    }
}

/// The structure of a program with its letters behind it.
pub(super) fn with_letters(mut structure: Tokens, letters: &Tokens) -> Tokens {
    let mut term = String::new();
    for number in 0..index32(letters.len()) {
        term.clear();
        term.push(LETTER);
        term.push_str(letters.term(number));
        structure.push(letters.get(number), &term);
    }
    structure
}

impl<'t> FromIterator<(Token, &'t str)> for Tokens {
    /// Tokens that were made elsewhere, in order.
    fn from_iter<I: IntoIterator<Item = (Token, &'t str)>>(made: I) -> Tokens {
        let mut tokens = Tokens::default();
        for (token, term) in made {
            tokens.push(token, term);
        }
        tokens
    }
}
