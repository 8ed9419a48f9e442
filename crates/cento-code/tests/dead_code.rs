//! Statements that change nothing are no part of the normal form, and all others are.

#![allow(clippy::unwrap_used, reason = "a test")]

use cento_code::{Language, parse};

const C: Language = Language::C;
const JAVA: Language = Language::Java;
const JAVASCRIPT: Language = Language::JavaScript;
const PYTHON: Language = Language::Python;

fn structure(body: &str, language: Language) -> String {
    let text = match language {
        Language::Java => format!("class A {{ int f(int a, int b) {{ {body} }} }}"),
        Language::JavaScript => format!("function f(a, b) {{ {body} }}"),
        Language::Python => format!("def f(a, b):\n{body}\n"),
        _ => format!("int f(int a, int b) {{ {body} }}"),
    };
    let program = parse(&text, language).unwrap();
    let terms: Vec<&str> = program.terms_of(&program.structure).collect();
    terms.join(" ")
}

#[test]
fn what_is_never_looked_at_is_left_out() {
    for language in [C, Language::Cpp, JAVA] {
        let plain = structure("a += b; g(a); return a;", language);
        for with in [
            "int t = 7; a += b; g(a); return a;",
            "int t = 7; t = t * 3 + a; a += b; g(a); return a;",
            "a += b; int t = 7; if (t > 9) { t -= 2; } else { t++; } g(a); return a;",
            "a += b; int t = 7, u = 2; if (t + u < 9) { u = t - 1; } else { t = u; } g(a); return a;",
            "int t = 0; for (int i = 0; i < 9; i++) { t += i; } a += b; g(a); return a;",
            "int t = 0; while (t < a) { t++; } a += b; g(a); return a;",
            "int t = 7; a += b; if (t > 9) { g(b); } g(a); return a;",
            "a += b; if (1 > 2) { g(b); } g(a); while (2 * 3 == 7) g(a); return a;",
        ] {
            assert_eq!(structure(with, language), plain, "{language}: {with}");
        }
    }
    let plain = structure("a += b; g(a); return a;", JAVASCRIPT);
    for with in [
        "var t = 7; let u = t + a; a += b; g(a); return a;",
        "let t = 0; for (let i = 0; i < 9; i++) { t += i; } a += b; g(a); return a;",
        "const t = [1, `${b}`]; a += b; if (false) { g(b); } g(a); return a; g(b);",
    ] {
        assert_eq!(structure(with, JAVASCRIPT), plain, "{with}");
    }
    let plain = structure("  a += b\n  g(a)\n  return a", PYTHON);
    for with in [
        "  t = 7\n  a += b\n  t = t * 2 + a\n  g(a)\n  return a",
        "  t, u = 7, 2\n  u = t - 1 if t + u < 3 else t\n  a += b\n  g(a)\n  return a",
        "  a += b\n  t = 0\n  for i in range(9): t += i\n  g(a)\n  return a",
        "  a += b\n  g(a)\n  if False:\n    g(b)\n  return a\n  g(b)",
        "  t = 3\n  if t > 5:\n    g(b)\n  a += b\n  g(a)\n  return a",
    ] {
        assert_eq!(structure(with, PYTHON), plain, "{with}");
    }
    let conditional = "#if 0\ng(b);\n#endif\ng(a); return a;";
    assert_eq!(structure(conditional, C), structure("g(a); return a;", C));
}

#[test]
fn what_does_something_stays() {
    let without = [
        (C, "g(a); return a;"),
        (JAVA, "g(a); return a;"),
        (JAVASCRIPT, "g(a); return a;"),
        (PYTHON, "  g(a)\n  return a"),
    ];
    for (language, with) in [
        // Calls, and what others see.
        (C, "int t = h(); g(a); return a;"),
        (C, "b[0] = 1; g(a); return a;"),
        (C, "total = 1; g(a); return a;"),
        (C, "static int t = 0; t++; g(a); return a;"),
        (C, "volatile int t = 0; g(a); return a;"),
        (JAVA, "this.t = 1; g(a); return a;"),
        (JAVA, "int t = 1; Runnable r = () -> h(t); g(a); return a;"),
        (JAVA, "b = 1; g(a); return a;"),
        (JAVASCRIPT, "t = 1; g(a); return a;"),
        (PYTHON, "  global t\n  t = 1\n  g(a)\n  return a"),
        (PYTHON, "  t = 1\n  g(a)\n  h(locals())\n  return a"),
        // Loops that end only from inside, and branches that may be taken.
        (C, "while (1) { } g(a); return a;"),
        (C, "if (a > 2) { return b; } g(a); return a;"),
        (C, "int t = 1; h(&t); if (t > 2) { h(b); } g(a); return a;"),
        // What stands behind a jump may be jumped to.
        (C, "g(a); goto end; end: return a;"),
        // What a value that is looked at comes from.
        (JAVA, "int t = 2; int u = t * a; g(a + u); return a;"),
        (PYTHON, "  t = 2\n  for i in range(t): g(i)\n  return a"),
        (
            JAVASCRIPT,
            "let t = 2; const u = () => h(t); u(); g(a); return a;",
        ),
    ] {
        let plain = without.iter().find(|(of, _)| *of == language).unwrap().1;
        let (with_it, plain) = (structure(with, language), structure(plain, language));
        assert!(with_it.len() > plain.len(), "{language}: {with}: {with_it}");
    }
}

#[test]
fn a_name_means_the_variable_of_its_block() {
    let plain = structure("for (int i = 0; i < a; i++) { g(i); } return a;", JAVA);
    let with = "for (int i = 0; i < 9; i++) { } for (int i = 0; i < a; i++) { g(i); } return a;";
    assert_eq!(structure(with, JAVA), plain);
    let with = "{ int t = 1; t += a; } for (int i = 0; i < a; i++) { int t = i; g(t); } return a;";
    let without = "for (int i = 0; i < a; i++) { int t = i; g(t); } return a;";
    assert_eq!(structure(with, JAVA), structure(without, JAVA));
}

#[test]
fn macros_may_look_at_any_variable() {
    let text = "#define SHOW printf(\"%d\", t)\nint f(int a) { int t = 1; SHOW; return a; }";
    let program = parse(text, C).unwrap();
    let plain = "#define SHOW printf(\"%d\", t)\nint f(int a) { SHOW; return a; }";
    let plain = parse(plain, C).unwrap();
    assert!(program.structure.len() > plain.structure.len());
}

#[test]
fn branches_may_be_swapped_and_sides_of_an_equation_turned() {
    for (language, one, other) in [
        (
            JAVA,
            "if (a == 1) { g(a); } return b;",
            "if (1 == a) { g(a); } return b;",
        ),
        (
            C,
            "if (g(a) == b) { g(a); } return b;",
            "if (b == g(a)) { g(a); } return b;",
        ),
        (
            JAVA,
            "if (g(a)) { a++; } else { b++; } return b;",
            "if (!(g(a))) { b++; } else { a++; } return b;",
        ),
        (
            PYTHON,
            "  if a == b:\n    a += 1\n  else:\n    b += 1\n  return b",
            "  if not a != b:\n    a += 1\n  else:\n    b += 1\n  return b",
        ),
        (
            PYTHON,
            "  t = a * b\n  print(t)\n  return b",
            "  print(a * b)\n  return b",
        ),
    ] {
        assert_eq!(
            structure(one, language),
            structure(other, language),
            "{one}"
        );
    }
    for (language, one, other) in [
        (C, "for (;;) { g(a); }", "while (1) { g(a); }"),
        (C, "if (a == NULL) { g(b); }", "if (0 == a) { g(b); }"),
        (
            JAVA,
            "if (g(a)) { a++; } else if (h(a)) { b++; } else { g(b); }",
            "if (g(a)) { a++; } else { if (h(a)) { b++; } else { g(b); } }",
        ),
    ] {
        assert_eq!(
            structure(one, language),
            structure(other, language),
            "{one}"
        );
    }
    // Without another branch it matters whether something holds.
    let [one, other] = [
        "if (g(a)) { a++; } return a;",
        "if (!g(a)) { a++; } return a;",
    ];
    assert_ne!(structure(one, JAVA), structure(other, JAVA));
}
