//! Variables that only carry a value to the next statement, which returns it, asks for it or prints it:
//! `t = a + b; return t;` is `return a + b;`.

use std::collections::{HashMap, HashSet};

use crate::{
    Language,
    rules::{SEQUENCES, SUBROUTINES},
    tree::Tree,
};

/// The temporary variables of a program.
#[derive(Default)]
pub(crate) struct Temporaries {
    /// The statements that give them their values, of which nothing is left.
    pub(crate) gone: HashSet<usize>,
    /// By the place where one is used: what stands there instead.
    pub(crate) values: HashMap<usize, usize>,
}

/// Finds the variables that are given a value once and used once: to be returned or asked for next, and
/// in Python and JavaScript to be the only argument of the next call.
///
/// Those that the next statement uses in any other way stay: what a program gives a name to while it
/// computes something tells it from others.
pub(crate) fn find(tree: &Tree<'_>, language: Language, dead: &HashSet<usize>) -> Temporaries {
    let mut found = Temporaries::default();
    let program = Uses::of(tree, dead);
    for at in 0..tree.nodes.len() {
        let Some((name, value)) = given(tree, at) else {
            continue;
        };
        if let Some(used) = program.used(at, name, language) {
            found.gone.insert(at);
            found.values.insert(used, value);
        }
    }
    found
}

/// The name and the value of a statement that does nothing but give a variable a value.
fn given(tree: &Tree<'_>, at: usize) -> Option<(usize, usize)> {
    let only = |field| {
        let mut fields = tree.field(at, field);
        fields.next().filter(|_| fields.next().is_none())
    };
    let (name, value) = match tree.kind(at) {
        "local_variable_declaration" | "declaration" => {
            let declarator = only("declarator")?;
            let name = match tree.kind(declarator) {
                "variable_declarator" => tree.field(declarator, "name").next(),
                "init_declarator" => tree.field(declarator, "declarator").next(),
                _ => None,
            };
            (name?, tree.field(declarator, "value").next()?)
        }
        "lexical_declaration" | "variable_declaration" => {
            let mut declarators = tree.named(at);
            let declarator = declarators
                .next()
                .filter(|_| declarators.next().is_none())?;
            let name = tree.field(declarator, "name").next()?;
            (name, tree.field(declarator, "value").next()?)
        }
        "expression_statement" => {
            let inside = tree.named(at).next()?;
            let is_plain = match tree.kind(inside) {
                "assignment" => true,
                "assignment_expression" => tree
                    .field(inside, "operator")
                    .next()
                    .is_none_or(|sign| tree.text_of(sign) == "="),
                _ => false,
            };
            let left = tree.field(inside, "left").next().filter(|_| is_plain)?;
            (left, tree.field(inside, "right").next()?)
        }
        _ => return None,
    };
    let is_list = matches!(tree.kind(value), "array_initializer" | "initializer_list");
    (tree.kind(name) == "identifier" && !is_list).then_some((name, value))
}

/// Where the names of a program stand.
struct Uses<'a> {
    tree: &'a Tree<'a>,
    dead: &'a HashSet<usize>,
    parents: Vec<usize>,
    /// In the order of the text.
    names: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Uses<'a> {
    fn of(tree: &'a Tree<'a>, dead: &'a HashSet<usize>) -> Uses<'a> {
        let mut parents = vec![0; tree.nodes.len()];
        let mut names: HashMap<&str, Vec<usize>> = HashMap::new();
        let mut alive = 0;
        for at in 0..tree.nodes.len() {
            for child in tree.children(at) {
                parents[child] = at;
            }
            if dead.contains(&at) {
                alive = alive.max(tree.nodes[at].next as usize);
            }
            if at >= alive && tree.is_leaf(at) && tree.kind(at).ends_with("identifier") {
                names.entry(tree.text_of(at)).or_default().push(at);
            }
        }
        Uses {
            tree,
            dead,
            parents,
            names,
        }
    }

    /// Where a variable is used that is given its value in the statement `at` and only carries it to
    /// the next one.
    fn used(&self, at: usize, name: usize, language: Language) -> Option<usize> {
        let tree = self.tree;
        let sequence = self.parents[at];
        if !SEQUENCES.contains(&tree.kind(sequence)) {
            return None;
        }
        let is_declaration = tree.kind(at) != "expression_statement";
        // A declared name is known in the rest of its block, any other one in the whole subroutine.
        let (start, end) = if is_declaration {
            (at, tree.nodes[sequence].next as usize)
        } else {
            let around = self.subroutine(sequence);
            (around, tree.nodes[around].next as usize)
        };
        let all = self.names.get(tree.text_of(name))?;
        let from = all.partition_point(|place| *place < start);
        let mut used = None;
        let mut is_local = is_declaration || language == Language::Python;
        for place in all[from..].iter().copied().take_while(|place| *place < end) {
            if place == name {
            } else if self.is_declared_without_value(place) && !is_local {
                is_local = true;
            } else if used.is_none() {
                used = Some(place);
            } else {
                return None;
            }
        }
        let used = used.filter(|_| is_local)?;
        let next = self.next(at, sequence)?;
        // Where a name needs no declaration, one is given to an argument as easily as not.
        let is_untyped = matches!(
            language,
            Language::Python | Language::JavaScript | Language::TypeScript
        );
        let is_carried = self.is_all(used, next) || is_untyped && self.is_only_argument(used, next);
        is_carried.then_some(used)
    }

    /// The statement after another one in a sequence.
    fn next(&self, statement: usize, sequence: usize) -> Option<usize> {
        let nodes = &self.tree.nodes;
        let mut at = nodes[statement].next as usize;
        while at < nodes[sequence].next as usize {
            let is_comment = || self.tree.kind(at).ends_with("comment");
            if nodes[at].named && !is_comment() && !self.is_dead(at) {
                return Some(at);
            }
            at = nodes[at].next as usize;
        }
        None
    }

    fn is_dead(&self, statement: usize) -> bool {
        let mut parts = self.tree.named(statement).peekable();
        self.dead.contains(&statement)
            || (parts.peek().is_some() && parts.all(|part| self.dead.contains(&part)))
    }

    fn subroutine(&self, inside: usize) -> usize {
        let mut at = inside;
        while at > 0 && !SUBROUTINES.contains(&self.tree.kind(at)) {
            at = self.parents[at];
        }
        at
    }

    /// `int a;`
    fn is_declared_without_value(&self, name: usize) -> bool {
        let parent = self.parents[name];
        match self.tree.kind(parent) {
            "declaration" => true,
            "variable_declarator" => self.tree.field(parent, "value").next().is_none(),
            _ => false,
        }
    }

    /// Whether a name is all that a statement returns or asks for.
    fn is_all(&self, name: usize, statement: usize) -> bool {
        let tree = self.tree;
        let mut at = name;
        while WRAPPERS.contains(&tree.kind(self.parents[at])) {
            at = self.parents[at];
        }
        let is_condition = || tree.field(statement, "condition").any(|it| it == at);
        self.parents[at] == statement
            && match tree.kind(statement) {
                "return_statement" => true,
                "if_statement" | "switch_expression" | "switch_statement" => is_condition(),
                _ => false,
            }
    }

    /// Whether a name is all that a statement gives to a call.
    fn is_only_argument(&self, name: usize, statement: usize) -> bool {
        let arguments = self.parents[name];
        matches!(self.tree.kind(arguments), "argument_list" | "arguments")
            && self.tree.named(arguments).nth(1).is_none()
            && self.tree.kind(statement) == "expression_statement"
            && self.parents[self.parents[arguments]] == statement
    }
}

/// Nodes around a value that change nothing.
const WRAPPERS: &[&str] = &["condition_clause", "parenthesized_expression"];
