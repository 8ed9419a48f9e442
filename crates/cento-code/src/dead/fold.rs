//! Conditions that never hold, whatever the program is given.

use std::collections::HashMap;

use super::{names::Names, units::Units};
use crate::tree::Tree;

/// How deep a condition is looked into.
const MAX_DEPTH: usize = 16;

/// The branches and loops that are never entered.
pub(super) fn never(tree: &Tree<'_>, units: &Units, names: &Names<'_>) -> Vec<usize> {
    let known = constants(tree, units, names);
    let conditions = Conditions { tree, names, known };
    let is_never = |at: &usize| {
        matches!(tree.kind(*at), "if_statement" | "while_statement")
            && tree.field(*at, "alternative").next().is_none()
            && tree
                .field(*at, "condition")
                .next()
                .is_some_and(|asked| conditions.value(asked, 0) == Some(0))
    };
    let places = units.list.iter().map(|unit| unit.at);
    places.filter(is_never).collect()
}

/// The variables that are a number and stay it: their declarations are all that writes them.
fn constants(tree: &Tree<'_>, units: &Units, names: &Names<'_>) -> HashMap<usize, i128> {
    let mut found: HashMap<usize, Option<i128>> = HashMap::new();
    let mut parents: Vec<usize> = Vec::new();
    for at in 0..tree.nodes.len() {
        while parents
            .last()
            .is_some_and(|outer| tree.nodes[*outer].next as usize <= at)
        {
            parents.pop();
        }
        if let Some(variable) = names.variable(at) {
            if let Some(unit) = units.written_by(at) {
                let number = units.list[unit].value.and_then(|value| number(tree, value));
                let is_first = !found.contains_key(&variable);
                found.insert(variable, number.filter(|_| is_first));
            } else if parents
                .last()
                .is_some_and(|parent| gives_away(tree.kind(*parent)))
            {
                found.insert(variable, None);
            }
        }
        if !tree.is_leaf(at) {
            parents.push(at);
        }
    }
    let known = found.into_iter();
    known
        .filter_map(|(variable, number)| Some((variable, number?)))
        .collect()
}

/// Whether what stands in such a node may be written to: by its address, by a reference, or by what is
/// no unit.
fn gives_away(kind: &str) -> bool {
    matches!(
        kind,
        "argument_list"
            | "array_pattern"
            | "as_pattern_target"
            | "assignment_expression"
            | "declaration"
            | "for_in_statement"
            | "lambda_capture_specifier"
            | "list_pattern"
            | "named_expression"
            | "pattern_list"
            | "pointer_expression"
            | "tuple_pattern"
            | "update_expression"
    )
}

fn number(tree: &Tree<'_>, at: usize) -> Option<i128> {
    let text = tree.text_of(at);
    match tree.kind(at) {
        "integer" | "number" | "decimal_integer_literal" | "number_literal" => text.parse().ok(),
        "true" => Some(1),
        "false" | "False" => Some(0),
        _ => None,
    }
}

struct Conditions<'a> {
    tree: &'a Tree<'a>,
    names: &'a Names<'a>,
    known: HashMap<usize, i128>,
}

impl Conditions<'_> {
    /// The value of an expression of whole numbers; truth is one.
    fn value(&self, at: usize, depth: usize) -> Option<i128> {
        let tree = self.tree;
        if depth > MAX_DEPTH {
            return None;
        }
        let inner = |at| self.value(at, depth + 1);
        match tree.kind(at) {
            "identifier" => self.known.get(&self.names.variable(at)?).copied(),
            "parenthesized_expression" | "condition_clause" => {
                let mut parts = tree.named(at);
                inner(parts.next().filter(|_| parts.next().is_none())?)
            }
            "not_operator" => Some(i128::from(inner(tree.named(at).next()?)? == 0)),
            "unary_expression" | "unary_operator" => {
                let value = inner(tree.named(at).next()?)?;
                match tree.text_of(at).chars().next() {
                    Some('-') => value.checked_neg(),
                    Some('!') => Some(i128::from(value == 0)),
                    _ => None,
                }
            }
            "binary_expression"
            | "binary_operator"
            | "comparison_operator"
            | "boolean_operator" => {
                let mut parts = tree.children(at);
                let (a, sign, b) = (parts.next()?, parts.next()?, parts.next()?);
                if parts.next().is_some() {
                    return None;
                }
                let sign = tree.text_of(sign);
                match (sign, inner(a), inner(b)) {
                    ("&&" | "and", Some(0), _) | ("&&" | "and", _, Some(0)) => Some(0),
                    (_, Some(a), Some(b)) => computed(a, sign, b),
                    _ => None,
                }
            }
            _ => number(tree, at),
        }
    }
}

fn computed(a: i128, sign: &str, b: i128) -> Option<i128> {
    Some(match sign {
        "+" => a.checked_add(b)?,
        "-" => a.checked_sub(b)?,
        "*" => a.checked_mul(b)?,
        "<" => i128::from(a < b),
        ">" => i128::from(a > b),
        "<=" => i128::from(a <= b),
        ">=" => i128::from(a >= b),
        "==" | "===" => i128::from(a == b),
        "!=" | "!==" => i128::from(a != b),
        "&&" | "and" => i128::from(a != 0 && b != 0),
        "||" | "or" => i128::from(a != 0 || b != 0),
        _ => return None,
    })
}
