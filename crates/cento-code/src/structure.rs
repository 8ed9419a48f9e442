//! The normal form of a program: what stays the same when it is disguised.

use crate::{
    Language, Subroutine, Token,
    letters::{Lexeme, Lexer},
    parse::Terms,
    rules::{self, Rule, Step},
    tree::Tree,
};

/// The tokens of the normal form and the borders of subroutines.
pub(crate) fn read(
    tree: &Tree<'_>,
    language: Language,
    terms: &mut Terms,
) -> (Vec<Token>, Vec<Subroutine>) {
    let count = u16::try_from(tree.grammar.node_kind_count()).unwrap_or(u16::MAX);
    let rules = (0..count).map(|kind| {
        rules::rule(
            language,
            tree.grammar.node_kind_for_id(kind).unwrap_or_default(),
        )
    });
    let mut reader = Reader {
        tree,
        rules: rules.collect(),
        lexer: Lexer::new(tree),
        terms,
        tasks: vec![Task::Visit(0)],
        tokens: Vec::new(),
        subroutines: Vec::new(),
    };
    while let Some(task) = reader.tasks.pop() {
        match task {
            Task::Visit(at) => reader.visit(at),
            Task::Emit(term, start, end) => reader.emit(term, start, end),
        }
    }
    let mut subroutines = reader.subroutines;
    nest(&mut subroutines);
    (reader.tokens, subroutines)
}

/// What is left to do, last first.
enum Task {
    Visit(usize),
    Emit(&'static str, u32, u32),
}

struct Reader<'a> {
    tree: &'a Tree<'a>,
    rules: Vec<Rule>,
    lexer: Lexer<'a>,
    terms: &'a mut Terms,
    tasks: Vec<Task>,
    tokens: Vec<Token>,
    subroutines: Vec<Subroutine>,
}

impl Reader<'_> {
    fn visit(&mut self, at: usize) {
        let node = self.tree.nodes[at];
        if node.start == node.end {
            return;
        }
        match self
            .rules
            .get(usize::from(node.kind))
            .copied()
            .unwrap_or(Rule::Open)
        {
            Rule::Drop => {}
            Rule::One(term) => self.emit(term, node.start, node.end),
            Rule::Open => match self.lexer.lexeme(at) {
                Some(lexeme) => self.lexeme(lexeme, at),
                None => self.children(at),
            },
            Rule::Wrap(before, after) => {
                self.tasks.push(Task::Emit(after, node.end - 1, node.end));
                self.children(at);
                self.emit(before, node.start, node.start + 1);
            }
            Rule::Form(steps) => self.form(at, steps),
            Rule::Subroutine => {
                self.subroutines.push(Subroutine {
                    start: node.start,
                    end: node.end,
                    depth: 0,
                });
                self.children(at);
            }
        }
    }

    fn children(&mut self, at: usize) {
        let before = self.tasks.len();
        self.tasks.extend(self.tree.children(at).map(Task::Visit));
        self.tasks[before..].reverse();
    }

    fn form(&mut self, at: usize, steps: &[Step]) {
        let node = self.tree.nodes[at];
        let before = self.tasks.len();
        for step in steps {
            match step {
                Step::Emit(term) => {
                    self.tasks
                        .push(Task::Emit(term, node.start, node.start + 1));
                }
                Step::Field(name) => {
                    let field = self
                        .tree
                        .grammar
                        .field_id_for_name(name)
                        .map_or(0, Into::into);
                    self.tasks.extend(
                        self.tree
                            .children(at)
                            .filter(|child| field != 0 && self.tree.nodes[*child].field == field)
                            .map(Task::Visit),
                    );
                }
                Step::Others => self.tasks.extend(
                    self.tree
                        .children(at)
                        .filter(|child| {
                            let child = self.tree.nodes[*child];
                            child.field == 0 && child.named
                        })
                        .map(Task::Visit),
                ),
            }
        }
        self.tasks[before..].reverse();
    }

    fn lexeme(&mut self, lexeme: Lexeme, at: usize) {
        let node = self.tree.nodes[at];
        let text = self.tree.text_of(at);
        let term = match lexeme {
            Lexeme::Comment => return,
            Lexeme::Quoted | Lexeme::Number => "0",
            Lexeme::Name => "i",
            Lexeme::Sign if text.len() > 4 || !text.is_ascii() => "?",
            Lexeme::Keyword | Lexeme::Sign => text,
        };
        if matches!(term, ";" | "," | "{" | "}") {
            return;
        }
        self.emit(term, node.start, node.end);
    }

    /// Adds a token; one that the normal form has moved back stands where the one before it does.
    fn emit(&mut self, term: &str, start: u32, end: u32) {
        let (start, end) = match self.tokens.last() {
            Some(last) if last.start > start => (last.start, last.end),
            _ => (start, end),
        };
        let term = self.terms.number(term);
        self.tokens.push(Token { start, end, term });
    }
}

/// Sorts subroutines and says how many are around each.
fn nest(subroutines: &mut [Subroutine]) {
    subroutines.sort_by_key(|s| (s.start, std::cmp::Reverse(s.end)));
    let mut around: Vec<u32> = Vec::new();
    for subroutine in subroutines {
        around.retain(|end| *end > subroutine.start);
        subroutine.depth = u32::try_from(around.len()).expect("nesting is limited");
        around.push(subroutine.end);
    }
}
