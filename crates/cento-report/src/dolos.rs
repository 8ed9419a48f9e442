//! The report as the three tables that Dolos writes, so that what reads those can read it.
//!
//! Dolos counts k-grams; here they are distinct digests. `similarity` is then the symmetric measure,
//! as Dolos defines it: what is covered of both over the sizes of both.

use std::borrow::Cow;
use std::collections::HashMap;

use cento::report::{Report, Setting};
use serde_json::json;

use crate::table::{Cells, Table};

/// `pairs.csv`.
pub fn dolos_pairs(report: &Report) -> String {
    let columns = [
        "id",
        "leftFileId",
        "leftFilePath",
        "rightFileId",
        "rightFilePath",
        "similarity",
        "totalOverlap",
        "longestFragment",
        "leftCovered",
        "rightCovered",
    ];
    let numbers: HashMap<&str, usize> = (0..)
        .zip(&report.documents)
        .map(|(number, document)| (document.id.as_str(), number))
        .collect();
    let number = |id: &str| numbers.get(id).copied().unwrap_or_default().to_string();
    let mut table = Table::new(Cells::Verbatim, &columns);
    for (id, pair) in report.pairs.iter().enumerate() {
        let shared = pair.shared;
        let longest = pair.evidence.as_ref().map_or(0, |found| found.longest);
        table.row([
            id.to_string(),
            number(&pair.left),
            pair.left.clone(),
            number(&pair.right),
            pair.right.clone(),
            format!("{:.6}", pair.symmetric),
            (u64::from(shared) * 2).to_string(),
            longest.to_string(),
            shared.to_string(),
            shared.to_string(),
        ]);
    }
    table.finish()
}

/// `files.csv`. Texts that the report has are in it; there are no syntax trees of prose.
pub fn dolos_files(report: &Report) -> String {
    let columns = [
        "id",
        "ignored",
        "path",
        "content",
        "amountOfKgrams",
        "ast",
        "mapping",
        "extra",
    ];
    let mut table = Table::new(Cells::Verbatim, &columns);
    for (id, document) in report.documents.iter().enumerate() {
        let mut extra = json!({ "fullName": document.label });
        if let Some(date) = &document.date {
            extra["createdAt"] = json!(date);
        }
        table.row([
            Cow::Owned(id.to_string()),
            Cow::Borrowed("false"),
            Cow::Borrowed(document.id.as_str()),
            Cow::Borrowed(document.text.as_deref().unwrap_or_default()),
            Cow::Owned(document.digests.to_string()),
            Cow::Borrowed("[]"),
            Cow::Borrowed("[]"),
            Cow::Owned(extra.to_string()),
        ]);
    }
    table.finish()
}

/// `metadata.csv`: every parameter.
pub fn dolos_metadata(report: &Report) -> String {
    let mut table = Table::new(Cells::Verbatim, &["property", "value", "type"]);
    let mut row = |property: &str, value: &str, kind: &str| table.row([property, value, kind]);
    row("reportName", &format!("cento {}", report.command), "string");
    let language = report
        .documents
        .iter()
        .find_map(|one| one.language.as_deref());
    row("language", language.unwrap_or("char"), "string");
    row("cento", &report.cento, "string");
    row("recipe", &report.recipe, "string");
    row("measure", &report.measure, "string");
    for (name, setting) in &report.settings {
        match setting {
            Setting::Number(number) => row(name, &number.to_string(), "number"),
            Setting::Count(count) => row(name, &count.to_string(), "number"),
            Setting::Text(text) => row(name, text, "string"),
            Setting::List(list) => row(name, &json!(list).to_string(), "object"),
        }
    }
    row("warnings", &json!(report.notes).to_string(), "object");
    table.finish()
}
