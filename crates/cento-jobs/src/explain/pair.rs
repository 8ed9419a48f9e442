//! Why two documents match, to the last word.

use std::path::PathBuf;

use cento::report::{Report, ScorePart};
use cento_ingest::Input;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::compare::{Compared, Opened, Others, Pair};
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
    /// What each part of the fingerprints has to do with the score, if they have several.
    pub parts: Vec<ScorePart>,
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
    let compared = pair.report(&others, settings, watch)?;
    watch.go_on()?;
    Ok(ExplainedPair {
        parts: parts(&pair, &compared, &others, settings),
        report: compared.report,
        documents,
    })
}

fn parts(
    pair: &Pair<'_>,
    compared: &Compared,
    others: &Others,
    settings: &Settings,
) -> Vec<ScorePart> {
    let (Some(left), Some(right)) = (pair.content(0), pair.content(1)) else {
        return Vec::new();
    };
    let method = &settings.method;
    let [of_left, of_right] = &compared.documents;
    cento::score_parts(
        &method.recipe,
        method.measure,
        [(of_left, &left), (of_right, &right)],
        &others.documents,
        &method.key,
        &compared.counts,
    )
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
        let mut value = json!({
            "recipe": report.recipe,
            "measure": report.measure,
            "documents": self.documents,
            "left_out": report.left_out,
            "pair": value,
            "notes": report.notes,
        });
        if !self.parts.is_empty() {
            value["parts"] = json!(self.parts);
        }
        value.serialize(serializer)
    }
}
