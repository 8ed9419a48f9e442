//! Both views of a small program in each language, beside it as `.tokens`. `CENTO_BLESS=1` rewrites
//! them; if one has changed, so have the digests of programs, and `REVISION` must go up.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::{collections::BTreeSet, fmt::Write, path::PathBuf};

use cento_code::{Class, Language, Program, Token, parse};

fn programs() -> Vec<(PathBuf, String, Language)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension != "tokens")
    });
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let language = Language::of_file(name, &text).expect(name);
        (path, text, language)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_language_has_a_program() {
    let languages: BTreeSet<Language> = programs().into_iter().map(|(.., it)| it).collect();
    assert_eq!(languages.into_iter().collect::<Vec<_>>(), Language::ALL);
}

#[test]
fn tokens_are_as_before() {
    for (path, text, language) in programs() {
        if !language.is_built() {
            continue;
        }
        let program = parse(&text, language).unwrap_or_else(|refusal| panic!("{refusal}"));
        check_spans(&program, &text);
        let found = shown(&program, &text);
        let golden = PathBuf::from(format!("{}.tokens", path.display()));
        if std::env::var_os("CENTO_BLESS").is_some() {
            std::fs::write(&golden, found).unwrap();
        } else {
            assert_eq!(
                found,
                std::fs::read_to_string(&golden).unwrap(),
                "{}",
                path.display()
            );
        }
    }
}

/// What a reader may rely on.
fn check_spans(program: &Program, text: &str) {
    let slice = |start: u32, end: u32| text.get(start as usize..end as usize).expect("characters");
    for view in [&program.letters, &program.structure] {
        assert!(view.is_sorted_by_key(|token| token.start));
        assert!(
            view.iter()
                .all(|token| !slice(token.start, token.end).is_empty())
        );
    }
    assert!(
        program
            .letters
            .windows(2)
            .all(|pair| pair[0].end <= pair[1].start)
    );
    assert!(
        program
            .highlights
            .windows(2)
            .all(|pair| pair[0].end <= pair[1].start)
    );
    assert!(
        program
            .highlights
            .iter()
            .all(|it| !slice(it.start, it.end).is_empty())
    );
    assert!(
        program
            .subroutines
            .iter()
            .all(|it| !slice(it.start, it.end).is_empty())
    );
}

fn shown(program: &Program, text: &str) -> String {
    let mut shown = String::new();
    for (name, view) in [
        ("letters", &program.letters),
        ("structure", &program.structure),
    ] {
        writeln!(shown, "{name}").unwrap();
        for line in lines(view, text) {
            let terms: Vec<&str> = program.terms_of(line).collect();
            writeln!(shown, "    {}", terms.join(" ")).unwrap();
        }
    }
    writeln!(shown, "subroutines").unwrap();
    for it in &program.subroutines {
        let first = text[it.start as usize..it.end as usize]
            .lines()
            .next()
            .unwrap();
        writeln!(shown, "    {} {first}", it.depth).unwrap();
    }
    for class in [Class::Keyword, Class::String, Class::Number, Class::Comment] {
        let of_class = program.highlights.iter().filter(|it| it.class == class);
        let words: BTreeSet<&str> = of_class
            .map(|it| text[it.start as usize..it.end as usize].trim_end())
            .collect();
        writeln!(shown, "{class:?} {words:?}").unwrap();
    }
    shown
}

/// The tokens by the line of the text that they start in.
fn lines<'a>(view: &'a [Token], text: &'a str) -> impl Iterator<Item = &'a [Token]> {
    view.chunk_by(|a, b| !text[a.start as usize..b.start as usize].contains('\n'))
}
