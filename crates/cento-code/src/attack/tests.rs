use super::*;
use crate::Language::{C, Java, Python};

/// The program with everything touched that can be, by any of a few seeds.
fn attacked(language: Language, kind: Attack, text: &str) -> Vec<String> {
    (0..12)
        .map(|seed| attack(text, language, kind, 1.0, seed).expect("it parses"))
        .collect()
}

/// One of the seeds makes this of the program.
#[track_caller]
fn makes(language: Language, kind: Attack, text: &str, expected: &str) {
    let all = attacked(language, kind, text);
    assert!(all.iter().any(|one| one == expected), "{all:#?}");
}

/// The program is always changed, and always has these.
#[track_caller]
fn keeps(language: Language, kind: Attack, text: &str, parts: &[&str]) {
    for one in attacked(language, kind, text) {
        assert_ne!(one, text);
        for part in parts {
            assert!(one.contains(part), "{part:?} is not in {one}");
        }
    }
}

/// There is nothing that can be touched safely.
#[track_caller]
fn leaves(language: Language, kind: Attack, texts: &[&str]) {
    for text in texts {
        for one in attacked(language, kind, text) {
            assert_eq!(one, *text);
        }
    }
}

#[test]
fn names_round_trip() {
    for kind in Attack::ALL {
        assert_eq!(Attack::named(kind.name()), Some(kind));
        assert!(kind.sentence().ends_with('.'), "{kind}");
    }
    assert_eq!(Attack::named("swap"), None);
    let refused = attack("fn main() {}", Language::Rust, Attack::Rename, 1.0, 0);
    assert_eq!(refused, Err(Refusal::Unattackable(Language::Rust)));
}

#[test]
fn the_seed_decides() {
    let text = "int f(int a) {\n  int b = 1;\n  int c = 20;\n  return a + b * c;\n}\n".repeat(5);
    for kind in Attack::ALL {
        let made = |seed| attack(&text, C, kind, 0.5, seed).unwrap();
        assert_eq!(made(3), made(3), "{kind}");
        assert_eq!(attack(&text, C, kind, 0.0, 3).unwrap(), text, "{kind}");
    }
    let literals = |seed| attack(&text, C, Attack::Literals, 0.5, seed).unwrap();
    assert_ne!(literals(1), literals(2));
}

#[test]
fn odd_texts_do_no_harm() {
    for language in Attack::LANGUAGES {
        for kind in Attack::ALL {
            for text in [
                "",
                "\n",
                "é",
                "x",
                "if (",
                "/* \u{301}漢 */",
                "def",
                "\"",
                "for (;;) {",
            ] {
                let _ = attack(text, language, kind, 1.0, 1);
            }
        }
    }
}

#[test]
fn own_names_change() {
    let java = "class A {\n  private int size;\n  public static void main(String[] args) {\n    \
                A a = new A();\n    a.size = args.length;\n    System.out.println(a.size);\n  }\n}\n";
    keeps(
        Java,
        Attack::Rename,
        java,
        &["void main(String[] ", ".length", "System.out.println("],
    );
    for one in attacked(Java, Attack::Rename, java) {
        assert!(!one.contains("size"), "{one}");
    }
    let c = "#include <stdio.h>\n#define LIMIT limit\nint limit = 3;\nstatic int twice(int n) { return 2 * n; }\n\
             int main(void) { printf(\"%d\", twice(LIMIT)); return 0; }\n";
    keeps(
        C,
        Attack::Rename,
        c,
        &["int limit = 3", "int main(void)", "printf("],
    );
    for one in attacked(C, Attack::Rename, c) {
        assert!(!one.contains("twice"), "{one}");
    }
    let python = "import math\ndef area(radius, scale=1):\n    whole = math.pi * radius ** 2\n    \
                  return whole * scale\nprint(area(2, scale=3))\n";
    keeps(
        Python,
        Attack::Rename,
        python,
        &["math.pi", "scale=3", "print("],
    );
    for one in attacked(Python, Attack::Rename, python) {
        assert!(!one.contains("radius") && !one.contains("area"), "{one}");
    }
}

#[test]
fn names_that_others_know_stay() {
    leaves(
        Java,
        Attack::Rename,
        &[
            "public class A { public int size; public void add() { } }",
            "import java.util.*; class B { static void add() {} public static void main(String[] \
             length) { new ArrayList<Integer>().add(length.length); add(); } }",
            "class C implements Runnable { public void run() {} public static void main(String... \
             length) {} }",
            "enum D { ONE, TWO }",
            "class E { public static void main(String... length) { new Thread() { { start(); } }; } \
             static void start() {} }",
        ],
    );
    leaves(
        C,
        Attack::Rename,
        &[
            "int add(int, int);\nint sub(void) { return add(1, 2); }\n",
            "#include \"own.h\"\nint sub(void) { return 1; }\nint main(void) { return sub(); }\n",
            "extern int count;\nint main(void) { return count; }\n",
        ],
    );
    leaves(
        Python,
        Attack::Rename,
        &[
            "def area(radius):\n    return radius\n",
            "class A:\n    pass\n",
            "x = 1\nprint(f\"{x=}\")\n",
            "def f(x):\n    return eval('x')\nprint(f(1))\n",
        ],
    );
}

#[test]
fn functions_move() {
    makes(
        Java,
        Attack::ReorderFunctions,
        "class A {\n  int a() { return 1; }\n  int x = 2;\n  // second\n  int b() { return 2; }\n}\n",
        "class A {\n  // second\n  int b() { return 2; }\n  int x = 2;\n  int a() { return 1; }\n}\n",
    );
    makes(
        C,
        Attack::ReorderFunctions,
        "static int a(int n) { return n; }\nint b(void) { return a(1); }\n",
        "static int a(int n);\nint b(void) { return a(1); }\nstatic int a(int n) { return n; }\n",
    );
    makes(
        Python,
        Attack::ReorderFunctions,
        "def a():\n    return 1\n\n\ndef b():\n    return a()\n",
        "def b():\n    return a()\n\n\ndef a():\n    return 1\n",
    );
    leaves(
        Python,
        Attack::ReorderFunctions,
        &[
            "def a():\n    return 1\nx = a()\ndef b():\n    return x\n",
            "def a():\n    return 1\ndef b(n=a()):\n    return n\n",
            "def a():\n    return 1\ndef a():\n    return 2\n",
            "@cache\ndef a():\n    return 1\n@cache\ndef b():\n    return 2\n",
        ],
    );
    leaves(
        C,
        Attack::ReorderFunctions,
        &["int a(void) { return 1; }\nint x;\nint b(void) { return x; }\n"],
    );
}

#[test]
fn independent_statements_swap() {
    makes(
        C,
        Attack::ReorderStatements,
        "void f(void) {\n  int a = 1;\n  int b = 2;\n}\n",
        "void f(void) {\n  int b = 2;\n  int a = 1;\n}\n",
    );
    makes(
        Python,
        Attack::ReorderStatements,
        "low = 0\nhigh = 10\n",
        "high = 10\nlow = 0\n",
    );
    leaves(
        Java,
        Attack::ReorderStatements,
        &[
            "class A { void f() { int a = 1; int b = a; } }",
            "class A { void f(int a) { a = 1; a += 2; } }",
            "class A { void f() { int a = g(); int b = h(); } }",
            "class A { void f(int[] a, int[] b) { a[0] = 1; b[0] = 2; } }",
            "class A { int x; void f(A o) { x = 1; o.x = 2; } }",
            "class A { int x; void f(int[] a) { x = 1; int b = a[9]; } }",
            "class A { void f(int[] a) { int x; try { x = 1; int b = a[9]; } catch (Exception e) { } } }",
            "class A { void f() { int a = 1; return; } }",
        ],
    );
    leaves(
        C,
        Attack::ReorderStatements,
        &[
            "void f(int *p) { int a = 1; *p = a; }",
            "void f(void) { int a; int *p = &a; a = 1; *p = 2; }",
            "void f(int n) { int m = n; int a[m]; }",
        ],
    );
    leaves(
        Python,
        Attack::ReorderStatements,
        &[
            "a = b\nb = a\n",
            "a = input()\nb = input()\n",
            "a = x[1]\nb = x[2]\n",
        ],
    );
}

#[test]
fn dead_code_comes_before_statements() {
    keeps(
        Java,
        Attack::DeadCode,
        "class A {\n  A() {\n    super();\n    f();\n  }\n}\n",
        &["{\n    super();\n    ", "    f();\n  }\n}\n"],
    );
    keeps(
        Python,
        Attack::DeadCode,
        "import os\n\n\ndef f():\n    \"\"\"Says so.\"\"\"\n    return 1\n",
        &[
            "import os\n\n\ndef f():\n    \"\"\"Says so.\"\"\"\n    ",
            "    return 1\n",
        ],
    );
    leaves(
        Python,
        Attack::DeadCode,
        &["class A:\n    x = 1\n", "if x: y = 1\n", "x = 1\n"],
    );
    leaves(
        C,
        Attack::DeadCode,
        &[
            "int a = 1;\n",
            "#define F(x) { x = 1; }\n",
            "void f(int a) { }\n",
        ],
    );
}

#[test]
fn literals_keep_their_values() {
    makes(
        Java,
        Attack::Literals,
        "class A { String s = \"ab\"; }",
        "class A { String s = (\"a\" + \"b\"); }",
    );
    makes(
        C,
        Attack::Literals,
        "char *s = \"ab\";\n",
        "char *s = \"a\" \"b\";\n",
    );
    makes(C, Attack::Literals, "int a = 10;\n", "int a = 0xA;\n");
    makes(Python, Attack::Literals, "a = 2.5\n", "a = 2.50\n");
    leaves(
        C,
        Attack::Literals,
        &[
            "#define N 10\n#include \"own.h\"\n",
            "long a = 10L;\nint b = 017;\nunsigned c = 3000000000;\n",
            "char *s = \"\\x41b\";\n",
            "void f(int a) { switch (a) { case 10: break; } }\n",
        ],
    );
    leaves(
        Python,
        Attack::Literals,
        &[
            "\"\"\"A module.\"\"\"\n",
            "a = f\"{10}\"\n",
            "a = b is 10\n",
            "a = 'x' 'yz'\n",
        ],
    );
    leaves(
        Java,
        Attack::Literals,
        &["@Name(\"ab\") class A { int b = -2147483648; }"],
    );
}

#[test]
fn loops_become_others() {
    makes(
        C,
        Attack::Loops,
        "void f(void) {\n  for (int i = 0; i < 3; i++) { g(i); }\n}\n",
        "void f(void) {\n  { int i = 0;\n  while (i < 3) { g(i); i++; } }\n}\n",
    );
    makes(
        C,
        Attack::Loops,
        "void f(int i) { while (i < 3) { g(i); i++; } }\n",
        "void f(int i) { for (; i < 3; i++) { g(i);  } }\n",
    );
    makes(
        Java,
        Attack::Loops,
        "class A { void f() { while (g()) h(); } }",
        "class A { void f() { for (; g(); ) h(); } }",
    );
    for one in attacked(
        Python,
        Attack::Loops,
        "def f(a):\n    for i in range(len(a)):\n        print(a[i])\n",
    ) {
        assert!(
            one.contains("    i = 0\n") && one.contains("        i += 1\n"),
            "{one}"
        );
        assert!(one.contains("    while i < "), "{one}");
    }
    makes(
        Python,
        Attack::Loops,
        "while a:\n    a.pop()\n",
        "while True:\n    if not (a):\n        break\n    a.pop()\n",
    );
    leaves(
        C,
        Attack::Loops,
        &["void f(void) { for (int i = 0; i < 3; i++) { if (i == 1) continue; g(i); } }\n"],
    );
    leaves(
        Java,
        Attack::Loops,
        &[
            "class A { void f() { for (int i = 0; i < 3; i++) { return; } } }",
            "class A { void f() { a: for (int i = 0; i < 3; i++) { g(); } } }",
        ],
    );
    leaves(
        Python,
        Attack::Loops,
        &[
            "def f(a):\n    for i in range(3):\n        g(i)\n    return i\n",
            "def f(a):\n    for i in range(3):\n        i = 7\n        g(i)\n",
            "def f(a):\n    for i in range(3):\n        if a:\n            continue\n        g(i)\n",
            "def f(a):\n    for i in range(3):\n        g(lambda: i)\n",
            "def f(a, n):\n    for i in range(0, 9, n):\n        g(i)\n",
            "def f(a):\n    for x in a:\n        g(x)\n",
        ],
    );
}

#[test]
fn conditions_turn_round() {
    makes(
        C,
        Attack::Conditions,
        "int f(int a, int b) { return a < b; }\n",
        "int f(int a, int b) { return b > a; }\n",
    );
    makes(
        Java,
        Attack::Conditions,
        "class A { void f(int a, int b) { if (a <= b) g(); else { h(); } } }",
        "class A { void f(int a, int b) { if (a > b) { h(); } else { g(); } } }",
    );
    makes(
        Java,
        Attack::Conditions,
        "class A { void f(double a) { if (a < g()) g(); else { h(); } } }",
        "class A { void f(double a) { if (!(a < g())) { h(); } else { g(); } } }",
    );
    makes(
        Python,
        Attack::Conditions,
        "if not a:\n    b()\nelse:\n    c()\n",
        "if a:\n    c()\nelse:\n    b()\n",
    );
    leaves(
        C,
        Attack::Conditions,
        &[
            "int f(void) { return g() < h(); }\n",
            "int f(int a, int b) { return a++ < b; }\n",
            "int f(int a, int b, int c) { if (a) b = 1; return a & b; }\n",
        ],
    );
    leaves(
        Python,
        Attack::Conditions,
        &[
            "print(1 < x < 3)\n",
            "print(a in b)\n",
            "def f(a, b):\n    return a < b\n",
            "if a:\n    b()\nelif c:\n    d()\nelse:\n    e()\n",
        ],
    );
}

#[test]
fn variables_come_and_go() {
    makes(
        C,
        Attack::Extract,
        "void f(void) { char *s = g(); s++; h(s); }\n",
        "void f(void) { char *s; s = g(); s++; h(s); }\n",
    );
    for one in attacked(Java, Attack::Extract, "class A { int f() { return g(); } }") {
        assert!(one.starts_with("class A { int f() { int "), "{one}");
        assert!(one.contains(" = g(); return "), "{one}");
    }
    for one in attacked(Python, Attack::Extract, "def f():\n    return g(), 1\n") {
        assert!(one.contains(" = g(), 1\n    return "), "{one}");
    }
    makes(
        Java,
        Attack::Inline,
        "class A {\n  int f() {\n    int a = g();\n    return a;\n  }\n}\n",
        "class A {\n  int f() {\n    return g();\n  }\n}\n",
    );
    makes(
        C,
        Attack::Inline,
        "void f(void) {\n  int a = 1;\n  int b = a;\n}\n",
        "void f(void) {\n  int a = 1, b = a;\n}\n",
    );
    makes(
        Python,
        Attack::Inline,
        "def f():\n    a = g()\n    return a\n",
        "def f():\n    return g()\n",
    );
    leaves(
        Java,
        Attack::Inline,
        &[
            "class A {\n  long f() {\n    int a = g();\n    return a;\n  }\n}\n",
            "class A {\n  int f() {\n    int a = a(1);\n    return a;\n  }\n}\n",
            "class A { void f() { int a = 1; long b = 2; } }",
        ],
    );
    leaves(
        C,
        Attack::Extract,
        &[
            "void f(void) { const int a = 1; static int b = 2; int c[] = {3}; g(a); }\n",
            "void f(int a) { if (a) g(); }\n",
        ],
    );
    leaves(
        Python,
        Attack::Extract,
        &["print(a, b)\nf(*a)\n", "class A:\n    f(x)\n"],
    );
}

#[test]
fn comments_are_no_part_of_a_program() {
    for (language, text) in [
        (
            C,
            "// first\nint f(void) {\n  int a = 1; // one\n  /* two */ return a;\n}\n",
        ),
        (
            Java,
            "class A {\n  // one\n  int f(int a) {\n    return a; /* two */\n  }\n}\n",
        ),
        (
            Python,
            "#!/usr/bin/python3\ndef f():\n    # one\n    a = 1  # two\n    return a\n",
        ),
    ] {
        let structure = |text: &str| {
            let program = crate::parse(text, language).unwrap();
            let terms = program.terms_of(&program.structure);
            terms.map(str::to_owned).collect::<Vec<String>>()
        };
        for one in attacked(language, Attack::Comments, text) {
            assert_ne!(one, text);
            assert_eq!(structure(&one), structure(text), "{one}");
            assert_eq!(one.starts_with("#!"), text.starts_with("#!"), "{one}");
        }
    }
}

#[test]
fn what_the_grammar_does_not_allow_is_left_alone() {
    let text = "int f(void) { int a = 1; int b = 2; return a }\nint g(void) { int a = 1; int b = 2; return a; }\n";
    for one in attacked(C, Attack::DeadCode, text) {
        assert!(
            one.starts_with("int f(void) { int a = 1; int b = 2; return a }\n"),
            "{one}"
        );
        assert_ne!(one, text);
    }
    leaves(C, Attack::Rename, &[text]);
}
