//! What a person should know beside the numbers.

use std::collections::{HashMap, HashSet};

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

/// What is odd about documents, as far as a screen has room for it; what is odd about several is said
/// once.
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
        disguised.into_iter().chain(document.warnings.clone())
    };
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for document in &report.documents {
        for remark in remarks(document) {
            let place = *places.entry(remark.clone()).or_insert(all.len());
            if place == all.len() {
                all.push((remark, Vec::new()));
            }
            all[place].1.push(&document.label);
        }
    }
    for (remark, labels) in all.iter().take(MOST_REMARKS) {
        let labels = printable(&several(labels));
        line(out, &format!("{labels}: {}", printable(remark)));
    }
    if all.len() > MOST_REMARKS {
        let more = all.len() - MOST_REMARKS;
        line(
            out,
            &format!("{more} more such remarks; {}", lists_all(hint)),
        );
    }
}

/// The documents of which something is said, each for itself.
fn several(labels: &[&str]) -> String {
    const NAMED: usize = 3;
    match labels {
        [only] => (*only).to_owned(),
        _ if labels.len() <= NAMED + 1 => format!("{}, each", labels.join(", ")),
        _ => {
            let more = labels.len() - NAMED;
            format!("{}, and {more} more, each", labels[..NAMED].join(", "))
        }
    }
}

/// The end of a sentence about what there is no room for.
pub(crate) fn lists_all(hint: Option<Hint>) -> String {
    let option = hint.and_then(|hint| hint(&Remedy::Json));
    let option = option.unwrap_or_else(|| "the report as JSON".to_owned());
    format!("{option} lists them all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_several_documents_names_the_first() {
        assert_eq!(several(&["a.mk"]), "a.mk");
        assert_eq!(several(&["a.mk", "b.mk"]), "a.mk, b.mk, each");
        let labels: Vec<String> = (1..=24)
            .map(|number| format!("{number}/Makefile"))
            .collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        assert_eq!(
            several(&labels),
            "1/Makefile, 2/Makefile, 3/Makefile, and 21 more, each"
        );
    }
}
