//! Numbers and names as a person reads them.

use std::collections::HashMap;

use cento::report::Report;

/// A number of things.
pub fn counted(count: impl Into<u64>, what: &str) -> String {
    match count.into() {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}

/// A share in whole percent. Only all of it reads 100, and only nothing reads 0.
pub fn percent(share: f64) -> String {
    let rounded = (share * 100.0).round();
    if rounded >= 100.0 && share < 1.0 {
        "99 %".to_owned()
    } else if rounded < 1.0 && share > 0.0 {
        "< 1 %".to_owned()
    } else {
        format!("{rounded} %")
    }
}

/// Ten cells, an eighth of a cell at a time.
pub(crate) fn bar(score: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 to 80"
    )]
    let eighths = (score.clamp(0.0, 1.0) * 80.0).round() as usize;
    let text = format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8]);
    format!("{text:<10}")
}

/// A name without control and direction characters, which could forge lines on a terminal.
pub(crate) fn printable(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        let forges = c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if forges {
            text.extend(c.escape_unicode());
        } else {
            text.push(c);
        }
    }
    text
}

pub(crate) fn line(out: &mut String, text: &str) {
    out.push_str(text.trim_end());
    out.push('\n');
}

/// What people call the documents that are not called by their ids.
pub(super) fn labels(report: &Report) -> HashMap<&str, &str> {
    let documents = report.documents.iter();
    documents
        .filter(|document| document.label != document.id)
        .map(|document| (document.id.as_str(), document.label.as_str()))
        .collect()
}

pub(super) fn label<'r>(labels: &HashMap<&str, &'r str>, id: &'r str) -> &'r str {
    labels.get(id).copied().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_honest_at_the_ends() {
        for (share, expected) in [
            (0.0, "0 %"),
            (0.001, "< 1 %"),
            (0.104, "10 %"),
            (0.9999, "99 %"),
            (1.0, "100 %"),
        ] {
            assert_eq!(percent(share), expected);
        }
    }

    #[test]
    fn names_cannot_forge_lines() {
        assert_eq!(
            printable("a\u{1b}[2J\nb\u{202e}"),
            "a\\u{1b}[2J\\u{a}b\\u{202e}"
        );
    }

    #[test]
    fn bars_have_one_width() {
        for score in [0.0, 0.1, 0.55, 0.99, 1.0] {
            assert_eq!(bar(score).chars().count(), 10);
        }
    }
}
