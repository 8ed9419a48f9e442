//! C and C++.

use super::Rule::{self, Drop, Open, Subroutine};

pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "preproc_include"
        | "using_declaration"
        | "storage_class_specifier"
        | "type_qualifier"
        | "access_specifier" => Drop,
        "function_definition" => Subroutine,
        _ => Open,
    }
}
