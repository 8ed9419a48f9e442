//! `cento verify-case`: a saved pair, computed again.

use anyhow::Result;
use cento_jobs::verify_case::{self, Case, CaseText, Difference, Options};

use crate::args::VerifyCaseArgs;
use crate::config::given_key;
use crate::run::watched;
use crate::{Outcome, input, output};

pub(crate) fn run(args: &VerifyCaseArgs, quiet: bool) -> Result<Outcome> {
    let options = Options {
        files: args.files.clone(),
        dictionary: args.dictionary.clone(),
        key_file: args.key_file.clone(),
        key: given_key(),
        input: input::usual(),
    };
    let done = watched(quiet, |watch| verify_case::run(&options, watch))?;
    if args.json {
        output::json(&done)?;
    } else {
        let texts: Vec<String> = done.cases.iter().map(text).collect();
        output::result(&texts.concat())?;
    }
    Ok(Outcome::of(!done.all_hold()))
}

/// How many differences a screen has room for.
const MOST: usize = 20;

fn text(case: &Case) -> String {
    let verdict = if case.holds {
        "holds: computed again, it came out the same"
    } else {
        "does not hold"
    };
    let mut lines = vec![
        format!("{}: {verdict}", case.file),
        format!(
            "  made with Cento {}; this is Cento {}",
            case.made_with, case.checked_with
        ),
    ];
    lines.extend(case.texts.iter().map(recorded));
    if let [left, right] = case.texts.as_slice() {
        let [a, b] = [left, right].map(|text| text.label.escape_debug());
        let [in_right, in_left] = case.shares.map(cento_report::percent);
        lines.push(format!("  {in_right} of {a} is in {b}"));
        lines.push(format!("  {in_left} of {b} is in {a}"));
    }
    for Difference { field, was, is } in case.differences.iter().take(MOST) {
        lines.push(format!("  {field}: was {was}, is {is}"));
    }
    if case.differences.len() > MOST {
        let more = case.differences.len() - MOST;
        lines.push(format!("  {more} more differences; --json lists them all"));
    }
    if case.masked && !case.differences.is_empty() {
        lines.push(
            "  names were masked in these texts, so they are not those that were compared"
                .to_owned(),
        );
    }
    for open in &case.not_computed {
        lines.push(format!("  not computed again: {open}"));
    }
    lines.join("\n") + "\n"
}

fn recorded(text: &CaseText) -> String {
    let word = if text.as_recorded {
        "as recorded"
    } else {
        "not the text that was recorded"
    };
    let label = text.label.escape_debug();
    format!("  {label}: {word}, SHA-256 {}", text.sha256)
}
