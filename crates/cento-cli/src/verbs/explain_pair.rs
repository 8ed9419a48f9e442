//! `cento explain pair`: why two documents match, to the last word.

use std::path::PathBuf;

use anyhow::{Result, bail};
use cento::report::{Evidence, PairReport, Report};
use serde_json::json;

use super::compare::{self, Others};

use crate::args::Format;
use crate::config::Settings;
use crate::load::{Input, load, single};
use crate::{Outcome, hint, output};

pub(super) fn run(paths: &[PathBuf; 2], among: &[PathBuf], settings: &Settings) -> Result<Outcome> {
    let inputs = [single(&paths[0], settings)?, single(&paths[1], settings)?];
    let others = others(among, &inputs, settings)?;
    let documents = others.documents.len() + 2;
    let report = compare::report(paths, &inputs, others, settings)?;
    let pair = &report.pairs[0];
    let Some(evidence) = &pair.evidence else {
        bail!("--aligner none leaves nothing to explain; choose another one");
    };
    output::result(&if settings.format == Format::Json {
        let value = as_json(pair, evidence, documents, &report);
        format!("{}\n", serde_json::to_string_pretty(&value)?)
    } else {
        cento_report::explained(&report, pair, evidence, documents, Some(hint::flag))
    })?;
    Ok(Outcome::Done)
}

/// The documents of the collection, without the two themselves.
fn others(among: &[PathBuf], pair: &[Input; 2], settings: &Settings) -> Result<Others> {
    if among.is_empty() {
        return Ok(Others::default());
    }
    let loaded = load(among, &[], settings)?;
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

fn as_json(
    pair: &PairReport,
    evidence: &Evidence,
    documents: usize,
    report: &Report,
) -> serde_json::Value {
    let mut value = json!(pair);
    for (passage, full) in value["passages"]
        .as_array_mut()
        .into_iter()
        .flatten()
        .zip(&evidence.passages)
    {
        passage["chunks"] = json!(full.chunks);
    }
    json!({
        "recipe": report.recipe, "measure": report.measure, "documents": documents,
        "left_out": report.left_out, "pair": value, "notes": report.notes,
    })
}
