//! Texts that are meant to do harm do none.

use cento_code::{Language, Refusal, parse};

fn built() -> impl Iterator<Item = Language> {
    Language::ALL
        .into_iter()
        .filter(|language| language.is_built())
}

#[test]
fn nested_brackets_are_refused() {
    for language in built() {
        for bracket in ["(", "[", "{"] {
            let text = bracket.repeat(100_000);
            assert_eq!(parse(&text, language), Err(Refusal::Depth), "{language}");
        }
    }
}

#[test]
fn prose_is_no_program() {
    let text = "It was the best of times, it was the worst of times; it was the age of wisdom. \
                Students don't always write what they hand in, and teachers know it.\n";
    // In the others, words in a row may be a command or a call.
    let strict = [
        Language::C,
        Language::Cpp,
        Language::CSharp,
        Language::Java,
        Language::Kotlin,
        Language::Python,
        Language::JavaScript,
        Language::TypeScript,
        Language::Rust,
        Language::Go,
    ];
    for language in built().filter(|language| strict.contains(language)) {
        assert_eq!(
            parse(&text.repeat(20), language),
            Err(Refusal::Unparsed(language))
        );
    }
}

#[test]
fn odd_bytes_do_no_harm() {
    for language in built() {
        for text in [
            "",
            "\0",
            "\0\0\0 int a = 1; \0",
            "\u{feff}x = 1\n",
            "é ← \"ü",
            "\r\r\n",
            "\\",
        ] {
            let _ = parse(text, language);
        }
    }
}

/// Deep without a bracket, long without a line break, and never closed: the limits hold.
#[test]
fn large_texts_do_no_harm() {
    let pieces = [
        "a=b+c*2;if(a){f(a,'x')}",
        "1+",
        "!",
        "-",
        "a.",
        "if(a)b;else ",
        "\"",
        "'a",
        "/*",
        "<",
        ")",
        "\0",
        "x ",
        "a{}",
        "(a)",
    ];
    for language in built() {
        for piece in pieces {
            let _ = parse(&piece.repeat((16 << 10) / piece.len()), language);
        }
    }
}

#[test]
fn a_minified_megabyte_is_parsed() {
    let piece = "function f(a,b){for(var i=0;i<b;i++){if(a[i]>b)a[i]=g(a[i],'x')}return a}";
    let program = parse(&piece.repeat((1 << 20) / piece.len()), Language::JavaScript).unwrap();
    assert!(program.letters.len() > 500_000);
}

/// Looking for statements that change nothing takes no more than a few looks at each.
#[test]
fn large_subroutines_do_no_harm() {
    let many = |piece: &dyn Fn(usize) -> String| (0..4_000).map(piece).collect::<String>();
    let deep = |levels: usize| {
        let lines: Vec<String> = (0..levels)
            .map(|n| format!("{}if a{n}:\n", " ".repeat(n)))
            .collect();
        lines.concat()
    };
    let nested = |open: &str, close: &str| open.repeat(900) + "g(a);" + &close.repeat(900);
    let c = [
        many(&|n| format!("int a{n} = {n};")),
        format!("int b = 0{};", many(&|n| format!(", a{n} = {n}"))),
        many(&|n| format!("a{n} = a{}; int a{n};", n + 1)),
        many(&|_| "{ int a = 1; a++; }".to_owned()),
        many(&|_| "return 1;".to_owned()),
        format!(
            "int b = 0; if ({}b) {{ g(b); }}",
            many(&|_| "b + ".to_owned())
        ),
        nested("while (a < 2) { int a = 1; ", "}"),
        nested("if (1 > 2) { } else { ", "}"),
    ];
    for body in c {
        let text = format!("int f(int a) {{ {body} }}");
        let _ = parse(&text, Language::C);
        let _ = parse(&text, Language::JavaScript);
        let _ = parse(&format!("class A {{ {text} }}"), Language::Java);
    }
    for text in [
        many(&|n| format!("a{n} = {n}\n")),
        many(&|n| format!("a{n} = a{}; a = 1; ", n + 1)),
        deep(300) + &" ".repeat(300) + &many(&|_| "a = 1; ".to_owned()),
    ] {
        let _ = parse(&text, Language::Python);
    }
}

#[test]
fn long_programs_are_within_the_limits() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let Some(language) = Language::of_file(path.to_str().unwrap(), &text) else {
            continue;
        };
        if language.is_built() {
            let text = text.repeat((64 << 10) / text.len());
            assert!(
                parse(&text, language).is_ok(),
                "{}: {:?}",
                path.display(),
                parse(&text, language).err()
            );
        }
    }
}

/// Programs that do not compile have tokens like any other.
#[test]
fn broken_parentheses_end() {
    let text = "int main(void) {\n    int k, sum = 0;\n    for *k = 1; k < LIMIT; k++)\n        \
                if (is_evenk)) sum = sum + k * k;\n    if () while (a b) x = (y z);\n}\n";
    for language in [
        Language::C,
        Language::Cpp,
        Language::Java,
        Language::JavaScript,
    ] {
        if let Ok(program) = parse(text, language) {
            assert!(program.structure.len() < 200, "{language}");
        }
    }
    for text in [
        "for in range(3):\n    pass\n",
        "x = ()\nif ():\n  y = (a b)\n",
    ] {
        if let Ok(program) = parse(text, Language::Python) {
            assert!(program.structure.len() < 100);
        }
    }
}
