//! Documents compared, read and aligned.

use std::path::PathBuf;
use std::sync::Arc;

use cento::align::{Aligner, Kind, Vocabulary};
use cento_jobs::{
    GivenText, TextOptions, TextsOf, compare as comparing, explain, scan as scanning,
};
use cento_report::Characters;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::error::of_option;
use crate::options::Keywords;
use crate::report::Report;
use crate::run::Audience;

/// What texts a report has: those of listed pairs, for the page; with `with_text` all.
pub(crate) fn texts(with_text: bool) -> TextOptions {
    TextOptions {
        texts: if with_text {
            TextsOf::All
        } else {
            TextsOf::Listed
        },
        ..TextOptions::default()
    }
}

/// Texts with their names.
pub(crate) fn given(texts: Vec<(String, String)>) -> Vec<GivenText> {
    let texts = texts.into_iter().map(|(name, text)| GivenText {
        name,
        text: Arc::from(text),
    });
    texts.collect()
}

/// Compares every document with every other one.
#[pyfunction]
#[pyo3(signature = (paths, texts, **options))]
pub(crate) fn scan(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    texts: Vec<(String, String)>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Report> {
    let mut keywords = Keywords::of("scan", options, py)?;
    let audience = keywords.audience()?;
    let with_text = keywords.take("with_text")?.unwrap_or(false);
    let options = scanning::Options {
        paths,
        given: given(texts),
        old: keywords.paths("old")?,
        method: keywords.method()?,
        evidence: keywords.evidence()?,
        input: keywords.input()?,
        author: keywords.take("author")?,
        base_from: keywords.base_from()?,
        passage: keywords.take("passage")?,
        passage_threshold: keywords.take("passage_threshold")?,
        top: keywords.take("top")?,
        top_documents: keywords.take("top_documents")?,
        max_df: keywords.take("max_df")?,
        advise: keywords.take("advise")?.unwrap_or(false),
        compress: keywords.take("compress")?,
        approximate: keywords.approximate()?,
        only_listed: false,
        texts: self::texts(with_text),
    };
    keywords.finish()?;
    let method = &options.method;
    let scored = method.recipe.is_some() || method.measure.is_some() || options.max_df.is_some();
    if options.passage.is_some() && scored {
        let reason = "with recipe, measure or max_df the score decides what is listed; leave one of \
                      them out";
        return Err(of_option("passage", reason));
    }
    if options.compress.is_some() && method.measure.is_some() {
        let reason = "cannot be combined with measure; leave one of them out";
        return Err(of_option("compress", reason));
    }
    let reported = audience.run(py, |watch| scanning::run(&options, watch))?;
    Ok(Report::new(reported, with_text))
}

/// Compares two documents: each is a path, or a text with its name.
#[pyfunction]
#[pyo3(signature = (left, right, **options))]
pub(crate) fn compare(
    py: Python<'_>,
    left: Side,
    right: Side,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Report> {
    let mut keywords = Keywords::of("compare", options, py)?;
    let audience = keywords.audience()?;
    let with_text = keywords.take("with_text")?.unwrap_or(false);
    let (left, given_left) = left.apart();
    let (right, given_right) = right.apart();
    let options = comparing::Options {
        left,
        right,
        given: [given_left, given_right],
        compress: keywords.take("compress")?,
        method: keywords.method()?,
        evidence: keywords.evidence()?,
        input: keywords.input()?,
    };
    keywords.finish()?;
    let reported = audience.run(py, |watch| comparing::run(&options, watch))?;
    Ok(Report::new(reported, with_text))
}

/// A document of a pair.
#[derive(FromPyObject)]
pub(crate) enum Side {
    Text(String, String),
    File(PathBuf),
}

impl Side {
    fn apart(self) -> (PathBuf, Option<GivenText>) {
        match self {
            Side::File(path) => (path, None),
            Side::Text(name, text) => {
                let text = Arc::from(text);
                (PathBuf::from(&name), Some(GivenText { name, text }))
            }
        }
    }
}

/// The text of a document, whatever format it is in.
#[pyfunction]
#[pyo3(signature = (path, **options))]
pub(crate) fn read(
    py: Python<'_>,
    path: PathBuf,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let mut keywords = Keywords::of("read", options, py)?;
    let audience = Audience {
        remarks: keywords.take("_remarks")?,
        ..Audience::default()
    };
    let options = explain::Options {
        kind: explain::Kind::Text { file: path },
        input: keywords.input()?,
        ..explain::Options::default()
    };
    keywords.finish()?;
    let done = audience.run(py, |watch| explain::run(&options, watch))?;
    Ok(match done {
        explain::Outcome::Text(read) => read.text,
        explain::Outcome::Stage(_) | explain::Outcome::Pair(_) => String::new(),
    })
}

/// Text of one document and the text of the other that corresponds to it.
#[pyclass(frozen, get_all, module = "cento")]
pub(crate) struct Passage {
    left_start: u32,
    left_end: u32,
    right_start: u32,
    right_end: u32,
    kind: &'static str,
    similarity: f64,
}

#[pymethods]
impl Passage {
    /// Where it is in the left text.
    #[getter]
    fn left<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<PySlice>()
            .call1((self.left_start, self.left_end))
    }

    /// Where it is in the right text.
    #[getter]
    fn right<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<PySlice>()
            .call1((self.right_start, self.right_end))
    }

    fn __repr__(&self) -> String {
        format!(
            "<cento.Passage {}:{} = {}:{}, {}, {:.2}>",
            self.left_start,
            self.left_end,
            self.right_start,
            self.right_end,
            self.kind,
            self.similarity
        )
    }
}

/// What two texts share, and where.
#[pyfunction]
#[pyo3(signature = (left, right, aligner="passages"))]
pub(crate) fn align(
    py: Python<'_>,
    left: &str,
    right: &str,
    aligner: &str,
) -> PyResult<Vec<Passage>> {
    let aligner: Aligner = aligner
        .parse()
        .map_err(|error: cento::Error| of_option("aligner", error))?;
    if left.len().max(right.len()) >= u32::MAX as usize {
        return Err(of_option("align", "a text is longer than 4 GiB"));
    }
    Audience::default().run(py, |_| {
        let mut vocabulary = Vocabulary::default();
        let sequences = [left, right].map(|text| vocabulary.read(text));
        let found = aligner.align_by_sentence(&sequences[0], &sequences[1], &vocabulary);
        let characters = [left, right].map(Characters::new);
        let passages = found.passages.iter().map(|passage| {
            let sides = [&passage.left, &passage.right];
            let [left, right] = [0, 1].map(|side| {
                let span = sequences[side].source(sides[side]);
                [span.start, span.end].map(|byte| characters[side].before(byte))
            });
            Passage {
                left_start: left[0],
                left_end: left[1],
                right_start: right[0],
                right_end: right[1],
                kind: match passage.kind {
                    Kind::Exact => "exact",
                    Kind::Edited => "edited",
                    Kind::Paraphrased => "paraphrased",
                },
                similarity: passage.similarity,
            }
        });
        Ok(passages.collect())
    })
}
