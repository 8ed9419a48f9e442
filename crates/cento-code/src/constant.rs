//! Values that a program spells out: `10`, `(4 + 6)`, `"ab"` and `"a" + "b"` are one thing.

use crate::{
    letters::{Lexeme, Lexer},
    rules::OPERATIONS,
    tree::Tree,
};

/// Says of each node whether it is computed from literals alone, or is one.
pub(crate) fn find(tree: &Tree<'_>, lexer: &Lexer<'_>) -> Vec<bool> {
    let mut found = vec![false; tree.nodes.len()];
    // Parts come after the whole.
    for at in (0..tree.nodes.len()).rev() {
        let kind = tree.kind(at);
        found[at] = if OPERATIONS.contains(&kind)
            || matches!(kind, "concatenated_string" | "parenthesized_expression")
        {
            let mut parts = tree.named(at).peekable();
            parts.peek().is_some() && parts.all(|part| found[part])
        } else {
            matches!(lexer.lexeme(at), Some(Lexeme::Number | Lexeme::Quoted))
        };
    }
    found
}
