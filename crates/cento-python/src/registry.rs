//! A registry: made, written, asked.

use std::path::PathBuf;

use cento::index::registry::Retention;
use cento_jobs::forget::Forgotten;
use cento_jobs::registry::{TextSources, init as making, status as counting};
use cento_jobs::verify::SearchOptions;
use cento_jobs::{forget as forgetting, register as registering, verify as verifying};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{CentoError, of_option};
use crate::eval::json;
use crate::jobs::{given, texts as texts_of};
use crate::options::Keywords;
use crate::report::Report;

/// Makes a registry. The outcome as JSON.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn init(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("Registry", options, py)?;
    let audience = keywords.audience()?;
    let usual = making::Options::default();
    let options = making::Options {
        registry: keywords.registry(path)?,
        recipe: keywords.take("recipe")?,
        dictionary: keywords.take("dictionary")?,
        retention: match keywords.take::<String>("retain")?.as_deref() {
            None | Some("digests") => Retention::Digests,
            Some("spans") => Retention::Spans,
            Some("text") => Retention::Text,
            Some(other) => {
                let reason = format!("{other} is none of digests, spans and text");
                return Err(of_option("retain", reason));
            }
        },
        unkeyed: keywords.take("unkeyed")?.unwrap_or(false),
        kept_bits: keywords.take("keep_bits")?.unwrap_or(usual.kept_bits),
        ..usual
    };
    keywords.finish()?;
    Ok(json(
        &audience.run(py, |watch| making::run(&options, watch))?,
    ))
}

/// Adds documents. The outcome as JSON.
#[pyfunction]
#[pyo3(signature = (path, paths, texts, **options))]
pub(crate) fn register(
    py: Python<'_>,
    path: PathBuf,
    paths: Vec<PathBuf>,
    texts: Vec<(String, String)>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("register", options, py)?;
    let audience = keywords.audience()?;
    let options = registering::Options {
        paths,
        given: given(texts),
        manifest: keywords.take("manifest")?,
        registry: keywords.registry(path)?,
        submitter: keywords.take("submitter")?,
        set: keywords.take("set")?,
        date: keywords.take("date")?,
        expire: keywords.take("expire")?,
        id_prefix: keywords.take("id_prefix")?.unwrap_or_default(),
        on_change: keywords.on_change()?,
        input: keywords.input()?,
        ..registering::Options::default()
    };
    keywords.finish()?;
    Ok(json(
        &audience.run(py, |watch| registering::run(&options, watch))?,
    ))
}

/// Finds what documents share with those of a registry.
#[pyfunction]
#[pyo3(signature = (path, paths, texts, **options))]
pub(crate) fn verify(
    py: Python<'_>,
    path: PathBuf,
    paths: Vec<PathBuf>,
    texts: Vec<(String, String)>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Report> {
    let mut keywords = Keywords::of("verify", options, py)?;
    let audience = keywords.audience()?;
    let with_text = keywords.take("with_text")?.unwrap_or(false);
    let submitters = keywords.strings("exclude_submitter")?;
    let options = verifying::Options {
        paths,
        given_texts: given(texts),
        registry: keywords.registry(path)?,
        submitter: keywords.take("submitter")?,
        set: keywords.take("set")?,
        id_prefix: keywords.take("id_prefix")?.unwrap_or_default(),
        search: SearchOptions {
            measure: keywords.take("measure")?,
            threshold: keywords.take("threshold")?,
            top: keywords.take("top")?,
            query_recipe: keywords.take("query_recipe")?,
            passage_threshold: keywords.take("passage_threshold")?,
            exclude_own_submitter: submitters.iter().any(String::is_empty),
            exclude_submitters: (submitters.into_iter())
                .filter(|submitter| !submitter.is_empty())
                .collect(),
            exclude_sets: keywords.strings("exclude_set")?,
            include_own: keywords.take("include_own")?.unwrap_or(false),
            include_standard: keywords.take("include_standard")?.unwrap_or(false),
            base_from: keywords.base_from()?,
            texts: TextSources {
                folder: keywords.take("texts")?,
                ..TextSources::default()
            },
            exact: keywords.take("exact")?.unwrap_or(false),
        },
        evidence: keywords.evidence()?,
        input: keywords.input()?,
        texts: texts_of(with_text),
        ..verifying::Options::default()
    };
    keywords.finish()?;
    let done = audience.run(py, |watch| verifying::run(&options, watch))?;
    Ok(Report::new(done.reported, with_text))
}

/// Removes documents. How many were removed.
#[pyfunction]
#[pyo3(signature = (path, ids, **options))]
pub(crate) fn forget(
    py: Python<'_>,
    path: PathBuf,
    ids: Vec<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<u64> {
    let mut keywords = Keywords::of("forget", options, py)?;
    let audience = keywords.audience()?;
    let what = Forgotten {
        ids,
        sets: keywords.strings("set")?,
        submitters: keywords.strings("submitter")?,
        expired: keywords.take("expired")?.unwrap_or(false),
    };
    let registry = keywords.registry(path)?;
    keywords.finish()?;
    if what == Forgotten::default() {
        return Err(of_option(
            "forget",
            "name ids, a set or a submitter, or give expired=True",
        ));
    }
    let is_named = what.ids.len() + what.sets.len() + what.submitters.len() > 0;
    let options = forgetting::Options { registry, what };
    let done = audience.run(py, |watch| forgetting::run(&options, watch))?;
    if done.forgotten == 0 && is_named {
        let what = &options.what;
        let ids = what
            .ids
            .iter()
            .map(|id| format!("as {}", id.escape_debug()));
        let sets = what
            .sets
            .iter()
            .map(|set| format!("in the set {}", set.escape_debug()));
        let by = what
            .submitters
            .iter()
            .map(|by| format!("by {}", by.escape_debug()));
        let named: Vec<String> = ids.chain(sets).chain(by).collect();
        let reason = format!("nothing is registered {}", named.join(" or "));
        return Err(CentoError::new_err(reason));
    }
    Ok(done.forgotten)
}

/// What is in a registry, as JSON.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn status(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("status", options, py)?;
    let audience = keywords.audience()?;
    let registry = keywords.registry(path)?;
    keywords.finish()?;
    let options = counting::Options { registry };
    Ok(json(
        &audience.run(py, |watch| counting::run(&options, watch))?,
    ))
}
