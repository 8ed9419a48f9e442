//! Which variable a name means.

use std::collections::{HashMap, HashSet};

use super::units::Units;
use crate::{
    Language,
    rules::{SEQUENCES, SUBROUTINES},
    tree::Tree,
};

/// The variables of the subroutines of a program.
pub(super) struct Names<'a> {
    pub(super) variables: usize,
    /// By node.
    meant: HashMap<usize, usize>,
    /// The words of macros, which may mean any variable.
    words: HashSet<&'a str>,
    spelled: Vec<&'a str>,
}

impl<'a> Names<'a> {
    /// None where names may be looked up while the program runs.
    pub(super) fn of(tree: &Tree<'a>, language: Language, units: &Units) -> Option<Names<'a>> {
        let mut names = Names {
            variables: 0,
            meant: HashMap::new(),
            words: HashSet::new(),
            spelled: Vec::new(),
        };
        let mut declared: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut elsewhere: HashSet<&str> = HashSet::new();
        names.scopes(tree, language, units, &mut declared, &mut elsewhere)?;
        let mut open: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut around: Vec<(usize, Vec<&str>)> = Vec::new();
        for at in 0..tree.nodes.len() {
            while let Some((outer, _)) = around.last()
                && tree.nodes[*outer].next as usize <= at
            {
                for name in around
                    .pop()
                    .map(|(_, declared)| declared)
                    .unwrap_or_default()
                {
                    open.get_mut(name).map(Vec::pop);
                }
            }
            if let Some(here) = declared.remove(&at) {
                let (mut seen, mut known) = (HashSet::new(), Vec::new());
                for name in here {
                    let name = tree.text_of(name);
                    if !elsewhere.contains(name) && seen.insert(name) {
                        open.entry(name).or_default().push(names.variables);
                        names.variables += 1;
                        names.spelled.push(name);
                        known.push(name);
                    }
                }
                around.push((at, known));
            }
            if tree.is_leaf(at)
                && tree.kind(at).ends_with("identifier")
                && let Some(variable) = open.get(tree.text_of(at)).and_then(|open| open.last())
            {
                names.meant.insert(at, *variable);
            }
        }
        Some(names)
    }

    /// Where the variables that units write are known.
    fn scopes(
        &mut self,
        tree: &Tree<'a>,
        language: Language,
        units: &Units,
        declared: &mut HashMap<usize, Vec<usize>>,
        elsewhere: &mut HashSet<&'a str>,
    ) -> Option<()> {
        let mut around = Around::default();
        for at in 0..tree.nodes.len() {
            around.leave(tree, at);
            match tree.kind(at) {
                "identifier" if LOOKING_UP.contains(&tree.text_of(at)) => return None,
                "identifier" => {
                    let is_own = match units.written_by(at) {
                        Some(unit) => units.list[unit].declares,
                        None if units.is_declared_at(at) => true,
                        None => continue,
                    };
                    if let Some(scope) = around.scope(tree, language, is_own) {
                        declared.entry(scope).or_default().push(at);
                    }
                }
                "global_statement" | "nonlocal_statement" => {
                    elsewhere.extend(tree.named(at).map(|name| tree.text_of(name)));
                }
                "preproc_arg" => {
                    let is_border = |c: char| !c.is_alphanumeric() && c != '_';
                    self.words.extend(tree.text_of(at).split(is_border));
                }
                _ => {}
            }
            around.enter(tree, at);
        }
        Some(())
    }

    /// The variable that the name at a node means, if it is one of a subroutine.
    pub(super) fn variable(&self, at: usize) -> Option<usize> {
        self.meant.get(&at).copied()
    }

    /// Those that macros may look at.
    pub(super) fn needed(&self) -> impl Iterator<Item = usize> {
        let is_needed = |variable: &usize| self.words.contains(self.spelled[*variable]);
        (0..self.variables).filter(is_needed)
    }
}

/// The nodes around a place that decide where names are known, the innermost last.
#[derive(Default)]
struct Around {
    /// Subroutines and classes.
    subroutines: Vec<usize>,
    blocks: Vec<usize>,
    /// Declarations of JavaScript that are known in the whole subroutine.
    hoisted: Vec<usize>,
}

impl Around {
    fn leave(&mut self, tree: &Tree<'_>, at: usize) {
        for list in [&mut self.subroutines, &mut self.blocks, &mut self.hoisted] {
            while list
                .last()
                .is_some_and(|outer| tree.nodes[*outer].next as usize <= at)
            {
                list.pop();
            }
        }
    }

    fn enter(&mut self, tree: &Tree<'_>, at: usize) {
        let kind = tree.kind(at);
        if SUBROUTINES.contains(&kind) || CLASSES.contains(&kind) {
            self.subroutines.push(at);
        }
        // The cases of a switch share their names: the block around them is their scope.
        let is_block = match kind {
            "case_statement" | "switch_case" | "switch_block_statement_group" => false,
            "enhanced_for_statement" | "for_statement" | "switch_block" | "switch_body" => true,
            _ => SEQUENCES.contains(&kind),
        };
        if is_block {
            self.blocks.push(at);
        }
        if kind == "variable_declaration" {
            self.hoisted.push(at);
        }
    }

    /// Where a variable is known that is written here.
    fn scope(&self, tree: &Tree<'_>, language: Language, declares: bool) -> Option<usize> {
        let is_hoisted = declares && self.hoisted.last() > self.subroutines.last();
        if language == Language::Python || is_hoisted {
            let found = self.subroutines.last().copied().unwrap_or(0);
            return (!CLASSES.contains(&tree.kind(found))).then_some(found);
        }
        let found = self.blocks.last().copied().filter(|_| declares)?;
        (tree.kind(found) != "translation_unit").then_some(found)
    }
}

/// Functions of Python and JavaScript that know names by their text.
const LOOKING_UP: &[&str] = &["eval", "exec", "locals", "globals", "vars"];

const CLASSES: &[&str] = &[
    "class_definition",
    "class_declaration",
    "class",
    "class_body",
];
