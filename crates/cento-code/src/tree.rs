//! A syntax tree as a list in the order of the text, which needs no recursion to walk.

use tree_sitter::{Language, Tree as SitterTree};

use crate::parse::{MAX_DEPTH, MAX_NODES, Refusal};

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The number of its kind in the grammar.
    pub(crate) kind: u16,
    /// The number of what it is to its parent, or zero where the grammar does not say.
    pub(crate) field: u16,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The index after its last descendant.
    pub(crate) next: u32,
    pub(crate) named: bool,
    /// A stretch that the grammar does not allow.
    pub(crate) error: bool,
    /// Recognised in such a stretch, but a part of nothing.
    pub(crate) stray: bool,
}

/// The nodes of a text, each before its children.
pub(crate) struct Tree<'a> {
    pub(crate) text: &'a str,
    pub(crate) grammar: &'a Language,
    pub(crate) nodes: Vec<Node>,
}

impl<'a> Tree<'a> {
    /// Reads a tree; nodes that the parser has only imagined are left out.
    pub(crate) fn new(
        text: &'a str,
        grammar: &'a Language,
        parsed: &SitterTree,
    ) -> Result<Tree<'a>, Refusal> {
        let mut tree = Tree {
            text,
            grammar,
            nodes: Vec::new(),
        };
        let mut open: Vec<usize> = Vec::new();
        let mut cursor = parsed.walk();
        loop {
            let node = cursor.node();
            let at = tree.nodes.len();
            if at >= MAX_NODES {
                return Err(Refusal::Nodes);
            }
            tree.nodes.push(Node {
                kind: node.kind_id(),
                field: cursor.field_id().map_or(0, Into::into),
                start: offset(node.start_byte()),
                end: offset(node.end_byte()),
                next: 0,
                named: node.is_named(),
                error: node.is_error(),
                stray: open.last().is_some_and(|parent| tree.nodes[*parent].error),
            });
            if cursor.goto_first_child() {
                open.push(at);
                if open.len() > MAX_DEPTH {
                    return Err(Refusal::Depth);
                }
                continue;
            }
            tree.close(at);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Ok(tree);
                }
                let parent = open.pop().expect("a parent was opened");
                tree.close(parent);
            }
        }
    }

    /// The children of a node.
    pub(crate) fn children(&self, of: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[of].next as usize;
        let mut at = of + 1;
        std::iter::from_fn(move || {
            let child = (at < end).then_some(at)?;
            at = self.nodes[child].next as usize;
            Some(child)
        })
    }

    /// The named children of a node without comments.
    pub(crate) fn named(&self, of: usize) -> impl Iterator<Item = usize> + '_ {
        self.children(of)
            .filter(|child| self.nodes[*child].named && !self.kind(*child).ends_with("comment"))
    }

    /// The children that are `field` to their parent.
    pub(crate) fn field(&self, of: usize, field: &str) -> impl Iterator<Item = usize> + '_ {
        let field = self.grammar.field_id_for_name(field).map_or(0, Into::into);
        self.children(of).filter(move |child| {
            let child = &self.nodes[*child];
            field != 0 && child.field == field
        })
    }

    /// The name of a node's kind.
    pub(crate) fn kind(&self, at: usize) -> &'a str {
        self.grammar
            .node_kind_for_id(self.nodes[at].kind)
            .unwrap_or("ERROR")
    }

    /// The text of a node.
    pub(crate) fn text_of(&self, at: usize) -> &'a str {
        let node = &self.nodes[at];
        // A grammar for bytes may cut a character that it does not know.
        self.text
            .get(node.start as usize..node.end as usize)
            .unwrap_or_default()
    }

    /// How many nodes it is, with all that is in it.
    pub(crate) fn size(&self, at: usize) -> usize {
        self.nodes[at].next as usize - at
    }

    pub(crate) fn is_leaf(&self, at: usize) -> bool {
        self.nodes[at].next as usize == at + 1
    }

    fn close(&mut self, at: usize) {
        self.nodes[at].next = u32::try_from(self.nodes.len()).expect("nodes are limited");
    }
}

/// Texts are limited to far less than 4 GiB.
fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).expect("texts are limited")
}
