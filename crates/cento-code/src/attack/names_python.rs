//! The names of a program in Python.

use super::names::{Declaration, Declarations, Places, What, declare};
use super::source::Source;

pub(super) fn declarations<'a>(source: &Source<'a>) -> Declarations<'a> {
    let mut all = Declarations::new();
    for at in source.of_kinds(&["identifier"]) {
        if let Some((what, scope)) = declared(source, at) {
            declare(source, &mut all, at, what, scope);
        }
    }
    all
}

/// What a name is declared as here, if it is, and for which part of the program.
fn declared(source: &Source<'_>, at: usize) -> Option<(What, usize)> {
    let parent = source.parent(at)?;
    let scope = |at: usize| source.nearest(at, SCOPES).unwrap_or(0);
    let of_scope = |scope: usize| match source.kind(scope) {
        "class_definition" => (What::Fixed, scope),
        "module" => (What::Variable, 0),
        _ => (What::Local, scope),
    };
    match source.kind(parent) {
        "function_definition" if source.is_field(at, "name") => {
            let home = scope(parent);
            Some(match source.kind(home) {
                "class_definition" => (What::Member, home),
                _ => (What::Function, home),
            })
        }
        "class_definition" if source.is_field(at, "name") => Some((What::Type, 0)),
        "parameters"
        | "lambda_parameters"
        | "typed_parameter"
        | "list_splat_pattern"
        | "dictionary_splat_pattern"
            if source
                .nearest(at, &["parameters", "lambda_parameters"])
                .is_some() =>
        {
            let around = source.nearest(at, &["function_definition", "lambda"])?;
            Some((What::Local, around))
        }
        "default_parameter" | "typed_default_parameter" if source.is_field(at, "name") => {
            let around = source.nearest(at, &["function_definition", "lambda"])?;
            Some((What::Local, around))
        }
        // The attribute of an object by which the object knows itself.
        "attribute" if source.is_field(at, "attribute") => {
            let object = source.field(parent, "object")?;
            let is_set = source.text(object) == "self" && is_target(source, parent);
            let class = source.nearest(at, &["class_definition"])?;
            is_set.then_some((What::Member, class))
        }
        "for_in_clause" if source.is_field(at, "left") => {
            Some((What::Local, source.parent(parent)?))
        }
        "as_pattern_target" | "named_expression" if !source.is_field(at, "value") => {
            Some(of_scope(scope(parent)))
        }
        _ if is_target(source, at) => {
            let clause = source.nearest(at, &["for_in_clause"]);
            match clause.filter(|clause| is_left_of(source, at, *clause)) {
                Some(clause) => Some((What::Local, source.parent(clause)?)),
                None => Some(of_scope(scope(at))),
            }
        }
        _ => None,
    }
}

const SCOPES: &[&str] = &[
    "function_definition",
    "lambda",
    "class_definition",
    "module",
];

/// Whether something is assigned to, alone or with others.
fn is_target(source: &Source<'_>, at: usize) -> bool {
    let mut target = at;
    loop {
        let Some(parent) = source.parent(target) else {
            return false;
        };
        match source.kind(parent) {
            "pattern_list" | "tuple_pattern" | "list_pattern" => target = parent,
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" => {
                return source.is_field(target, "left");
            }
            _ => return false,
        }
    }
}

fn is_left_of(source: &Source<'_>, at: usize, clause: usize) -> bool {
    source
        .field(clause, "left")
        .is_some_and(|left| source.inside(left).contains(&at))
}

/// The names that can be changed.
pub(super) fn free<'a>(
    source: &Source<'a>,
    declarations: &Declarations<'a>,
    places: &Places<'a>,
) -> Vec<&'a str> {
    // What looks names up while it runs would have to be understood.
    let looks_up = [
        "eval(",
        "exec(",
        "getattr",
        "setattr",
        "hasattr",
        "globals(",
        "locals(",
        "vars(",
        "__dict__",
        "import *",
        "__slots__",
        ".__name__",
        "doctest",
        "unittest",
        "pytest",
        "inspect",
    ];
    if source.mentions(&looks_up) {
        return Vec::new();
    }
    let is_script = source.is_script();
    let is_free = |name: &str| {
        let declared = &declarations[name];
        declared
            .iter()
            .all(|declaration| may_change(source, *declaration, is_script))
            && places[name].iter().all(|at| is_own(source, *at, declared))
            && !name.starts_with("__")
            && !matches!(name, "self" | "cls" | "_")
            && !BUILTINS.contains(&name)
    };
    declarations
        .keys()
        .copied()
        .filter(|name| is_free(name))
        .collect()
}

fn may_change(source: &Source<'_>, declaration: Declaration, is_script: bool) -> bool {
    let definition = source.parent(declaration.at).unwrap_or(0);
    let is_decorated = source.parent_is(definition, &["decorated_definition"]);
    match declaration.what {
        // Functions of a module are called from outside with the names of their parameters.
        What::Local => {
            let is_parameter = source
                .nearest(declaration.at, &["parameters", "block"])
                .is_some_and(|around| source.kind(around) == "parameters");
            is_script || !is_parameter
        }
        What::Function => !is_decorated && (is_script || declaration.scope != 0),
        What::Variable => is_script,
        // The name of a class is printed with its objects, and quoted in types.
        What::Type => {
            is_script
                && !is_decorated
                && is_plain_class(source, definition)
                && !source
                    .of_kinds(&["string_content"])
                    .any(|text| source.text(text).contains(source.text(declaration.at)))
        }
        What::Member => is_script && !is_decorated && is_plain_class(source, declaration.scope),
        What::Fixed => false,
    }
}

/// A class that has nothing from elsewhere.
fn is_plain_class(source: &Source<'_>, class: usize) -> bool {
    let is_decorated = source.parent_is(class, &["decorated_definition"]);
    source.field(class, "superclasses").is_none() && !is_decorated
}

/// Whether what is meant here is one of these declarations.
fn is_own(source: &Source<'_>, at: usize, declared: &[Declaration]) -> bool {
    let Some(parent) = source.parent(at) else {
        return false;
    };
    let holds = |what: &[What]| {
        declared.iter().any(|declaration| {
            what.contains(&declaration.what) && source.inside(declaration.scope).contains(&at)
        })
    };
    let is_printed = source
        .around(at)
        .any(|around| source.kind(around) == "interpolation" && source.text(around).contains('='));
    if is_printed {
        return false;
    }
    match source.kind(parent) {
        "attribute" if source.is_field(at, "attribute") => {
            let object = source
                .field(parent, "object")
                .map(|object| source.text(object));
            object == Some("self") && holds(&[What::Member])
        }
        "function_definition" if source.is_field(at, "name") => {
            holds(&[What::Member, What::Function])
        }
        "keyword_argument" if source.is_field(at, "name") => false,
        "dotted_name" | "aliased_import" | "keyword_pattern" | "class_pattern" | "member_type" => {
            false
        }
        _ => {
            let is_plain = holds(&[What::Local, What::Variable, What::Function, What::Type]);
            // In the body of a class, a method is a name like any other.
            let is_member = declared.iter().any(|one| one.what == What::Member)
                && source
                    .nearest(at, SCOPES)
                    .is_some_and(|scope| source.kind(scope) == "class_definition");
            is_plain && !is_member
        }
    }
}

const BUILTINS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bin",
    "bool",
    "bytes",
    "chr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "file",
    "filter",
    "float",
    "format",
    "frozenset",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "iter",
    "len",
    "list",
    "map",
    "max",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "zip",
    "Exception",
    "True",
    "False",
    "None",
    "main",
];
