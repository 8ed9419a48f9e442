//! Pointers of C: `*(a + i)` is `a[i]`, `*a` is `a[0]`, `&a[i]` is `a + i`, `(*p).x` is `p->x`, `(*f)(x)` is
//! `f(x)`, and `*&a` is `a`.

use crate::structure::{Reader, Task};

impl Reader<'_> {
    pub(crate) fn pointer(&mut self, at: usize) {
        let tasks = match self.pointed(at) {
            Some(("*", address)) => self.target(address),
            Some((_, target)) => self.address(at, target),
            None => self.tree.children(at).map(Task::Visit).collect(),
        };
        self.then(tasks);
    }

    /// A member of a structure, by its name or by a pointer to it.
    pub(crate) fn selection(&mut self, at: usize) {
        let tree = self.tree;
        let (Some(object), Some(sign)) = (
            tree.field(at, "argument").next(),
            tree.field(at, "operator").next(),
        ) else {
            return self.member(at, "argument", "field");
        };
        let mut object = self.bare(object);
        let mut is_address = tree.text_of(sign) == "->";
        while let Some((sign, inside)) = self.pointed(object)
            && (sign == "*") != is_address
        {
            object = inside;
            is_address = !is_address;
        }
        let mut tasks = match self.sum(object) {
            Some(_) if is_address => self.target(object),
            _ if tree.text_of(object) == "this" => Vec::new(),
            _ => vec![Task::Visit(object)],
        };
        tasks.extend(tree.field(at, "field").map(Task::Visit));
        self.then(tasks);
    }

    pub(crate) fn call(&mut self, at: usize) {
        let tree = self.tree;
        let Some(mut function) = tree.field(at, "function").next() else {
            return self.then(tree.children(at).map(Task::Visit));
        };
        while let Some(("*", inside)) = self.pointed(self.bare(function)) {
            function = inside;
        }
        let arguments = tree.field(at, "arguments").map(Task::Visit);
        self.then([Task::Visit(function)].into_iter().chain(arguments));
    }

    /// What is at an address.
    fn target(&self, address: usize) -> Vec<Task> {
        if let Some(("&", inside)) = self.pointed(address) {
            return vec![Task::Visit(inside)];
        }
        let (base, index) = match self.sum(address) {
            Some((base, index)) => (base, index),
            None => (address, vec![Task::Emit("0", address)]),
        };
        let mut tasks = vec![Task::Visit(base), Task::Emit("[", base)];
        tasks.extend(index);
        tasks
    }

    /// The address of what is at a place.
    fn address(&self, at: usize, target: usize) -> Vec<Task> {
        let tree = self.tree;
        if let Some(("*", address)) = self.pointed(target) {
            return vec![Task::Visit(address)];
        }
        if let Some((base, index)) = self.element(target) {
            return match tree.text_of(index) {
                "0" => vec![Task::Visit(base)],
                _ => vec![Task::Visit(base), Task::Emit("+", at), Task::Visit(index)],
            };
        }
        vec![Task::Emit("&", at), Task::Visit(target)]
    }

    /// The sign of `*a` or `&a`, and what it stands before.
    fn pointed(&self, at: usize) -> Option<(&str, usize)> {
        let tree = self.tree;
        let sign = tree.field(at, "operator").next()?;
        let inside = tree.field(at, "argument").next()?;
        (tree.kind(at) == "pointer_expression").then(|| (tree.text_of(sign), self.bare(inside)))
    }

    /// The array and the index of `a[i]`.
    fn element(&self, at: usize) -> Option<(usize, usize)> {
        let tree = self.tree;
        let array = tree.field(at, "argument").next()?;
        // C++ has a list of them.
        let listed = |list| tree.named(list).next();
        let indices = || tree.field(at, "indices").find_map(listed);
        let index = tree.field(at, "index").next().or_else(indices)?;
        (tree.kind(at) == "subscript_expression").then(|| (array, self.bare(index)))
    }

    /// The first of several summands, and what is added to it.
    fn sum(&self, at: usize) -> Option<(usize, Vec<Task>)> {
        let (mut base, mut summands) = (at, Vec::new());
        while let Some((a, sign @ ("+" | "-"), b)) = self.operands(base) {
            summands.push((sign, b));
            base = self.bare(a);
        }
        let ((first, index), others) = summands.split_last()?;
        let mut tasks = match *first {
            "+" if others.is_empty() => vec![Task::Visit(self.bare(*index))],
            "+" => vec![Task::Visit(*index)],
            _ => vec![Task::Emit("-", *index), Task::Visit(*index)],
        };
        for (sign, summand) in others.iter().rev() {
            let sign = if *sign == "+" { "+" } else { "-" };
            tasks.extend([Task::Emit(sign, *summand), Task::Visit(*summand)]);
        }
        Some((base, tasks))
    }
}
