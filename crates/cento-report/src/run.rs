//! The record of a run: what would be needed to do it again and see the same.

use std::collections::BTreeMap;

use cento::discount::Discounts;
use cento::report::{Note, Report, Setting, Skipped, Summary};
use serde::Serialize;
use serde_json::Value;

/// The version of this data.
pub const RUN_SCHEMA: &str = "cento.run/1";

#[derive(Serialize)]
struct Record<'r> {
    schema: &'static str,
    cento: &'r str,
    command: &'r str,
    recipe: &'r str,
    measure: &'r str,
    settings: &'r BTreeMap<String, Setting>,
    left_out: Discounts,
    config: &'r Value,
    counts: BTreeMap<&'static str, u64>,
    documents: Vec<Input<'r>>,
    skipped: &'r [Skipped],
    notes: &'r [Note],
}

#[derive(Serialize)]
struct Input<'r> {
    id: &'r str,
    words: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    old: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_sha256: Option<&'r str>,
}

impl<'r> Input<'r> {
    fn new(document: &'r Summary) -> Input<'r> {
        Input {
            id: &document.id,
            words: document.words,
            old: document.old,
            text_sha256: document.sha256.as_deref(),
        }
    }
}

/// Version, parameters, inputs with their hashes, counts, and what was skipped and why. `config` is
/// what cento.toml would have to say for the same run.
///
/// # Panics
///
/// Never: a record has no maps with keys other than strings.
pub fn run_record(report: &Report, config: &Value) -> String {
    let old = report.documents.iter().filter(|document| document.old);
    let record = Record {
        schema: RUN_SCHEMA,
        cento: &report.cento,
        command: &report.command,
        recipe: &report.recipe,
        measure: &report.measure,
        settings: &report.settings,
        left_out: report.left_out,
        config,
        counts: BTreeMap::from([
            ("documents", report.documents.len() as u64),
            ("old", old.count() as u64),
            ("skipped", report.skipped.len() as u64),
            ("pairs_compared", report.histogram.pairs()),
            ("pairs_listed", report.pairs.len() as u64),
            ("at_threshold", report.at_threshold),
            ("families", report.families.len() as u64),
        ])
        .into_iter()
        .chain(
            report
                .below_threshold
                .map(|below| ("below_threshold", below)),
        )
        .collect(),
        documents: report.documents.iter().map(Input::new).collect(),
        skipped: &report.skipped,
        notes: &report.notes,
    };
    let mut text = serde_json::to_string_pretty(&record).expect("a record is plain data");
    text.push('\n');
    text
}
