//! Numbers and quoted texts written differently.

use std::collections::BTreeMap;

use super::edit::{Change, Edit, Plan};
use super::random::Random;
use super::source::{Dialect, Source};

/// A statement has all its numbers and texts written differently, with the same values and types.
pub(super) fn plan(source: &Source<'_>, random: &mut Random) -> Plan {
    let mut by_statement: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
    for at in source.nodes() {
        if !is_place(source, at) {
            continue;
        }
        let written = match source.kind(at) {
            "number_literal" | "decimal_integer_literal" | "integer" => whole(source, at, random),
            "decimal_floating_point_literal" | "float" => None,
            "string_literal" | "string" => joined(source, at, random),
            _ => continue,
        };
        let written = written.or_else(|| fraction(source.text(at)));
        if let Some(written) = written {
            let home = source
                .around(at)
                .find(|around| source.is_statement(*around));
            let edit = Edit::replace(source.bytes(at), written);
            by_statement
                .entry(home.unwrap_or(at))
                .or_default()
                .push(edit);
        }
    }
    Plan {
        changes: by_statement.into_values().map(Change::new).collect(),
        units: source.statements().len(),
    }
}

/// Whether an expression may stand where a literal does.
fn is_place(source: &Source<'_>, at: usize) -> bool {
    let is_odd = |around: usize| {
        source.kind(around).starts_with("preproc_")
            || source.is(around, ODD_PLACES)
            || source.kind(around) == "comparison_operator"
                && source
                    .tree
                    .children(around)
                    .any(|part| source.text(part).starts_with("is"))
            || source.kind(around) == "call_expression" && is_macro(source, around)
    };
    !source.around(at).any(is_odd) && source.is_sound(at) && !is_alone(source, at)
}

/// Places where only a literal may stand, or where its text matters.
const ODD_PLACES: &[&str] = &[
    "annotation",
    "case_pattern",
    "concatenated_string",
    "interpolation",
    "string",
    "type",
    "linkage_specification",
    "gnu_asm_expression",
    "attribute_specifier",
    "attribute_declaration",
    "switch_label",
    "case_statement",
    "bitfield_clause",
];

/// Text that stands alone describes a program; a sign makes the number another one.
fn is_alone(source: &Source<'_>, at: usize) -> bool {
    source.parent_is(at, &["expression_statement"])
        || source.parent_is(at, &["unary_expression", "unary_operator"])
        || source.kind(at) == "string" && source.parent_is(at, &["attribute"])
}

/// Whether a macro of the program gets it: it may want the text.
fn is_macro(source: &Source<'_>, call: usize) -> bool {
    let called = source
        .field(call, "function")
        .map_or("", |of| source.text(of));
    source.of_kinds(&["preproc_function_def"]).any(|of| {
        source
            .field(of, "name")
            .is_some_and(|name| source.text(name) == called)
    })
}

/// `10` as `0xA`, `(4 + 6)` or `(13 - 3)`. Nothing that is not a plain number of 31 bits.
fn whole(source: &Source<'_>, at: usize, random: &mut Random) -> Option<String> {
    let text = source.text(at);
    let is_plain =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let number: usize = text.parse().ok().filter(|_| is_plain)?;
    if number > 0x3fff_ffff {
        return None;
    }
    let part = 1 + random.below(9);
    Some(match random.below(3) {
        // In C, a zero may be a pointer, and has to be seen as one.
        _ if number == 0 && source.dialect == Dialect::C => "0x0".to_owned(),
        0 => format!("0x{number:X}"),
        1 if number > part => format!("({part} + {})", number - part),
        _ => format!("({} - {part})", number + part),
    })
}

/// `2.5` as `2.50`.
fn fraction(text: &str) -> Option<String> {
    let (whole, part) = text.split_once('.')?;
    let is_plain = [whole, part]
        .iter()
        .all(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
    is_plain.then(|| format!("{text}0"))
}

/// `"ab"` as `"a" + "b"`.
fn joined(source: &Source<'_>, at: usize, random: &mut Random) -> Option<String> {
    let text = source.text(at);
    let quote = text
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let inside = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let is_plain = !inside.contains(['\\', quote, '\n', '{'])
        && source
            .inside(at)
            .all(|part| source.kind(part) != "interpolation");
    let places: Vec<usize> = inside
        .char_indices()
        .skip(1)
        .map(|(place, _)| place)
        .collect();
    if !is_plain || places.is_empty() {
        return None;
    }
    let (first, second) = inside.split_at(*random.one_of(&places));
    Some(match source.dialect {
        Dialect::C => format!("{quote}{first}{quote} {quote}{second}{quote}"),
        Dialect::Java | Dialect::Python => {
            format!("({quote}{first}{quote} + {quote}{second}{quote})")
        }
    })
}
