//! The report for a person at a terminal.

mod compared;
mod other;
mod pair_table;
mod passages;
mod remarks;
mod scanned;
mod verified;
mod words;

use std::fmt::Write as _;

use cento::report::{PairReport, Remedy, Report, Setting};
use cento::style::MEASURE;

use crate::paint::Screen;
pub use other::digits;
pub use pair_table::{PairRow, PairTable};
pub(crate) use passages::{headline, shown};
pub(crate) use remarks::notes;
use scanned::is_compressed;
pub use words::{counted, percent};
pub(crate) use words::{line, printable};

/// How a front end calls an option.
pub type Hint = fn(&Remedy) -> Option<String>;

/// The report as text: what was found, the pairs, the families, what to know about it, and last how it
/// was computed. Notes have the front end's hints in parentheses behind them, if there are any.
pub fn text(report: &Report, hint: Option<Hint>) -> String {
    shown_on(Screen::FILE, report, hint)
}

/// The same for a screen: in its colours, and tables no wider than it is.
pub fn shown_on(screen: Screen, report: &Report, hint: Option<Hint>) -> String {
    let mut out = String::new();
    match (report.command.as_str(), report.pairs.as_slice()) {
        _ if report.documents.is_empty() => line(&mut out, "no document could be read"),
        ("compare", [pair]) if pair.distance.is_some() => other::apart(report, pair, &mut out),
        _ if report.measure == MEASURE => other::neighbours(report, screen, &mut out),
        ("compare", [pair]) => compared::compared(report, pair, screen.paint, hint, &mut out),
        ("scan", _) if is_compressed(report) => other::alike(report, screen, &mut out),
        ("verify", _) => verified::verified(report, screen, hint, &mut out),
        _ => scanned::scanned(report, screen, hint, &mut out),
    }
    let mut said = String::new();
    remarks::warnings(report, hint, &mut said);
    notes(report, hint, &mut said);
    if let Some(advice) = &report.advice {
        line(&mut said, &advice.sentence());
    }
    // Passages are set apart from what follows them.
    let has_passages = |pair: &PairReport| {
        let evidence = pair.evidence.as_ref();
        evidence.is_some_and(|evidence| !evidence.passages.is_empty())
    };
    if report.command == "compare" && !said.is_empty() && report.pairs.iter().any(has_passages) {
        line(&mut out, "");
    }
    out += &said;
    if !out.ends_with("\n\n") {
        line(&mut out, "");
    }
    line(&mut out, &screen.paint.faint(&parameters(report)));
    out
}

fn parameters(report: &Report) -> String {
    let mut text = format!("recipe {}; measure {}", report.recipe, report.measure);
    for (name, setting) in &report.settings {
        let value = match setting {
            Setting::Number(number) => number.to_string(),
            Setting::Count(count) => count.to_string(),
            Setting::Text(text) => printable(text),
            Setting::List(list) => list
                .iter()
                .map(|item| printable(item))
                .collect::<Vec<_>>()
                .join(", "),
        };
        let _ = write!(text, "; {name} {value}");
    }
    text
}
