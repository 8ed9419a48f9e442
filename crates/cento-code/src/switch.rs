//! A choice among cases is a row of `if`s, unless a case goes on into the next one.

use crate::{
    Language,
    rules::JUMPS,
    structure::{Reader, Task},
};

/// A larger expression is asked for once, and its value has a name.
const MAX_SUBJECT: usize = 16;

/// What is done for some values.
struct Case {
    values: Vec<usize>,
    is_default: bool,
    statements: Vec<usize>,
}

impl Reader<'_> {
    pub(crate) fn switch(&mut self, at: usize) {
        let tree = self.tree;
        let subject = ["condition", "value"];
        let subject = subject
            .iter()
            .find_map(|field| tree.field(at, field).next());
        let Some(subject) = subject.map(|subject| self.subject(subject)) else {
            return;
        };
        let body = tree.field(at, "body").next();
        let Some(cases) = body.and_then(|body| self.cases(body)) else {
            let mut tasks = vec![Task::Emit("switch", at), Task::Visit(subject)];
            if let Some(body) = body {
                tasks.extend([Task::Emit("{", body), Task::Visit(body), Task::Close(body)]);
            }
            return self.then(tasks);
        };
        let (mut tasks, subject) = if self.is_simple(subject) {
            (Vec::new(), Some(subject))
        } else {
            let named = [
                Task::Emit("i", at),
                Task::Emit("=", at),
                Task::Visit(subject),
            ];
            (named.to_vec(), None)
        };
        let last = cases.len() - 1;
        for (number, case) in cases.iter().enumerate() {
            let place = case.values.first().or(case.statements.first());
            let place = place.copied().unwrap_or(at);
            if number > 0 {
                tasks.push(Task::Emit("else", place));
            }
            if !case.is_default {
                tasks.push(Task::Emit("if", place));
                tasks.extend(self.is_one_of(subject, &case.values, number < last));
            }
            tasks.push(Task::Emit("{", place));
            tasks.extend(case.statements.iter().copied().map(Task::Visit));
            tasks.push(Task::Close(
                case.statements.last().copied().unwrap_or(place),
            ));
        }
        self.then(tasks);
    }

    /// Asks for what the cases are about, or for the name that its value has.
    fn is_one_of(&self, subject: Option<usize>, values: &[usize], has_other: bool) -> Vec<Task> {
        let tree = self.tree;
        let mut tasks = Vec::new();
        for (number, &value) in values.iter().enumerate() {
            if number > 0 {
                tasks.push(Task::Emit("||", value));
            }
            let shown = subject.map_or(Task::Emit("i", value), Task::Visit);
            match subject {
                _ if self.truth(value) == Some(false) => {
                    if !has_other || values.len() > 1 {
                        tasks.push(Task::Emit("!", value));
                    }
                    tasks.push(shown);
                }
                _ if self.language == Language::Java && tree.kind(value) == "string_literal" => {
                    let equals = [shown, Task::Emit("i", value), Task::Emit("(", value)];
                    tasks.extend(equals);
                    tasks.extend([Task::Visit(value), Task::Emit(")", value)]);
                }
                Some(subject) => {
                    tasks.extend(self.comparison(value, (subject, "==", value), false));
                }
                None => tasks.extend([shown, Task::Emit("==", value), Task::Visit(value)]),
            }
        }
        tasks
    }

    fn is_simple(&self, subject: usize) -> bool {
        let does = |inside: usize| {
            let kind = self.tree.kind(inside);
            let effects = [
                "assignment",
                "call",
                "creation",
                "invocation",
                "new",
                "update",
            ];
            effects.iter().any(|effect| kind.contains(effect))
        };
        let size = self.tree.size(subject);
        size <= MAX_SUBJECT && !(subject..subject + size).any(does)
    }

    fn subject(&self, at: usize) -> usize {
        let inside = self.bare(at);
        match self.tree.field(inside, "value").next() {
            Some(value) if self.tree.kind(inside) == "condition_clause" => self.bare(value),
            _ => inside,
        }
    }

    /// The cases in their order, the default last; none if one goes on into another.
    fn cases(&self, body: usize) -> Option<Vec<Case>> {
        let (mut cases, mut default): (Vec<Case>, _) = (Vec::new(), None);
        let mut values = Vec::new();
        let mut parts = self.tree.named(body).peekable();
        while let Some(part) = parts.next() {
            let mut case = self.case(part)?;
            // One without statements goes on into the next one, as it should.
            if case.statements.is_empty() && !case.is_default {
                values.extend(case.values);
                continue;
            }
            if !self.ends(&mut case, part) && parts.peek().is_some() {
                return None;
            }
            values.append(&mut case.values);
            if case.is_default {
                values.clear();
                default = Some(case);
            } else {
                case.values = std::mem::take(&mut values);
                cases.push(case);
            }
        }
        cases.extend(default.filter(|case| !case.statements.is_empty()));
        (!cases.is_empty() && !cases[0].is_default).then_some(cases)
    }

    fn case(&self, part: usize) -> Option<Case> {
        let tree = self.tree;
        let mut case = Case {
            values: tree.field(part, "value").collect(),
            is_default: false,
            statements: Vec::new(),
        };
        match tree.kind(part) {
            "case_statement" | "switch_case" | "switch_default" => {
                case.is_default = case.values.is_empty();
                let statements = tree.named(part).filter(|it| !case.values.contains(it));
                case.statements = statements.collect();
            }
            "switch_block_statement_group" | "switch_rule" => {
                for inside in tree.named(part) {
                    if tree.kind(inside) == "switch_label" {
                        case.is_default |= tree.named(inside).next().is_none();
                        case.values.extend(tree.named(inside));
                    } else {
                        case.statements.push(inside);
                    }
                }
                let is_pattern = |value: &usize| matches!(tree.kind(*value), "guard" | "pattern");
                if case.values.iter().any(is_pattern) {
                    return None;
                }
            }
            _ => return None,
        }
        let statements = std::mem::take(&mut case.statements);
        let inside = statements.into_iter().flat_map(|statement| {
            let is_block = matches!(
                tree.kind(statement),
                "block" | "compound_statement" | "statement_block"
            );
            if is_block {
                tree.named(statement).collect()
            } else {
                vec![statement]
            }
        });
        case.statements = inside
            .filter(|statement| !self.is_hollow(*statement))
            .collect();
        Some(case)
    }

    /// Whether nothing after a case is done; what only says so is taken away.
    fn ends(&self, case: &mut Case, part: usize) -> bool {
        let tree = self.tree;
        let last = case.statements.last().map_or("", |last| tree.kind(*last));
        if last == "break_statement" {
            case.statements.pop();
        }
        tree.kind(part) == "switch_rule" || JUMPS.contains(&last)
    }
}
