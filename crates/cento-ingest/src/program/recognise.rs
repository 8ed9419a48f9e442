//! Which files are programs.

use cento_code::Language;

/// The name of the language of a file, if it is a program: by its name, or its content where the name
/// does not tell.
pub fn language_of(name: &str, content: &str) -> Option<&'static str> {
    let file = name.rsplit('/').next().unwrap_or_default();
    match Language::of_file(file, content) {
        Some(language) => Some(language.name()),
        None => without_grammar(file),
    }
}

/// Languages that have no grammar here: their programs are compared by one lexer for all.
fn without_grammar(file: &str) -> Option<&'static str> {
    let lower = file.to_ascii_lowercase();
    if matches!(lower.as_str(), "makefile" | "gnumakefile") {
        return Some("make");
    }
    let (_, end) = lower.rsplit_once('.')?;
    Some(match end {
        "mk" | "mak" => "make",
        "pl" | "pm" => "perl",
        "lua" => "lua",
        "pas" | "dpr" => "pascal",
        "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" => "fortran",
        "adb" | "ads" => "ada",
        "asm" | "s" => "assembly",
        "bas" | "vb" | "vbs" => "basic",
        "ps1" | "psm1" => "powershell",
        "dart" => "dart",
        "jl" => "julia",
        "ml" | "mli" => "ocaml",
        "fs" | "fsx" => "f#",
        "clj" => "clojure",
        "lisp" | "lsp" | "el" | "scm" | "rkt" => "lisp",
        "erl" => "erlang",
        "ex" | "exs" => "elixir",
        "groovy" => "groovy",
        "zig" => "zig",
        "nim" => "nim",
        "vhd" | "vhdl" => "vhdl",
        "sv" => "verilog",
        "tcl" => "tcl",
        "awk" => "awk",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::language_of;

    #[test]
    fn names_tell_and_prose_is_none() {
        for (name, expected) in [
            ("a/b/Sorting.java", Some("java")),
            ("a/Makefile", Some("make")),
            ("tools.mk", Some("make")),
            ("legacy.F90", Some("fortran")),
            ("essay.txt", None),
            ("notes", None),
        ] {
            assert_eq!(language_of(name, "text"), expected, "{name}");
        }
    }
}
