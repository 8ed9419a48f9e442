//! Functions and methods in another order.

use std::collections::BTreeSet;
use std::ops::Range;

use super::edit::{Change, Edit, Plan};
use super::random::Random;
use super::source::{Dialect, Source};

/// Functions change places with others whose order does not matter: methods of a class, functions
/// with nothing but comments between them. In C, those that are now called before they are defined are
/// declared first.
pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let mut plan = Plan::default();
    for mut run in runs(source) {
        plan.units += run.len();
        let order = run.clone();
        random.shuffle(&mut run);
        for pair in run.chunks_exact(2) {
            let (first, second) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            plan.changes.push(swap(source, &order, first, second));
        }
    }
    plan
}

fn swap(source: &Source<'_>, run: &[usize], first: usize, second: usize) -> Change {
    let [one, other] = [first, second].map(|at| with_comments(source, at));
    let moved_up = &source.whole()[other.clone()];
    let moved_down = &source.whole()[one.clone()];
    let mut declared = String::new();
    if source.dialect == Dialect::C {
        let called = names_in(source, second);
        for function in run {
            let is_wanted = *function == first
                || name(source, *function).is_some_and(|name| called.contains(name));
            if is_wanted && *function != second {
                declared.push_str(header(source, *function).unwrap_or_default().trim_end());
                declared.push_str(";\n");
            }
        }
    }
    Change::of_two(vec![
        Edit::replace(one, declared + moved_up),
        Edit::replace(other, moved_down),
    ])
}

/// Functions that may change places with each other.
fn runs(source: &Source<'_>) -> Vec<Vec<usize>> {
    let mut runs = Vec::new();
    for parent in source.nodes() {
        let is_home = match source.dialect {
            Dialect::C => source.is(parent, &["translation_unit", "preproc_ifdef"]),
            Dialect::Java => source.kind(parent) == "class_body",
            Dialect::Python => {
                source.kind(parent) == "module"
                    || source.kind(parent) == "block"
                        && source.parent_is(parent, &["class_definition"])
            }
        };
        if !is_home {
            continue;
        }
        let mut run: Vec<usize> = Vec::new();
        for part in source.parts(parent) {
            if is_movable(source, part) {
                run.push(part);
            } else if source.dialect != Dialect::Java {
                runs.push(std::mem::take(&mut run));
            }
        }
        runs.push(run);
    }
    let has_one_of_each = |run: &Vec<usize>| {
        let names: BTreeSet<&str> = run.iter().filter_map(|at| name(source, *at)).collect();
        names.len() == run.len() || source.dialect == Dialect::Java
    };
    runs.retain(|run| run.len() > 1 && has_one_of_each(run));
    runs
}

fn is_movable(source: &Source<'_>, at: usize) -> bool {
    if !source.is_sound(at) {
        return false;
    }
    match source.dialect {
        Dialect::C => source.kind(at) == "function_definition" && header(source, at).is_some(),
        Dialect::Java => source.is(at, &["method_declaration", "constructor_declaration"]),
        Dialect::Python => {
            source.kind(at) == "function_definition"
                && source.is_first_in_line(source.start(at))
                && !has_computed_defaults(source, at)
        }
    }
}

/// Whether a definition of Python computes something when it is reached.
fn has_computed_defaults(source: &Source<'_>, at: usize) -> bool {
    let Some(parameters) = source.field(at, "parameters") else {
        return true;
    };
    let types = source.field(at, "return_type").into_iter();
    let mut inside = types
        .flat_map(|node| source.inside(node))
        .chain(source.inside(parameters));
    inside.any(|node| source.is(node, &["call", "attribute", "subscript", "lambda"]))
        || source.parts(parameters).iter().any(|parameter| {
            source
                .field(*parameter, "value")
                .is_some_and(|value| source.kind(value) == "identifier")
        })
}

fn name<'a>(source: &Source<'a>, at: usize) -> Option<&'a str> {
    let mut of = at;
    while source.kind(of) != "identifier" {
        of = match source.field(of, "name") {
            Some(name) => name,
            None => source.field(of, "declarator")?,
        };
    }
    Some(source.text(of))
}

fn names_in<'a>(source: &Source<'a>, at: usize) -> BTreeSet<&'a str> {
    let names = source
        .inside(at)
        .filter(|node| source.kind(*node) == "identifier");
    names.map(|node| source.text(node)).collect()
}

/// What stands before the body of a function of C, if that declares the function.
fn header<'a>(source: &Source<'a>, at: usize) -> Option<&'a str> {
    let body = source.field(at, "body")?;
    let header = &source.whole()[source.start(at)..source.start(body)];
    let is_plain = |part: &usize| {
        source.is(
            *part,
            &[
                "storage_class_specifier",
                "type_qualifier",
                "primitive_type",
                "sized_type_specifier",
                "type_identifier",
                "struct_specifier",
                "function_declarator",
                "pointer_declarator",
                "compound_statement",
            ],
        )
    };
    let is_declaration = source.parts(at).iter().all(is_plain)
        && !["{", "inline", "/", "extern"]
            .iter()
            .any(|odd| header.contains(odd));
    is_declaration.then_some(header)
}

/// A function and the comments right above it.
fn with_comments(source: &Source<'_>, at: usize) -> Range<usize> {
    let whole = source.whole();
    let mut start = source.start(at);
    let siblings: Vec<usize> = source
        .parent(at)
        .map(|parent| source.tree.children(parent).collect())
        .unwrap_or_default();
    let before = siblings.iter().rev().skip_while(|child| **child >= at);
    for comment in before {
        let between = &whole[source.end(*comment)..start];
        let is_above = source.kind(*comment).ends_with("comment")
            && source.is_first_in_line(source.start(*comment))
            && between.trim().is_empty()
            && between.matches('\n').count() <= 1
            // The first line of a file says what it is.
            && source.start(*comment) > 0;
        if !is_above {
            break;
        }
        start = source.start(*comment);
    }
    start..source.end(at)
}
