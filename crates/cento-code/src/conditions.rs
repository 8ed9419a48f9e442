//! What a program asks, however it is put: `!(a < b)` is `b <= a`, `a == true` is `a`, and in C `a == NULL` is
//! `!a`.

use crate::{
    Language,
    rules::{Step, is_zero_false},
    structure::{Reader, Task, is_value},
};

impl Reader<'_> {
    /// A condition; of two branches, one is for what the other one is not for.
    pub(crate) fn asked(&self, condition: usize, has_other: bool) -> Vec<Task> {
        let (mut inside, mut is_denied) = (self.bare(condition), false);
        while let Some((part, denies)) = self.weighed(inside) {
            inside = self.bare(part);
            is_denied ^= denies;
        }
        match self.operands(inside) {
            Some((a, sign, b)) if is_comparison(sign) => {
                self.comparison(inside, (a, sign, b), is_denied && !has_other)
            }
            // A number that is asked for is compared, as other programs do it.
            Some((_, sign, _)) if self.is_number(sign) => {
                let zero = [Task::Emit("==", inside), Task::Emit("0", inside)];
                let number = match sign {
                    "&" | "|" | "^" => in_parentheses(inside).to_vec(),
                    _ => vec![Task::Visit(inside)],
                };
                number.into_iter().chain(zero).collect()
            }
            Some(_) if is_denied && !has_other => {
                let denial = [Task::Emit("!", condition)].into_iter();
                denial.chain(in_parentheses(inside)).collect()
            }
            None if is_denied && !has_other => {
                vec![Task::Emit("!", condition), Task::Visit(inside)]
            }
            _ => vec![Task::Visit(inside)],
        }
    }

    /// `!a`, and other signs before a value.
    pub(crate) fn unary(&mut self, at: usize) {
        if self.weighed(at).is_some() {
            self.then(self.asked(at, false));
        } else {
            self.form(at, &[Step::All]);
        }
    }

    /// `a > b` is `b < a`. What is equal to something else is written either way round, and asked for
    /// as often as its opposite.
    pub(crate) fn binary(&mut self, at: usize) {
        let tasks = match self.operands(at) {
            Some((a, sign, b)) if is_comparison(sign) => {
                // `a != 0` is not `a` where its value is wanted.
                match self.weighed(at) {
                    Some((_, true)) => self.asked(at, false),
                    _ => self.comparison(at, (a, sign, b), false),
                }
            }
            Some((a, sign @ ("&&" | "||" | "and" | "or"), b)) => {
                let mut tasks = self.joined(a, sign);
                tasks.extend(self.sign(at).map(Task::Visit));
                tasks.extend(self.joined(b, sign));
                tasks
            }
            _ => return self.form(at, &[Step::All]),
        };
        self.then(tasks);
    }

    /// An `if`. Where all that it does is to ask for something else, it asks for both.
    pub(crate) fn branch(&mut self, at: usize) {
        let tree = self.tree;
        let has_other = |at| tree.field(at, "alternative").next().is_some();
        let mut conditions: Vec<usize> = tree.field(at, "condition").collect();
        let mut last = at;
        let is_alone = tree.kind(at) == "if_statement" && !has_other(at);
        while let Some(inner) = self.only_branch(last)
            && is_alone
            && !has_other(inner)
        {
            conditions.extend(tree.field(inner, "condition"));
            last = inner;
        }
        let and = match self.language {
            Language::Python => "and",
            _ => "&&",
        };
        let mut tasks = vec![Task::Emit("if", at)];
        match conditions[..] {
            [only] => tasks.extend(self.asked(only, has_other(at))),
            _ => {
                for (number, condition) in conditions.iter().enumerate() {
                    if number > 0 {
                        tasks.push(Task::Emit(and, *condition));
                    }
                    tasks.extend(self.joined(*condition, and));
                }
            }
        }
        self.step(last, Step::Body("consequence"), &mut tasks);
        self.step(at, Step::Else("alternative"), &mut tasks);
        self.then(tasks);
    }

    /// The `if` that is all that stands in the body of another one.
    fn only_branch(&self, at: usize) -> Option<usize> {
        let tree = self.tree;
        let body = tree.field(at, "consequence").next()?;
        if tree.kind(body) == "if_statement" {
            return Some(body);
        }
        let mut statements = tree
            .named(body)
            .filter(|statement| !self.is_hollow(*statement));
        let only = statements.next().filter(|_| statements.next().is_none())?;
        (tree.kind(only) == "if_statement").then_some(only)
    }

    /// One of the conditions that are asked for together.
    fn joined(&self, condition: usize, sign: &str) -> Vec<Task> {
        let inside = self.bare(condition);
        match self.operands(inside) {
            Some((_, "||" | "or", _)) if matches!(sign, "&&" | "and") => {
                in_parentheses(inside).to_vec()
            }
            _ => self.asked(condition, false),
        }
    }

    /// A comparison or its opposite.
    pub(crate) fn comparison(
        &self,
        at: usize,
        (a, sign, b): (usize, &str, usize),
        is_denied: bool,
    ) -> Vec<Task> {
        let (a, sign, b) = match sign {
            ">" => (b, "<", a),
            ">=" => (b, "<=", a),
            "<" => (a, "<", b),
            "<=" => (a, "<=", b),
            _ if self.weight(a) < self.weight(b) => (b, "==", a),
            _ => (a, "==", b),
        };
        let (a, sign, b) = match sign {
            "<" if is_denied => (b, "<=", a),
            "<=" if is_denied => (b, "<", a),
            _ => (a, sign, b),
        };
        vec![Task::Visit(a), Task::Emit(sign, at), Task::Visit(b)]
    }

    /// By which the sides of an equation are put in order: values come last.
    fn weight(&self, side: usize) -> usize {
        if self.is_constant(side) || is_value(self.tree.text_of(side)) {
            0
        } else {
            self.tree.size(self.bare(side))
        }
    }

    /// What is asked for in `!a`, `a == false` or `a != true`, and whether it is denied.
    fn weighed(&self, at: usize) -> Option<(usize, bool)> {
        let tree = self.tree;
        match tree.kind(at) {
            "not_operator" => return Some((tree.named(at).next()?, true)),
            "unary_expression" if tree.text_of(at).starts_with('!') => {
                return Some((tree.named(at).next()?, true));
            }
            "condition_clause" if tree.field(at, "initializer").next().is_none() => {
                return Some((tree.field(at, "value").next()?, false));
            }
            _ => {}
        }
        let (a, sign, b) = self.operands(at)?;
        let is_equal = match sign {
            "==" | "===" => true,
            "!=" | "!==" => false,
            _ => return None,
        };
        match (self.truth(a), self.truth(b)) {
            (None, Some(truth)) => Some((a, truth != is_equal)),
            (Some(truth), None) => Some((b, truth != is_equal)),
            _ => None,
        }
        .filter(|(part, _)| {
            // Remainders are compared with zero or with something else.
            let operation = self.operands(self.bare(*part));
            !operation.is_some_and(|(_, sign, _)| self.is_number(sign))
        })
    }

    /// The truth of a value that is spelled out.
    pub(crate) fn truth(&self, at: usize) -> Option<bool> {
        match self.tree.text_of(self.bare(at)) {
            "true" | "True" => Some(true),
            "false" | "False" => Some(false),
            "0" | "0x0" | "NULL" | "nullptr" | "'\\0'" if is_zero_false(self.language) => {
                Some(false)
            }
            _ => None,
        }
    }

    /// Whether an operation of C has a number that may be asked for.
    fn is_number(&self, sign: &str) -> bool {
        is_zero_false(self.language) && !is_comparison(sign) && !matches!(sign, "&&" | "||")
    }
}

fn is_comparison(sign: &str) -> bool {
    matches!(sign, "<" | ">" | "<=" | ">=" | "==" | "!=" | "===" | "!==")
}

fn in_parentheses(at: usize) -> [Task; 3] {
    [Task::Emit("(", at), Task::Visit(at), Task::Ungroup(at)]
}
