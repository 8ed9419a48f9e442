//! How well methods do.

use std::path::PathBuf;

use cento_jobs::eval::{self as evaluating, Kind, by_itself, labelled};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::fingerprint::given_key;
use crate::options::Keywords;

/// Measures methods on a collection. The outcome as JSON.
#[pyfunction]
#[pyo3(signature = (collection, **options))]
pub(crate) fn eval(
    py: Python<'_>,
    collection: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("eval", options, py)?;
    let audience = keywords.audience()?;
    let recipes = keywords.strings("recipe")?;
    let measures = keywords.strings("measure")?;
    let usual = labelled::Options::default();
    let kind = if keywords.take("by_itself")?.unwrap_or(false) {
        Kind::ByItself(by_itself::Options { recipes, measures })
    } else {
        Kind::Labelled(labelled::Options {
            recipes,
            measures,
            query_recipe: keywords.take("query_recipe")?,
            passage_threshold: (keywords.take("passage_threshold")?)
                .unwrap_or(usual.passage_threshold),
            query_terms: keywords.take("query_terms")?.unwrap_or_default(),
            detail: keywords.take("detail")?.unwrap_or(false),
            top: keywords.take("top")?,
        })
    };
    let options = evaluating::Options {
        collection,
        kind,
        key_file: keywords.take("key_file")?,
        key: given_key(),
        input: keywords.input()?,
    };
    keywords.finish()?;
    Ok(json(
        &audience.run(py, |watch| evaluating::run(&options, watch))?,
    ))
}

/// An outcome as JSON.
pub(crate) fn json(outcome: &impl Serialize) -> String {
    serde_json::to_string(outcome).expect("an outcome is plain data")
}
