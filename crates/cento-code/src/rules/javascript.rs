//! JavaScript, and TypeScript, which is JavaScript once its types are gone.

use super::{
    Rule::{
        self, Assignment, Binary, Drop, Form, Grouping, If, Increment, Initial, Member, Open,
        Switch, Unary,
    },
    Step::{Asked, Bare, BareNamed, Body, Close, Emit, Field, Held, Kind, Named, Nth},
};

#[allow(clippy::match_same_arms, reason = "grouped by what the nodes are")]
pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "import_statement" | "decorator" | "empty_statement" => Drop,
        "type_annotation"
        | "type_arguments"
        | "type_parameters"
        | "accessibility_modifier"
        | "override_modifier"
        | "interface_declaration"
        | "type_alias_declaration"
        | "function_signature"
        | "ambient_declaration" => Drop,
        "required_parameter" | "optional_parameter" => Form(&[Field("pattern"), Field("value")]),
        "as_expression" | "satisfies_expression" | "non_null_expression" => Form(&[Nth(0)]),
        "function_declaration" | "method_definition" | "generator_function_declaration" => {
            Rule::Subroutine(&[Field("name"), Field("parameters"), Body("body")])
        }
        "function_expression" | "arrow_function" | "generator_function" => {
            Rule::Subroutine(&[Field("parameter"), Field("parameters"), Body("body")])
        }
        "class_declaration" | "class" | "abstract_class_declaration" => Form(&[Field("body")]),
        "class_body" | "statement_block" | "export_statement" => Form(&[Named]),
        "lexical_declaration" | "variable_declaration" => Form(&[Kind("variable_declarator")]),
        "variable_declarator" => Initial("name", "value"),
        "field_definition" | "public_field_definition" => Initial("property", "value"),
        "for_statement" => Form(&[
            Field("initializer"),
            Emit("while"),
            Held("condition"),
            Emit("{"),
            Field("body"),
            Field("increment"),
            Close,
        ]),
        "while_statement" | "do_statement" => Form(&[
            Emit("while"),
            Held("condition"),
            Emit("{"),
            Field("body"),
            Close,
        ]),
        "for_in_statement" => Form(&[Emit("each"), Bare("right"), Emit("{"), Field("body"), Close]),
        "if_statement" => If,
        "ternary_expression" => Form(&[
            Emit("if"),
            Asked("condition"),
            Bare("consequence"),
            Emit("else"),
            Bare("alternative"),
        ]),
        "switch_statement" => Switch,
        "return_statement" => Form(&[Emit("return"), BareNamed]),
        "assignment_expression" | "augmented_assignment_expression" => Assignment,
        "update_expression" => Increment,
        "binary_expression" => Binary,
        "unary_expression" => Unary,
        "parenthesized_expression" => Grouping,
        "member_expression" => Member("object", "property"),
        "subscript_expression" => Form(&[Field("object"), Emit("["), Bare("index")]),
        _ => Open,
    }
}
