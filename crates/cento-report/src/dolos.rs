//! The report as the three tables that Dolos writes, so that what reads those can read it.
//!
//! Dolos counts k-grams; here they are distinct digests. `similarity` is then the symmetric measure,
//! as Dolos defines it: what is covered of both over the sizes of both.

use std::collections::HashMap;
use std::fmt::Write as _;

use cento::report::{Report, Setting};
use serde_json::json;

use crate::csv::field;

/// `pairs.csv`.
pub fn dolos_pairs(report: &Report) -> String {
    let mut csv = String::from(
        "id,leftFileId,leftFilePath,rightFileId,rightFilePath,similarity,totalOverlap,\
         longestFragment,leftCovered,rightCovered\n",
    );
    let numbers: HashMap<&str, usize> = (0..)
        .zip(&report.documents)
        .map(|(number, document)| (document.id.as_str(), number))
        .collect();
    let number = |id: &str| numbers.get(id).copied().unwrap_or_default();
    for (id, pair) in report.pairs.iter().enumerate() {
        let shared = pair.shared;
        let longest = pair.evidence.as_ref().map_or(0, |found| found.longest);
        let _ = writeln!(
            csv,
            "{id},{},{},{},{},{:.6},{},{longest},{shared},{shared}",
            number(&pair.left),
            field(&pair.left),
            number(&pair.right),
            field(&pair.right),
            pair.symmetric,
            u64::from(shared) * 2,
        );
    }
    csv
}

/// `files.csv`. Texts that the report has are in it; there are no syntax trees of prose.
pub fn dolos_files(report: &Report) -> String {
    let mut csv = String::from("id,ignored,path,content,amountOfKgrams,ast,mapping,extra\n");
    for (id, document) in report.documents.iter().enumerate() {
        let mut extra = json!({ "fullName": document.label });
        if let Some(date) = &document.date {
            extra["createdAt"] = json!(date);
        }
        let _ = writeln!(
            csv,
            "{id},false,{},{},{},[],[],{}",
            field(&document.id),
            field(document.text.as_deref().unwrap_or_default()),
            document.digests,
            field(&extra.to_string()),
        );
    }
    csv
}

/// `metadata.csv`: every parameter.
pub fn dolos_metadata(report: &Report) -> String {
    let mut csv = String::from("property,value,type\n");
    let mut row = |property: &str, value: &str, kind: &str| {
        let _ = writeln!(csv, "{},{},{kind}", field(property), field(value));
    };
    row("reportName", &format!("cento {}", report.command), "string");
    row("language", "char", "string");
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
    csv
}
