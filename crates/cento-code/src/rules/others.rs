//! Languages whose normal form is that of their lexemes. Grammars name the same things alike.

use super::{
    Rule::{self, Drop, Open, Subroutine},
    Step::All,
};

pub(super) fn rule(kind: &str) -> Rule {
    match kind {
        "annotation"
        | "attribute_item"
        | "attribute_list"
        | "file_annotation"
        | "import"
        | "import_declaration"
        | "import_header"
        | "import_list"
        | "imports"
        | "inner_attribute_item"
        | "modifier"
        | "modifiers"
        | "namespace_use_declaration"
        | "package_clause"
        | "package_header"
        | "php_tag"
        | "use_declaration"
        | "using_directive"
        | "visibility_modifier" => Drop,
        "constructor_declaration"
        | "create_function"
        | "create_procedure"
        | "function"
        | "function_declaration"
        | "function_definition"
        | "function_item"
        | "init_declaration"
        | "local_function_statement"
        | "method"
        | "method_declaration"
        | "method_definition"
        | "secondary_constructor"
        | "singleton_method" => Subroutine(&[All]),
        _ => Open,
    }
}
