//! What an expression or a simple statement reads and writes, as far as that is plain.

use std::collections::BTreeSet;

use super::source::{Dialect, Source};

/// What happens when something is evaluated.
#[derive(Debug, Default)]
pub(super) struct Effects<'a> {
    pub(super) reads: BTreeSet<&'a str>,
    pub(super) writes: BTreeSet<&'a str>,
    /// It may end in an exception.
    pub(super) may_fail: bool,
    /// It does something else, such as calling a function.
    pub(super) is_obscure: bool,
}

/// Arrays, objects and whatever pointers lead to: all of it is one place, with a name that no variable
/// has.
const MEMORY: &str = "*";

/// What is asked about a whole program again and again.
pub(super) struct Facts<'s, 'a> {
    source: &'s Source<'a>,
    /// Functions, classes and variables that it declares.
    declared: BTreeSet<&'a str>,
    /// Variables of C whose address is taken.
    addressed: BTreeSet<&'a str>,
    /// Whether it says what operators, fields or subscripts of its objects do.
    overloads: bool,
    /// Whether it says what its objects are as texts.
    describes: bool,
}

impl<'s, 'a> Facts<'s, 'a> {
    pub(super) fn of(source: &'s Source<'a>) -> Facts<'s, 'a> {
        let mut facts = Facts {
            source,
            declared: BTreeSet::new(),
            addressed: BTreeSet::new(),
            overloads: source.of_kinds(&["decorator"]).next().is_some(),
            describes: source.mentions(&["toString()"]),
        };
        for at in source.nodes() {
            match source.kind(at) {
                "function_definition" | "class_definition" | "class_declaration" => {
                    let Some(name) = source.field(at, "name") else {
                        continue;
                    };
                    let name = source.text(name);
                    facts.declared.insert(name);
                    let is_usual = matches!(name, "__init__" | "__str__" | "__repr__");
                    facts.overloads |= name.starts_with("__") && !is_usual;
                }
                "identifier" if use_of(source, at).is_written => {
                    facts.declared.insert(source.text(at));
                }
                "pointer_expression" if source.text(at).starts_with('&') => {
                    let inside = source.inside(at);
                    let names = inside.filter(|node| source.kind(*node) == "identifier");
                    facts.addressed.extend(names.map(|node| source.text(node)));
                }
                _ => {}
            }
        }
        facts
    }

    /// Whether operators of classes may do anything.
    pub(super) fn overloads(&self) -> bool {
        self.overloads
    }

    /// What a node and everything inside it does.
    pub(super) fn effects(&self, at: usize) -> Effects<'a> {
        let source = self.source;
        let mut effects = Effects::default();
        for node in source.inside(at) {
            if source.tree.nodes[node].named {
                effects.add(self, node);
            }
        }
        if source.dialect == Dialect::C {
            // In C a crash is a crash, whatever was computed before.
            effects.may_fail = false;
        }
        effects
    }
}

impl<'a> Effects<'a> {
    /// Whether it changes nothing.
    pub(super) fn is_pure(&self) -> bool {
        !self.is_obscure && self.writes.is_empty()
    }

    pub(super) fn writes_only_names(&self) -> bool {
        !self.writes.contains(MEMORY)
    }

    /// Whether neither writes what the other one reads or writes.
    pub(super) fn is_independent_of(&self, other: &Effects<'a>) -> bool {
        let disturbs = |one: &Effects<'a>, other: &Effects<'a>| {
            one.writes
                .iter()
                .any(|name| other.reads.contains(name) || other.writes.contains(name))
        };
        !self.is_obscure && !other.is_obscure && !disturbs(self, other) && !disturbs(other, self)
    }

    fn add(&mut self, facts: &Facts<'_, 'a>, at: usize) {
        let source = facts.source;
        let kind = source.kind(at);
        match kind {
            "identifier" | "field_identifier" => self.name(facts, at),
            "array_access"
            | "subscript_expression"
            | "subscript"
            | "field_access"
            | "field_expression"
            | "attribute" => self.memory(source, at),
            "pointer_expression" => {
                self.is_obscure |= source.text(at).starts_with('&');
                self.memory(source, at);
            }
            "call" | "call_expression" | "method_invocation" | "object_creation_expression" => {
                self.is_obscure |= !is_harmless_call(facts, at);
                self.reads.insert(MEMORY);
                self.may_fail = true;
            }
            "binary_expression" | "binary_operator" => self.operation(facts, at),
            "assignment_expression" | "augmented_assignment" => {
                let operator = source.field(at, "operator");
                let divides =
                    operator.is_some_and(|sign| source.text(sign).starts_with(['/', '%']));
                self.may_fail |= divides;
                // Python adds to a list in its place.
                if kind == "augmented_assignment" {
                    self.writes.insert(MEMORY);
                }
            }
            "cast_expression" => {
                let is_number = source.field(at, "type").is_some_and(|of| {
                    source.is(
                        of,
                        &["integral_type", "floating_point_type", "boolean_type"],
                    )
                });
                self.may_fail |= !is_number;
            }
            "array_creation_expression" => self.may_fail = true,
            "string" | "string_literal" => {
                let is_plain =
                    |part: usize| !source.is(part, &["interpolation", "string_interpolation"]);
                self.is_obscure |= !source.inside(at).all(is_plain);
                // Java asks what is joined to a text for a text of its own.
                self.is_obscure |= facts.describes && source.parent_is(at, &["binary_expression"]);
            }
            _ => self.is_obscure |= !HARMLESS.contains(&kind),
        }
    }

    /// A name that is read, written or both.
    fn name(&mut self, facts: &Facts<'_, 'a>, at: usize) {
        let source = facts.source;
        let name = source.text(at);
        let Some(parent) = source.parent(at) else {
            return;
        };
        // The name of a function or class that is called is no variable.
        if source.is(parent, &["call", "call_expression"]) && source.is_field(at, "function")
            || source.is(parent, &["method_invocation"]) && source.is_field(at, "name")
        {
            return;
        }
        let use_of = use_of(source, at);
        self.used(name, &use_of);
        // Pointers may lead to a variable whose address was taken.
        if facts.addressed.contains(name) {
            self.used(MEMORY, &use_of);
        }
    }

    fn used(&mut self, name: &'a str, use_of: &Use) {
        if use_of.is_written {
            self.writes.insert(name);
        }
        if use_of.is_read {
            self.reads.insert(name);
        }
    }

    fn memory(&mut self, source: &Source<'a>, at: usize) {
        let use_of = use_of(source, at);
        self.used(MEMORY, &use_of);
        let is_own = source.dialect == Dialect::Java
            && source
                .field(at, "object")
                .is_some_and(|object| source.kind(object) == "this");
        self.may_fail |= !is_own;
    }

    fn operation(&mut self, facts: &Facts<'_, 'a>, at: usize) {
        let source = facts.source;
        let operator = source.field(at, "operator").map(|sign| source.text(sign));
        if matches!(operator, Some("/" | "%" | "//" | "**")) {
            let by_number = source.field(at, "right").is_some_and(|right| {
                let text = source.text(right);
                text.starts_with(|c: char| c.is_ascii_digit())
                    && text.contains(|c| ('1'..='9').contains(&c))
            });
            self.may_fail |= !by_number;
        }
        self.is_obscure |= source.dialect == Dialect::Python && facts.overloads;
    }
}

/// How a name or a place is used.
struct Use {
    is_read: bool,
    is_written: bool,
}

/// Whether a node is the target of an assignment, or inside one.
fn use_of(source: &Source<'_>, at: usize) -> Use {
    let read = Use {
        is_read: true,
        is_written: false,
    };
    let Some(parent) = source.parent(at) else {
        return read;
    };
    match source.kind(parent) {
        "assignment_expression" | "assignment" if source.is_field(at, "left") => {
            let operator = source.field(parent, "operator");
            let is_plain = operator.is_none_or(|sign| source.text(sign) == "=");
            Use {
                is_read: !is_plain,
                is_written: true,
            }
        }
        "augmented_assignment" if source.is_field(at, "left") => Use {
            is_read: true,
            is_written: true,
        },
        "update_expression" => Use {
            is_read: true,
            is_written: true,
        },
        "variable_declarator" if source.is_field(at, "name") => Use {
            is_read: false,
            is_written: true,
        },
        "declaration" | "init_declarator" | "pointer_declarator" | "array_declarator"
            if source.is_field(at, "declarator") =>
        {
            Use {
                is_read: false,
                is_written: true,
            }
        }
        // What a target of several names or of parentheses is, its parts are.
        "pattern_list" | "tuple_pattern" | "parenthesized_expression" => use_of(source, parent),
        // The name of a field, or what the field is of.
        "field_access" | "field_expression" | "attribute"
            if source.is_field(at, "field") || source.is_field(at, "attribute") =>
        {
            use_of(source, parent)
        }
        _ => read,
    }
}

/// Calls of library functions that only compute.
fn is_harmless_call(facts: &Facts<'_, '_>, at: usize) -> bool {
    let source = facts.source;
    let called = |field: &str| source.field(at, field).map_or("", |part| source.text(part));
    let is_library = |name: &str| !facts.declared.contains(name);
    match source.dialect {
        Dialect::C => false,
        Dialect::Java if source.kind(at) == "method_invocation" => {
            called("object") == "Math" && PURE_MATH.contains(&called("name")) && is_library("Math")
        }
        Dialect::Java => {
            let class = called("type").split('<').next().unwrap_or_default();
            let parts = source.parts(at);
            let is_anonymous = parts.iter().any(|part| source.kind(*part) == "class_body");
            PURE_CLASSES.contains(&class) && is_library(class) && !is_anonymous
        }
        Dialect::Python => {
            let function = called("function");
            PURE_FUNCTIONS.contains(&function) && is_library(function) && !facts.overloads
        }
    }
}

const PURE_MATH: &[&str] = &[
    "abs", "max", "min", "sqrt", "pow", "floor", "ceil", "round", "sin", "cos", "tan", "log",
    "exp", "hypot",
];

const PURE_CLASSES: &[&str] = &[
    "ArrayList",
    "LinkedList",
    "HashMap",
    "TreeMap",
    "LinkedHashMap",
    "HashSet",
    "TreeSet",
    "ArrayDeque",
    "StringBuilder",
    "StringBuffer",
];

const PURE_FUNCTIONS: &[&str] = &["len", "abs", "float", "int", "bool"];

/// Nodes that do nothing themselves.
const HARMLESS: &[&str] = &[
    // Statements.
    "expression_statement",
    "local_variable_declaration",
    "declaration",
    "init_declarator",
    "variable_declarator",
    "pointer_declarator",
    "array_declarator",
    "assignment",
    "pattern_list",
    "tuple_pattern",
    "expression_list",
    "update_expression",
    // Expressions.
    "unary_expression",
    "unary_operator",
    "not_operator",
    "boolean_operator",
    "comparison_operator",
    "parenthesized_expression",
    "conditional_expression",
    "ternary_expression",
    "argument_list",
    "list",
    "tuple",
    "dictionary",
    "pair",
    "set",
    "slice",
    "array_initializer",
    "initializer_list",
    "dimensions",
    "dimensions_expr",
    "sizeof_expression",
    // Types.
    "primitive_type",
    "sized_type_specifier",
    "type_identifier",
    "integral_type",
    "floating_point_type",
    "boolean_type",
    "array_type",
    "generic_type",
    "type_arguments",
    "type_descriptor",
    "type_qualifier",
    "struct_specifier",
    // Values.
    "number_literal",
    "decimal_integer_literal",
    "hex_integer_literal",
    "octal_integer_literal",
    "binary_integer_literal",
    "decimal_floating_point_literal",
    "character_literal",
    "char_literal",
    "character",
    "escape_sequence",
    "string_fragment",
    "string_content",
    "string_start",
    "string_end",
    "concatenated_string",
    "integer",
    "float",
    "true",
    "false",
    "none",
    "null",
    "null_literal",
    "this",
    "comment",
    "line_comment",
    "block_comment",
];
