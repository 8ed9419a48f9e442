//! Loops of Python, which has no `for` that counts by itself.

use super::edit::{Change, Edit};
use super::loops::goes_on;
use super::random::Random;
use super::source::{Source, Style};

/// `for i in range(a, b)` becomes `i = a`, `while i < b`, and `i += 1` at the end.
///
/// After the loop `i` is another number then, and while it runs `i` may be seen by functions, so nothing
/// else may look at it.
pub(super) fn counted(source: &Source<'_>, at: usize, random: &mut Random) -> Option<Change> {
    let body = source.field(at, "body")?;
    let name = source.field(at, "left")?;
    let call = source.field(at, "right")?;
    let (start, end, step) = range(source, call)?;
    let is_possible = source.kind(name) == "identifier"
        && source.kind(at) == "for_statement"
        && source.field(at, "alternative").is_none()
        && !source.text(at).starts_with("async")
        && are_lines(source, at, body)
        && source.is_private(at)
        && !goes_on(source, at)
        && !is_seen(source, at, name, call);
    if !is_possible {
        return None;
    }
    let name = source.text(name);
    let indent = source.indent(source.start(at));
    let last = source.fresh(random, Style::Value);
    let (sign, step) = match step.strip_prefix('-') {
        Some(down) => (">", format!("{name} -= {down}")),
        None => ("<", format!("{name} += {step}")),
    };
    let head =
        format!("{name} = {start}\n{indent}{last} = {end}\n{indent}while {name} {sign} {last}");
    let inner = source.indent(source.start(body));
    Some(Change::new(vec![
        Edit::replace(source.start(at)..source.end(call), head),
        Edit::insert(source.end(body), format!("\n{inner}{step}")),
    ]))
}

/// `while a:` becomes `while True:`, which ends unless `a`.
pub(super) fn endless(source: &Source<'_>, at: usize) -> Option<Change> {
    let body = source.field(at, "body")?;
    let condition = source.field(at, "condition")?;
    let is_possible = source.field(at, "alternative").is_none()
        && are_lines(source, at, body)
        && !source.is(condition, &["true", "integer"])
        && !source.text(condition).contains('\n');
    if !is_possible {
        return None;
    }
    let inner = source.indent(source.start(body));
    let ends = format!(
        "if not ({}):\n{inner}    break\n{inner}",
        source.text(source.bare(condition))
    );
    Some(Change::new(vec![
        Edit::replace(source.bytes(condition), "True"),
        Edit::insert(source.start(body), ends),
    ]))
}

/// Whether a loop and its body start on lines of their own.
fn are_lines(source: &Source<'_>, at: usize, body: usize) -> bool {
    source.is_first_in_line(source.start(at))
        && source.is_first_in_line(source.start(body))
        // An end in brackets or after a backslash is not that of a line.
        && !source.text(body).ends_with('\\')
        && source.whole()[source.end(body)..]
            .chars()
            .next()
            .is_none_or(char::is_whitespace)
}

/// The first number, the limit and the step of a range.
fn range<'a>(source: &Source<'a>, call: usize) -> Option<(&'a str, &'a str, &'a str)> {
    let function = source.field(call, "function")?;
    let arguments = source.field(call, "arguments")?;
    let given = source.parts(arguments);
    let is_range = source.kind(call) == "call"
        && source.text(function) == "range"
        && !source.mentions(&["def range", "range ="])
        && !source.text(call).contains('\n')
        && given.iter().all(|part| {
            !source.is(
                *part,
                &["list_splat", "keyword_argument", "generator_expression"],
            )
        });
    if !is_range {
        return None;
    }
    let text = |part: &usize| source.text(*part);
    match &given[..] {
        [end] => Some(("0", text(end), "1")),
        [start, end] => Some((text(start), text(end), "1")),
        [start, end, step] => {
            let number = text(step);
            let digits = number.strip_prefix('-').unwrap_or(number);
            let is_known = !digits.is_empty()
                && digits.bytes().all(|byte| byte.is_ascii_digit())
                && digits.bytes().any(|byte| byte != b'0');
            is_known.then(|| (text(start), text(end), number))
        }
        _ => None,
    }
}

/// Whether something may see that a variable counts further than it did, or changes it.
fn is_seen(source: &Source<'_>, at: usize, name: usize, call: usize) -> bool {
    let variable = source.text(name);
    let same = |node: &usize| source.kind(*node) == "identifier" && source.text(*node) == variable;
    let scope = source.function(at).unwrap_or(0);
    let keeps = |node: usize| {
        source.is(
            node,
            &[
                "lambda",
                "function_definition",
                "generator_expression",
                "yield",
                "class_definition",
            ],
        )
    };
    if source.inside(call).any(|node| same(&node)) || source.inside(at).any(keeps) {
        return true;
    }
    if source.nearest(at, &["class_definition"]).is_some() && source.function(at).is_none() {
        return true;
    }
    source.inside(scope).filter(same).any(|node| {
        if source.inside(at).contains(&node) {
            return node != name && is_changed(source, node);
        }
        // Another loop may have a variable of the same name, if it sets it itself.
        let binds = |around: usize| {
            source.kind(around) == "for_statement"
                && source.inside(around).start != at
                && source
                    .field(around, "left")
                    .is_some_and(|left| source.text(left) == variable)
                && !source.inside(around).contains(&at)
                && !source
                    .field(around, "right")
                    .is_some_and(|right| source.inside(right).contains(&node))
        };
        let is_comprehended = |around: usize| {
            source.kind(around).ends_with("_comprehension")
                && source.parts(around).iter().any(|clause| {
                    source
                        .field(*clause, "left")
                        .is_some_and(|left| source.text(left) == variable)
                })
        };
        !source
            .around(node)
            .any(|around| binds(around) || is_comprehended(around))
    }) || source.mentions(&["global ", "nonlocal ", "locals(", "globals("])
        && source
            .of_kinds(&["global_statement", "nonlocal_statement"])
            .any(|of| source.inside(of).any(|node| same(&node)))
}

/// Whether a name is set here.
fn is_changed(source: &Source<'_>, node: usize) -> bool {
    let is_target = |at: usize| source.is_field(at, "left") || source.is_field(at, "name");
    source.is_field(node, "left")
        || source
            .around(node)
            .take_while(|around| {
                source.is(
                    *around,
                    &[
                        "pattern_list",
                        "tuple_pattern",
                        "list_pattern",
                        "as_pattern_target",
                    ],
                )
            })
            .any(is_target)
        || source.parent_is(
            node,
            &[
                "as_pattern_target",
                "named_expression",
                "delete_statement",
                "pattern_list",
                "tuple_pattern",
            ],
        )
}
