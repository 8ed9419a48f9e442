//! Statements that change nothing: variables that are never looked at, conditions that never hold,
//! what stands behind a `return`.
//!
//! A statement counts if it does something that others see: it calls, returns, jumps, or writes to
//! anything but a variable of its own subroutine. What such a statement reads counts, too, and so does
//! whatever gives that its value or decides whether it is reached. The rest is left out of the normal
//! form. Every node is looked at a few times, however large the program is.

mod fold;
mod names;
mod quiet;
mod units;

use std::collections::HashSet;

use crate::{Language, tree::Tree};
use names::Names;
use quiet::is_quiet;
use units::{Units, unreachable};

/// The nodes of which nothing is left.
pub(crate) fn find(tree: &Tree<'_>, language: Language) -> HashSet<usize> {
    let units = Units::of(tree);
    let mut gone = unreachable(tree);
    let Some(names) = Names::of(tree, language, &units) else {
        return gone;
    };
    gone.extend(fold::never(tree, &units, &names));
    let counting = Counting::of(tree, &units, &names, &gone);
    let dead = (0..units.list.len()).filter(|unit| !counting[*unit]);
    gone.extend(dead.map(|unit| units.list[unit].at));
    gone
}

/// What is still to be looked at.
enum Found {
    Unit(usize),
    Variable(usize),
}

/// Which units count.
struct Counting {
    units: Vec<bool>,
    variables: Vec<bool>,
    open: Vec<Found>,
}

impl Counting {
    fn of(tree: &Tree<'_>, units: &Units, names: &Names<'_>, gone: &HashSet<usize>) -> Vec<bool> {
        let mut counting = Counting {
            units: vec![false; units.list.len()],
            variables: vec![false; names.variables],
            open: Vec::new(),
        };
        // By unit: the one around it, and the variables that it reads; by variable: what writes it.
        let mut around: Vec<Option<usize>> = vec![None; units.list.len()];
        let mut reads: Vec<Vec<usize>> = vec![Vec::new(); units.list.len()];
        let mut writes: Vec<Vec<usize>> = vec![Vec::new(); names.variables];
        let mut inside: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < tree.nodes.len() {
            while inside
                .last()
                .is_some_and(|unit| units.end(tree, *unit) <= at)
            {
                inside.pop();
            }
            if gone.contains(&at) {
                at = tree.nodes[at].next as usize;
                continue;
            }
            let owner = inside.last().copied();
            let mut current = owner;
            if let Some(unit) = units.starting_at(at) {
                around[unit] = owner;
                inside.push(unit);
                current = Some(unit);
                if !units.list[unit].may_go {
                    counting.unit(unit);
                }
            } else if let Some(unit) = owner
                && !is_quiet(tree, at)
            {
                counting.unit(unit);
            }
            if let Some(writer) = units.written_by(at) {
                match names.variable(at) {
                    Some(variable) => writes[variable].push(writer),
                    None => counting.unit(writer),
                }
            } else if let Some(variable) = names.variable(at)
                && !units.is_declared_at(at)
            {
                match current {
                    Some(unit) => reads[unit].push(variable),
                    None => counting.variable(variable),
                }
            }
            at += 1;
        }
        for variable in names.needed() {
            counting.variable(variable);
        }
        while let Some(found) = counting.open.pop() {
            match found {
                Found::Unit(unit) => {
                    if let Some(outer) = around[unit] {
                        counting.unit(outer);
                    }
                    for variable in std::mem::take(&mut reads[unit]) {
                        counting.variable(variable);
                    }
                }
                Found::Variable(variable) => {
                    for unit in std::mem::take(&mut writes[variable]) {
                        counting.unit(unit);
                    }
                }
            }
        }
        counting.units
    }

    fn unit(&mut self, unit: usize) {
        if !std::mem::replace(&mut self.units[unit], true) {
            self.open.push(Found::Unit(unit));
        }
    }

    fn variable(&mut self, variable: usize) {
        if !std::mem::replace(&mut self.variables[variable], true) {
            self.open.push(Found::Variable(variable));
        }
    }
}
