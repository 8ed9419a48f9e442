//! From text to program, within limits.

use tree_sitter::Parser;

use crate::{Language, Program, grammar, letters, structure, tree::Tree};

/// The longest text that is parsed.
pub const MAX_BYTES: usize = 8 << 20;
/// The most nodes that a syntax tree may have.
pub const MAX_NODES: usize = 4_000_000;
/// How deep a syntax tree, or the brackets of a text, may be nested.
pub const MAX_DEPTH: usize = 2_000;
/// How many of a hundred bytes of a program's lexemes may belong to no rule of the grammar.
pub const MAX_UNPARSED_PERCENT: usize = 30;

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
    let parsed = parser
        .parse(text, None)
        .ok_or(Refusal::Unparsed(language))?;
    let tree = Tree::new(text, &grammar, &parsed)?;
    expect_parsed(&tree, language)?;
    let mut terms = Terms::default();
    let lexemes = letters::read(&tree, &mut terms);
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

/// Refuses what is hardly a program.
pub(crate) fn expect_parsed(tree: &Tree<'_>, language: Language) -> Result<(), Refusal> {
    if tree.unparsed * 100 > tree.lexed * MAX_UNPARSED_PERCENT {
        return Err(Refusal::Unparsed(language));
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
    /// The number of a term. There are only as many as a grammar has words and a few of ours.
    pub(crate) fn number(&mut self, term: &str) -> u16 {
        if let Some(number) = self.numbers.get(term) {
            return *number;
        }
        let number = u16::try_from(self.list.len()).expect("grammars have few words");
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
