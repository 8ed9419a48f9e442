//! Comments and layout.

use super::edit::{Change, Edit, Plan};
use super::random::Random;
use super::source::{Dialect, Source};

/// Comments are added, changed and removed, blank lines are added, and in C and Java braces move to a
/// line of their own.
pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let statements = source.statements();
    let mut changes = Vec::new();
    for at in source.nodes() {
        if source.kind(at).ends_with("comment") {
            changes.extend(other(source, at, random));
        } else if source.is(at, &["block", "compound_statement"]) {
            changes.extend(brace(source, at));
        }
    }
    for at in &statements {
        changes.extend(above(source, *at, random));
    }
    Plan {
        changes,
        units: statements.len(),
    }
}

/// A comment that says something else, or is gone.
fn other(source: &Source<'_>, at: usize, random: &mut Random) -> Option<Change> {
    let text = source.text(at);
    // The first lines say how a file is to be read, and tools read what they know.
    let is_for_people = source.start(at) > 0
        && ![
            "#!",
            "coding",
            "type:",
            "noqa",
            "pragma",
            "fallthrough",
            "@formatter",
        ]
        .iter()
        .any(|sign| text.contains(sign))
        && !source
            .parent(at)
            .is_some_and(|around| source.kind(around).starts_with("preproc_"));
    if !is_for_people {
        return None;
    }
    let edit = match (random.below(2), text.get(..2)) {
        (0, Some("/*")) => Edit::replace(source.bytes(at), " "),
        (0, _) => Edit::replace(source.bytes(at), ""),
        (_, Some("/*")) => {
            Edit::replace(source.bytes(at), format!("/* {} */", random.one_of(WORDS)))
        }
        (_, Some("//")) => Edit::replace(source.bytes(at), format!("// {}", random.one_of(WORDS))),
        _ => Edit::replace(source.bytes(at), format!("# {}", random.one_of(WORDS))),
    };
    Some(Change::new(vec![edit]))
}

/// A comment or a blank line above a statement.
fn above(source: &Source<'_>, at: usize, random: &mut Random) -> Option<Change> {
    let start = source.start(at);
    let is_place =
        source.is_in_sequence(at) && source.is_first_in_line(start) && source.is_sound(at);
    if !is_place {
        return None;
    }
    let indent = source.indent(start);
    let words = random.one_of(WORDS);
    let line = match (source.dialect, random.below(3)) {
        (_, 0) => String::new(),
        (Dialect::C | Dialect::Java, 1) => format!("/* {words} */"),
        (Dialect::C | Dialect::Java, _) => format!("// {words}"),
        (Dialect::Python, _) => format!("# {words}"),
    };
    let line_start = source.line_start(start);
    let line = if line.is_empty() {
        "\n".to_owned()
    } else {
        format!("{indent}{line}\n")
    };
    Some(Change::new(vec![Edit::insert(line_start, line)]))
}

/// The brace of a block on the next line.
fn brace(source: &Source<'_>, at: usize) -> Option<Change> {
    let start = source.start(at);
    let before = source.whole()[..start].trim_end_matches([' ', '\t']);
    let is_place = source.dialect != Dialect::Python
        && source.is_sound(at)
        && !source.is_first_in_line(start)
        && before.ends_with(')');
    let indent = source.indent(start);
    is_place.then(|| {
        Change::new(vec![Edit::replace(
            before.len()..start,
            format!("\n{indent}"),
        )])
    })
}

const WORDS: &[&str] = &[
    "this part does the work",
    "first look at what is there",
    "get the next value",
    "keep track of what was seen so far",
    "see the description of the exercise",
    "nothing special happens here",
    "prepare everything for the next step",
    "the rest is easy",
    "check this again later",
    "the order matters",
    "update the state",
    "result of the step before",
];
