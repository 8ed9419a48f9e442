//! What a person should know beside the numbers.

use std::collections::HashSet;

use cento::report::{Note, Remedy, Report, Summary};

use super::Hint;
use super::scanned::{changing, disguised_in_pairs, has_table, id_of};
use super::words::{line, printable};

/// What a person should know; what was assumed about the layout is said when files are found, and
/// own versions and what shares only standard text have lines of their own.
pub(crate) fn notes(report: &Report, hint: Option<Hint>, out: &mut String) {
    let is_said =
        |note: &Note| matches!(note, Note::CommonCounts { .. }) && changing(report).is_some();
    let is_new = |note: &&Note| {
        !is_said(note)
            && !matches!(
                note,
                Note::Layout(_) | Note::OwnVersions { .. } | Note::OnlyStandard { .. }
            )
    };
    for note in report.notes.iter().filter(is_new) {
        let remedy = note.remedy().zip(hint);
        let hint = remedy.and_then(|(remedy, hint)| hint(&remedy));
        let hint = hint.map_or_else(String::new, |hint| format!(" ({hint})"));
        let sentence = printable(&note.to_string());
        line(out, &format!("note: {sentence}{hint}"));
    }
}

/// So many remarks on documents have room on a screen.
pub(super) const MOST_REMARKS: usize = 20;

/// What is odd about documents, as far as a screen has room for it.
pub(super) fn warnings(report: &Report, hint: Option<Hint>, out: &mut String) {
    let named: HashSet<&str> = if has_table(report) {
        disguised_in_pairs(report).map(id_of).collect()
    } else {
        HashSet::new()
    };
    let remarks = |document: &Summary| {
        let disguised = if named.contains(document.id.as_str()) {
            Vec::new()
        } else {
            document.disguised.remarks()
        };
        let disguised = (!disguised.is_empty()).then(|| disguised.join(", "));
        let all = disguised.into_iter().chain(document.warnings.clone());
        all.map(|text| (document.label.clone(), text))
            .collect::<Vec<_>>()
    };
    let all: Vec<(String, String)> = report.documents.iter().flat_map(remarks).collect();
    for (label, warning) in all.iter().take(MOST_REMARKS) {
        line(
            out,
            &format!("{}: {}", printable(label), printable(warning)),
        );
    }
    if all.len() > MOST_REMARKS {
        let more = all.len() - MOST_REMARKS;
        line(
            out,
            &format!("{more} more such remarks; {}", lists_all(hint)),
        );
    }
}

/// The end of a sentence about what there is no room for.
pub(crate) fn lists_all(hint: Option<Hint>) -> String {
    let option = hint.and_then(|hint| hint(&Remedy::Json));
    let option = option.unwrap_or_else(|| "the report as JSON".to_owned());
    format!("{option} lists them all")
}
