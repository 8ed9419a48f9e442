//! Neighbouring statements swapped.

use super::edit::{Change, Edit, Plan};
use super::effects::{Effects, Facts};
use super::source::{Dialect, Source};

/// Two statements that follow each other are swapped if neither of them calls anything or jumps, and
/// neither writes what the other one reads or writes.
pub(super) fn plan(source: &Source<'_>) -> Plan {
    let statements = source.statements();
    let mut changes = Vec::new();
    // What others see of a program while it runs is no longer plain.
    let is_watched = source.mentions(match source.dialect {
        Dialect::C => &["volatile", "pthread", "atomic", "setjmp", "signal", "omp.h"],
        Dialect::Java => &["volatile", "synchronized", "Thread", "Executor", "parallel"],
        Dialect::Python => &[
            "threading",
            "async ",
            "signal",
            "multiprocessing",
            "locals(",
        ],
    });
    if !is_watched {
        let facts = Facts::of(source);
        let swaps = statements.iter();
        changes.extend(swaps.filter_map(|first| swap(source, &facts, *first)));
    }
    Plan {
        changes,
        units: statements.len(),
    }
}

fn swap(source: &Source<'_>, facts: &Facts<'_, '_>, first: usize) -> Option<Change> {
    let second = source.sibling_after(first)?;
    let is_possible = [first, second].iter().all(|at| is_simple(source, *at))
        && source.is_in_sequence(first)
        && source.is_sound(first)
        && source.text(first) != source.text(second);
    if !is_possible {
        return None;
    }
    let [one, other] = [first, second].map(|at| facts.effects(at));
    let is_free = one.is_independent_of(&other)
        && match (one.may_fail, other.may_fail) {
            (false, false) => true,
            (true, true) => false,
            // Nobody may see that the other one was done, or not.
            (true, false) => is_unseen(source, second, &other),
            (false, true) => is_unseen(source, first, &one),
        };
    is_free.then(|| {
        Change::of_two(vec![
            Edit::replace(source.bytes(first), source.text(second)),
            Edit::replace(source.bytes(second), source.text(first)),
        ])
    })
}

/// A declaration or an assignment.
fn is_simple(source: &Source<'_>, at: usize) -> bool {
    match source.kind(at) {
        "declaration" | "local_variable_declaration" => true,
        "expression_statement" => match source.parts(at)[..] {
            [only] => source.is(
                only,
                &[
                    "assignment_expression",
                    "update_expression",
                    "assignment",
                    "augmented_assignment",
                ],
            ),
            _ => false,
        },
        _ => false,
    }
}

/// Whether what a statement writes is lost if an exception follows: it writes variables of the function
/// only, and nothing around it catches exceptions.
fn is_unseen(source: &Source<'_>, at: usize, effects: &Effects<'_>) -> bool {
    let Some(function) = source.function(at) else {
        return false;
    };
    let is_caught = source.around(at).any(|around| {
        source.is(
            around,
            &[
                "try_statement",
                "try_with_resources_statement",
                "with_statement",
            ],
        )
    });
    // A name of the function that is not declared in it may be that of a field.
    let is_local = |name: &&str| {
        source.inside(function).any(|node| {
            let is_declared = match source.dialect {
                Dialect::Java => {
                    source.parent_is(node, &["variable_declarator", "formal_parameter"])
                        && source.is_field(node, "name")
                }
                Dialect::Python => !source.mentions(&["global ", "nonlocal "]),
                Dialect::C => true,
            };
            is_declared && source.text(node) == *name
        })
    };
    !is_caught && effects.writes_only_names() && effects.writes.iter().all(is_local)
}
