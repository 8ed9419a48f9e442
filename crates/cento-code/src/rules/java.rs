//! Java.

use super::{
    Rule::{
        self, Assignment, Binary, Drop, Form, Grouping, If, Increment, Initial, Member, Open,
        Switch, Unary,
    },
    Step::{Asked, Bare, BareNamed, Body, Close, Emit, Field, Held, Named},
};

#[allow(clippy::match_same_arms, reason = "grouped by what the nodes are")]
pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "import_declaration"
        | "package_declaration"
        | "modifiers"
        | "marker_annotation"
        | "annotation"
        | "throws" => Drop,
        "type_identifier"
        | "integral_type"
        | "floating_point_type"
        | "boolean_type"
        | "void_type"
        | "generic_type"
        | "array_type"
        | "scoped_type_identifier"
        | "type_arguments"
        | "type_parameters"
        | "dimensions" => Drop,
        "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
            Rule::Subroutine(&[Field("name"), Field("parameters"), Body("body")])
        }
        "formal_parameter" => Form(&[Field("name")]),
        "class_declaration" | "interface_declaration" | "record_declaration" => {
            Form(&[Field("parameters"), Field("body")])
        }
        "block" | "class_body" | "interface_body" | "constructor_body" => Form(&[Named]),
        "local_variable_declaration" | "field_declaration" | "constant_declaration" => {
            Form(&[Field("declarator")])
        }
        "variable_declarator" => Initial("name", "value"),
        "for_statement" => Form(&[
            Field("init"),
            Emit("while"),
            Held("condition"),
            Emit("{"),
            Field("body"),
            Field("update"),
            Close,
        ]),
        "while_statement" | "do_statement" => Form(&[
            Emit("while"),
            Held("condition"),
            Emit("{"),
            Field("body"),
            Close,
        ]),
        "enhanced_for_statement" => {
            Form(&[Emit("each"), Bare("value"), Emit("{"), Field("body"), Close])
        }
        "if_statement" => If,
        "ternary_expression" => Form(&[
            Emit("if"),
            Asked("condition"),
            Bare("consequence"),
            Emit("else"),
            Bare("alternative"),
        ]),
        "switch_expression" => Switch,
        "return_statement" => Form(&[Emit("return"), BareNamed]),
        "assignment_expression" => Assignment,
        "update_expression" => Increment,
        "binary_expression" => Binary,
        "unary_expression" => Unary,
        "parenthesized_expression" => Grouping,
        "cast_expression" => Form(&[Bare("value")]),
        "field_access" => Member("object", "field"),
        "array_access" => Form(&[Field("array"), Emit("["), Bare("index")]),
        _ => Open,
    }
}
