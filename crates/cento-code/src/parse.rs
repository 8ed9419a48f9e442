//! From text to program, within limits.

use std::{cell::Cell, ops::ControlFlow};

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use crate::{Language, Program, grammar, letters, structure, tree};

/// The longest text that is parsed.
pub const MAX_BYTES: usize = 8 << 20;
/// The most nodes that a syntax tree may have.
pub const MAX_NODES: usize = 4_000_000;
/// How deep a syntax tree, or the brackets of a text, may be nested.
pub const MAX_DEPTH: usize = 2_000;
/// How many steps a parser may take for each byte of a text.
pub const MAX_STEPS_PER_BYTE: usize = 32;
/// How many of a hundred bytes of a program, white space aside, may belong to no rule of the
/// grammar.
pub const MAX_UNPARSED_PERCENT: usize = 30;

/// The parser asks after so many steps whether it is to go on.
const STEPS_PER_CALL: usize = 100;
/// The parser sees so many bytes at a time, and each of them so often.
const PIECE: usize = 4 << 10;
const MAX_LOOKS: usize = 64;

/// Why a text has no code tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The grammar is not a part of this build.
    #[error("the grammar of {0} is not built in")]
    NotBuilt(Language),
    /// More than [`MAX_BYTES`].
    #[error("the text is longer than {} MiB", MAX_BYTES >> 20)]
    Bytes,
    /// More than [`MAX_NODES`].
    #[error("the program has more than {MAX_NODES} syntax nodes")]
    Nodes,
    /// Deeper than [`MAX_DEPTH`].
    #[error("the program is nested more than {MAX_DEPTH} deep")]
    Depth,
    /// More than [`MAX_STEPS_PER_BYTE`], or the same text was read too often.
    #[error("the text takes too many steps to parse")]
    Steps,
    /// More than [`MAX_UNPARSED_PERCENT`] of it.
    #[error("the text does not parse as {0}")]
    Unparsed(Language),
    /// Programs in this language are not disguised: see [`Attack::LANGUAGES`](crate::Attack::LANGUAGES).
    #[error("programs in {0} cannot be attacked, only those in C, Java and Python")]
    Unattackable(Language),
}

/// The code tokens of a text in a language. What the grammar does not allow is taken as the lexemes
/// that were recognised in it, as long as most of the text is a program.
pub fn parse(text: &str, language: Language) -> Result<Program, Refusal> {
    let grammar = grammar::of(language, text).ok_or(Refusal::NotBuilt(language))?;
    expect_size(text)?;
    let mut parser = Parser::new();
    if parser.set_language(&grammar).is_err() {
        return Err(Refusal::NotBuilt(language));
    }
    let parsed = read(&mut parser, text)?;
    let tree = tree::Tree::new(text, &grammar, &parsed)?;
    let mut terms = Terms::default();
    let lexemes = letters::read(&tree, &mut terms);
    let solid = letters::solid(text);
    if (solid - lexemes.parsed) * 100 > solid * MAX_UNPARSED_PERCENT {
        return Err(Refusal::Unparsed(language));
    }
    let (structure, subroutines) = structure::read(&tree, language, &mut terms);
    Ok(Program {
        language,
        terms: terms.list,
        letters: lexemes.letters,
        structure,
        subroutines,
        highlights: lexemes.highlights,
    })
}

/// Parses within a number of steps and of looks at the text, which, unlike time, are the same on
/// every machine. Grammars are slow on texts that are made for it: on comments, say, that open again
/// and again and never close, each of which is read to the end of the text.
pub(crate) fn read(parser: &mut Parser, text: &str) -> Result<Tree, Refusal> {
    let steps = Cell::new(1_000 + text.len() * MAX_STEPS_PER_BYTE / STEPS_PER_CALL);
    let looks = Cell::new(1_000 + text.len() / PIECE * MAX_LOOKS);
    let take = |from: &Cell<usize>| match from.get().checked_sub(1) {
        Some(left) => {
            from.set(left);
            true
        }
        None => false,
    };
    let mut go_on = |_: &ParseState| {
        if looks.get() > 0 && take(&steps) {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    };
    let bytes = text.as_bytes();
    let mut piece = |at: usize, _| {
        if take(&looks) {
            &bytes[at.min(bytes.len())..(at + PIECE).min(bytes.len())]
        } else {
            &[]
        }
    };
    let options = ParseOptions::new().progress_callback(&mut go_on);
    let parsed = parser.parse_with_options(&mut piece, None, Some(options));
    parsed.filter(|_| looks.get() > 0).ok_or(Refusal::Steps)
}

/// Refuses what would take too long.
pub(crate) fn expect_size(text: &str) -> Result<(), Refusal> {
    if text.len() > MAX_BYTES {
        return Err(Refusal::Bytes);
    }
    if bracket_depth(text) > MAX_DEPTH {
        return Err(Refusal::Depth);
    }
    Ok(())
}

/// The terms of a program so far.
#[derive(Default)]
pub(crate) struct Terms {
    list: Vec<String>,
    numbers: std::collections::HashMap<String, u16>,
}

impl Terms {
    /// The number of a term. Grammars have few words; should one have more than can be numbered,
    /// the last number stands for the rest of them.
    pub(crate) fn number(&mut self, term: &str) -> u16 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let Ok(number) = u16::try_from(self.list.len()) else {
            return u16::MAX;
        };
        self.list.push(term.to_owned());
        self.numbers.insert(term.to_owned(), number);
        number
    }
}

/// How deep brackets are nested, without regard to quotes and comments: parsers are slow on texts
/// that are nothing but brackets.
fn bracket_depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        deepest = deepest.max(depth);
    }
    deepest
}
