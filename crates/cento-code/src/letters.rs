//! The lexemes of a program as the letters of Finkel et al., section 2.1, and their colours.

use std::collections::HashSet;

use crate::{Class, Highlight, Token, parse::Terms, tree::Tree};

/// What the lexemes of a program are.
#[derive(Default)]
pub(crate) struct Lexemes {
    pub(crate) letters: Vec<Token>,
    pub(crate) highlights: Vec<Highlight>,
    /// How many bytes, white space aside, belong to a rule of the grammar.
    pub(crate) parsed: usize,
}

/// What a lexeme is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lexeme {
    Comment,
    Quoted,
    Number,
    Name,
    Keyword,
    Sign,
}

/// One letter for each lexeme; comments and white space go.
pub(crate) fn read(tree: &Tree<'_>, terms: &mut Terms) -> Lexemes {
    let lexer = Lexer::new(tree);
    let mut lexemes = Lexemes::default();
    let mut at = 0;
    while at < tree.nodes.len() {
        let Some(lexeme) = lexer.lexeme(at) else {
            at += 1;
            continue;
        };
        let node = &tree.nodes[at];
        if !tree.text_of(at).trim().is_empty() {
            let (start, end) = (node.start, node.end);
            if let Some(class) = class(lexeme) {
                lexemes.highlights.push(Highlight { start, end, class });
            }
            if let Some(letter) = lexer.letter(lexeme, at) {
                let term = terms.number(letter);
                lexemes.letters.push(Token { start, end, term });
            }
        }
        if !node.error && !node.stray {
            lexemes.parsed += solid(tree.text_of(at));
        }
        at = node.next as usize;
    }
    lexemes
}

/// How many bytes of a text are not white space.
pub(crate) fn solid(text: &str) -> usize {
    text.bytes()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
}

/// Tells lexemes apart by the grammar's names for them, and by their text where names differ from
/// grammar to grammar.
pub(crate) struct Lexer<'a> {
    tree: &'a Tree<'a>,
    /// By number of kind: what a node of it is, whatever is inside.
    kinds: Vec<Option<Lexeme>>,
    /// The words that the grammar spells out.
    words: HashSet<&'a str>,
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(tree: &'a Tree<'a>) -> Lexer<'a> {
        let grammar = tree.grammar;
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let names = (0..count).map(|kind| {
            (
                grammar.node_kind_for_id(kind).unwrap_or_default(),
                grammar.node_kind_is_named(kind),
            )
        });
        let kinds = names
            .clone()
            .map(|(name, named)| named.then(|| whole(name)).flatten());
        let words = names
            .filter(|(name, named)| !named && is_word(name))
            .map(|(name, _)| name);
        Lexer {
            tree,
            kinds: kinds.collect(),
            words: words.collect(),
        }
    }

    /// What a node is, or none where its children are to be looked at instead.
    pub(crate) fn lexeme(&self, at: usize) -> Option<Lexeme> {
        let node = &self.tree.nodes[at];
        let kind = self.tree.kind(at);
        let inside = !self.tree.is_leaf(at);
        match self.kinds.get(usize::from(node.kind)).copied().flatten() {
            // PHP's variables are a sign and a name.
            Some(Lexeme::Name | Lexeme::Keyword) if inside && kind != "variable_name" => {
                return None;
            }
            Some(lexeme) => return Some(lexeme),
            None if inside => return None,
            None => {}
        }
        let text = self.tree.text_of(at);
        Some(match text.chars().next() {
            _ if !node.named && is_word(kind) && is_word(text) => Lexeme::Keyword,
            _ if !node.named => Lexeme::Sign,
            Some('0'..='9') => Lexeme::Number,
            Some('"' | '\'' | '`') => Lexeme::Quoted,
            _ if !is_word(text) => Lexeme::Sign,
            _ if self.is_keyword(kind, text) => Lexeme::Keyword,
            _ => Lexeme::Name,
        })
    }

    /// Whether a named leaf is a keyword all the same.
    fn is_keyword(&self, kind: &str, text: &str) -> bool {
        kind.eq_ignore_ascii_case(text)
            || self.words.contains(text)
            || ["keyword", "specifier", "qualifier", "modifier"]
                .iter()
                .any(|end| kind.ends_with(end))
    }

    /// The letter of a lexeme. What the grammar spells out stands for itself, as it spells it where
    /// capitals do not matter.
    pub(crate) fn letter(&self, lexeme: Lexeme, at: usize) -> Option<&'a str> {
        let (text, kind) = (self.tree.text_of(at), self.tree.kind(at));
        Some(match lexeme {
            Lexeme::Comment => return None,
            Lexeme::Quoted => "\"",
            Lexeme::Number => "0",
            Lexeme::Name => "i",
            Lexeme::Keyword if !self.tree.nodes[at].named => kind,
            Lexeme::Keyword => kind.strip_prefix("keyword_").unwrap_or(text),
            Lexeme::Sign if text.len() <= 4 && text.is_ascii() => text,
            Lexeme::Sign => "?",
        })
    }
}

/// What every node of a kind is.
fn whole(kind: &str) -> Option<Lexeme> {
    const QUOTED: &[&str] = &[
        "string_literal",
        "character_literal",
        "char_literal",
        "string",
    ];
    const NUMBERS: &[&str] = &[
        "integer_literal",
        "float_literal",
        "number_literal",
        "point_literal",
        "real_literal",
    ];
    const NAMES: &[&str] = &["identifier", "_name", "variable"];
    let ends = |ends: &[&str]| ends.iter().any(|end| kind.ends_with(end));
    Some(match kind {
        "char"
        | "regex"
        | "regex_literal"
        | "heredoc_body"
        | "heredoc"
        | "nowdoc"
        | "text"
        | "rune_literal"
        | "interpolated_string_expression"
        | "string_array"
        | "symbol_array"
        | "simple_symbol" => Lexeme::Quoted,
        "this" | "super" | "self" | "true" | "false" | "null" | "nil" | "none" | "undefined"
        | "null_literal" | "boolean_literal" | "boolean" | "void_type" | "boolean_type"
        | "primitive_type" | "predefined_type" | "php_tag" => Lexeme::Keyword,
        "shebang" | "hash_bang_line" | "haddock" => Lexeme::Comment,
        "operator_identifier" => Lexeme::Sign,
        "word" | "name" => Lexeme::Name,
        _ if kind.starts_with("keyword_") => Lexeme::Keyword,
        _ if kind.ends_with("comment") => Lexeme::Comment,
        "concatenated_string" => return None,
        _ if ends(QUOTED) => Lexeme::Quoted,
        _ if ends(NUMBERS) => Lexeme::Number,
        _ if ends(NAMES) => Lexeme::Name,
        _ => return None,
    })
}

/// Whether a lexeme is written as names are.
fn is_word(text: &str) -> bool {
    let mut chars = text.trim_start_matches(['$', '@', '#']).chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!' | '\''))
}

fn class(lexeme: Lexeme) -> Option<Class> {
    match lexeme {
        Lexeme::Comment => Some(Class::Comment),
        Lexeme::Quoted => Some(Class::String),
        Lexeme::Number => Some(Class::Number),
        Lexeme::Keyword => Some(Class::Keyword),
        Lexeme::Name | Lexeme::Sign => None,
    }
}
