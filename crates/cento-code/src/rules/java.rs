//! Java.

use super::Rule::{self, Drop, Open, Subroutine};

pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "import_declaration"
        | "package_declaration"
        | "modifiers"
        | "marker_annotation"
        | "annotation"
        | "throws" => Drop,
        "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
            Subroutine
        }
        _ => Open,
    }
}
