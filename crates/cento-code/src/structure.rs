//! The normal form of a program: what stays the same when it is disguised.

use std::collections::HashSet;

use crate::{
    Language, Subroutine, Token, constant, dead,
    letters::{Lexeme, Lexer},
    parse::Terms,
    rules::{self, Rule, Step},
    temporary::{self, Temporaries},
    tree::{Node, Tree},
};

/// The tokens of the normal form and the borders of subroutines.
pub(crate) fn read(
    tree: &Tree<'_>,
    language: Language,
    terms: &mut Terms,
) -> (Vec<Token>, Vec<Subroutine>) {
    let lexer = Lexer::new(tree);
    let (dead, temporaries, constants) = if rules::is_by_tree(language) {
        let mut dead = dead::find(tree, language);
        let constants = constant::find(tree, language, &lexer);
        dead.extend(constants.gone);
        let temporaries = temporary::find(tree, language, &dead);
        (dead, temporaries, constants.values)
    } else {
        Default::default()
    };
    let mut reader = Reader {
        tree,
        language,
        rules: rules_of(tree.grammar, language),
        lexer,
        dead,
        temporaries,
        constants,
        terms,
        tasks: vec![Task::Visit(0)],
        tokens: Vec::new(),
        subroutines: Vec::new(),
    };
    // A form may visit a part of a node more than once, but not again and again.
    let mut left = tree.nodes.len().saturating_mul(TASKS_PER_NODE);
    while let Some(task) = reader.tasks.pop() {
        let Some(fewer) = left.checked_sub(1) else {
            break;
        };
        left = fewer;
        match task {
            Task::Visit(at) => reader.visit(at),
            Task::Emit(term, at) => reader.mark(term, at),
            Task::Close(at) => reader.close("}", at),
            Task::Ungroup(at) => reader.close(")", at),
        }
    }
    let mut subroutines = reader.subroutines;
    nest(&mut subroutines);
    (reader.tokens, subroutines)
}

/// Sound programs have a few tasks for each node of their tree.
const TASKS_PER_NODE: usize = 64;

/// The rules by number of kind.
fn rules_of(grammar: &tree_sitter::Language, language: Language) -> Vec<Rule> {
    let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
    (0..count)
        .map(|kind| match grammar.node_kind_for_id(kind) {
            Some(name) if grammar.node_kind_is_named(kind) => rules::rule(language, name),
            _ => Rule::Open,
        })
        .collect()
}

/// What is left to do with a node.
#[derive(Clone, Copy)]
pub(crate) enum Task {
    Visit(usize),
    /// A term of ours, for a part of the node.
    Emit(&'static str, usize),
    /// The brace at the end of the node.
    Close(usize),
    /// The parenthesis at the end of the node.
    Ungroup(usize),
}

/// Walks a tree without recursion: what is to be done is a list, and the last is done first.
pub(crate) struct Reader<'a> {
    pub(crate) tree: &'a Tree<'a>,
    pub(crate) language: Language,
    rules: Vec<Rule>,
    lexer: Lexer<'a>,
    /// What changes nothing.
    dead: HashSet<usize>,
    pub(crate) temporaries: Temporaries,
    /// By node: whether it is a literal, or computed from nothing else.
    constants: Vec<bool>,
    terms: &'a mut Terms,
    tasks: Vec<Task>,
    tokens: Vec<Token>,
    subroutines: Vec<Subroutine>,
}

impl Reader<'_> {
    pub(crate) fn node(&self, at: usize) -> Node {
        self.tree.nodes[at]
    }

    /// Does these before everything else, in this order.
    pub(crate) fn then(&mut self, tasks: impl IntoIterator<Item = Task>) {
        let before = self.tasks.len();
        self.tasks.extend(tasks);
        self.tasks[before..].reverse();
    }

    fn rule(&self, at: usize) -> Rule {
        let kind = usize::from(self.node(at).kind);
        self.rules.get(kind).copied().unwrap_or(Rule::Open)
    }

    fn visit(&mut self, at: usize) {
        let node = self.node(at);
        if node.start == node.end || self.is_gone(at) {
            return;
        }
        if let Some(value) = self.temporaries.values.get(&at) {
            return self.visit(self.bare(*value));
        }
        if self.is_constant(at) {
            return self.emit("0", node.start, node.end);
        }
        let tree = self.tree;
        match self.rule(at) {
            Rule::Open => match self.lexer.lexeme(at) {
                Some(lexeme) => self.lexeme(lexeme, at),
                None => self.then(tree.children(at).map(Task::Visit)),
            },
            Rule::Drop => {}
            Rule::One(term) => self.emit(term, node.start, node.end),
            Rule::Form(steps) => self.form(at, steps),
            Rule::Subroutine(steps) => {
                // Haskell calls the type of a function a function too.
                if ["name", "body", "declarator"]
                    .iter()
                    .any(|it| tree.field(at, it).next().is_some())
                {
                    let (start, end, depth) = (node.start, node.end, 0);
                    self.subroutines.push(Subroutine { start, end, depth });
                }
                self.form(at, steps);
            }
            Rule::Initial(name, value) => self.initial(at, name, value),
            Rule::Assignment => self.assignment(at),
            Rule::Increment => self.increment(at),
            Rule::Binary => self.binary(at),
            Rule::Unary => self.unary(at),
            Rule::Grouping => self.grouping(at),
            Rule::Member(object, member) => self.member(at, object, member),
            Rule::Range => self.range(at),
            Rule::Statement => self.statement(at),
            Rule::If => self.branch(at),
            Rule::Switch => self.switch(at),
            Rule::Pointer => self.pointer(at),
            Rule::Selection => self.selection(at),
            Rule::Call => self.call(at),
        }
    }

    pub(crate) fn is_constant(&self, at: usize) -> bool {
        self.constants.get(at) == Some(&true)
    }

    fn is_gone(&self, at: usize) -> bool {
        self.dead.contains(&at) || self.temporaries.gone.contains(&at)
    }

    pub(crate) fn form(&mut self, at: usize, steps: &[Step]) {
        let mut tasks = Vec::new();
        for step in steps {
            self.step(at, *step, &mut tasks);
        }
        self.then(tasks);
    }

    pub(crate) fn step(&self, at: usize, step: Step, tasks: &mut Vec<Task>) {
        let tree = self.tree;
        match step {
            Step::Emit(term) => tasks.push(Task::Emit(term, at)),
            Step::Held(name) => match tree.field(at, name).next() {
                Some(condition) => tasks.extend(self.asked(condition, false)),
                None => tasks.push(Task::Emit("0", at)),
            },
            Step::Asked(name) => {
                let conditions = tree.field(at, name);
                tasks.extend(conditions.flat_map(|condition| self.asked(condition, true)));
            }
            Step::Field(name) => tasks.extend(tree.field(at, name).map(Task::Visit)),
            Step::Bare(name) => {
                tasks.extend(
                    tree.field(at, name)
                        .map(|child| Task::Visit(self.bare(child))),
                );
            }
            Step::Body(name) => tasks
                .extend(tree.field(at, name).flat_map(|body| {
                    [Task::Emit("{", body), Task::Visit(body), Task::Close(body)]
                })),
            Step::Else(name) => {
                tasks.extend(tree.field(at, name).flat_map(|part| self.otherwise(part)));
            }
            Step::Kind(kind) => tasks.extend(
                tree.children(at)
                    .filter(|child| tree.kind(*child) == kind)
                    .map(Task::Visit),
            ),
            Step::Nth(n) => tasks.extend(tree.named(at).nth(n).map(Task::Visit)),
            Step::Named => tasks.extend(tree.named(at).map(Task::Visit)),
            Step::BareNamed => {
                tasks.extend(tree.named(at).map(|child| Task::Visit(self.bare(child))));
            }
            Step::All => tasks.extend(tree.children(at).map(Task::Visit)),
            Step::Close => tasks.push(Task::Close(at)),
        }
    }

    /// What comes after the condition fails; another condition has no braces of its own.
    fn otherwise(&self, part: usize) -> Vec<Task> {
        let tree = self.tree;
        let inside = match tree.kind(part) {
            "else_clause" => tree.named(part).last().unwrap_or(part),
            _ => part,
        };
        let mut parts = tree.named(inside).peekable();
        if self.is_gone(inside) || (parts.peek().is_some() && parts.all(|it| self.is_hollow(it))) {
            return Vec::new();
        }
        let mut statements = tree.named(inside);
        let inside = match (statements.next(), statements.next()) {
            (Some(only), None) if tree.kind(only) == "if_statement" => only,
            _ => inside,
        };
        match tree.kind(inside) {
            "if_statement" | "elif_clause" => vec![Task::Emit("else", part), Task::Visit(inside)],
            _ => vec![
                Task::Emit("else", part),
                Task::Emit("{", inside),
                Task::Visit(inside),
                Task::Close(inside),
            ],
        }
    }

    /// Whether nothing is left of a statement.
    pub(crate) fn is_hollow(&self, at: usize) -> bool {
        let mut parts = self.tree.named(at).peekable();
        let is_nothing = |part| self.is_gone(part) || matches!(self.rule(part), Rule::Drop);
        self.is_gone(at) || (parts.peek().is_some() && parts.all(is_nothing))
    }

    fn lexeme(&mut self, lexeme: Lexeme, at: usize) {
        let node = self.node(at);
        let term = match self.lexer.letter(lexeme, at) {
            None | Some(";" | "," | "." | ":" | "{" | "}" | "]") => return,
            Some("\"") => "0",
            Some(word) if is_value(word) => "0",
            Some(letter) => letter,
        };
        if !self.tree.text_of(at).trim().is_empty() {
            self.emit(term, node.start, node.end);
        }
    }

    /// Adds a term of ours, which stands where the lexeme before it in the node does, or where the
    /// node starts.
    fn mark(&mut self, term: &str, at: usize) {
        let node = self.node(at);
        match self.tokens.last() {
            Some(last) if last.start >= node.start => self.emit(term, last.start, last.end),
            _ => {
                let mut first = at;
                while !self.tree.is_leaf(first) {
                    first += 1;
                }
                self.emit(term, node.start, self.node(first).end);
            }
        }
    }

    fn close(&mut self, term: &str, at: usize) {
        let end = self.node(at).end as usize;
        let start = self.tree.text.floor_char_boundary(end.saturating_sub(1));
        let start = u32::try_from(start).expect("texts are limited");
        self.emit(term, start, self.node(at).end);
    }

    /// Adds a token; one that the normal form has put later stands where the one before it does.
    fn emit(&mut self, term: &str, start: u32, end: u32) {
        let (start, end) = match self.tokens.last() {
            Some(last) if last.start > start => (last.start, last.end),
            _ => (start, end),
        };
        let term = self.terms.number(term);
        self.tokens.push(Token { start, end, term });
    }
}

/// Whether a word is a value.
pub(crate) fn is_value(word: &str) -> bool {
    VALUES.iter().any(|value| value.eq_ignore_ascii_case(word))
}

const VALUES: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "nullptr",
    "nil",
    "undefined",
];

/// Sorts subroutines and says how many are around each.
fn nest(subroutines: &mut [Subroutine]) {
    subroutines.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
    let mut around: Vec<u32> = Vec::new();
    for subroutine in subroutines {
        while around.last().is_some_and(|end| *end <= subroutine.start) {
            around.pop();
        }
        subroutine.depth = u32::try_from(around.len()).expect("nesting is limited");
        around.push(subroutine.end);
    }
}
