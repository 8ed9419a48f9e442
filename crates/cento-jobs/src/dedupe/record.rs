//! The record of a run: what it was told, what it read, and what came of it.
//!
//! It has what the result depends on and nothing else, no times and no limits of memory, so that the
//! same data gives the same bytes.

use serde_json::{Map, Value, json};

use super::options::Options;
use super::outcome::SourceOutcome;
use super::output::Output;
use crate::error::Result;

/// What there is to say about a run.
pub(super) struct Record<'r> {
    /// The options of its kind.
    pub(super) options: Value,
    pub(super) inputs: &'r [SourceOutcome],
    /// The test documents, if there are any.
    pub(super) tests: Option<Value>,
    pub(super) counts: Value,
}

impl Record<'_> {
    pub(super) fn write(self, options: &Options, output: &mut Output) -> Result<()> {
        let mut record = json!({
            "schema": "cento.dedupe-run/1",
            "cento": env!("CARGO_PKG_VERSION"),
            "options": with_common(self.options, options),
            "inputs": self.inputs,
            "counts": self.counts,
        });
        if let Some(tests) = self.tests {
            record["tests"] = tests;
        }
        output.write_record(&record)
    }
}

/// The options of a kind with those that every kind has.
fn with_common(of_kind: Value, options: &Options) -> Value {
    let input = &options.input;
    let mut all = json!({
        "annotate": options.annotate,
        "max_errors": options.max_errors,
        "reading": input.reading,
        "grouping": input.grouping,
        "include": input.include,
        "exclude": input.exclude,
    });
    // The recipe says which parts of pages are read.
    if let Some(Value::Object(reading)) = all.get_mut("reading") {
        reading.remove("scope");
    }
    if let (Value::Object(all), Value::Object(own)) = (&mut all, of_kind) {
        let set = own.into_iter().filter(|(_, value)| !value.is_null());
        all.extend(set.collect::<Map<String, Value>>());
    }
    all
}
