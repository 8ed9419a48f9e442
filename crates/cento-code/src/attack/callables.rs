//! What functions return.

use super::source::{Dialect, Source};

/// A function that returns a value, as far as a variable for that value can be declared.
pub(super) struct Callable {
    /// The function.
    pub(super) at: usize,
    /// What stands before the name of a variable for its value, such as `const char *`; nothing in
    /// Python.
    pub(super) declares: String,
}

impl Callable {
    /// The function around a `return`.
    pub(super) fn around(source: &Source<'_>, at: usize) -> Option<Callable> {
        let function = source.function(at)?;
        let declares = match (source.dialect, source.kind(function)) {
            (Dialect::Java, "method_declaration") => {
                if source.field(function, "dimensions").is_some() {
                    return None;
                }
                format!("{} ", source.text(source.field(function, "type")?))
            }
            (Dialect::C, "function_definition") => of_c(source, function)?,
            (Dialect::Python, "function_definition") => String::new(),
            _ => return None,
        };
        Some(Callable {
            at: function,
            declares,
        })
    }
}

fn of_c(source: &Source<'_>, function: usize) -> Option<String> {
    let mut declarator = source.field(function, "declarator")?;
    let mut declares = String::new();
    for part in source.parts(function) {
        if part >= declarator {
            break;
        }
        match source.kind(part) {
            "storage_class_specifier" => {}
            // A macro that stands before a type is taken for a part of it.
            "sized_type_specifier"
                if source
                    .field(part, "type")
                    .is_some_and(|of| source.kind(of) == "type_identifier") =>
            {
                return None;
            }
            "type_qualifier" | "primitive_type" | "sized_type_specifier" | "type_identifier" => {
                declares.push_str(source.text(part));
                declares.push(' ');
            }
            "struct_specifier" if source.field(part, "body").is_none() => {
                declares.push_str(source.text(part));
                declares.push(' ');
            }
            _ => return None,
        }
    }
    while source.kind(declarator) == "pointer_declarator" {
        declares.push('*');
        declarator = source.field(declarator, "declarator")?;
    }
    let name = source.field(declarator, "declarator")?;
    let is_usual = source.kind(declarator) == "function_declarator"
        && source.kind(name) == "identifier"
        && declares.trim() != "void";
    is_usual.then_some(declares)
}
