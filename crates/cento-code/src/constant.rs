//! Values that a program spells out: `10`, `(4 + 6)`, `"ab"` and `"a" + "b"` are one thing, and so is a name
//! that is given such a value once and for all.

use std::collections::{HashMap, HashSet};

use crate::{
    Language,
    letters::{Lexeme, Lexer},
    rules::{OPERATIONS, SUBROUTINES},
    tree::Tree,
};

#[derive(Default)]
pub(crate) struct Constants {
    /// By node: whether it is a literal, or computed from nothing else.
    pub(crate) values: Vec<bool>,
    /// What gives a name its value.
    pub(crate) gone: HashSet<usize>,
}

/// Finds what is computed from literals alone, and the names of such values.
pub(crate) fn find(tree: &Tree<'_>, language: Language, lexer: &Lexer<'_>) -> Constants {
    let literals = computed(tree, lexer, &HashSet::new());
    let places = Places::of(tree);
    let mut given: HashMap<(usize, &str), Vec<Option<usize>>> = HashMap::new();
    for at in 0..tree.nodes.len() {
        let Some(Given { scope, giver }) = places.given(tree, language, &literals, at) else {
            continue;
        };
        for name in names_in(tree, at) {
            given.entry((scope, name)).or_default().push(giver);
        }
    }
    let is_once = |givers: &[Option<usize>]| {
        givers.iter().all(Option::is_some) && (givers.len() == 1 || language != Language::Python)
    };
    let gone = given.values().filter(|givers| is_once(givers));
    let gone = gone.flatten().flatten().copied().collect();
    let is_name = |at: &usize| {
        let name = tree.text_of(*at);
        let here = || {
            places
                .scopes(*at)
                .find_map(|scope| given.get(&(scope, name)))
        };
        match tree.kind(*at) {
            "identifier" => here().map_or(is_known(language, name), |givers| is_once(givers)),
            "qualified_identifier" => is_known(language, name),
            _ => false,
        }
    };
    let names = (0..tree.nodes.len()).filter(is_name).collect();
    Constants {
        values: computed(tree, lexer, &names),
        gone,
    }
}

/// Says of each node whether it is computed from literals and such names alone, or is one.
fn computed(tree: &Tree<'_>, lexer: &Lexer<'_>, names: &HashSet<usize>) -> Vec<bool> {
    let mut found = vec![false; tree.nodes.len()];
    // Parts come after the whole.
    for at in (0..tree.nodes.len()).rev() {
        let kind = tree.kind(at);
        found[at] = if OPERATIONS.contains(&kind)
            || matches!(kind, "concatenated_string" | "parenthesized_expression")
        {
            let mut parts = tree.named(at).peekable();
            parts.peek().is_some() && parts.all(|part| found[part])
        } else {
            names.contains(&at)
                || kind == "sizeof_expression"
                || matches!(lexer.lexeme(at), Some(Lexeme::Number | Lexeme::Quoted))
        };
    }
    found
}

/// Where names are given values.
struct Given {
    /// The subroutine that knows them, or zero.
    scope: usize,
    /// What can go if nothing else gives them one.
    giver: Option<usize>,
}

/// What is around each node.
struct Places {
    parents: Vec<usize>,
    /// The next subroutine around it, or zero.
    subroutines: Vec<usize>,
}

impl Places {
    fn of(tree: &Tree<'_>) -> Places {
        let mut parents = vec![0; tree.nodes.len()];
        let mut subroutines = vec![0; tree.nodes.len()];
        for at in 0..tree.nodes.len() {
            let is_subroutine = SUBROUTINES.contains(&tree.kind(at));
            let around = if is_subroutine { at } else { subroutines[at] };
            for child in tree.children(at) {
                parents[child] = at;
                subroutines[child] = around;
            }
        }
        Places {
            parents,
            subroutines,
        }
    }

    /// Where a name at a node may be known, the nearest first.
    fn scopes(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let outer = |scope: &usize| (*scope > 0).then(|| self.subroutines[*scope]);
        std::iter::successors(Some(self.subroutines[at]), outer).take(MAX_SCOPES)
    }

    /// Whether a node gives the names in it a value, and whether it is one that is spelled out and
    /// stays: `#define N 10`, `const int N = 10`, an enumeration of C, and `N = 10` in a module of Python.
    fn given(
        &self,
        tree: &Tree<'_>,
        language: Language,
        literals: &[bool],
        at: usize,
    ) -> Option<Given> {
        let parent = self.parents[at];
        let mut scope = self.subroutines[at];
        let value = |field| tree.field(at, field).next();
        let is_literal = |field| value(field).is_some_and(|value| literals[value]);
        let giver = match tree.kind(at) {
            "preproc_def" => {
                scope = 0;
                let text = value("value").map_or("", |value| tree.text_of(value));
                is_spelled_out(text).then_some(at)
            }
            "enumerator" => Some(at),
            "init_declarator" | "variable_declarator" => {
                (is_literal("value") && is_final(tree, parent)).then_some(at)
            }
            "assignment" if language == Language::Python => {
                let is_in_module = tree.kind(self.parents[parent]) == "module";
                (is_literal("right") && is_in_module).then_some(parent)
            }
            "global_statement" => {
                scope = 0;
                None
            }
            kind if GIVING.contains(&kind) => None,
            _ => return None,
        };
        Some(Given { scope, giver })
    }
}

/// More subroutines than this inside of each other are not looked at.
const MAX_SCOPES: usize = 16;

/// The names that such a node gives a value.
fn names_in<'a>(tree: &'a Tree<'_>, at: usize) -> impl Iterator<Item = &'a str> {
    let is_used = move |child| {
        USING
            .iter()
            .any(|field| tree.field(at, field).any(|it| it == child))
    };
    let names = tree
        .children(at)
        .filter(|child| tree.kind(*child) == "identifier");
    names
        .filter(move |child| !is_used(*child))
        .map(|name| tree.text_of(name))
}

/// Other nodes that give the names in them a value.
const GIVING: &[&str] = &[
    "array_declarator",
    "as_pattern_target",
    "augmented_assignment",
    "catch_formal_parameter",
    "declaration",
    "default_parameter",
    "delete_statement",
    "dotted_name",
    "enhanced_for_statement",
    "for_in_clause",
    "for_in_statement",
    "for_range_loop",
    "for_statement",
    "formal_parameter",
    "formal_parameters",
    "function_declarator",
    "function_definition",
    "inferred_parameters",
    "lambda_parameters",
    "list_pattern",
    "named_expression",
    "optional_parameter",
    "parameter_declaration",
    "parameters",
    "pattern_list",
    "pointer_declarator",
    "preproc_function_def",
    "preproc_params",
    "reference_declarator",
    "required_parameter",
    "tuple_pattern",
    "typed_default_parameter",
    "typed_parameter",
];

/// What such nodes only look at.
const USING: &[&str] = &[
    "condition",
    "default_value",
    "right",
    "size",
    "update",
    "value",
];

/// Whether the variables of a declaration keep their values.
fn is_final(tree: &Tree<'_>, declaration: usize) -> bool {
    tree.children(declaration).any(|part| {
        let words = || tree.text_of(part).split_whitespace();
        match tree.kind(part) {
            "modifiers" => words().any(|word| word == "final"),
            "type_qualifier" => words().any(|word| matches!(word, "const" | "constexpr")),
            kind => kind == "const",
        }
    })
}

/// Whether the text of a macro is a literal, or computed from some.
fn is_spelled_out(text: &str) -> bool {
    let text = text.trim();
    let is_quoted = |quote: char| {
        let inside = text
            .strip_prefix(quote)
            .and_then(|text| text.strip_suffix(quote));
        inside.is_some_and(|inside| !inside.contains(quote))
    };
    let mut words = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .peekable();
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    is_quoted('"') || is_quoted('\'') || words.peek().is_some() && words.all(is_number)
}

/// Whether C and C++ have a name for a value.
fn is_known(language: Language, name: &str) -> bool {
    const KNOWN: &[&str] = &["EOF", "EXIT_FAILURE", "EXIT_SUCCESS", "endl"];
    let name = name.rsplit("::").next().unwrap_or_default();
    matches!(language, Language::C | Language::Cpp) && KNOWN.contains(&name)
}
