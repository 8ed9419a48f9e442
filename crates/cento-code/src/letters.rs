//! The lexemes of a program as the letters of Finkel et al., section 2.1, and their colours.

use std::collections::HashSet;

use crate::{Class, Highlight, Token, parse::Terms, tree::Tree};

/// What the lexemes of a program are.
#[derive(Default)]
pub(crate) struct Lexemes {
    pub(crate) letters: Vec<Token>,
    pub(crate) highlights: Vec<Highlight>,
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
        let text = tree.text_of(at);
        at = node.next as usize;
        let (start, end) = (node.start, node.end);
        if start == end || text.trim().is_empty() {
            continue;
        }
        if let Some(class) = class(lexeme) {
            lexemes.highlights.push(Highlight { start, end, class });
        }
        if let Some(term) = letter(lexeme, text) {
            lexemes.letters.push(Token {
                start,
                end,
                term: terms.number(term),
            });
        }
    }
    lexemes
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
        let whole = self.kinds.get(usize::from(node.kind)).copied().flatten();
        let inside = !self.tree.is_leaf(at);
        match whole {
            Some(Lexeme::Name) | None if inside => return None,
            Some(lexeme) => return Some(lexeme),
            None => {}
        }
        let text = self.tree.text_of(at);
        Some(match text.chars().next() {
            Some('0'..='9') => Lexeme::Number,
            Some('"' | '\'' | '`') => Lexeme::Quoted,
            _ if !is_word(text) => Lexeme::Sign,
            _ if !node.named || self.words.contains(text) => Lexeme::Keyword,
            _ => Lexeme::Name,
        })
    }
}

/// What every node of a kind is.
fn whole(kind: &str) -> Option<Lexeme> {
    Some(match kind {
        "string"
        | "char"
        | "template_string"
        | "regex"
        | "regex_literal"
        | "heredoc_body"
        | "raw_string"
        | "ansi_c_string"
        | "encapsed_string"
        | "shell_command_expression"
        | "subshell_string"
        | "string_array"
        | "symbol_array"
        | "heredoc"
        | "nowdoc"
        | "system_lib_string"
        | "rune_literal"
        | "system_string"
        | "interpolated_string" => Lexeme::Quoted,
        "this" | "super" | "self" | "true" | "false" | "null" | "nil" | "none" | "undefined"
        | "null_literal" | "boolean_literal" | "boolean" | "void_type" | "boolean_type"
        | "primitive_type" | "predefined_type" | "inf" | "nan" | "na" => Lexeme::Keyword,
        "shebang" | "hash_bang_line" | "haddock" => Lexeme::Comment,
        _ if kind.ends_with("comment") => Lexeme::Comment,
        _ if kind.ends_with("string_literal")
            || kind.ends_with("character_literal")
            || kind.ends_with("char_literal")
            || kind.ends_with("string_expression") =>
        {
            Lexeme::Quoted
        }
        _ if kind.ends_with("identifier") => Lexeme::Name,
        _ if kind.ends_with("integer_literal")
            || kind.ends_with("float_literal")
            || kind.ends_with("number_literal")
            || kind.ends_with("point_literal")
            || kind.ends_with("real_literal") =>
        {
            Lexeme::Number
        }
        _ => return None,
    })
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '@' | '#'))
        && text.len() > 1
        || text.chars().all(char::is_alphanumeric)
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

/// The term of a lexeme. Signs and keywords stand for themselves as far as a grammar can know them.
fn letter(lexeme: Lexeme, text: &str) -> Option<&str> {
    match lexeme {
        Lexeme::Comment => None,
        Lexeme::Quoted => Some("\""),
        Lexeme::Number => Some("0"),
        Lexeme::Name => Some("i"),
        Lexeme::Keyword => Some(text),
        Lexeme::Sign => Some(if text.len() <= 4 && text.is_ascii() {
            text
        } else {
            "?"
        }),
    }
}
