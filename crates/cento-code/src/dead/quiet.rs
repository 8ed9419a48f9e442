//! What does nothing but compute a value.

use crate::tree::Tree;

/// Whether a node by itself does nothing that others see; what is inside is looked at for itself.
pub(super) fn is_quiet(tree: &Tree<'_>, at: usize) -> bool {
    let node = &tree.nodes[at];
    if node.error {
        return false;
    }
    let kind = tree.kind(at);
    if !node.named || kind.ends_with("comment") {
        return true;
    }
    match kind {
        "type_qualifier" => tree.text_of(at) != "volatile",
        "unary_expression" => !tree.text_of(at).starts_with("delete"),
        "method_invocation" => tree
            .field(at, "object")
            .any(|object| tree.text_of(object) == "Math"),
        "call" | "call_expression" => tree
            .field(at, "function")
            .any(|function| is_computed(tree.text_of(function))),
        _ => {
            QUIET.contains(&kind)
                || ["_literal", "_type", "identifier", "_type_specifier"]
                    .iter()
                    .any(|end| kind.ends_with(end))
        }
    }
}

/// Functions that everybody knows to change nothing.
fn is_computed(function: &str) -> bool {
    function.starts_with("Math.")
        || function.starts_with("math.")
        || matches!(
            function,
            "abs"
                | "float"
                | "int"
                | "len"
                | "max"
                | "min"
                | "pow"
                | "range"
                | "round"
                | "sqrt"
                | "str"
                | "sum"
        )
}

const QUIET: &[&str] = &[
    "argument_list",
    "arguments",
    "array",
    "array_access",
    "array_creation_expression",
    "array_initializer",
    "attribute",
    "binary_expression",
    "binary_operator",
    "block",
    "boolean_operator",
    "cast_expression",
    "comparison_operator",
    "compound_statement",
    "condition_clause",
    "conditional_expression",
    "declaration",
    "dictionary",
    "dimensions",
    "dimensions_expr",
    "elif_clause",
    "else_clause",
    "empty_statement",
    "escape_sequence",
    "expression_list",
    "expression_statement",
    "false",
    "field_access",
    "field_expression",
    "float",
    "initializer_list",
    "integer",
    "interpolation",
    "lexical_declaration",
    "list",
    "local_variable_declaration",
    "member_expression",
    "modifiers",
    "none",
    "not_operator",
    "null",
    "number",
    "pair",
    "parenthesized_expression",
    "pass_statement",
    "pattern_list",
    "pointer_expression",
    "sized_type_specifier",
    "sizeof_expression",
    "slice",
    "statement_block",
    "string",
    "string_content",
    "string_end",
    "string_fragment",
    "string_start",
    "subscript",
    "subscript_expression",
    "template_string",
    "template_substitution",
    "ternary_expression",
    "this",
    "true",
    "tuple",
    "tuple_pattern",
    "type",
    "type_arguments",
    "type_descriptor",
    "unary_operator",
    "undefined",
    "variable_declaration",
];
