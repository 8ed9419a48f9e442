//! Different ways to write one thing have one normal form, and different things do not.

#![allow(clippy::unwrap_used, reason = "a test")]

use cento_code::{Language, parse};

fn structure(text: &str, language: Language) -> String {
    let program = parse(text, language).unwrap();
    let terms: Vec<&str> = program.terms_of(&program.structure).collect();
    terms.join(" ")
}

const C: Language = Language::C;
const CPP: Language = Language::Cpp;
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

/// Checks that every two of these bodies of a function of C have one form.
#[track_caller]
fn one_form(bodies: &[&str]) {
    let forms = bodies.iter().map(|body| {
        let text = format!("int f(int *a, int b) {{ {body} }}");
        structure(&text, C)
    });
    let forms: Vec<String> = forms.collect();
    for (form, body) in forms.iter().zip(bodies) {
        assert_eq!(form, &forms[0], "{body}");
    }
}

#[track_caller]
fn two_forms(one: &str, other: &str) {
    let [one, other] = [one, other].map(|body| structure(&java(body), JAVA));
    assert_ne!(one, other);
}

#[test]
fn pointers_are_arrays() {
    one_form(&["g(*(a + b));", "g(a[b]);", "g(*((a) + b));", "g(*&a[b]);"]);
    one_form(&["g(*(a + b - 1));", "g(a[b - 1]);"]);
    one_form(&["g(*(*(a + b) + c));", "g(a[b][c]);", "g(*(a[b] + c));"]);
    one_form(&["*a = 1;", "a[0] = 1;"]);
    one_form(&["g(&a[b], &a[0]);", "g(a + b, a);", "g(&*(a + b), a);"]);
    one_form(&["p->x = 1;", "(*p).x = 1;"]);
    one_form(&[
        "p[b].x = 1;",
        "(*(p + b)).x = 1;",
        "(p + b)->x = 1;",
        "(&p[b])->x = 1;",
    ]);
    one_form(&["(*p)->x = 1;", "(**p).x = 1;"]);
    one_form(&["g(b);", "(*g)(b);", "(**g)(b);"]);
    one_form(&["p = malloc(sizeof(int));", "p = (int *) malloc(sizeof *p);"]);
}

#[test]
fn nothing_is_false() {
    one_form(&[
        "if (!a) { g(b); }",
        "if (a == NULL) { g(b); }",
        "if (0 == a) { g(b); }",
    ]);
    one_form(&["while (a[b]) { b++; }", "while (a[b] != '\\0') { b++; }"]);
    one_form(&["return !g(a);", "return g(a) == 0;"]);
    one_form(&[
        "if (b % 2) { g(b); }",
        "if (b % 2 != 0) { g(b); }",
        "if (b % 2 == 1) { g(b); }",
    ]);
    one_form(&["if (b & 4) { g(b); }", "if ((b & 4) != 0) { g(b); }"]);
    one_form(&[
        "if (a && !b) { g(b); }",
        "if (a != NULL && b == 0) { g(b); }",
    ]);
    // Elsewhere, a number is not true or false, but what is either may be compared.
    two_forms("if (a == 0) { g(b); }", "if (!a) { g(b); }");
    for (language, one, other) in [
        (JAVA, "if (g(a) == true) { a++; }", "if (g(a)) { a++; }"),
        (JAVA, "if (g(a) == false) { a++; }", "if (!g(a)) { a++; }"),
        (JAVA, "if (!(a < b)) { a++; }", "if (a >= b) { a++; }"),
        (JAVA, "if (!!g(a)) { a++; }", "if (g(a)) { a++; }"),
    ] {
        assert_eq!(
            structure(&java(one), language),
            structure(&java(other), language),
            "{one}"
        );
    }
    two_forms("if (g(a) == true) { a++; }", "if (g(a) == false) { a++; }");
    let [one, other] = ["if a == True:\n  g(b)\n", "if a:\n  g(b)\n"];
    assert_eq!(structure(one, PYTHON), structure(other, PYTHON));
}

#[test]
fn conditions_in_each_other_are_asked_together() {
    let together = java("if (a < b && (a > 1 || b > 2)) { g(a); }");
    for apart in [
        "if (a < b) { if (a > 1 || b > 2) { g(a); } }",
        "if ((a < b)) if ((a > 1) || (b > 2)) g(a);",
        "if (a < b) { int t = 2; if (a > 1 || b > 2) { g(a); } }",
    ] {
        assert_eq!(structure(&java(apart), JAVA), structure(&together, JAVA));
    }
    two_forms(
        "if (a < b) { if (a > 1) { g(a); } else { a++; } }",
        "if (a < b && a > 1) { g(a); } else { a++; }",
    );
    two_forms(
        "if (a < b) { if (a > 1) { g(a); } b++; }",
        "if (a < b && a > 1) { g(a); b++; }",
    );
    let [one, other] = [
        "if a:\n  if b or c:\n    g(b)\n",
        "if a and (b or c):\n  g(b)\n",
    ];
    assert_eq!(structure(one, PYTHON), structure(other, PYTHON));
}

#[test]
fn a_choice_among_cases_is_a_row_of_conditions() {
    one_form(&[
        "if (b == 1) { g(b); } else if (b == 2 || b == 3) { h(b); } else { return 1; } g(a);",
        "switch (b) { case 1: g(b); break; case 2: case 3: h(b); break; default: return 1; } g(a);",
        "switch (b) { default: return 1; case 1: { g(b); break; } case 2: case 3: h(b); } g(a);",
    ]);
    one_form(&[
        "switch (g(b)) { case 'a': g(b); break; case 'b': h(b); }",
        "int c = g(b); if (c == 'a') { g(b); } else if (c == 'b') { h(b); }",
    ]);
    one_form(&[
        "switch (b) { case 0: return 5; case 1: return 6; }",
        "if (!b) { return 5; } else if (b == 1) { return 6; }",
    ]);
    for (one, other) in [
        (
            "switch (a) { case 1 -> g(a); case 2, 3 -> h(a); default -> { return 1; } }",
            "if (a == 1) { g(a); } else if (a == 2 || a == 3) { h(a); } else { return 1; }",
        ),
        (
            "switch (s) { case \"x\": return 1; case \"y\": return 2; default: return 3; }",
            "if (s.equals(\"x\")) { return 1; } else if (s.equals(\"y\")) { return 2; } else { return 3; }",
        ),
    ] {
        assert_eq!(structure(&java(one), JAVA), structure(&java(other), JAVA));
    }
    // One that goes on into the next one is no condition.
    two_forms(
        "switch (a) { case 1: g(a); case 2: h(a); }",
        "if (a == 1) { g(a); } else if (a == 2) { h(a); }",
    );
}

#[test]
fn a_name_for_a_value_is_the_value() {
    for (language, plain, named) in [
        (
            C,
            "int a[10]; int f(int b) { return b < 10 ? g(\"x\") : 0; }",
            vec![
                "#define N (5 * 2)\n#define X \"x\"\nint a[N]; int f(int b) { return b < N ? g(X) : EXIT_SUCCESS; }",
                "static const int n = 10; int a[10]; int f(int b) { return b < n ? g(\"x\") : 0; }",
                "enum { SIZE = 10 }; int a[SIZE]; int f(int b) { return b < SIZE ? g(\"x\") : 0; }",
            ],
        ),
        (
            CPP,
            "int f(int b) { std::cout << b * 10 << \"\\n\"; }",
            vec!["constexpr int n = 10; int f(int b) { cout << b * n << std::endl; }"],
        ),
        (
            JAVA,
            "class A { int f(int b) { return b < 10; } }",
            vec![
                "class A { private static final int N = 10; int f(int b) { return b < N; } }",
                "class A { int f(int b) { final int n = 10; return b < n; } }",
            ],
        ),
        (
            JAVASCRIPT,
            "function f(b) { return b < 10; }",
            vec!["const n = 10; function f(b) { return b < n; }"],
        ),
        (
            PYTHON,
            "def f(b):\n  return b < 10\n",
            vec!["N = 10\ndef f(b):\n  return b < N\n"],
        ),
    ] {
        for named in named {
            assert_eq!(
                structure(named, language),
                structure(plain, language),
                "{named}"
            );
        }
    }
    // What may change is no constant, and a parameter hides one.
    for (language, one, other) in [
        (PYTHON, "n = 10\nn += 1\ng(n)\n", "n = 10\nn += 1\ng(10)\n"),
        (
            PYTHON,
            "n = 10\ndef f():\n  global n\n  n = h()\ng(n)\n",
            "n = 10\ndef f():\n  global n\n  n = h()\ng(10)\n",
        ),
        (
            C,
            "const int n = 10; int f(int n) { return g(n); }",
            "const int n = 10; int f(int n) { return g(10); }",
        ),
        (
            C,
            "int n = 10; int f(int b) { return g(n); }",
            "int n = 10; int f(int b) { return g(10); }",
        ),
        (
            C,
            "#define N b + 1\nint f(int b) { return g(N); }",
            "#define N b + 1\nint f(int b) { return g(1); }",
        ),
    ] {
        assert_ne!(
            structure(one, language),
            structure(other, language),
            "{one}"
        );
    }
}
