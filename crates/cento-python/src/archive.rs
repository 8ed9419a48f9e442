//! Versions of pages: kept, listed, given back.

use std::path::PathBuf;

use cento_jobs::archive::{ArchiveOptions, add, check, diff, forget, get, init, log, stats};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use serde_json::json;

use crate::eval::json as written;
use crate::options::Keywords;

/// Makes an archive. The outcome as JSON.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn archive_init(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("Archive", options, py)?;
    let audience = keywords.audience()?;
    let usual = init::Options::default();
    let options = init::Options {
        archive: at(path),
        recipe: keywords.take("recipe")?.unwrap_or(usual.recipe),
        level: keywords.take("level")?.unwrap_or(usual.level),
        patch_share: keywords.take("patch_share")?.unwrap_or(usual.patch_share),
    };
    keywords.finish()?;
    Ok(written(
        &audience.run(py, |watch| init::run(&options, watch))?,
    ))
}

/// Adds versions. What was added and what was skipped, as JSON.
#[pyfunction]
#[pyo3(signature = (path, name, files, **options))]
pub(crate) fn archive_add(
    py: Python<'_>,
    path: PathBuf,
    name: Option<String>,
    files: Vec<PathBuf>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("add", options, py)?;
    let audience = keywords.audience()?;
    let options = add::Options {
        archive: at(path),
        name,
        files,
        time: keywords.take("time")?,
        level: keywords.take("level")?,
        input: keywords.input()?,
    };
    keywords.finish()?;
    let done = audience.run(py, |watch| add::run(&options, watch))?;
    Ok(json!({"added": done.added, "skipped": done.skipped}).to_string())
}

/// The versions of a page, or all pages, as JSON.
#[pyfunction]
#[pyo3(signature = (path, name, sha1, **options))]
pub(crate) fn archive_log(
    py: Python<'_>,
    path: PathBuf,
    name: Option<String>,
    sha1: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("log", options, py)?;
    let audience = keywords.audience()?;
    keywords.finish()?;
    let options = log::Options {
        archive: at(path),
        name,
        sha1,
    };
    Ok(written(
        &audience.run(py, |watch| log::run(&options, watch))?,
    ))
}

/// The bytes of a version.
#[pyfunction]
#[pyo3(signature = (path, version, transferred, **options))]
pub(crate) fn archive_get<'py>(
    py: Python<'py>,
    path: PathBuf,
    version: String,
    transferred: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut keywords = Keywords::of("get", options, py)?;
    let audience = keywords.audience()?;
    keywords.finish()?;
    let options = get::Options {
        archive: at(path),
        version,
        transferred,
    };
    let done = audience.run(py, |watch| get::run(&options, watch))?;
    Ok(PyBytes::new(py, &done.bytes))
}

/// What two versions do not share, as JSON.
#[pyfunction]
#[pyo3(signature = (path, left, right, **options))]
pub(crate) fn archive_diff(
    py: Python<'_>,
    path: PathBuf,
    left: String,
    right: String,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("diff", options, py)?;
    let audience = keywords.audience()?;
    let options = diff::Options {
        archive: at(path),
        left,
        right,
        input: keywords.input()?,
    };
    keywords.finish()?;
    Ok(written(
        &audience.run(py, |watch| diff::run(&options, watch))?,
    ))
}

/// Removes pages or versions. What was removed, as JSON.
#[pyfunction]
#[pyo3(signature = (path, names, **options))]
pub(crate) fn archive_forget(
    py: Python<'_>,
    path: PathBuf,
    names: Vec<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("forget", options, py)?;
    let audience = keywords.audience()?;
    keywords.finish()?;
    let options = forget::Options {
        archive: at(path),
        names,
    };
    Ok(written(
        &audience.run(py, |watch| forget::run(&options, watch))?,
    ))
}

/// What is in an archive, as JSON.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn archive_stats(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("stats", options, py)?;
    let audience = keywords.audience()?;
    keywords.finish()?;
    let options = stats::Options { archive: at(path) };
    Ok(written(
        &audience.run(py, |watch| stats::run(&options, watch))?,
    ))
}

/// What is wrong with an archive, as JSON.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn archive_check(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("check", options, py)?;
    let audience = keywords.audience()?;
    keywords.finish()?;
    let options = check::Options { archive: at(path) };
    Ok(written(
        &audience.run(py, |watch| check::run(&options, watch))?,
    ))
}

fn at(archive: PathBuf) -> ArchiveOptions {
    ArchiveOptions { archive }
}
