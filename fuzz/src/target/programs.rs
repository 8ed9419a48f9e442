//! Programs: what has tokens has them in order and within the text, and crosses a process border whole.

use cento_code::{Language, Program, parse};

use super::{Seed, Target, holds};

/// Programs of the tests, in the languages that every build has.
const SOUND: [(&str, &str); 5] = [
    (
        "sum.c",
        include_str!("../../../crates/cento-code/tests/programs/sum.c"),
    ),
    (
        "sum.cpp",
        include_str!("../../../crates/cento-code/tests/programs/sum.cpp"),
    ),
    (
        "Sum.java",
        include_str!("../../../crates/cento-code/tests/programs/Sum.java"),
    ),
    (
        "sum.js",
        include_str!("../../../crates/cento-code/tests/programs/sum.js"),
    ),
    (
        "sum.py",
        include_str!("../../../crates/cento-code/tests/programs/sum.py"),
    ),
];

pub(super) fn target() -> Target {
    Target {
        name: "programs",
        seeds: SOUND
            .iter()
            .map(|(name, text)| Seed::new(*name, text.as_bytes()))
            .collect(),
        check,
    }
}

fn check(name: &str, input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let Some(language) = Language::of_file(name, &text) else {
        return Ok(());
    };
    let program = match parse(&text, language) {
        Ok(program) => program,
        Err(refusal) => {
            let reason = refusal.to_string();
            return holds(!reason.is_empty() && !reason.contains('\n'), || {
                format!("not a sentence: {reason:?}")
            });
        }
    };
    for tokens in [&program.letters, &program.structure] {
        let mut last = 0;
        for token in tokens {
            let span = token.start as usize..token.end as usize;
            holds(token.start >= last && text.get(span).is_some(), || {
                format!(
                    "a token at {} to {} is out of place",
                    token.start, token.end
                )
            })?;
            last = token.start;
            program.term(*token);
        }
    }
    let sent = serde_json::to_vec(&program).map_err(|error| error.to_string())?;
    let arrived: Program = serde_json::from_slice(&sent).map_err(|error| error.to_string())?;
    holds(arrived == program, || "it does not arrive whole".to_owned())
}
