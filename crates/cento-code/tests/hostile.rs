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
