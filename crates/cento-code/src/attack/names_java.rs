//! The names of a program in Java.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{Declaration, Declarations, Places, What, declare};
use super::source::Source;
use super::types::Types;

pub(super) fn declarations<'a>(source: &Source<'a>) -> Declarations<'a> {
    let mut all = Declarations::new();
    for at in source.of_kinds(&["identifier", "type_identifier"]) {
        if let Some((what, scope)) = declared(source, at) {
            declare(source, &mut all, at, what, scope);
        }
    }
    all
}

/// What a name is declared as here, if it is, and for which part of the program.
fn declared(source: &Source<'_>, at: usize) -> Option<(What, usize)> {
    let parent = source.parent(at)?;
    let home = source.parent(parent)?;
    let is_name = source.is_field(at, "name");
    match source.kind(parent) {
        "variable_declarator" if is_name => match source.kind(home) {
            "local_variable_declaration" => Some((What::Local, source.parent(home)?)),
            "field_declaration" => Some((What::Variable, source.parent(home)?)),
            "spread_parameter" => Some((What::Local, source.parent(source.parent(home)?)?)),
            _ => Some((What::Fixed, 0)),
        },
        "formal_parameter" if is_name => {
            let around = source.parent(home)?;
            match source.kind(around) {
                "record_declaration" => Some((What::Fixed, 0)),
                _ => Some((What::Local, around)),
            }
        }
        "catch_formal_parameter" | "resource" if is_name => {
            let around = source.nearest(at, &["catch_clause", "try_with_resources_statement"])?;
            Some((What::Local, around))
        }
        "enhanced_for_statement" if is_name => Some((What::Local, parent)),
        "lambda_expression" if source.is_field(at, "parameters") => Some((What::Local, parent)),
        "inferred_parameters" => Some((What::Local, home)),
        "method_declaration" if is_name => Some((What::Function, home)),
        "class_declaration" if is_name => Some((What::Type, 0)),
        "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "annotation_type_declaration"
        | "enum_constant"
            if is_name =>
        {
            Some((What::Fixed, 0))
        }
        "type_parameter"
        | "instanceof_expression"
        | "type_pattern"
        | "record_pattern_component"
        | "labeled_statement"
            if source.kind(parent) != "instanceof_expression" || is_name =>
        {
            Some((What::Fixed, 0))
        }
        _ => None,
    }
}

/// The names that can be changed.
pub(super) fn free<'a>(
    source: &Source<'a>,
    declarations: &Declarations<'a>,
    places: &Places<'a>,
) -> Vec<&'a str> {
    let known = Known::of(source, declarations);
    let is_free = |name: &str| {
        let declared = &declarations[name];
        !KEPT.contains(&name)
            && declared.iter().all(|one| known.may_change(*one))
            && places[name].iter().all(|at| known.is_own(*at, declared))
    };
    declarations
        .keys()
        .copied()
        .filter(|name| is_free(name))
        .collect()
}

struct Known<'s, 'a> {
    source: &'s Source<'a>,
    types: Types<'s, 'a>,
    /// The classes and interfaces of the program by name.
    classes: BTreeMap<&'a str, usize>,
    /// All names of variables.
    variables: BTreeSet<&'a str>,
    /// Whether it is a program and not only a part of one.
    is_whole: bool,
    /// Whether it looks at itself.
    reflects: bool,
}

impl<'s, 'a> Known<'s, 'a> {
    fn of(source: &'s Source<'a>, declarations: &Declarations<'a>) -> Known<'s, 'a> {
        let mut classes = BTreeMap::new();
        for class in source.of_kinds(&["class_declaration", "interface_declaration"]) {
            if let Some(name) = source.field(class, "name") {
                classes.insert(source.text(name), class);
            }
        }
        let is_variable = |declared: &[Declaration]| {
            declared
                .iter()
                .any(|one| matches!(one.what, What::Local | What::Variable))
        };
        let variables = declarations.iter();
        let variables = variables
            .filter(|(_, declared)| is_variable(declared))
            .map(|(name, _)| *name)
            .collect();
        let is_main = |declaration: &Declaration| {
            source
                .parent(declaration.at)
                .is_some_and(|method| source.text(method).starts_with("public static void main"))
        };
        Known {
            source,
            types: Types::of(source),
            classes,
            variables,
            is_whole: declarations
                .get("main")
                .is_some_and(|declared| declared.iter().any(is_main)),
            reflects: source.mentions(&[
                "getClass",
                "forName",
                "getName",
                "getSimpleName",
                "getMethod",
                "getDeclared",
                ".class",
                "Serializable",
                "@Test",
                "@Json",
            ]),
        }
    }

    fn may_change(&self, declaration: Declaration) -> bool {
        let source = self.source;
        match declaration.what {
            What::Local => true,
            What::Variable => {
                let field = source.nearest(declaration.at, &["field_declaration"]);
                self.is_hidden(field) && !self.reflects
            }
            What::Function => {
                let method = source.parent(declaration.at);
                let body = declaration.scope;
                self.is_hidden(method)
                    && !self.reflects
                    && method.is_some_and(|method| self.overrides_nothing(method, body))
            }
            What::Type => {
                let Some(class) = source.parent(declaration.at) else {
                    return false;
                };
                // A class that is public or has a `main` is asked for by its name.
                let is_outer = source.parent_is(class, &["program"]);
                let is_asked_for = is_outer && self.has_modifier(class, "public")
                    || source.text(class).contains("void main");
                self.is_whole && !self.reflects && !is_asked_for && self.is_known(class)
            }
            What::Member | What::Fixed => false,
        }
    }

    /// Whether nobody else can see a member.
    fn is_hidden(&self, member: Option<usize>) -> bool {
        self.is_whole || member.is_some_and(|member| self.has_modifier(member, "private"))
    }

    fn has_modifier(&self, at: usize, modifier: &str) -> bool {
        let source = self.source;
        source.parts(at).iter().any(|part| {
            source.kind(*part) == "modifiers"
                && source
                    .tree
                    .children(*part)
                    .any(|one| source.text(one) == modifier)
        })
    }

    /// Whether a method is no other version of one from elsewhere.
    fn overrides_nothing(&self, method: usize, body: usize) -> bool {
        let source = self.source;
        let has_annotation = source
            .parts(method)
            .iter()
            .any(|part| source.kind(*part) == "modifiers" && source.text(*part).contains('@'));
        let class = source.parent(body);
        let class = class
            .filter(|class| source.is(*class, &["class_declaration", "interface_declaration"]));
        let is_static = self.has_modifier(method, "static") || self.has_modifier(method, "private");
        class.is_some_and(|class| is_static || self.is_known(class)) && !has_annotation
    }

    /// Whether everything that a class inherits is declared here, or is known to have no other methods
    /// than those that keep their names.
    fn is_known(&self, class: usize) -> bool {
        self.is_known_above(class, DEEPEST)
    }

    fn is_known_above(&self, class: usize, steps: usize) -> bool {
        steps > 0
            && self
                .supers(class)
                .iter()
                .all(|name| match self.classes.get(name) {
                    Some(other) => self.is_known_above(*other, steps - 1),
                    None => PLAIN_INTERFACES.contains(name),
                })
    }

    /// What a class extends and implements.
    fn supers(&self, class: usize) -> Vec<&'a str> {
        let source = self.source;
        let mut names = Vec::new();
        for part in source.parts(class) {
            if source.is(
                part,
                &["superclass", "super_interfaces", "extends_interfaces"],
            ) {
                let mut skip_to = 0;
                for node in source.inside(part) {
                    if node < skip_to {
                        continue;
                    }
                    match source.kind(node) {
                        // What a type is made with is not inherited from.
                        "type_arguments" => skip_to = source.inside(node).end,
                        "type_identifier" => names.push(source.text(node)),
                        _ => {}
                    }
                }
            }
        }
        names
    }

    /// Whether a class declares one of these itself or inherits it from a class of the program.
    fn declares(&self, class: usize, declared: &[Declaration], what: What, steps: usize) -> bool {
        let source = self.source;
        let body = source.field(class, "body");
        let is_here = declared
            .iter()
            .any(|one| one.what == what && Some(one.scope) == body);
        is_here
            || steps > 0
                && self.supers(class).iter().any(|name| {
                    self.classes
                        .get(name)
                        .is_some_and(|other| self.declares(*other, declared, what, steps - 1))
                })
    }

    /// Whether what is meant here is one of these declarations.
    fn is_own(&self, at: usize, declared: &[Declaration]) -> bool {
        let source = self.source;
        let Some(parent) = source.parent(at) else {
            return false;
        };
        if declared.iter().any(|one| one.at == at) {
            return true;
        }
        if source.around(at).any(|around| source.is(around, OUTSIDE)) {
            return false;
        }
        match source.kind(parent) {
            "scoped_type_identifier"
            | "labeled_statement"
            | "break_statement"
            | "continue_statement"
            | "method_reference" => false,
            "field_access" if source.is_field(at, "field") => {
                self.is_member(parent, declared, What::Variable)
            }
            "method_invocation" if source.is_field(at, "name") => {
                match source.field(parent, "object") {
                    Some(_) => self.is_member(parent, declared, What::Function),
                    None => self.is_visible(at, declared, What::Function),
                }
            }
            "constructor_declaration" if source.is_field(at, "name") => {
                declared.iter().any(|one| one.what == What::Type)
            }
            _ if source.kind(at) == "type_identifier" => {
                declared.iter().all(|one| one.what == What::Type)
            }
            _ => {
                self.is_visible(at, declared, What::Variable)
                    || declared.iter().all(|one| one.what == What::Type)
            }
        }
    }

    /// Whether the nearest thing of this name around a place is the program's own.
    fn is_visible(&self, at: usize, declared: &[Declaration], what: What) -> bool {
        let source = self.source;
        for around in source.around(at) {
            let is_declared = declared.iter().any(|one| {
                one.scope == around
                    && (one.what == what || one.what == What::Local && what == What::Variable)
            });
            if is_declared {
                return true;
            }
            if !source.is(
                around,
                &["class_body", "enum_body_declarations", "interface_body"],
            ) {
                continue;
            }
            let Some(class) = source.parent(around) else {
                return false;
            };
            if !source.is(class, &["class_declaration", "interface_declaration"]) {
                // What a class without a name inherits is not known.
                return false;
            }
            if self.declares(class, declared, what, DEEPEST) {
                return true;
            }
            if !self.is_known(class) {
                return false;
            }
        }
        false
    }

    /// Whether a member is asked of an object of a class of the program that has it.
    fn is_member(&self, access: usize, declared: &[Declaration], what: What) -> bool {
        let source = self.source;
        let Some(object) = source.field(access, "object") else {
            return false;
        };
        let class = match source.kind(object) {
            "this" => source
                .nearest(access, &["class_body"])
                .and_then(|body| source.parent(body))
                .filter(|class| source.kind(*class) == "class_declaration"),
            _ => self.class_of(object),
        };
        class.is_some_and(|class| self.declares(class, declared, what, DEEPEST))
    }

    /// The class of the program that an object has by its declaration.
    fn class_of(&self, object: usize) -> Option<usize> {
        let source = self.source;
        let of_variable = |name: &str| {
            let written = self.types.only(name)?;
            self.classes.get(written.split('<').next()?).copied()
        };
        match source.kind(object) {
            "identifier" => {
                let name = source.text(object);
                match self.classes.get(name) {
                    Some(class) if !self.variables.contains(name) => Some(*class),
                    _ => of_variable(name),
                }
            }
            "field_access" => {
                let of = source.field(object, "object")?;
                let field = source.field(object, "field")?;
                (source.kind(of) == "this").then(|| of_variable(source.text(field)))?
            }
            "array_access" => {
                let array = source.field(object, "array")?;
                let written = self.types.only(source.text(array))?;
                let element = written.strip_suffix("[]")?;
                self.classes.get(element).copied()
            }
            "object_creation_expression" => {
                let of = source.field(object, "type")?;
                let has_body = source
                    .parts(object)
                    .iter()
                    .any(|part| source.kind(*part) == "class_body");
                let class = self.classes.get(source.text(of)).copied();
                class.filter(|_| !has_body)
            }
            _ => None,
        }
    }
}

/// How many classes inherit from each other at most, as far as anybody looks.
const DEEPEST: usize = 8;

/// Where names are those of others.
const OUTSIDE: &[&str] = &[
    "import_declaration",
    "package_declaration",
    "annotation",
    "marker_annotation",
    "switch_label",
];

/// Interfaces whose methods all keep their names.
const PLAIN_INTERFACES: &[&str] = &[
    "Comparable",
    "Runnable",
    "Comparator",
    "Cloneable",
    "Iterable",
    "Object",
];

/// Methods that others call by their names.
const KEPT: &[&str] = &[
    "main",
    "toString",
    "equals",
    "hashCode",
    "clone",
    "finalize",
    "compareTo",
    "compare",
    "reversed",
    "thenComparing",
    "run",
    "iterator",
    "forEach",
    "spliterator",
    "wait",
    "notify",
    "length",
    "serialVersionUID",
];
