//! The names of a program in C.

use std::collections::BTreeSet;

use super::names::{Declaration, Declarations, Places, What, declare, is_in_scope};
use super::source::Source;

pub(super) fn declarations<'a>(source: &Source<'a>) -> Declarations<'a> {
    let mut all = Declarations::new();
    for at in source.of_kinds(&["identifier", "type_identifier", "field_identifier"]) {
        if let Some((what, scope)) = declared(source, at) {
            declare(source, &mut all, at, what, scope);
        }
    }
    all
}

/// What a name is declared as here, if it is, and for which part of the program.
fn declared(source: &Source<'_>, at: usize) -> Option<(What, usize)> {
    let mut declarator = at;
    let mut is_function = false;
    // Out of pointers, arrays and parameters, to what declares.
    let home = loop {
        let parent = source.parent(declarator)?;
        match source.kind(parent) {
            "pointer_declarator" | "array_declarator" | "init_declarator"
                if source.is_field(declarator, "declarator") => {}
            "parenthesized_declarator" => {}
            "function_declarator" if source.is_field(declarator, "declarator") => {
                is_function = declarator == at;
            }
            "declaration"
            | "parameter_declaration"
            | "function_definition"
            | "field_declaration"
            | "type_definition"
                if source.is_field(declarator, "declarator") =>
            {
                break parent;
            }
            "enumerator" if source.is_field(declarator, "name") => {
                return Some((What::Variable, 0));
            }
            "struct_specifier" | "union_specifier" | "enum_specifier"
                if source.is_field(declarator, "name") =>
            {
                let has_body = source.field(parent, "body").is_some();
                return has_body.then_some((What::Type, 0));
            }
            _ => return None,
        }
        declarator = parent;
    };
    let function = source.function(home);
    Some(match source.kind(home) {
        "field_declaration" => (What::Member, 0),
        "type_definition" => (What::Type, 0),
        "function_definition" => (What::Function, 0),
        "parameter_declaration" => {
            let around = source.nearest(home, &["function_definition", "declaration"]);
            (What::Local, around.unwrap_or(0))
        }
        // A function that is only declared is one from outside, until it is defined.
        _ if is_function => return None,
        _ if source.text(home).starts_with("extern") => (What::Fixed, 0),
        _ => match function {
            Some(_) => (What::Local, source.parent(home)?),
            None => (What::Variable, 0),
        },
    })
}

/// The names that can be changed.
pub(super) fn free<'a>(
    source: &Source<'a>,
    declarations: &Declarations<'a>,
    places: &Places<'a>,
) -> Vec<&'a str> {
    let has_odd_macros = source.of_kinds(&["preproc_function_def"]).any(|of| {
        source
            .field(of, "value")
            .is_some_and(|value| source.text(value).contains('#'))
    });
    if has_odd_macros {
        return Vec::new();
    }
    let known = Known {
        source,
        in_macros: in_macros(source),
        is_whole: is_whole(source),
        has_foreign_members: has_foreign_members(source, declarations),
    };
    let is_free = |name: &str| {
        let declared = &declarations[name];
        places[name].iter().all(|at| known.is_own(*at, declared))
            && declared
                .iter()
                .all(|declaration| known.may_change(*declaration))
            && name != "main"
            && !known.in_macros.contains(name)
    };
    declarations
        .keys()
        .copied()
        .filter(|name| is_free(name))
        .collect()
}

struct Known<'s, 'a> {
    source: &'s Source<'a>,
    in_macros: BTreeSet<&'a str>,
    /// Whether nothing else is compiled together with it.
    is_whole: bool,
    /// Whether it uses structures that it does not declare.
    has_foreign_members: bool,
}

impl Known<'_, '_> {
    fn may_change(&self, declaration: Declaration) -> bool {
        match declaration.what {
            What::Local => true,
            What::Variable | What::Function | What::Type => self.is_whole,
            What::Member => self.is_whole && !self.has_foreign_members,
            What::Fixed => false,
        }
    }

    /// Whether what is meant here is one of these declarations.
    fn is_own(&self, at: usize, declared: &[Declaration]) -> bool {
        let source = self.source;
        let has = |what: &[What]| is_in_scope(source, declared, at, what);
        let is_odd = source.around(at).any(|around| {
            source.kind(around).starts_with("preproc_") && !source.is(around, CONDITIONAL)
                || source.is(
                    around,
                    &[
                        "gnu_asm_expression",
                        "attribute_specifier",
                        "attribute_declaration",
                    ],
                )
        });
        !is_odd
            && match source.kind(at) {
                "field_identifier" => has(&[What::Member]),
                "type_identifier" => has(&[What::Type]),
                _ => has(&[What::Local, What::Variable, What::Function]),
            }
    }
}

/// What has parts of a program inside.
const CONDITIONAL: &[&str] = &[
    "preproc_ifdef",
    "preproc_if",
    "preproc_else",
    "preproc_elif",
];

/// Every word that the preprocessor sees in definitions and conditions.
fn in_macros<'a>(source: &Source<'a>) -> BTreeSet<&'a str> {
    let lines = source.whole().split('\n').map(str::trim_start);
    let mut words = BTreeSet::new();
    let mut goes_on = false;
    for line in lines {
        if goes_on || line.starts_with('#') {
            words.extend(line.split(|c: char| !c.is_alphanumeric() && c != '_'));
            goes_on = line.trim_end().ends_with('\\');
        }
    }
    words
}

/// A program with a `main` and without headers of its own is all there is.
fn is_whole(source: &Source<'_>) -> bool {
    let has_main = source.of_kinds(&["function_definition"]).any(|function| {
        source
            .field(function, "declarator")
            .and_then(|declarator| source.field(declarator, "declarator"))
            .is_some_and(|name| source.text(name) == "main")
    });
    let has_headers = source
        .of_kinds(&["preproc_include"])
        .any(|include| source.text(include).contains('"'));
    has_main && !has_headers
}

fn has_foreign_members(source: &Source<'_>, declarations: &Declarations<'_>) -> bool {
    source.of_kinds(&["type_identifier"]).any(|at| {
        let name = source.text(at);
        let is_own = declarations
            .get(name)
            .is_some_and(|declared| declared.iter().any(|one| one.what == What::Type));
        !is_own && !PLAIN_TYPES.contains(&name)
    })
}

/// Types of the library that have no members.
const PLAIN_TYPES: &[&str] = &[
    "FILE",
    "bool",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "clock_t",
    "time_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uintptr_t",
    "va_list",
];
