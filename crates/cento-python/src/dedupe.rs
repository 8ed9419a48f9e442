//! Near-duplicates, repeated passages and the text of tests, in rows of Python or in files.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray};
use cento_ingest::{Columns, Keys};
use cento_jobs::dedupe::rows::{self, Action, RowCut, Rows};
use cento_jobs::dedupe::{self, Against, Clusters, Kind, NearDuplicates, Options, Passages};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrow::{Table, Texts};
use crate::error::{exception, of_option};
use crate::fingerprint::raised;
use crate::options::Keywords;

/// The columns of a table that have the text and the id.
#[pyfunction]
#[pyo3(signature = (names, text_key=None, id_key=None, of_tests=false))]
pub(crate) fn columns_among(
    names: Vec<String>,
    text_key: Option<String>,
    id_key: Option<String>,
    of_tests: bool,
) -> PyResult<(String, Option<String>)> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let keys = Keys {
        text: text_key,
        id: id_key,
    };
    let columns = Columns::among(&names, &keys).map_err(|error| {
        let error = cento_jobs::Error::from(error);
        if of_tests {
            let source = Box::new(error);
            exception(&cento_jobs::Error::Tests { source })
        } else {
            exception(&error)
        }
    })?;
    Ok((columns.text, columns.id))
}

/// Which rows are like another one: for each, the row that is kept in its place, whether it is kept
/// itself, and how alike the two are.
#[pyfunction]
#[pyo3(signature = (chunks, text_key, numbers, **options))]
pub(crate) fn dedupe_near_duplicates(
    py: Python<'_>,
    chunks: &Bound<'_, PyAny>,
    text_key: &str,
    numbers: Option<Vec<Option<f64>>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let mut keywords = Keywords::of("dedupe", options, py)?;
    let audience = keywords.audience()?;
    let max_errors = max_errors(&mut keywords)?;
    let wanted = near_duplicates(&mut keywords)?;
    keywords.finish()?;
    let texts = Texts::of(chunks)?;
    let fates = audience.run(py, |watch| {
        let rows = Rows {
            texts: &texts.all(),
            ids: None,
            numbers: numbers.as_deref(),
            text_key,
            max_errors,
        };
        rows::near_duplicates(&rows, &wanted, watch)
    })?;
    let kept = fates
        .iter()
        .map(|fate| i64::try_from(fate.as_ref()?.kept).ok());
    let is_kept = fates.iter().map(|fate| fate.map(|fate| fate.is_kept));
    let similarity = fates.iter().map(|fate| fate.map(|fate| fate.similarity));
    let columns: [(&str, ArrayRef); 3] = [
        ("kept", Arc::new(kept.collect::<Int64Array>())),
        ("is_kept", Arc::new(is_kept.collect::<BooleanArray>())),
        (
            "similarity_to_kept",
            Arc::new(similarity.collect::<Float64Array>()),
        ),
    ];
    Table::of(columns.into())
}

/// What is left of rows without passages that stand earlier.
#[pyfunction]
#[pyo3(signature = (chunks, text_key, ids, **options))]
pub(crate) fn dedupe_passages(
    py: Python<'_>,
    chunks: &Bound<'_, PyAny>,
    text_key: &str,
    ids: Option<Vec<String>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let mut keywords = Keywords::of("dedupe", options, py)?;
    let audience = keywords.audience()?;
    let max_errors = max_errors(&mut keywords)?;
    let usual = Passages::default().min_words;
    let min_words = keywords.take("min_words")?.unwrap_or(usual);
    keywords.finish()?;
    let texts = Texts::of(chunks)?;
    let cuts = audience.run(py, |watch| {
        let rows = Rows {
            texts: &texts.all(),
            ids: ids.as_deref(),
            numbers: None,
            text_key,
            max_errors,
        };
        rows::passages(&rows, min_words, watch)
    })?;
    of_cuts(&cuts)
}

/// What is left of rows without the text of tests.
#[pyfunction]
#[pyo3(signature = (chunks, text_key, ids, tests, tests_text_key, tests_ids, **options))]
#[expect(
    clippy::too_many_arguments,
    reason = "two tables, each with its texts and their names"
)]
pub(crate) fn dedupe_against(
    py: Python<'_>,
    chunks: &Bound<'_, PyAny>,
    text_key: &str,
    ids: Option<Vec<String>>,
    tests: &Bound<'_, PyAny>,
    tests_text_key: &str,
    tests_ids: Option<Vec<String>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let mut keywords = Keywords::of("decontaminate", options, py)?;
    let audience = keywords.audience()?;
    let max_errors = max_errors(&mut keywords)?;
    let wanted = against(&mut keywords)?;
    keywords.finish()?;
    let data = Texts::of(chunks)?;
    let tests = Texts::of(tests)?;
    let cuts = audience.run(py, |watch| {
        let rows = Rows {
            texts: &data.all(),
            ids: ids.as_deref(),
            numbers: None,
            text_key,
            max_errors,
        };
        let tests = Rows {
            texts: &tests.all(),
            ids: tests_ids.as_deref(),
            numbers: None,
            text_key: tests_text_key,
            max_errors,
        };
        rows::against(&rows, &tests, &wanted, watch)
    })?;
    of_cuts(&cuts)
}

/// The job of the command line: files in, files out. The outcome as JSON.
#[pyfunction]
#[pyo3(signature = (inputs, output, **options))]
pub(crate) fn dedupe_files(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let tests = options.map(|options| options.get_item("against"));
    let is_against = tests
        .transpose()?
        .flatten()
        .is_some_and(|tests| !tests.is_none());
    let function = if is_against {
        "decontaminate"
    } else {
        "dedupe"
    };
    let mut keywords = Keywords::of(function, options, py)?;
    let audience = keywords.audience()?;
    let max_errors = max_errors(&mut keywords)?;
    let lists = keywords.take("lists")?;
    let annotate = keywords.take("annotate")?.unwrap_or(false);
    let passages = !is_against && keywords.take("passages")?.unwrap_or(false);
    let kind = if is_against {
        let tests = keywords.paths("against")?;
        let keys = Keys {
            text: keywords.take("against_text_key")?,
            id: keywords.take("against_id_key")?,
        };
        let wanted = against(&mut keywords)?;
        Kind::Against(Against {
            tests,
            keys,
            ..wanted
        })
    } else if passages {
        let usual = Passages::default().min_words;
        let min_words = keywords.take("min_words")?.unwrap_or(usual);
        Kind::Passages(Passages { min_words })
    } else {
        let wanted = near_duplicates(&mut keywords)?;
        Kind::NearDuplicates(Box::new(NearDuplicates {
            registry: keywords.take("registry")?,
            max_memory: keywords.size("max_memory")?,
            work: keywords.take("work")?,
            ..wanted
        }))
    };
    let options = Options {
        inputs,
        output,
        lists,
        kind,
        annotate,
        max_errors,
        input: keywords.input()?,
    };
    keywords.finish()?;
    let done = audience.run(py, |watch| dedupe::run(&options, watch))?;
    Ok(crate::eval::json(&done))
}

pub(crate) fn max_errors(keywords: &mut Keywords<'_>) -> PyResult<f64> {
    let usual = Options::default().max_errors;
    Ok(keywords.take("max_errors")?.unwrap_or(usual))
}

pub(crate) fn near_duplicates(keywords: &mut Keywords<'_>) -> PyResult<NearDuplicates> {
    let exact = keywords.take("exact")?.unwrap_or(false);
    let mut given = Vec::new();
    let method = keywords.method()?;
    for (name, is_given) in [
        ("recipe", method.recipe.is_some()),
        ("measure", method.measure.is_some()),
        ("threshold", method.threshold.is_some()),
    ] {
        given.extend(is_given.then_some(name));
    }
    let clusters = keywords.take::<String>("clusters")?;
    given.extend(clusters.as_ref().map(|_| "clusters"));
    if let Some(name) = given.first().filter(|_| exact) {
        let reason = "cannot be combined with exact: only equal texts are duplicates then";
        return Err(of_option(name, reason));
    }
    Ok(NearDuplicates {
        method,
        keep: match keywords.take::<String>("keep")? {
            Some(keep) => raised(keep.parse())?,
            None => dedupe::Keep::default(),
        },
        clusters: match clusters.as_deref() {
            None | Some("star") => Clusters::Star,
            Some("components") => Clusters::Components,
            Some(other) => {
                let reason = format!("{other} is neither star nor components");
                return Err(of_option("clusters", reason));
            }
        },
        drop_all: keywords.take("drop_all")?.unwrap_or(false),
        exact,
        approximate: keywords.approximate()?,
        ..NearDuplicates::default()
    })
}

pub(crate) fn against(keywords: &mut Keywords<'_>) -> PyResult<Against> {
    let usual = Against::default();
    Ok(Against {
        min_words: keywords.take("min_words")?.unwrap_or(usual.min_words),
        min_share: keywords.take("min_share")?.unwrap_or(usual.min_share),
        only_passages: keywords.take("passages")?.unwrap_or(false),
        ..usual
    })
}

/// What becomes of rows: whether each is kept, its text if that is another one, and what was found.
pub(crate) fn of_cuts(cuts: &[Option<RowCut>]) -> PyResult<Table> {
    let is_kept = cuts.iter().map(|cut| {
        let action = &cut.as_ref()?.action;
        Some(*action != Action::Remove)
    });
    let changed = cuts.iter().map(|cut| match &cut.as_ref()?.action {
        Action::Change(text) => Some(text.as_str()),
        Action::Keep | Action::Remove => None,
    });
    let spans = cuts
        .iter()
        .map(|cut| Some(crate::eval::json(&cut.as_ref()?.spans)));
    let columns: [(&str, ArrayRef); 3] = [
        ("is_kept", Arc::new(is_kept.collect::<BooleanArray>())),
        ("changed", Arc::new(changed.collect::<LargeStringArray>())),
        ("spans", Arc::new(spans.collect::<LargeStringArray>())),
    ];
    Table::of(columns.into())
}
