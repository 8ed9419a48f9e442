//! Python.

use super::{
    Rule::{
        self, Assignment, Binary, Drop, Form, Grouping, If, Member, Open, Range, Statement, Unary,
    },
    Step::{Bare, BareNamed, Body, Close, Else, Emit, Field, Held, Named, Nth},
};

#[allow(clippy::match_same_arms, reason = "grouped by what the nodes are")]
pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "import_statement"
        | "import_from_statement"
        | "future_import_statement"
        | "decorator"
        | "type"
        | "type_parameter"
        | "global_statement"
        | "nonlocal_statement" => Drop,
        "function_definition" => {
            Rule::Subroutine(&[Field("name"), Field("parameters"), Body("body")])
        }
        "class_definition" => Form(&[Field("body")]),
        "block" => Form(&[Named]),
        "for_statement" => Range,
        "while_statement" => Form(&[
            Emit("while"),
            Held("condition"),
            Emit("{"),
            Field("body"),
            Close,
            Else("alternative"),
        ]),
        "if_statement" | "elif_clause" => If,
        "conditional_expression" => Form(&[Emit("if"), Nth(1), Nth(0), Emit("else"), Nth(2)]),
        "return_statement" => Form(&[Emit("return"), BareNamed]),
        "expression_statement" => Statement,
        "assignment" | "augmented_assignment" => Assignment,
        "binary_operator" | "comparison_operator" | "boolean_operator" => Binary,
        "not_operator" => Unary,
        "parenthesized_expression" => Grouping,
        "attribute" => Member("object", "attribute"),
        "subscript" => Form(&[Field("value"), Emit("["), Bare("subscript")]),
        _ => Open,
    }
}
