//! C and C++.

use super::{
    Rule::{
        self, Assignment, Binary, Call, Drop, Form, Grouping, If, Increment, Initial, One, Open,
        Pointer, Selection, Switch, Unary,
    },
    Step::{Asked, Bare, BareNamed, Body, Close, Emit, Field, Held, Kind, Named},
};

#[allow(clippy::match_same_arms, reason = "grouped by what the nodes are")]
pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "preproc_include"
        | "preproc_call"
        | "using_declaration"
        | "storage_class_specifier"
        | "type_qualifier"
        | "access_specifier"
        | "attribute_specifier"
        | "attribute_declaration"
        | "enum_specifier"
        | "base_class_clause"
        | "template_parameter_list"
        | "template_argument_list"
        | "type_definition"
        | "alias_declaration" => Drop,
        "primitive_type"
        | "sized_type_specifier"
        | "type_identifier"
        | "type_descriptor"
        | "template_type"
        | "placeholder_type_specifier" => Drop,
        "qualified_identifier" | "template_function" => One("i"),
        "function_definition" => Rule::Subroutine(&[
            Field("declarator"),
            Kind("field_initializer_list"),
            Body("body"),
        ]),
        "function_declarator" => Form(&[Field("declarator"), Field("parameters")]),
        "parameter_declaration"
        | "optional_parameter_declaration"
        | "pointer_declarator"
        | "array_declarator" => Form(&[Field("declarator")]),
        "struct_specifier" | "class_specifier" | "union_specifier" | "namespace_definition" => {
            Form(&[Field("body")])
        }
        "preproc_def" => Form(&[Field("name"), Emit("="), Emit("0")]),
        "preproc_if"
        | "preproc_ifdef"
        | "preproc_else"
        | "preproc_elif"
        | "compound_statement"
        | "field_declaration_list"
        | "declaration_list"
        | "template_declaration"
        | "reference_declarator" => Form(&[Named]),
        // Prototypes and variables without a value declare nothing that is not seen where it is used.
        "declaration" => Form(&[
            Kind("struct_specifier"),
            Kind("class_specifier"),
            Kind("init_declarator"),
        ]),
        "field_declaration" => Initial("declarator", "default_value"),
        "init_declarator" => Initial("declarator", "value"),
        "for_statement" => Form(&[
            Field("initializer"),
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
        "for_range_loop" => Form(&[Emit("each"), Bare("right"), Emit("{"), Field("body"), Close]),
        "condition_clause" => Form(&[Field("initializer"), Bare("value")]),
        "if_statement" => If,
        "conditional_expression" => Form(&[
            Emit("if"),
            Asked("condition"),
            Bare("consequence"),
            Emit("else"),
            Bare("alternative"),
        ]),
        "switch_statement" => Switch,
        "return_statement" => Form(&[Emit("return"), BareNamed]),
        "assignment_expression" => Assignment,
        "update_expression" => Increment,
        "binary_expression" => Binary,
        "unary_expression" => Unary,
        "pointer_expression" => Pointer,
        "call_expression" => Call,
        "parenthesized_expression" => Grouping,
        "cast_expression" => Form(&[Bare("value")]),
        "field_expression" => Selection,
        "subscript_expression" => Form(&[
            Field("argument"),
            Emit("["),
            Bare("index"),
            Field("indices"),
        ]),
        "subscript_argument_list" => Form(&[Named]),
        _ => Open,
    }
}
