//! Different ways to write one thing have one normal form, and different things do not.

#![allow(clippy::unwrap_used, reason = "a test")]

use cento_code::{Language, parse};

fn structure(text: &str, language: Language) -> String {
    let program = parse(text, language).unwrap();
    let terms: Vec<&str> = program.terms_of(&program.structure).collect();
    terms.join(" ")
}

const C: Language = Language::C;
const JAVA: Language = Language::Java;
const JAVASCRIPT: Language = Language::JavaScript;
const PYTHON: Language = Language::Python;

fn java(body: &str) -> String {
    format!("class A {{ int f(int a, int b) {{ {body} }} }}")
}

#[test]
fn a_variable_that_is_only_returned_or_asked_for_is_its_value() {
    let inline = java("if (a < b) { return a * b; } return (a + b) * 2;");
    for disguised in [
        "boolean t = a < b; if (t) { return a * b; } return (a + b) * 2;",
        "if (a < b) { int t = a * b; return t; } int t = (a + b) * 2; return (t);",
        "boolean t; t = a < b; /* why */ if (t) { int u; u = a * b; return u; } return (a + b) * 2;",
    ] {
        assert_eq!(structure(&java(disguised), JAVA), structure(&inline, JAVA));
    }
    for (language, one, other) in [
        (
            C,
            "int f(int a) { int t = g(a); return t; }",
            "int f(int a) { return g(a); }",
        ),
        (
            C,
            "int f(int a) { int t = g(a), u = 2; return t; }",
            "int f(int a) { int t = g(a); int u = 2; return t; }",
        ),
        (
            JAVASCRIPT,
            "function f(a) { const t = g(a); return t; }",
            "function f(a) { return g(a); }",
        ),
        (
            PYTHON,
            "def f(a):\n    t = g(a)\n    return t\n",
            "def f(a):\n    return g(a)\n",
        ),
    ] {
        assert_eq!(
            structure(one, language),
            structure(other, language),
            "{one}"
        );
    }
}

#[test]
fn a_variable_that_is_used_otherwise_stays() {
    for (with, without) in [
        // Twice, later, in a loop, as a part, and one that others see.
        (
            "int t = a * b; if (t > a) { return t; } return b;",
            "if (a * b > a) { return a * b; } return b;",
        ),
        ("int t = a * b; b = 0; return t;", "b = 0; return a * b;"),
        (
            "boolean t = a < b; while (t) { a++; } return a;",
            "while (a < b) { a++; } return a;",
        ),
        ("int t = a * b; return t + 1;", "return a * b + 1;"),
        ("t = a * b; return t;", "return a * b;"),
    ] {
        assert_ne!(
            structure(&java(with), JAVA),
            structure(&java(without), JAVA),
            "{with}"
        );
    }
}

#[test]
fn what_is_computed_from_literals_is_a_literal() {
    for (language, one, other) in [
        (
            C,
            "int f() { return g(\"a\" \"b\", (13 - 3)); }",
            "int f() { return g(\"ab\", 10); }",
        ),
        (
            PYTHON,
            "print((\"a\" + \"b\"), (4 + 6) * 2)\n",
            "print(\"ab\", 0x14)\n",
        ),
        (JAVASCRIPT, "f(\"a\" + \"b\");", "f(\"ab\");"),
    ] {
        assert_eq!(
            structure(one, language),
            structure(other, language),
            "{one}"
        );
    }
    let (one, other) = (java("return a + (1 + 2);"), java("return a + 3;"));
    assert_eq!(structure(&one, JAVA), structure(&other, JAVA));
    let (one, other) = (java("return a + 1 + 2;"), java("return a;"));
    assert_ne!(structure(&one, JAVA), structure(&other, JAVA));
}
