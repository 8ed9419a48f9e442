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
    for language in built() {
        // In a shell every sentence is a command, and in a page of PHP it is the page.
        if !matches!(language, Language::Bash | Language::Php) {
            assert_eq!(
                parse(&text.repeat(20), language),
                Err(Refusal::Unparsed(language))
            );
        }
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
