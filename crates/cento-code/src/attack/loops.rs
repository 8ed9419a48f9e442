//! `for` as `while`, and back.

use std::fmt::Write as _;

use super::edit::{Change, Edit, Plan};
use super::loops_python;
use super::random::Random;
use super::source::{Dialect, Source};

/// A `for` becomes a `while` with its step at the end, unless something in it goes on to the next round
/// before the end. A `while` becomes a `for`, with its last statement as the step where that is one.
pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let mut changes = Vec::new();
    for at in source.of_kinds(&["for_statement", "while_statement"]) {
        if !source.is_sound(at) {
            continue;
        }
        changes.extend(match (source.dialect, source.kind(at)) {
            (Dialect::Python, "for_statement") => loops_python::counted(source, at, random),
            (Dialect::Python, _) => loops_python::endless(source, at),
            (_, "for_statement") => as_while(source, at),
            _ => as_for(source, at),
        });
    }
    Plan {
        changes,
        units: source.statements().len(),
    }
}

/// Whether something in a loop goes on to the next round, or may do so from a loop inside.
pub(super) fn goes_on(source: &Source<'_>, at: usize) -> bool {
    source.inside(at).any(|node| {
        let is_own = || {
            source.nearest(
                node,
                &[
                    "for_statement",
                    "while_statement",
                    "do_statement",
                    "enhanced_for_statement",
                ],
            ) == Some(at)
        };
        let has_label = || !source.parts(node).is_empty();
        source.kind(node) == "continue_statement" && (is_own() || has_label())
    })
}

fn as_while(source: &Source<'_>, at: usize) -> Option<Change> {
    let body = source.field(at, "body")?;
    let init: Vec<usize> = parts(source, at, &["init", "initializer"]);
    let updates = parts(source, at, &["update"]);
    // The step has to be reached in every round, and to mean the same there.
    let may_step =
        !goes_on(source, at) && goes_through(source, body) && !shadows(source, body, &updates);
    let has_label = source.parent_is(at, &["labeled_statement"]);
    if has_label || !(updates.is_empty() || may_step) {
        return None;
    }
    let indent = source.indent(source.start(at));
    let condition = source.field(at, "condition");
    let condition = condition.map_or(
        match source.dialect {
            Dialect::C => "1",
            Dialect::Java | Dialect::Python => "true",
        },
        |condition| source.text(condition),
    );
    let mut head = String::new();
    for part in &init {
        let text = source.text(*part).trim_end_matches(';');
        let _ = write!(head, "{text};\n{indent}");
    }
    if !init.is_empty() {
        head.insert_str(0, "{ ");
    }
    let _ = write!(head, "while ({condition}) ");
    if !is_block(source, body) {
        head.push_str("{ ");
    }
    let after = if init.is_empty() { "" } else { " }" };
    Some(Change::new(vec![
        Edit::replace(source.start(at)..source.start(body), head),
        end(source, body, &updates, after),
    ]))
}

/// The end of a loop with its steps, which stand before the closing brace, on lines of their own if it
/// has one.
fn end(source: &Source<'_>, body: usize, steps: &[usize], after: &str) -> Edit {
    let mut tail = String::new();
    if is_block(source, body) {
        let close = source.end(body) - 1;
        let separator = source.separator(close);
        for step in steps {
            let _ = write!(tail, "{};{separator}", source.text(*step));
        }
        return Edit::replace(close..source.end(body), format!("{tail}}}{after}"));
    }
    for step in steps {
        let _ = write!(tail, " {};", source.text(*step));
    }
    Edit::insert(source.end(body), format!("{tail} }}{after}"))
}

fn as_for(source: &Source<'_>, at: usize) -> Option<Change> {
    let body = source.field(at, "body")?;
    let condition = source.bare(source.field(at, "condition")?);
    let mut edits = Vec::new();
    let mut update = "";
    if let Some(last) = source
        .parts(body)
        .last()
        .copied()
        .filter(|_| is_block(source, body))
        && source.parts(body).len() > 1
        && !goes_on(source, at)
        && let Some(step) = step(source, last)
        && !shadows(source, body, &[step])
    {
        update = source.text(step);
        edits.push(Edit::replace(source.line_of(last), ""));
    }
    let head = format!("for (; {}; {update}) ", source.text(condition));
    edits.push(Edit::replace(source.start(at)..source.start(body), head));
    Some(Change::new(edits))
}

fn is_block(source: &Source<'_>, at: usize) -> bool {
    source.is(at, &["block", "compound_statement"])
}

fn parts(source: &Source<'_>, at: usize, fields: &[&str]) -> Vec<usize> {
    let parts = fields.iter().flat_map(|field| source.tree.field(at, field));
    parts
        .filter(|part| source.tree.nodes[*part].named)
        .collect()
}

/// The increment or assignment to a variable that a statement is.
fn step(source: &Source<'_>, at: usize) -> Option<usize> {
    let [only] = source.parts(at)[..] else {
        return None;
    };
    let target = match source.kind(only) {
        "update_expression" => *source.parts(only).first()?,
        "assignment_expression" => source.field(only, "left")?,
        _ => return None,
    };
    let is_step = source.kind(at) == "expression_statement" && source.kind(target) == "identifier";
    is_step.then_some(only)
}

/// Whether a loop's body declares a name that its step has, which would then be another one.
fn shadows(source: &Source<'_>, body: usize, steps: &[usize]) -> bool {
    let names = steps.iter().flat_map(|step| source.inside(*step));
    let names: Vec<&str> = names
        .filter(|node| source.kind(*node) == "identifier")
        .map(|node| source.text(node))
        .collect();
    let is_declared = |node: usize| {
        source.is_field(node, "declarator") && source.kind(node) == "identifier"
            || source.is_field(node, "name") && source.parent_is(node, &["variable_declarator"])
    };
    source
        .inside(body)
        .any(|node| is_declared(node) && names.contains(&source.text(node)))
}

/// Whether the end of a body is reached for all that a compiler of Java knows, so that more may follow.
fn goes_through(source: &Source<'_>, body: usize) -> bool {
    if source.dialect == Dialect::C {
        return true;
    }
    match source.kind(body) {
        "block" => match source.parts(body).last() {
            Some(last) => goes_through(source, *last),
            None => true,
        },
        "expression_statement" | "local_variable_declaration" | "enhanced_for_statement" | ";" => {
            true
        }
        "for_statement" | "while_statement" => {
            let condition = source.field(body, "condition");
            condition.is_some_and(|condition| {
                source
                    .inside(condition)
                    .any(|node| source.kind(node) == "identifier")
            })
        }
        // With both branches, one of them has to.
        "if_statement" => match (
            source.field(body, "consequence"),
            source.field(body, "alternative"),
        ) {
            (Some(first), Some(second)) => {
                goes_through(source, first) || goes_through(source, second)
            }
            _ => true,
        },
        _ => false,
    }
}
