//! JavaScript, and what TypeScript has of it.

use super::Rule::{self, Drop, Open, Subroutine};

pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "import_statement" => Drop,
        "function_declaration" | "method_definition" | "generator_function_declaration" => {
            Subroutine
        }
        _ => Open,
    }
}
