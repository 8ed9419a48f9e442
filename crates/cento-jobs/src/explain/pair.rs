//! Why two documents match, to the last word.

use std::path::PathBuf;

use cento::report::Report;
use cento_ingest::Input;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::compare::{Opened, Others, Pair};
use crate::documents::Reader;
use crate::error::{Error, Result};
use crate::scan::{Settings, Sources, load};
use crate::watch::Watch;

/// A pair with everything that is known about it.
#[derive(Clone, Debug)]
pub struct ExplainedPair {
    /// The report on the two documents, with their texts.
    pub report: Report,
    /// How many documents there are, the two and the collection that says how rare their text is.
    pub documents: usize,
}

pub(super) fn explain(
    paths: &[PathBuf; 2],
    among: &[PathBuf],
    opened: &Opened,
    watch: &Watch<'_>,
) -> Result<ExplainedPair> {
    let Opened {
        settings,
        reader,
        inputs,
    } = opened;
    if settings.evidence.aligner.is_none() {
        let reason = "`none` leaves nothing to explain; choose another one";
        return Err(Error::option("aligner", reason));
    }
    let others = others(among, inputs, settings, reader, watch)?;
    let documents = others.documents.len() + 2;
    let pair = Pair {
        paths,
        inputs,
        reader,
    };
    let (report, _) = pair.report(others, settings, watch)?;
    watch.go_on()?;
    Ok(ExplainedPair { report, documents })
}

/// The documents of the collection, without the two themselves.
fn others(
    among: &[PathBuf],
    pair: &[Input; 2],
    settings: &Settings,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<Others> {
    if among.is_empty() {
        return Ok(Others::default());
    }
    let sources = Sources {
        new: among,
        ..Sources::default()
    };
    let loaded = load(&sources, settings, None, reader, watch)?;
    let of_pair: Vec<&str> = loaded
        .inputs
        .iter()
        .filter(|input| pair.iter().any(|own| own.is_same_file(input)))
        .map(Input::id)
        .collect();
    let mut documents = loaded.documents;
    documents.retain(|document| !of_pair.contains(&document.id.as_str()));
    Ok(Others {
        documents,
        counts: loaded.counts,
    })
}

impl Serialize for ExplainedPair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = &self.report;
        let pair = report.pairs.first();
        let mut value = json!(pair);
        let passages = value.get_mut("passages").and_then(Value::as_array_mut);
        let full = pair.iter().filter_map(|pair| pair.evidence.as_ref());
        let full = full.flat_map(|evidence| &evidence.passages);
        for (passage, full) in passages.into_iter().flatten().zip(full) {
            passage["chunks"] = json!(full.chunks);
        }
        json!({
            "recipe": report.recipe,
            "measure": report.measure,
            "documents": self.documents,
            "left_out": report.left_out,
            "pair": value,
            "notes": report.notes,
        })
        .serialize(serializer)
    }
}
