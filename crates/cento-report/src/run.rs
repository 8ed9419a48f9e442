//! The record of a run: what would be needed to do it again and see the same.

use cento::report::Report;
use serde_json::{Value, json};

/// The version of this data.
pub const RUN_SCHEMA: &str = "cento.run/1";

/// Version, parameters, inputs with their hashes, counts, and what was skipped and why. `config` is
/// what cento.toml would have to say for the same run.
pub fn run_record(report: &Report, config: &Value) -> String {
    let documents: Vec<Value> = report
        .documents
        .iter()
        .map(|document| {
            let mut row = json!({ "id": document.id, "words": document.words });
            if let Some(hash) = &document.sha256 {
                row["text_sha256"] = json!(hash);
            }
            if document.old {
                row["old"] = json!(true);
            }
            row
        })
        .collect();
    let record = json!({
        "schema": RUN_SCHEMA,
        "cento": report.cento,
        "command": report.command,
        "recipe": report.recipe,
        "measure": report.measure,
        "settings": report.settings,
        "left_out": report.left_out,
        "config": config,
        "counts": {
            "documents": report.documents.len(),
            "old": report.documents.iter().filter(|document| document.old).count(),
            "skipped": report.skipped.len(),
            "pairs_compared": report.histogram.pairs(),
            "pairs_listed": report.pairs.len(),
            "at_threshold": report.at_threshold,
            "below_threshold": report.below_threshold,
            "families": report.families.len(),
        },
        "documents": documents,
        "skipped": report.skipped,
        "notes": report.notes,
    });
    format!("{record:#}\n")
}
