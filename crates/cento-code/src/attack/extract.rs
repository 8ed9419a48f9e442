//! More variables.

use super::callables::Callable;
use super::edit::{Change, Edit, Plan};
use super::random::Random;
use super::source::{Dialect, Source, Style};
use super::types::name_of;

/// What is returned, asked or printed goes into a new variable first; `int a = b;` becomes `int a;
/// a = b;`.
pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let statements = source.statements();
    let mut changes = Vec::new();
    for at in &statements {
        if !source.is_sound(*at) || !source.is_private(*at) {
            continue;
        }
        changes.extend(match source.kind(*at) {
            "return_statement" => returned(source, *at, random),
            "if_statement" => asked(source, *at, random),
            "expression_statement" => printed(source, *at, random),
            "declaration" | "local_variable_declaration" => split(source, *at),
            _ => None,
        });
    }
    Plan {
        changes,
        units: statements.len(),
    }
}

/// A line before a statement.
fn before(source: &Source<'_>, at: usize, line: &str) -> Option<Edit> {
    let start = source.start(at);
    let is_place = source.dialect != Dialect::Python || source.is_first_in_line(start);
    is_place.then(|| {
        Edit::insert(
            start,
            format!("{line}{}", source.separator(source.start(at))),
        )
    })
}

fn returned(source: &Source<'_>, at: usize, random: &mut Random) -> Option<Change> {
    let [value] = source.parts(at)[..] else {
        return None;
    };
    let callable = Callable::around(source, at)?;
    let name = source.fresh(random, Style::Value);
    let line = match source.dialect {
        Dialect::C | Dialect::Java => {
            format!("{}{name} = {};", callable.declares, source.text(value))
        }
        Dialect::Python => format!("{name} = {}", source.text(value)),
    };
    let use_of = Edit::replace(source.bytes(value), name);
    if source.is_in_sequence(at) {
        return Some(Change::new(vec![before(source, at, &line)?, use_of]));
    }
    // It is all that an `if` or a loop has, and needs braces.
    let is_branch = source.parent_is(
        at,
        &[
            "if_statement",
            "else_clause",
            "for_statement",
            "while_statement",
        ],
    );
    (is_branch && source.dialect != Dialect::Python).then(|| {
        Change::new(vec![
            Edit::insert(source.start(at), format!("{{ {line} ")),
            use_of,
            Edit::insert(source.end(at), " }"),
        ])
    })
}

fn asked(source: &Source<'_>, at: usize, random: &mut Random) -> Option<Change> {
    let condition = source.field(at, "condition")?;
    let bare = source.bare(condition);
    // What an assignment or a pattern in a condition does is known to hold in the branch only there.
    let has_more = source.inside(bare).any(|node| {
        source.is(
            node,
            &[
                "assignment_expression",
                "update_expression",
                "instanceof_expression",
                "named_expression",
                "comma_expression",
            ],
        )
    });
    if has_more || !source.is_in_sequence(at) {
        return None;
    }
    let name = source.fresh(random, Style::Value);
    let text = source.text(bare);
    let line = match source.dialect {
        Dialect::Java => format!("boolean {name} = {text};"),
        Dialect::C if is_truth(source, bare) => format!("int {name} = {text};"),
        Dialect::C => return None,
        Dialect::Python if text.contains('\n') => format!("{name} = ({text})"),
        Dialect::Python => format!("{name} = {text}"),
    };
    Some(Change::new(vec![
        before(source, at, &line)?,
        Edit::replace(source.bytes(bare), name),
    ]))
}

/// Whether an expression of C is one or zero.
fn is_truth(source: &Source<'_>, at: usize) -> bool {
    let operator = source
        .field(at, "operator")
        .map_or("", |sign| source.text(sign));
    matches!(
        operator,
        "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" | "!"
    )
}

/// The only argument of a call that is a statement.
fn printed(source: &Source<'_>, at: usize, random: &mut Random) -> Option<Change> {
    let [call] = source.parts(at)[..] else {
        return None;
    };
    let arguments = source.field(call, "arguments")?;
    let [argument] = source.parts(arguments)[..] else {
        return None;
    };
    let name = source.fresh(random, Style::Value);
    let text = source.text(argument);
    let line = match source.dialect {
        Dialect::C => return None,
        Dialect::Java => {
            let mut first = argument;
            while source.kind(first) == "binary_expression"
                && source
                    .field(first, "operator")
                    .is_some_and(|sign| source.text(sign) == "+")
            {
                first = source.field(first, "left")?;
            }
            let object = source
                .field(call, "object")
                .map(|object| source.text(object));
            // What begins with a text is a text.
            let is_text = first != argument && source.kind(first) == "string_literal";
            if object != Some("System.out") || !is_text {
                return None;
            }
            format!("String {name} = {text};")
        }
        Dialect::Python => {
            let called = source.field(call, "function")?;
            let is_plain = source.kind(arguments) == "argument_list"
                && source.inside(called).all(|node| {
                    !source.tree.nodes[node].named || source.is(node, &["identifier", "attribute"])
                })
                && !source.is(
                    argument,
                    &[
                        "keyword_argument",
                        "list_splat",
                        "dictionary_splat",
                        "generator_expression",
                    ],
                );
            let has_name = source
                .inside(argument)
                .any(|node| source.kind(node) == "named_expression");
            if !is_plain || has_name || text.contains('\n') {
                return None;
            }
            format!("{name} = {text}")
        }
    };
    if !source.is_in_sequence(at) {
        return None;
    }
    Some(Change::new(vec![
        before(source, at, &line)?,
        Edit::replace(source.bytes(argument), name),
    ]))
}

/// A declaration without its value, and the value.
fn split(source: &Source<'_>, at: usize) -> Option<Change> {
    let mut declared = source.tree.field(at, "declarator");
    let (declarator, None) = (declared.next()?, declared.next()) else {
        return None;
    };
    let value = source.field(declarator, "value")?;
    let (Some(name), _) = name_of(source, declarator) else {
        return None;
    };
    let is_value = !source.is(
        value,
        &[
            "initializer_list",
            "array_initializer",
            "lambda_expression",
            "method_reference",
        ],
    );
    // A macro may be a list in braces.
    let may_be_macro = source.is(value, &["identifier", "call_expression"])
        && source.whole().contains("#include \"");
    let is_plain_before = (at..value).all(|node| {
        !source.is(
            node,
            &[
                "array_declarator",
                "dimensions",
                "function_declarator",
                "type_qualifier",
                "storage_class_specifier",
                "modifiers",
            ],
        )
    });
    let is_named = source
        .field(at, "type")
        .is_some_and(|of| source.text(of) != "var");
    let is_plain =
        source.is_in_sequence(at) && is_value && !may_be_macro && is_plain_before && is_named;
    let name_text = source.text(name);
    is_plain.then(|| {
        let declarator_end = match source.dialect {
            Dialect::C => source
                .field(declarator, "declarator")
                .map_or(source.end(name), |of| source.end(of)),
            Dialect::Java | Dialect::Python => source.end(name),
        };
        let separator = source.separator(source.start(at));
        Change::new(vec![Edit::replace(
            declarator_end..source.start(value),
            format!(";{separator}{name_text} = "),
        )])
    })
}
