//! The parts of a program that may be left out.

use std::collections::{HashMap, HashSet};

use crate::{
    rules::{JUMPS, SEQUENCES},
    tree::Tree,
};

/// A statement that gives variables their values, or one that says whether and how often others run.
pub(super) struct Unit {
    pub(super) at: usize,
    /// Where the value stands that a declaration or assignment gives to one variable.
    pub(super) value: Option<usize>,
    /// Whether it declares what it writes.
    pub(super) declares: bool,
    /// A loop without a condition is left only from inside.
    pub(super) may_go: bool,
}

/// All units of a program, and the names that they write.
pub(super) struct Units {
    pub(super) list: Vec<Unit>,
    starts: HashMap<usize, usize>,
    targets: HashMap<usize, usize>,
    /// Names in declarations without a value.
    declared: HashSet<usize>,
}

impl Units {
    pub(super) fn of(tree: &Tree<'_>) -> Units {
        let mut units = Units {
            list: Vec::new(),
            starts: HashMap::new(),
            targets: HashMap::new(),
            declared: HashSet::new(),
        };
        let mut around: Vec<usize> = Vec::new();
        for at in 0..tree.nodes.len() {
            while around
                .last()
                .is_some_and(|outer| tree.nodes[*outer].next as usize <= at)
            {
                around.pop();
            }
            let parent = around.last().copied().unwrap_or(0);
            let grandparent = around.iter().nth_back(1).copied().unwrap_or(0);
            units.look(tree, at, parent, grandparent);
            if !tree.is_leaf(at) {
                around.push(at);
            }
        }
        units
    }

    fn look(&mut self, tree: &Tree<'_>, at: usize, parent: usize, grandparent: usize) {
        let kind = tree.kind(at);
        let first = |field: &str| tree.field(at, field).next();
        match kind {
            "variable_declarator" | "init_declarator" => {
                let is_local = match tree.kind(parent) {
                    "local_variable_declaration"
                    | "lexical_declaration"
                    | "variable_declaration" => is_place(tree, grandparent),
                    "declaration" => {
                        is_place(tree, grandparent) && tree.kind(grandparent) != "translation_unit"
                    }
                    _ => false,
                };
                let name = first("name").or_else(|| first("declarator"));
                let mut before = tree
                    .children(parent)
                    .take_while(|part| tree.text_of(*part) != ",");
                let has_storage = before.any(|part| is_kept(tree, part));
                if let Some(name) = name.filter(|name| is_local && is_name(tree, *name)) {
                    let value = first("value");
                    self.add(at, &[name], value, true, !has_storage);
                }
            }
            "identifier" if tree.kind(parent) == "declaration" => {
                self.declared.insert(at);
            }
            "assignment_expression"
            | "augmented_assignment_expression"
            | "assignment"
            | "augmented_assignment"
                if is_alone(tree, at, parent) =>
            {
                let plain = match first("operator") {
                    Some(sign) => tree.text_of(sign) == "=",
                    None => kind.starts_with("assignment"),
                };
                if let Some(names) = first("left").and_then(|left| targets(tree, left)) {
                    let value = first("right").filter(|_| plain && names.len() == 1);
                    self.add(at, &names, value, false, true);
                }
            }
            "update_expression" if is_alone(tree, at, parent) => {
                let name = tree.named(at).next().filter(|name| is_name(tree, *name));
                if let Some(name) = name {
                    self.add(at, &[name], None, false, true);
                }
            }
            "if_statement" => self.add(at, &[], None, false, true),
            "while_statement" | "do_statement" => {
                let asks = first("condition").is_some_and(|asked| has_name(tree, asked));
                self.add(at, &[], None, false, asks);
            }
            "for_statement" if tree.field(at, "right").next().is_none() => {
                let asks = first("condition").is_some_and(|asked| has_name(tree, asked));
                self.add(at, &[], None, false, asks);
            }
            "for_statement" => {
                let names = first("left").and_then(|left| targets(tree, left));
                let is_plain = names.is_some();
                self.add(at, &names.unwrap_or_default(), None, false, is_plain);
            }
            "enhanced_for_statement" => {
                let names: Vec<usize> = first("name").into_iter().collect();
                self.add(at, &names, None, true, true);
            }
            _ => {}
        }
    }

    fn add(
        &mut self,
        at: usize,
        names: &[usize],
        value: Option<usize>,
        declares: bool,
        may_go: bool,
    ) {
        let unit = self.list.len();
        self.starts.insert(at, unit);
        self.targets.extend(names.iter().map(|name| (*name, unit)));
        self.list.push(Unit {
            at,
            value,
            declares,
            may_go,
        });
    }

    pub(super) fn starting_at(&self, at: usize) -> Option<usize> {
        self.starts.get(&at).copied()
    }

    pub(super) fn end(&self, tree: &Tree<'_>, unit: usize) -> usize {
        tree.nodes[self.list[unit].at].next as usize
    }

    /// The unit that gives a value to the name at a node.
    pub(super) fn written_by(&self, name: usize) -> Option<usize> {
        self.targets.get(&name).copied()
    }

    pub(super) fn is_declared_at(&self, name: usize) -> bool {
        self.declared.contains(&name)
    }
}

/// What stands behind a jump in the same block, and what the preprocessor of C leaves out.
pub(super) fn unreachable(tree: &Tree<'_>) -> HashSet<usize> {
    let mut gone = HashSet::new();
    for at in 0..tree.nodes.len() {
        let kind = tree.kind(at);
        if BLOCKS.contains(&kind) {
            let behind = tree
                .named(at)
                .skip_while(|statement| !JUMPS.contains(&tree.kind(*statement)))
                .skip(1);
            // A label may be jumped to, and functions are known before the block runs.
            let rest: Vec<usize> = behind.collect();
            let is_plain = rest.iter().all(|statement| {
                let kind = tree.kind(*statement);
                PLAIN.contains(&kind) || JUMPS.contains(&kind)
            });
            if is_plain {
                gone.extend(rest);
            }
        } else if kind == "preproc_if"
            && tree
                .field(at, "condition")
                .any(|asked| tree.text_of(asked) == "0")
            && tree.field(at, "alternative").next().is_none()
        {
            gone.insert(at);
        }
    }
    gone
}

/// Whether statements may stand in a node.
fn is_place(tree: &Tree<'_>, at: usize) -> bool {
    SEQUENCES.contains(&tree.kind(at)) || tree.kind(at) == "for_statement"
}

/// Whether nothing but its effect is wanted of what stands in a node.
fn is_alone(tree: &Tree<'_>, at: usize, parent: usize) -> bool {
    ["expression_statement", "for_statement"].contains(&tree.kind(parent))
        && tree.field(parent, "condition").all(|asked| asked != at)
}

/// Storage that outlives the block, or that others may look at.
fn is_kept(tree: &Tree<'_>, part: usize) -> bool {
    tree.kind(part) == "storage_class_specifier"
        || (tree.kind(part) == "type_qualifier" && tree.text_of(part) == "volatile")
}

fn is_name(tree: &Tree<'_>, at: usize) -> bool {
    tree.kind(at) == "identifier" && tree.is_leaf(at)
}

fn has_name(tree: &Tree<'_>, at: usize) -> bool {
    (at..tree.nodes[at].next as usize).any(|inside| is_name(tree, inside))
}

/// The names on the left side, if there is nothing else.
fn targets(tree: &Tree<'_>, left: usize) -> Option<Vec<usize>> {
    if is_name(tree, left) {
        return Some(vec![left]);
    }
    let is_list = matches!(tree.kind(left), "pattern_list" | "tuple_pattern");
    let names: Vec<usize> = tree.named(left).collect();
    (is_list && names.iter().all(|name| is_name(tree, *name))).then_some(names)
}

/// Those that end with the block.
const BLOCKS: &[&str] = &["block", "compound_statement", "statement_block"];

/// Statements without labels and functions of their own, or in which they do not matter.
const PLAIN: &[&str] = &[
    "declaration",
    "expression_statement",
    "for_statement",
    "if_statement",
    "lexical_declaration",
    "local_variable_declaration",
    "pass_statement",
    "while_statement",
];
