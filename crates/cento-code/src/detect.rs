//! Which language a file is written in, by its name and content.

use crate::Language;

/// See [`Language::of_file`].
pub(crate) fn of_file(name: &str, content: &str) -> Option<Language> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => by_extension(extension, content),
        _ => by_name(name).or_else(|| by_first_line(content)),
    }
}

fn by_extension(extension: &str, content: &str) -> Option<Language> {
    let language = match extension {
        // The only two whose case says something.
        "C" | "H" => Language::Cpp,
        _ => match extension.to_lowercase().as_str() {
            "h" if has_any(content, CPP_ONLY) => Language::Cpp,
            "h" if has_any(content, OBJECTIVE_C_ONLY) => return None,
            "c" | "h" => Language::C,
            "cpp" | "cc" | "cxx" | "c++" | "hpp" | "hh" | "hxx" | "h++" | "ino" | "ipp" | "tpp"
            | "cu" => Language::Cpp,
            "cs" | "csx" => Language::CSharp,
            "java" => Language::Java,
            "kt" | "kts" => Language::Kotlin,
            "py" | "pyw" | "pyi" | "pyx" => Language::Python,
            "js" | "mjs" | "cjs" | "jsx" => Language::JavaScript,
            // Translations of Qt and video streams have this extension too.
            "ts" | "rs" if is_markup(content) => return None,
            "ts" | "tsx" | "mts" | "cts" => Language::TypeScript,
            "rs" => Language::Rust,
            "go" => Language::Go,
            "rb" | "rake" | "gemspec" | "rbw" => Language::Ruby,
            "php" | "phtml" | "php3" | "php4" | "php5" | "php7" => Language::Php,
            "inc" if content.trim_start().starts_with("<?php") => Language::Php,
            "scala" => Language::Scala,
            "sc" if has_line(content, &["import ", "def ", "object ", "val ", "case "]) => {
                Language::Scala
            }
            "swift" => Language::Swift,
            "hs" => Language::Haskell,
            "r" if has_any(content, R_ONLY) => Language::R,
            "sql" | "ddl" | "psql" | "mysql" if has_statement(content) => Language::Sql,
            "sh" | "bash" | "ksh" | "zsh" | "bats" => Language::Bash,
            // Perl, Prolog, Objective-C, MATLAB and the rest have no grammar here; a script says in
            // its first line what it is.
            "pl" | "cgi" | "command" | "script" | "run" => return by_first_line(content),
            _ => return None,
        },
    };
    Some(language)
}

fn by_name(name: &str) -> Option<Language> {
    match name {
        "Rakefile" | "Gemfile" | "Vagrantfile" | "Podfile" => Some(Language::Ruby),
        "SConstruct" | "SConscript" | "wscript" => Some(Language::Python),
        ".bashrc" | ".bash_profile" | ".profile" | ".zshrc" | "PKGBUILD" => Some(Language::Bash),
        ".Rprofile" => Some(Language::R),
        _ => None,
    }
}

/// The interpreter that a first line such as `#!/usr/bin/env -S python3 -u` names.
fn by_first_line(content: &str) -> Option<Language> {
    let line = content.lines().next()?.strip_prefix("#!")?;
    let mut words = line
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .filter(|word| !word.starts_with('-') && !word.contains('='));
    let program = match words.next()? {
        "env" => words.next()?,
        program => program,
    };
    match program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" => Some(Language::Bash),
        "python" | "pypy" => Some(Language::Python),
        "node" | "nodejs" | "bun" => Some(Language::JavaScript),
        "deno" | "ts-node" | "tsx" => Some(Language::TypeScript),
        "ruby" | "jruby" => Some(Language::Ruby),
        "php" => Some(Language::Php),
        "Rscript" => Some(Language::R),
        "runhaskell" | "runghc" => Some(Language::Haskell),
        "scala" => Some(Language::Scala),
        "swift" => Some(Language::Swift),
        "kotlin" => Some(Language::Kotlin),
        _ => None,
    }
}

const CPP_ONLY: &[&str] = &[
    "namespace ",
    "template<",
    "template <",
    "std::",
    "public:",
    "private:",
    "protected:",
    "using ",
    "virtual ",
    "#include <string>",
    "#include <vector>",
    "#include <iostream>",
    "constexpr ",
    "operator",
];

const OBJECTIVE_C_ONLY: &[&str] = &["@interface", "@protocol", "#import "];

const R_ONLY: &[&str] = &["<-", "function(", "function (", "library(", "c("];

fn has_any(content: &str, signs: &[&str]) -> bool {
    signs.iter().any(|sign| content.contains(sign))
}

fn has_line(content: &str, starts: &[&str]) -> bool {
    content.lines().any(|line| {
        starts
            .iter()
            .any(|start| line.trim_start().starts_with(start))
    })
}

fn is_markup(content: &str) -> bool {
    let start = content.trim_start();
    start.starts_with("<?xml") || start.starts_with("<!DOCTYPE")
}

/// A line that starts as a statement of SQL does, which dumps of other programs do not.
fn has_statement(content: &str) -> bool {
    content.lines().any(|line| {
        let word = line.split_whitespace().next().unwrap_or_default();
        let word = word.trim_matches(|c: char| !c.is_ascii_alphabetic());
        SQL_STATEMENTS
            .iter()
            .any(|known| known.eq_ignore_ascii_case(word))
    })
}

const SQL_STATEMENTS: &[&str] = &[
    "select", "insert", "update", "delete", "create", "alter", "drop", "with", "begin", "grant",
    "truncate", "merge", "set", "use", "declare",
];

#[cfg(test)]
mod tests {
    use super::of_file;
    use crate::Language;

    #[track_caller]
    fn check(name: &str, content: &str, expected: Option<Language>) {
        assert_eq!(of_file(name, content), expected, "{name}");
    }

    #[test]
    fn extensions() {
        check("src/Main.java", "", Some(Language::Java));
        check("C:\\work\\a.PY", "", Some(Language::Python));
        check("a.C", "", Some(Language::Cpp));
        check("a.c", "", Some(Language::C));
        check("essay.txt", "for (;;) {}", None);
        check("notes.md", "", None);
        check("archive.tar.gz", "", None);
        check("Makefile", "all:\n\tcc a.c\n", None);
    }

    #[test]
    fn first_lines() {
        check("run", "#!/bin/sh\necho\n", Some(Language::Bash));
        check("run", "#!/usr/bin/env python3.11\n", Some(Language::Python));
        check(
            "run",
            "#!/usr/bin/env -S FOO=1 node --x\n",
            Some(Language::JavaScript),
        );
        check("tool.pl", "#!/usr/bin/perl\n", None);
        check("run", "#!\n", None);
        check(".bashrc", "", Some(Language::Bash));
        check("letter", "Dear reader", None);
        check("", "", None);
    }

    #[test]
    fn shared_extensions() {
        check("a.h", "int f(void);", Some(Language::C));
        check("a.h", "namespace a { class B; }", Some(Language::Cpp));
        check("a.h", "@interface A\n@end", None);
        check("a.m", "x = [1 2];", None);
        check("a.r", "x <- c(1, 2)", Some(Language::R));
        check("a.r", "REBOL [Title: \"x\"]", None);
        check("a.sql", "-- x\nSELECT 1;", Some(Language::Sql));
        check("a.sql", "nothing of the kind", None);
        check("a.ts", "<?xml version=\"1.0\"?>", None);
        check("a.ts", "let a: number = 1", Some(Language::TypeScript));
    }
}
