//! Forms that look at what is inside: different ways to write one thing become one.

use crate::{
    rules::{OPERATIONS, Step},
    structure::{Reader, Task},
};

impl Reader<'_> {
    /// `int a = b` is `a = b`, and `int a` is nothing, so that it does not matter where a variable
    /// is declared.
    pub(crate) fn initial(&mut self, at: usize, name: &'static str, value: &'static str) {
        if self.tree.field(at, value).next().is_some() {
            self.form(at, &[Step::Field(name), Step::Emit("="), Step::Bare(value)]);
        }
    }

    /// `a = a + b` and `a = b + a` are `a += b`.
    pub(crate) fn assignment(&mut self, at: usize) {
        let tree = self.tree;
        let left = tree.field(at, "left").next();
        let right = tree.field(at, "right").next();
        // A declaration of Python without a value has no right side.
        let (Some(left), Some(right)) = (left, right) else {
            return;
        };
        let right = self.bare(right);
        let operator = tree
            .field(at, "operator")
            .next()
            .map_or("=", |sign| tree.text_of(sign));
        let (operator, right) = match self.operands(right) {
            Some((a, sign, b)) if operator == "=" && is_arithmetic(sign) => {
                if tree.text_of(a) == tree.text_of(left) {
                    (with_equals(sign), b)
                } else if tree.text_of(b) == tree.text_of(left) && !matches!(sign, "-" | "/" | "%")
                {
                    (with_equals(sign), a)
                } else {
                    ("=", right)
                }
            }
            _ => (known(operator), right),
        };
        let right = self.bare(right);
        self.then([
            Task::Visit(left),
            Task::Emit(operator, at),
            Task::Visit(right),
        ]);
    }

    pub(crate) fn increment(&mut self, at: usize) {
        let plus = self.tree.text_of(at).contains("++");
        let operator = if plus { "+=" } else { "-=" };
        self.form(at, &[Step::Nth(0), Step::Emit(operator), Step::Emit("0")]);
    }

    /// Parentheses around anything but operators change nothing.
    pub(crate) fn grouping(&mut self, at: usize) {
        let inside = self.bare(at);
        if inside == at {
            // Broken: it has nothing in it, or more than one thing.
            self.form(at, &[Step::All]);
        } else if self.operands(inside).is_some() {
            self.then([Task::Emit("(", at), Task::Visit(inside), Task::Ungroup(at)]);
        } else {
            self.then([Task::Visit(inside)]);
        }
    }

    /// `this.a` is `a`.
    pub(crate) fn member(&mut self, at: usize, object: &'static str, member: &'static str) {
        let own = self
            .tree
            .field(at, object)
            .any(|object| matches!(self.tree.text_of(object), "this" | "self"));
        if own {
            self.form(at, &[Step::Field(member)]);
        } else {
            self.form(at, &[Step::Field(object), Step::Field(member)]);
        }
    }

    /// `for a in range(b)` is `a = 0`, `while a < b`, and `a += 0` at the end.
    pub(crate) fn range(&mut self, at: usize) {
        let left = self.tree.field(at, "left").next();
        let Some((left, (first, last))) = left.zip(self.limits(at)) else {
            self.form(
                at,
                &[
                    Step::Emit("each"),
                    Step::Bare("right"),
                    Step::Emit("{"),
                    Step::Field("body"),
                    Step::Close,
                    Step::Else("alternative"),
                ],
            );
            return;
        };
        let body = self.tree.field(at, "body").map(Task::Visit);
        let tasks = [Task::Visit(left), Task::Emit("=", at)]
            .into_iter()
            .chain([first.map_or(Task::Emit("0", at), Task::Visit)])
            .chain([
                Task::Emit("while", at),
                Task::Visit(left),
                Task::Emit("<", at),
            ])
            .chain([Task::Visit(last), Task::Emit("{", at)])
            .chain(body)
            .chain([
                Task::Visit(left),
                Task::Emit("+=", at),
                Task::Emit("0", at),
                Task::Close(at),
            ])
            .collect::<Vec<_>>();
        self.then(tasks);
    }

    /// The first and last number of a loop over a range.
    fn limits(&self, at: usize) -> Option<(Option<usize>, usize)> {
        let tree = self.tree;
        let call = tree
            .field(at, "right")
            .next()
            .filter(|call| tree.kind(*call) == "call")?;
        let function = tree.field(call, "function").next()?;
        if !matches!(tree.text_of(function), "range" | "xrange") {
            return None;
        }
        let arguments = tree.field(call, "arguments").next()?;
        let mut arguments = tree.named(arguments);
        match (arguments.next()?, arguments.next()) {
            (last, None) => Some((None, last)),
            (first, Some(last)) => Some((Some(first), last)),
        }
    }

    /// A text that stands alone says what a program does; it does nothing.
    pub(crate) fn statement(&mut self, at: usize) {
        let mut inside = self.tree.named(at);
        if inside
            .next()
            .is_some_and(|child| self.tree.kind(child) == "string")
            && inside.next().is_none()
        {
            return;
        }
        self.form(at, &[Step::Named]);
    }

    /// What is inside parentheses, or what a temporary variable carries.
    pub(crate) fn bare(&self, at: usize) -> usize {
        let mut inside = at;
        loop {
            if let Some(value) = self.temporaries.values.get(&inside) {
                inside = *value;
                continue;
            }
            if self.tree.kind(inside) != "parenthesized_expression" {
                return inside;
            }
            let mut children = self.tree.named(inside);
            match (children.next(), children.next()) {
                (Some(only), None) => inside = only,
                _ => return inside,
            }
        }
    }

    /// The parts of an operation on two operands.
    pub(crate) fn operands(&self, at: usize) -> Option<(usize, &str, usize)> {
        let tree = self.tree;
        if !OPERATIONS.contains(&tree.kind(at)) {
            return None;
        }
        let mut children = tree.children(at);
        let (a, sign, b) = (children.next()?, children.next()?, children.next()?);
        children
            .next()
            .is_none()
            .then(|| (a, tree.text_of(sign), b))
    }

    /// The sign of such an operation.
    pub(crate) fn sign(&self, at: usize) -> Option<usize> {
        self.tree.children(at).nth(1)
    }
}

/// The operators that an assignment may include, and what they are in one.
const INCLUDED: &[(&str, &str)] = &[
    ("+", "+="),
    ("-", "-="),
    ("*", "*="),
    ("/", "/="),
    ("%", "%="),
    ("&", "&="),
    ("|", "|="),
    ("^", "^="),
    ("<<", "<<="),
    (">>", ">>="),
    (">>>", ">>>="),
    ("**", "**="),
    ("//", "//="),
    ("??", "??="),
    ("&&", "&&="),
    ("||", "||="),
    ("@", "@="),
    (":", ":="),
];

fn is_arithmetic(sign: &str) -> bool {
    INCLUDED.iter().any(|(plain, _)| *plain == sign)
}

fn with_equals(sign: &str) -> &'static str {
    INCLUDED
        .iter()
        .find(|(plain, _)| *plain == sign)
        .map_or("=", |(_, included)| included)
}

fn known(operator: &str) -> &'static str {
    INCLUDED
        .iter()
        .map(|(_, included)| *included)
        .find(|known| *known == operator)
        .unwrap_or("=")
}
