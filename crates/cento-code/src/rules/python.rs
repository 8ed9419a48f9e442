//! Python.

use super::Rule::{self, Drop, Open, Subroutine};

pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "import_statement" | "import_from_statement" | "future_import_statement" => Drop,
        "function_definition" => Subroutine,
        _ => Open,
    }
}
