//! Tokens depend on the grammars, so recipes must know when one changes.

use std::path::Path;

/// What the tokens of this revision come from.
const REVISION: u32 = 3;
const GRAMMARS: &[(&str, &str)] = &[
    ("tree-sitter", "0.27.1"),
    ("tree-sitter-bash", "0.25.1"),
    ("tree-sitter-c", "0.24.2"),
    ("tree-sitter-c-sharp", "0.23.5"),
    ("tree-sitter-cpp", "0.23.4"),
    ("tree-sitter-go", "0.25.0"),
    ("tree-sitter-haskell", "0.24.1"),
    ("tree-sitter-java", "0.23.5"),
    ("tree-sitter-javascript", "0.25.0"),
    ("tree-sitter-kotlin-ng", "1.1.0"),
    ("tree-sitter-php", "0.25.1"),
    ("tree-sitter-python", "0.25.0"),
    ("tree-sitter-r", "1.3.0"),
    ("tree-sitter-ruby", "0.23.1"),
    ("tree-sitter-rust", "0.24.2"),
    ("tree-sitter-scala", "0.26.4"),
    ("tree-sitter-sequel", "0.3.11"),
    ("tree-sitter-swift", "0.7.4"),
    ("tree-sitter-typescript", "0.23.2"),
];

#[test]
fn a_new_grammar_is_a_new_revision() {
    assert_eq!(
        cento_code::REVISION,
        REVISION,
        "bring the list of grammars up to date as well"
    );
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = std::fs::read_to_string(lock).unwrap();
    let locked: Vec<(&str, &str)> = lock
        .split("[[package]]")
        .filter_map(|package| Some((value(package, "name")?, value(package, "version")?)))
        // Only the types through which a grammar is handed to the parser.
        .filter(|(name, _)| name.starts_with("tree-sitter") && *name != "tree-sitter-language")
        .collect();
    assert_eq!(
        locked, GRAMMARS,
        "a grammar has changed: bump REVISION and list its version here"
    );
}

fn value<'a>(package: &'a str, key: &str) -> Option<&'a str> {
    package.lines().find_map(|line| {
        line.strip_prefix(key)?
            .strip_prefix(" = \"")?
            .strip_suffix('"')
    })
}
