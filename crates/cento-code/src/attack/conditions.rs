//! Conditions turned round.

use super::edit::{Change, Edit, Plan};
use super::effects::Facts;
use super::source::{Dialect, Source};
use super::types::Types;

/// `a < b` becomes `b > a`, and `if (a) b else c` becomes `if (!a) c else b`.
pub(super) fn plan(source: &Source<'_>) -> Plan {
    let facts = Facts::of(source);
    let types = Types::of(source);
    let turned = source
        .of_kinds(&["binary_expression", "comparison_operator"])
        .filter_map(|at| turned(source, &facts, at));
    let swapped = source
        .of_kinds(&["if_statement"])
        .filter_map(|at| swapped(source, &facts, &types, at));
    Plan {
        changes: turned.chain(swapped).collect(),
        units: source.statements().len(),
    }
}

/// A comparison with its sides swapped, if it does not matter which one is computed first.
fn turned(source: &Source<'_>, facts: &Facts<'_, '_>, at: usize) -> Option<Change> {
    let (left, sign, right) = comparison(source, at)?;
    let mirrored = match source.text(sign) {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        "==" => "==",
        "!=" => "!=",
        _ => return None,
    };
    let [one, other] = [left, right].map(|side| facts.effects(side));
    let is_free = one.is_pure() && other.is_pure() && !(one.may_fail && other.may_fail);
    // What a module compares may come from anywhere, and know only one way round.
    let is_known = source.dialect != Dialect::Python || source.is_script();
    let is_possible = is_free
        && is_known
        && !facts.overloads()
        && source.is_sound(at)
        && source.text(left) != source.text(right)
        && [left, right].iter().all(|side| !is_loose(source, *side))
        && !source
            .around(at)
            .any(|around| source.is(around, &["interpolation", "annotation"]));
    is_possible.then(|| {
        Change::new(vec![
            Edit::replace(source.bytes(left), source.text(right)),
            Edit::replace(source.bytes(sign), mirrored),
            Edit::replace(source.bytes(right), source.text(left)),
        ])
    })
}

/// Both sides of a comparison of two, and its sign.
fn comparison(source: &Source<'_>, at: usize) -> Option<(usize, usize, usize)> {
    let children: Vec<usize> = source.tree.children(at).collect();
    match children[..] {
        [left, sign, right] => Some((left, sign, right)),
        _ => None,
    }
}

/// Whether an operand would be another one on the other side.
fn is_loose(source: &Source<'_>, at: usize) -> bool {
    match source.kind(at) {
        "binary_expression" => {
            let operator = source
                .field(at, "operator")
                .map_or("", |sign| source.text(sign));
            !matches!(operator, "+" | "-" | "*" | "/" | "%")
        }
        kind => !matches!(
            kind,
            "identifier"
                | "field_access"
                | "field_expression"
                | "attribute"
                | "array_access"
                | "subscript_expression"
                | "subscript"
                | "parenthesized_expression"
                | "unary_expression"
                | "unary_operator"
                | "binary_operator"
                | "call"
                | "method_invocation"
                | "integer"
                | "float"
                | "string"
                | "none"
                | "true"
                | "false"
                | "null"
                | "null_literal"
                | "number_literal"
                | "char_literal"
                | "decimal_integer_literal"
                | "decimal_floating_point_literal"
                | "character_literal"
                | "string_literal"
        ),
    }
}

/// An `if` with its branches swapped.
fn swapped(
    source: &Source<'_>,
    facts: &Facts<'_, '_>,
    types: &Types<'_, '_>,
    at: usize,
) -> Option<Change> {
    let condition = source.field(at, "condition")?;
    let first = source.field(at, "consequence")?;
    let mut others = source.tree.field(at, "alternative");
    let (other, None) = (others.next()?, others.next()) else {
        return None;
    };
    let has_pattern = source
        .inside(condition)
        .any(|node| source.is(node, &["instanceof_expression", "named_expression"]));
    if has_pattern || !source.is_sound(at) {
        return None;
    }
    let negated = negated(source, facts, types, condition);
    match source.dialect {
        Dialect::Python => {
            if source.kind(other) != "else_clause" {
                return None;
            }
            let second = source.field(other, "body")?;
            let [one, two] = [first, second].map(|block| source.indent(source.start(block)));
            let are_lines = [first, second]
                .iter()
                .all(|block| source.is_first_in_line(source.start(*block)));
            (are_lines && one == two).then(|| {
                Change::new(vec![
                    Edit::replace(source.bytes(condition), negated),
                    Edit::replace(source.bytes(first), source.text(second)),
                    Edit::replace(source.bytes(second), source.text(first)),
                ])
            })
        }
        Dialect::C | Dialect::Java => {
            let second = match source.kind(other) {
                "else_clause" => *source.parts(other).first()?,
                _ => other,
            };
            let [one, two] = [first, second].map(|branch| braced(source, branch));
            Some(Change::new(vec![
                Edit::replace(source.bytes(condition), format!("({negated})")),
                Edit::replace(source.bytes(first), two),
                Edit::replace(source.bytes(second), one),
            ]))
        }
    }
}

fn braced(source: &Source<'_>, at: usize) -> String {
    match source.kind(at) {
        "block" | "compound_statement" => source.text(at).to_owned(),
        _ => format!("{{ {} }}", source.text(at)),
    }
}

/// The opposite of a condition.
fn negated(
    source: &Source<'_>,
    facts: &Facts<'_, '_>,
    types: &Types<'_, '_>,
    condition: usize,
) -> String {
    let bare = source.bare(condition);
    let text = source.text(bare);
    if source.is(bare, &["binary_expression", "comparison_operator"])
        && let Some((left, sign, right)) = comparison(source, bare)
    {
        let is_whole = types.is_whole(left) && types.is_whole(right);
        let opposite = match source.text(sign) {
            // Two numbers may be neither smaller nor larger nor equal, if one is none.
            "<" if is_whole => Some(">="),
            ">" if is_whole => Some("<="),
            "<=" if is_whole => Some(">"),
            ">=" if is_whole => Some("<"),
            "==" if !facts.overloads() => Some("!="),
            "!=" if !facts.overloads() => Some("=="),
            _ => None,
        };
        if let Some(opposite) = opposite {
            return format!("{} {opposite} {}", source.text(left), source.text(right));
        }
    }
    if source.dialect == Dialect::Python {
        return match source.field(bare, "argument") {
            Some(argument) if source.kind(bare) == "not_operator" => {
                source.text(argument).to_owned()
            }
            _ => format!("not ({text})"),
        };
    }
    let operand = source
        .field(bare, "argument")
        .or_else(|| source.field(bare, "operand"));
    match operand {
        Some(operand) if source.kind(bare) == "unary_expression" && text.starts_with('!') => {
            source.text(source.bare(operand)).to_owned()
        }
        _ => format!("!({text})"),
    }
}
