//! What is known of a program after parsing.

use serde::{Deserialize, Serialize};

use crate::{Language, packed::Packed};

/// The code tokens of one text.
///
/// It crosses the border of a process, so it is written as flat arrays of small numbers, and what
/// is read back has tokens that name terms which exist and spans that lie in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Packed", try_from = "Packed")]
pub struct Program {
    /// The language it was parsed as.
    pub language: Language,
    /// The distinct terms of both views.
    pub terms: Vec<String>,
    /// The letters of Finkel et al., section 2.1, in the order of the text.
    pub letters: Vec<Token>,
    /// The normal form, by ascending start.
    ///
    /// A token that the normal form puts elsewhere (the step of a `for` comes after its body) has
    /// the span of the place where it stands, so the spans of a run of tokens always cover the
    /// stretch of text that the run is about.
    pub structure: Vec<Token>,
    /// The subroutines in the order of their starts; nested ones follow those around them.
    pub subroutines: Vec<Subroutine>,
    /// What a highlighter colours, in the order of the text; spans do not overlap.
    pub highlights: Vec<Highlight>,
}

impl Program {
    /// The term of a token.
    pub fn term(&self, token: Token) -> &str {
        &self.terms[usize::from(token.term)]
    }

    /// The terms of a view, which is [`Program::letters`] or [`Program::structure`].
    pub fn terms_of<'a>(&'a self, view: &'a [Token]) -> impl ExactSizeIterator<Item = &'a str> {
        view.iter().map(|token| self.term(*token))
    }
}

/// A lexeme or a part of the normal form: the bytes `start..end` and the number of its term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where its text starts, in bytes.
    pub start: u32,
    /// Where its text ends, in bytes.
    pub end: u32,
    /// The index of its term in [`Program::terms`].
    pub term: u16,
}

/// A function, method, constructor or named procedure with its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subroutine {
    /// Where its header starts, in bytes.
    pub start: u32,
    /// Where its body ends, in bytes.
    pub end: u32,
    /// How many subroutines are around it; zero for one that "a subroutine each" means.
    pub depth: u32,
}

/// A coloured stretch of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// Where it starts, in bytes.
    pub start: u32,
    /// Where it ends, in bytes.
    pub end: u32,
    /// What it is.
    pub class: Class,
}

/// What a highlighted stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is its own name")]
pub enum Class {
    Keyword,
    String,
    Number,
    Comment,
}
