//! A program whose text is to be changed: its syntax tree, and questions about places in it.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ops::Range;

use tree_sitter::Parser;

use super::random::Random;
use crate::tree::Tree;
use crate::{Language, Refusal, grammar, parse};

/// The languages whose programs can be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    C,
    Java,
    Python,
}

impl Dialect {
    fn of(language: Language) -> Option<Dialect> {
        match language {
            Language::C => Some(Dialect::C),
            Language::Java => Some(Dialect::Java),
            Language::Python => Some(Dialect::Python),
            _ => None,
        }
    }
}

/// A program and its syntax tree.
pub(super) struct Source<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) dialect: Dialect,
    parents: Vec<u32>,
    /// Nodes that make a function one that is left alone: the grammar does not allow them, or the
    /// preprocessor decides about them.
    unsound: Vec<usize>,
    faults: usize,
    /// Every word of the text, and every name that was made up.
    words: RefCell<BTreeSet<String>>,
}

/// Does something with the syntax tree of a text.
pub(super) fn with<T>(
    text: &str,
    language: Language,
    work: impl FnOnce(&Source<'_>) -> T,
) -> Result<T, Refusal> {
    let dialect = Dialect::of(language).ok_or(Refusal::Unattackable(language))?;
    let grammar = grammar::of(language, text).ok_or(Refusal::NotBuilt(language))?;
    parse::expect_size(text)?;
    let mut parser = Parser::new();
    if parser.set_language(&grammar).is_err() {
        return Err(Refusal::NotBuilt(language));
    }
    let parsed = parse::read(&mut parser, text)?;
    let has_error = parsed.root_node().has_error();
    let tree = Tree::new(text, &grammar, &parsed)?;
    Ok(work(&Source::new(tree, dialect, has_error)))
}

impl<'a> Source<'a> {
    fn new(tree: Tree<'a>, dialect: Dialect, has_error: bool) -> Source<'a> {
        let mut parents = vec![0; tree.nodes.len()];
        for at in 0..tree.nodes.len() {
            for child in tree.children(at) {
                parents[child] = u32::try_from(at).expect("nodes are limited");
            }
        }
        // A node without any text is one that the parser has made up.
        let is_fault = |at: usize| {
            let node = &tree.nodes[at];
            has_error && (node.error || (node.start == node.end && tree.is_leaf(at)))
        };
        let faults: Vec<usize> = (0..tree.nodes.len()).filter(|at| is_fault(*at)).collect();
        let is_unsound = |at: &usize| {
            is_fault(*at) || (dialect == Dialect::C && tree.kind(*at).starts_with("preproc_"))
        };
        let unsound = (0..tree.nodes.len()).filter(is_unsound).collect();
        let words = tree
            .text
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        Source {
            tree,
            dialect,
            parents,
            unsound,
            // What a parser has made up is in no tree; that there is something is known.
            faults: faults.len() + usize::from(has_error),
            words: RefCell::new(words),
        }
    }

    /// How many places the grammar does not allow.
    pub(super) fn faults(&self) -> usize {
        self.faults
    }

    pub(super) fn whole(&self) -> &'a str {
        self.tree.text
    }

    /// Whether the text has one of these anywhere, in whatever place.
    pub(super) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.tree.text.contains(word))
    }

    pub(super) fn nodes(&self) -> Range<usize> {
        0..self.tree.nodes.len()
    }

    pub(super) fn kind(&self, at: usize) -> &'a str {
        self.tree.kind(at)
    }

    pub(super) fn is(&self, at: usize, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind(at))
    }

    pub(super) fn text(&self, at: usize) -> &'a str {
        self.tree.text_of(at)
    }

    pub(super) fn start(&self, at: usize) -> usize {
        self.tree.nodes[at].start as usize
    }

    pub(super) fn end(&self, at: usize) -> usize {
        self.tree.nodes[at].end as usize
    }

    pub(super) fn bytes(&self, at: usize) -> Range<usize> {
        self.start(at)..self.end(at)
    }

    pub(super) fn field(&self, at: usize, field: &str) -> Option<usize> {
        self.tree.field(at, field).next()
    }

    /// Whether a node is this to its parent.
    pub(super) fn is_field(&self, at: usize, field: &str) -> bool {
        let number = self.tree.grammar.field_id_for_name(field);
        number.is_some_and(|number| self.tree.nodes[at].field == u16::from(number))
    }

    /// The named children without comments.
    pub(super) fn parts(&self, of: usize) -> Vec<usize> {
        self.tree.named(of).collect()
    }

    /// Everything inside a node, and the node itself.
    pub(super) fn inside(&self, of: usize) -> Range<usize> {
        of..self.tree.nodes[of].next as usize
    }

    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        (at > 0).then(|| self.parents[at] as usize)
    }

    pub(super) fn parent_is(&self, at: usize, kinds: &[&str]) -> bool {
        self.parent(at).is_some_and(|parent| self.is(parent, kinds))
    }

    /// What is around a node, the nearest first.
    pub(super) fn around(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.parent(at), |around| self.parent(*around))
    }

    /// The nearest of these kinds around a node.
    pub(super) fn nearest(&self, at: usize, kinds: &[&str]) -> Option<usize> {
        self.around(at).find(|around| self.is(*around, kinds))
    }

    /// All nodes of some kinds, in the order of the text.
    pub(super) fn of_kinds(&self, kinds: &'static [&'static str]) -> impl Iterator<Item = usize> {
        self.nodes().filter(move |at| self.is(*at, kinds))
    }

    /// What is inside parentheses.
    pub(super) fn bare(&self, at: usize) -> usize {
        let mut inside = at;
        while self.kind(inside) == "parenthesized_expression" {
            match self.parts(inside)[..] {
                [only] => inside = only,
                _ => break,
            }
        }
        inside
    }

    /// The comments or statements before and after, whatever they are.
    pub(super) fn sibling_after(&self, at: usize) -> Option<usize> {
        let parent = self.parent(at)?;
        self.tree
            .children(parent)
            .skip_while(|child| *child != at)
            .nth(1)
    }

    /// Whether the grammar allows all of the function around a node, and no preprocessor decides about
    /// parts of it.
    pub(super) fn is_sound(&self, at: usize) -> bool {
        let outermost = std::iter::once(at)
            .chain(self.around(at))
            .filter(|around| self.is(*around, FUNCTIONS))
            .last();
        let outermost = match (outermost, self.dialect) {
            (Some(outermost), _) => outermost,
            (None, Dialect::C) => at,
            (None, Dialect::Java | Dialect::Python) => 0,
        };
        let inside = self.inside(outermost);
        let first = self.unsound.partition_point(|at| *at < inside.start);
        self.unsound
            .get(first)
            .is_none_or(|unsound| *unsound >= inside.end)
    }

    /// Whether it is a statement, other than a block.
    pub(super) fn is_statement(&self, at: usize) -> bool {
        let kinds = match self.dialect {
            Dialect::C => C_STATEMENTS,
            Dialect::Java => JAVA_STATEMENTS,
            Dialect::Python => PYTHON_STATEMENTS,
        };
        let is_in_head = self.parent_is(at, &["for_statement"]) && !self.is_field(at, "body");
        let is_global = self.dialect == Dialect::C && self.function(at).is_none();
        self.is(at, kinds) && !is_in_head && !is_global
    }

    /// All statements, in the order of the text.
    pub(super) fn statements(&self) -> Vec<usize> {
        self.nodes().filter(|at| self.is_statement(*at)).collect()
    }

    /// Whether a statement stands in a sequence of statements, so that there may be others before and
    /// after it.
    pub(super) fn is_in_sequence(&self, at: usize) -> bool {
        let Some(parent) = self.parent(at) else {
            return false;
        };
        match self.dialect {
            Dialect::C => {
                self.kind(parent) == "compound_statement"
                    && !self.parent_is(parent, &["switch_statement"])
            }
            Dialect::Java => self.is(parent, &["block", "constructor_body"]),
            Dialect::Python => self.is(parent, &["block", "module"]),
        }
    }

    /// The function, method or lambda around a node.
    pub(super) fn function(&self, at: usize) -> Option<usize> {
        self.nearest(at, FUNCTIONS)
    }

    /// Whether a file of Python does something by itself, and is not only there for others to import:
    /// those would see all names that do not belong to a function.
    pub(super) fn is_script(&self) -> bool {
        let acts = |statement: &usize| match self.kind(*statement) {
            "if_statement" => self.text(*statement).contains("__main__"),
            "for_statement" | "while_statement" => true,
            "expression_statement" => self
                .parts(*statement)
                .first()
                .is_some_and(|only| self.kind(*only) == "call"),
            _ => false,
        };
        self.dialect == Dialect::Python
            && self.parts(0).iter().any(acts)
            && !self.mentions(&["__all__"])
    }

    /// Whether new variables may be declared before a statement, and nobody sees them elsewhere.
    pub(super) fn is_private(&self, at: usize) -> bool {
        let block = self.parent(at).unwrap_or(0);
        self.dialect != Dialect::Python
            || !self.parent_is(block, &["class_definition"])
                && (self.function(at).is_some() || self.is_script())
    }

    /// Where the line of a byte starts.
    pub(super) fn line_start(&self, byte: usize) -> usize {
        self.whole()[..byte].rfind('\n').map_or(0, |line| line + 1)
    }

    /// The white space at the start of the line of a byte.
    pub(super) fn indent(&self, byte: usize) -> &'a str {
        let line = &self.whole()[self.line_start(byte)..];
        let text = line.trim_start_matches([' ', '\t']);
        &line[..line.len() - text.len()]
    }

    /// Whether there is only white space before this byte in its line.
    pub(super) fn is_first_in_line(&self, byte: usize) -> bool {
        self.line_start(byte) + self.indent(byte).len() == byte
    }

    /// What stands between something new and what is at this byte: the line break and the indent that
    /// the latter has before it, or a space if it has none.
    pub(super) fn separator(&self, byte: usize) -> String {
        if self.is_first_in_line(byte) {
            format!("\n{}", self.indent(byte))
        } else {
            " ".to_owned()
        }
    }

    /// A statement, or the whole line if it has one for itself.
    pub(super) fn line_of(&self, at: usize) -> Range<usize> {
        let Range { start, end } = self.bytes(at);
        let rest = &self.whole()[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        if self.is_first_in_line(start) && rest[blank..].starts_with('\n') {
            self.line_start(start)..end + blank + 1
        } else {
            start..end
        }
    }

    /// A name that the text does not have.
    pub(super) fn fresh(&self, random: &mut Random, style: Style) -> String {
        let mut words = self.words.borrow_mut();
        for attempt in 0.. {
            let (first, second) = (random.one_of(FIRST), random.one_of(SECOND));
            let number = match attempt {
                0..20 => String::new(),
                more => more.to_string(),
            };
            let name = match (style, self.dialect) {
                (Style::Type, _) => format!("{}{}{number}", capital(first), capital(second)),
                (Style::Value, Dialect::Java) => format!("{first}{}{number}", capital(second)),
                (Style::Value, Dialect::C | Dialect::Python) => format!("{first}_{second}{number}"),
            };
            if words.insert(name.clone()) {
                return name;
            }
        }
        unreachable!("there are more numbers than words in a text")
    }
}

/// What a name is for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Style {
    Value,
    Type,
}

fn capital(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

const FIRST: &[&str] = &[
    "first", "last", "next", "old", "new", "left", "right", "inner", "outer", "upper", "lower",
    "main", "extra", "whole", "half", "single", "double", "local", "final", "initial", "given",
    "found", "wanted", "current",
];

const SECOND: &[&str] = &[
    "part", "piece", "item", "entry", "place", "amount", "total", "measure", "figure", "mark",
    "step", "turn", "side", "edge", "range", "group", "bundle", "record", "answer", "result",
    "number", "value", "pick", "share",
];

const FUNCTIONS: &[&str] = &[
    "function_definition",
    "method_declaration",
    "constructor_declaration",
    "compact_constructor_declaration",
    "static_initializer",
    "lambda_expression",
    "lambda",
];

const C_STATEMENTS: &[&str] = &[
    "declaration",
    "expression_statement",
    "if_statement",
    "for_statement",
    "while_statement",
    "do_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "switch_statement",
    "goto_statement",
];

const JAVA_STATEMENTS: &[&str] = &[
    "local_variable_declaration",
    "expression_statement",
    "if_statement",
    "for_statement",
    "enhanced_for_statement",
    "while_statement",
    "do_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "throw_statement",
    "try_statement",
    "try_with_resources_statement",
    "assert_statement",
    "yield_statement",
    "synchronized_statement",
    "explicit_constructor_invocation",
];

const PYTHON_STATEMENTS: &[&str] = &[
    "expression_statement",
    "if_statement",
    "for_statement",
    "while_statement",
    "try_statement",
    "with_statement",
    "match_statement",
    "return_statement",
    "break_statement",
    "continue_statement",
    "raise_statement",
    "assert_statement",
    "delete_statement",
    "pass_statement",
    "import_statement",
    "import_from_statement",
    "global_statement",
    "nonlocal_statement",
];
