//! The report as it is, two spaces a level.

use cento::report::Report;

/// The report as JSON, with a line break at the end.
///
/// # Panics
///
/// Never: a report has no maps with keys other than strings.
pub fn json(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report is plain data");
    text.push('\n');
    text
}

/// The same for machines alone.
pub(crate) fn compact(report: &Report) -> String {
    serde_json::to_string(report).expect("a report is plain data")
}
