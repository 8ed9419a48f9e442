//! Statements that change nothing.

use super::edit::{Change, Edit, Plan};
use super::random::Random;
use super::source::{Dialect, Source, Style};

/// Before a statement comes another one, which computes something with variables of its own. Nothing
/// is inserted before what has to come first: the constructor that a constructor calls, imports, and
/// the text that describes a function of Python.
pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let statements = source.statements();
    let mut changes = Vec::new();
    for at in &statements {
        if is_place(source, *at) {
            let separator = source.separator(source.start(*at));
            let mut text = lines(source, random).join(&separator);
            text.push_str(&separator);
            changes.push(Change::new(vec![Edit::insert(source.start(*at), text)]));
        }
    }
    Plan {
        changes,
        units: statements.len(),
    }
}

fn is_place(source: &Source<'_>, at: usize) -> bool {
    if !source.is_in_sequence(at) || !source.is_sound(at) {
        return false;
    }
    match source.dialect {
        Dialect::C => true,
        Dialect::Java => source.kind(at) != "explicit_constructor_invocation",
        Dialect::Python => {
            let is_text = source
                .parts(at)
                .first()
                .is_some_and(|only| source.is(*only, &["string", "concatenated_string"]));
            let is_declaration = source.is(
                at,
                &[
                    "import_statement",
                    "import_from_statement",
                    "global_statement",
                    "nonlocal_statement",
                ],
            );
            source.is_first_in_line(source.start(at))
                && source.is_private(at)
                && !(is_text && source.kind(at) == "expression_statement")
                && !is_declaration
        }
    }
}

/// The lines of a statement or a few.
fn lines(source: &Source<'_>, random: &mut Random) -> Vec<String> {
    let name = source.fresh(random, Style::Value);
    let other = source.fresh(random, Style::Value);
    let [a, b, c] = [(); 3].map(|()| 2 + random.below(97));
    match (source.dialect, random.below(6)) {
        (Dialect::C | Dialect::Java, 0) => vec![format!("int {name} = {a};")],
        (Dialect::C | Dialect::Java, 1) => vec![
            format!("int {name} = {a};"),
            format!("{name} = {name} * {b} + {c};"),
        ],
        (Dialect::C | Dialect::Java, 2) => vec![
            format!("int {name} = {a};"),
            format!("if ({name} > {}) {{ {name} -= {b}; }}", a + c),
        ],
        (Dialect::C | Dialect::Java, 3) => vec![
            format!("int {name} = {a}, {other} = {b};"),
            format!(
                "if ({name} + {other} < {a}) {{ {other} = {name} - {c}; }} else {{ {name} = {other}; }}"
            ),
        ],
        (Dialect::C | Dialect::Java, 4) => vec![
            format!("int {name} = 0;"),
            format!(
                "for (int {other} = 0; {other} < {}; {other}++) {{ {name} += {other}; }}",
                a % 9 + 1
            ),
        ],
        (Dialect::C | Dialect::Java, _) => vec![format!("double {name} = {a} / {b}.0 + {c};")],
        (Dialect::Python, 0) => vec![format!("{name} = {a}")],
        (Dialect::Python, 1) => vec![
            format!("{name} = {a}"),
            format!("{name} = {name} * {b} + {c}"),
        ],
        (Dialect::Python, 2) => vec![
            format!("{name} = {a}"),
            format!("if {name} > {}: {name} -= {b}", a + c),
        ],
        (Dialect::Python, 3) => vec![
            format!("{name}, {other} = {a}, {b}"),
            format!("{other} = {name} - {c} if {name} + {other} < {a} else {name}"),
        ],
        (Dialect::Python, 4) => vec![
            format!("{name} = 0"),
            format!("for {other} in range({}): {name} += {other}", a % 9 + 1),
        ],
        (Dialect::Python, _) => vec![format!("{name} = [{a}, {b}, {c}]")],
    }
}
