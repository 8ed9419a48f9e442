//! Fewer variables and declarations.

use super::callables::Callable;
use super::edit::{Change, Edit, Plan};
use super::source::{Dialect, Source};
use super::types::name_of;

/// `int a = b; return a;` becomes `return b;`, and `int a = 1; int b = 2;` becomes `int a = 1, b = 2;`.
pub(super) fn plan(source: &Source<'_>) -> Plan {
    let statements = source.statements();
    let mut changes = Vec::new();
    for at in &statements {
        let next = source.sibling_after(*at);
        let Some(next) = next.filter(|_| source.is_sound(*at) && source.is_in_sequence(*at)) else {
            continue;
        };
        let between = &source.whole()[source.end(*at)..source.start(next)];
        if !between.trim().is_empty() {
            continue;
        }
        changes.extend(returned(source, *at, next).or_else(|| merged(source, *at, next)));
    }
    Plan {
        changes,
        units: statements.len(),
    }
}

/// A variable that is returned at once and stands nowhere else.
fn returned(source: &Source<'_>, at: usize, next: usize) -> Option<Change> {
    if source.kind(next) != "return_statement" {
        return None;
    }
    let [used] = source.parts(next)[..] else {
        return None;
    };
    let callable = Callable::around(source, next)?;
    let (name, value, declares) = declared(source, at)?;
    let same = source.text(name);
    let places = source
        .inside(callable.at)
        .filter(|node| source.tree.is_leaf(*node) && source.text(*node) == same);
    let is_plain = source.kind(used) == "identifier"
        && source.text(used) == same
        && places.count() == 2
        && declares == callable.declares
        && !source.mentions(&["locals(", "eval(", "exec("])
        && source.is_first_in_line(source.start(next));
    is_plain.then(|| {
        Change::of_two(vec![Edit::replace(
            source.start(at)..source.end(used),
            format!("return {}", source.text(value)),
        )])
    })
}

/// The only variable of a declaration, its value, and what stands before its name.
fn declared(source: &Source<'_>, at: usize) -> Option<(usize, usize, String)> {
    match source.dialect {
        Dialect::Python => {
            let [assignment] = source.parts(at)[..] else {
                return None;
            };
            let name = source.field(assignment, "left")?;
            let value = source.field(assignment, "right")?;
            let is_plain = source.kind(assignment) == "assignment"
                && source.kind(name) == "identifier"
                && source.field(assignment, "type").is_none()
                && source.kind(value) != "assignment";
            is_plain.then(|| (name, value, String::new()))
        }
        Dialect::C | Dialect::Java => {
            let mut declarators = source.tree.field(at, "declarator");
            let (declarator, None) = (declarators.next()?, declarators.next()) else {
                return None;
            };
            let value = source.field(declarator, "value")?;
            let (name, _) = name_of(source, declarator);
            let name = name?;
            let has_more = source.inside(declarator).any(|node| {
                node < value
                    && source.is(
                        node,
                        &[
                            "array_declarator",
                            "function_declarator",
                            "dimensions",
                            "type_qualifier",
                        ],
                    )
            }) || source
                .parts(at)
                .iter()
                .any(|part| source.is(*part, &["storage_class_specifier", "modifiers"]))
                || source.is(value, &["initializer_list", "array_initializer"]);
            let declares: String = source.whole()[source.start(at)..source.start(name)].to_owned();
            (!has_more).then_some((name, value, declares))
        }
    }
}

/// Two declarations of one type.
fn merged(source: &Source<'_>, at: usize, next: usize) -> Option<Change> {
    let [first, second] = [at, next].map(|at| list(source, at));
    let ((of, _), (same, start)) = (first?, second?);
    (of == same).then(|| Change::of_two(vec![Edit::replace(source.end(at) - 1..start, ", ")]))
}

/// The type of a declaration of plain variables, and where the first of them stands.
fn list<'a>(source: &Source<'a>, at: usize) -> Option<(&'a str, usize)> {
    if !source.is(at, &["declaration", "local_variable_declaration"]) {
        return None;
    }
    let of = source.field(at, "type")?;
    let declarators: Vec<usize> = source.tree.field(at, "declarator").collect();
    let parts = source.parts(at);
    let is_plain = parts.len() == declarators.len() + 1
        && source.text(of) != "var"
        && source.field(of, "body").is_none()
        && source.text(at).ends_with(';')
        && declarators
            .iter()
            .all(|declarator| name_of(source, *declarator).1);
    let first = *declarators.first()?;
    is_plain.then(|| (source.text(of), source.start(first)))
}
