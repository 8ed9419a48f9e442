//! The types that a program gives to its variables, by name.

use std::collections::{BTreeMap, BTreeSet};

use super::source::Source;

/// For every name of a variable the types with which it is declared, as they are written.
pub(super) struct Types<'s, 'a> {
    source: &'s Source<'a>,
    types: BTreeMap<&'a str, BTreeSet<&'a str>>,
}

impl<'s, 'a> Types<'s, 'a> {
    pub(super) fn of(source: &'s Source<'a>) -> Types<'s, 'a> {
        let mut types: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for at in source.nodes() {
            let Some(of) = source.field(at, "type") else {
                continue;
            };
            let names: Vec<usize> = match source.kind(at) {
                "local_variable_declaration" | "field_declaration" | "declaration" => {
                    source.tree.field(at, "declarator").collect()
                }
                "formal_parameter"
                | "enhanced_for_statement"
                | "resource"
                | "parameter_declaration" => vec![at],
                _ => continue,
            };
            for declared in names {
                let (name, is_plain) = name_of(source, declared);
                // An array or a pointer is not of this type.
                let of = if is_plain { source.text(of) } else { "?" };
                if let Some(name) = name {
                    types.entry(source.text(name)).or_default().insert(of);
                }
            }
        }
        // Lambdas and patterns declare names without a type.
        for at in source.nodes() {
            if source.kind(at) == "identifier"
                && source.parent_is(
                    at,
                    &[
                        "inferred_parameters",
                        "lambda_expression",
                        "spread_parameter",
                    ],
                )
            {
                types.entry(source.text(at)).or_default().insert("?");
            }
        }
        Types { source, types }
    }

    /// The only type with which a name is declared.
    pub(super) fn only(&self, name: &str) -> Option<&'a str> {
        let types = self.types.get(name)?;
        let only = types.first().copied()?;
        (types.len() == 1).then_some(only)
    }

    /// Whether an expression is a whole number, so that of two such numbers one is smaller or not.
    pub(super) fn is_whole(&self, at: usize) -> bool {
        let source = self.source;
        let at = source.bare(at);
        match source.kind(at) {
            "number_literal" | "decimal_integer_literal" => {
                source.text(at).bytes().all(|byte| byte.is_ascii_digit())
            }
            "character_literal" | "char_literal" => true,
            "identifier" => self
                .only(source.text(at))
                .is_some_and(|of| WHOLE.contains(&of)),
            "field_access" => source.text(at).ends_with(".length"),
            "binary_expression" => {
                let operator = source
                    .field(at, "operator")
                    .map_or("", |sign| source.text(sign));
                matches!(operator, "+" | "-" | "*" | "/" | "%")
                    && ["left", "right"].iter().all(|side| {
                        source
                            .field(at, side)
                            .is_some_and(|side| self.is_whole(side))
                    })
            }
            _ => false,
        }
    }
}

/// The name in a declarator, and whether it is nothing but a name with or without a value.
pub(super) fn name_of(source: &Source<'_>, declared: usize) -> (Option<usize>, bool) {
    let mut at = declared;
    let mut is_plain = true;
    loop {
        match source.kind(at) {
            "identifier" => return (Some(at), is_plain),
            "pointer_declarator"
            | "array_declarator"
            | "function_declarator"
            | "parenthesized_declarator" => is_plain = false,
            _ => {}
        }
        is_plain &= source.field(at, "dimensions").is_none();
        let inner = source
            .field(at, "name")
            .or_else(|| source.field(at, "declarator"));
        match inner {
            Some(inner) => at = inner,
            None => return (None, false),
        }
    }
}

const WHOLE: &[&str] = &[
    "int",
    "long",
    "short",
    "char",
    "byte",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "unsigned char",
    "long long",
    "size_t",
    "int32_t",
    "int64_t",
    "uint32_t",
    "uint64_t",
    "uint8_t",
];
