//! What becomes of each kind of node in the normal form: a table for each language.
//!
//! A table is kept short by what no disguise leaves alone and no program needs to be told apart by:
//! types, modifiers, imports and declarations without a value go, every loop is a `while`, and
//! every body has its braces.

mod c;
mod java;
mod javascript;
mod others;
mod python;

use crate::Language;

/// What becomes of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// Its children in order; a lexeme is taken for what it is.
    Open,
    /// Nothing.
    Drop,
    /// One term, whatever is inside.
    One(&'static str),
    /// These parts in this order, and nothing else.
    Form(&'static [Step]),
    /// The same, for a subroutine.
    Subroutine(&'static [Step]),
    /// A name with a value; nothing without one.
    Initial(&'static str, &'static str),
    /// `left = right`, where `a = a + b` is `a += b`.
    Assignment,
    /// `a++` and `--a`, which are `a += 0` and `a -= 0`.
    Increment,
    /// An operator between two operands; `a > b` is `b < a`.
    Binary,
    /// An operator before one operand; two denials are none.
    Unary,
    /// Parentheses, which stay around operators.
    Grouping,
    /// An `if`; one with nothing but another one in it asks for both.
    If,
    /// A choice among cases, which is a row of `if`s.
    Switch,
    /// `*a` and `&a` of C.
    Pointer,
    /// `a.b` and `a->b` of C.
    Selection,
    /// A call of C, where a function and a pointer to it are one.
    Call,
    /// A member of an object: of the object itself it is as good as a variable.
    Member(&'static str, &'static str),
    /// Python's `for`: over a range it counts as other languages do.
    Range,
    /// A statement that may be nothing but a text, which is a comment.
    Statement,
}

/// A part of a form.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A term.
    Emit(&'static str),
    /// The children with this field.
    Field(&'static str),
    /// The same, without parentheses around them.
    Bare(&'static str),
    /// A condition, or a value if there is none: a loop without a condition goes on.
    Held(&'static str),
    /// The condition for one of two branches: what it asks matters, not for which of them.
    Asked(&'static str),
    /// The same in braces, if there are any.
    Body(&'static str),
    /// The children with this field in braces after an `else`, if there are any.
    Else(&'static str),
    /// The children of this kind.
    Kind(&'static str),
    /// One of the named children.
    Nth(usize),
    /// All named children.
    Named,
    /// The same, without parentheses around them.
    BareNamed,
    /// All children.
    All,
    /// The brace at the end.
    Close,
}

/// Whether a language has a normal form by its tree; others have their letters without some.
pub(crate) fn is_by_tree(language: Language) -> bool {
    use Language::{C, Cpp, Java, JavaScript, Python, TypeScript};
    matches!(language, C | Cpp | Java | JavaScript | Python | TypeScript)
}

/// Whether nothing is as good as false.
pub(crate) fn is_zero_false(language: Language) -> bool {
    matches!(language, Language::C | Language::Cpp)
}

/// The kinds of nodes that have an operator between two operands.
pub(crate) const OPERATIONS: &[&str] = &[
    "binary_expression",
    "binary_operator",
    "comparison_operator",
    "boolean_operator",
];

/// Nodes whose children are statements one after the other.
pub(crate) const SEQUENCES: &[&str] = &[
    "block",
    "case_statement",
    "compound_statement",
    "constructor_body",
    "module",
    "program",
    "statement_block",
    "switch_block_statement_group",
    "switch_case",
    "translation_unit",
];

/// Statements after which another one goes on.
pub(crate) const JUMPS: &[&str] = &[
    "break_statement",
    "continue_statement",
    "goto_statement",
    "raise_statement",
    "return_statement",
    "throw_statement",
];

/// Nodes in which names are their own.
pub(crate) const SUBROUTINES: &[&str] = &[
    "arrow_function",
    "constructor_declaration",
    "function_declaration",
    "function_definition",
    "function_expression",
    "lambda",
    "lambda_expression",
    "method_declaration",
    "method_definition",
];

/// The rule for a kind of named node.
pub(crate) fn rule(language: Language, kind: &str) -> Rule {
    match language {
        Language::C | Language::Cpp => c::rule(kind),
        Language::Java => java::rule(kind),
        Language::JavaScript | Language::TypeScript => javascript::rule(kind),
        Language::Python => python::rule(kind),
        _ => others::rule(kind),
    }
}
