//! What becomes of each kind of node in the normal form: a table for each language.

mod c;
mod java;
mod javascript;
mod python;

use crate::Language;

/// What becomes of a node.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "tables grow")]
pub(crate) enum Rule {
    /// Its children in order; a lexeme is taken for what it is.
    Open,
    /// Nothing.
    Drop,
    /// One term, whatever is inside.
    One(&'static str),
    /// A term, its children, and a term.
    Wrap(&'static str, &'static str),
    /// Parts of it in another order.
    Form(&'static [Step]),
    /// Nothing of its own, and its children without the terms for blocks.
    Subroutine,
}

/// A part of a form.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "tables grow")]
pub(crate) enum Step {
    /// A term.
    Emit(&'static str),
    /// The children with this field.
    Field(&'static str),
    /// The named children without a field.
    Others,
}

/// The rule for a kind of node.
pub(crate) fn rule(language: Language, kind: &str) -> Rule {
    match language {
        Language::C | Language::Cpp => c::rule(kind),
        Language::Java => java::rule(kind),
        Language::JavaScript | Language::TypeScript => javascript::rule(kind),
        Language::Python => python::rule(kind),
        _ => Rule::Open,
    }
}
