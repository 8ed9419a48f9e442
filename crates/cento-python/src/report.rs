//! A report as Python has it.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use cento::report::PairReport;
use cento_jobs::Reported;
use pyo3::prelude::*;

use crate::arrow::Table;

/// What documents share.
#[pyclass(frozen, module = "cento")]
pub(crate) struct Report {
    /// Rendering puts documents into their places, and leaves out texts for a while.
    reported: Mutex<Reported>,
    /// Whether JSON has the texts.
    with_text: bool,
}

impl Report {
    pub(crate) fn new(reported: Reported, with_text: bool) -> Report {
        Report {
            reported: Mutex::new(reported),
            with_text,
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Reported) -> T) -> T {
        act(&mut self.reported.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Report {
    /// The pairs that are listed, with the columns of `cento scan -f csv`.
    #[getter]
    fn pairs(&self) -> PyResult<Table> {
        self.with(|reported| {
            let left_out = reported.report.left_out;
            let pairs = &reported.report.pairs;
            let names = |of: fn(&PairReport) -> &str| -> ArrayRef {
                Arc::new(StringArray::from_iter_values(pairs.iter().map(of)))
            };
            let numbers = |of: &dyn Fn(&PairReport) -> Option<f64>| -> ArrayRef {
                Arc::new(pairs.iter().map(of).collect::<Float64Array>())
            };
            let counts = |of: &dyn Fn(&PairReport) -> Option<i64>| -> ArrayRef {
                Arc::new(pairs.iter().map(of).collect::<Int64Array>())
            };
            let evidence = |pair: &PairReport, of: fn(&cento::report::Evidence) -> f64| {
                pair.evidence.as_ref().map(of)
            };
            let share = |pair: &PairReport, side: usize| match (&pair.evidence, &pair.estimate) {
                (Some(evidence), _) => Some(evidence.share[side]),
                (None, estimate) => estimate.as_ref().map(|estimate| estimate.share[side]),
            };
            let passages = |pair: &PairReport| {
                let evidence = pair.evidence.as_ref()?;
                i64::try_from(evidence.passages_counted(left_out)).ok()
            };
            Table::of(vec![
                ("left", names(|pair| &pair.left)),
                ("right", names(|pair| &pair.right)),
                ("score", numbers(&|pair| Some(rounded(pair.score)))),
                ("shared", counts(&|pair| Some(i64::from(pair.shared)))),
                (
                    "containment_left",
                    numbers(&|pair| Some(rounded(pair.containment[0]))),
                ),
                (
                    "containment_right",
                    numbers(&|pair| Some(rounded(pair.containment[1]))),
                ),
                ("symmetric", numbers(&|pair| Some(rounded(pair.symmetric)))),
                (
                    "resemblance",
                    numbers(&|pair| Some(rounded(pair.resemblance))),
                ),
                (
                    "max_containment",
                    numbers(&|pair| Some(rounded(pair.max_containment))),
                ),
                (
                    "overlap_left",
                    numbers(&|pair| evidence(pair, |one| rounded(one.overlap[0]))),
                ),
                (
                    "overlap_right",
                    numbers(&|pair| evidence(pair, |one| rounded(one.overlap[1]))),
                ),
                (
                    "net_left",
                    numbers(&|pair| evidence(pair, |one| rounded(one.net[0]))),
                ),
                (
                    "net_right",
                    numbers(&|pair| evidence(pair, |one| rounded(one.net[1]))),
                ),
                (
                    "longest",
                    counts(&|pair| Some(i64::from(pair.evidence.as_ref()?.longest))),
                ),
                ("passages", counts(&passages)),
                ("share_left", numbers(&|pair| share(pair, 0).map(rounded))),
                ("share_right", numbers(&|pair| share(pair, 1).map(rounded))),
            ])
        })
    }

    /// The groups of documents that pairs connect.
    #[getter]
    fn families(&self) -> Vec<Vec<String>> {
        self.with(|reported| reported.report.families.clone())
    }

    /// What could not be read: the id and the reason.
    #[getter]
    fn skipped(&self) -> Vec<(String, String)> {
        self.with(|reported| {
            let skipped = reported.report.skipped.iter();
            skipped
                .map(|one| (one.id.clone(), one.reason.clone()))
                .collect()
        })
    }

    /// How many documents were read.
    #[getter]
    fn read(&self) -> usize {
        self.with(|reported| reported.read)
    }

    /// Whether anything is at or above the threshold.
    #[getter]
    fn is_found(&self) -> bool {
        self.with(|reported| reported.is_found)
    }

    /// The report as JSON, as `--json` prints it.
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| {
            self.with(|reported| {
                if self.with_text {
                    return cento_report::json(&reported.report);
                }
                let report = &mut reported.report;
                report.without_texts(|slim| cento_report::json(slim))
            })
        })
    }

    /// The report as one page, as `-o FILE.html` writes it.
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| {
            self.with(|reported| {
                cento_report::place(&mut reported.report);
                cento_report::seal(&mut reported.report);
                cento_report::html(&mut reported.report, &reported.templates)
            })
        })
    }

    /// The report as text, as the command line prints it.
    fn text(&self, py: Python<'_>) -> String {
        py.detach(|| self.with(|reported| cento_report::text(&reported.report, None)))
    }

    /// What a notebook shows: the first pairs, with the numbers of the command line, without scripts.
    fn _repr_html_(&self) -> String {
        const SHOWN: usize = 20;
        let said = self.__repr__();
        self.with(|reported| {
            let pairs = &reported.report.pairs;
            let mut page = format!("<p>{}</p>", escaped(said.trim_matches(['<', '>'])));
            if pairs.is_empty() {
                return page;
            }
            let by_share = pairs.iter().any(|pair| pair.listed.is_some());
            let score = if by_share { "" } else { "<th>score</th>" };
            let _ = write!(
                page,
                "<table><thead><tr><th>left</th><th>right</th>{score}<th>of left</th>\
                 <th>of right</th></tr></thead><tbody>"
            );
            for pair in pairs.iter().take(SHOWN) {
                let (left, right) = (escaped(&pair.left), escaped(&pair.right));
                let _ = write!(page, "<tr><td>{left}</td><td>{right}</td>");
                let [of_left, of_right] = pair.shares();
                let score = (!by_share).then_some(pair.score);
                for number in score.into_iter().chain([of_left, of_right]) {
                    let number = escaped(&cento_report::percent(number));
                    let _ = write!(page, "<td>{number}</td>");
                }
                page.push_str("</tr>");
            }
            page.push_str("</tbody></table>");
            if let Some(more @ 1..) = pairs.len().checked_sub(SHOWN) {
                let _ = write!(
                    page,
                    "<p>{more} more; <code>report.pairs</code> has them all.</p>"
                );
            }
            page
        })
    }

    fn __len__(&self) -> usize {
        self.with(|reported| reported.report.pairs.len())
    }

    fn __repr__(&self) -> String {
        self.with(|reported| {
            let pairs = cento_report::counted(reported.report.pairs.len() as u64, "pair");
            let documents = cento_report::counted(reported.read as u64, "document");
            let skipped = match reported.report.skipped.len() {
                0 => String::new(),
                skipped => format!(", {skipped} skipped"),
            };
            format!("<cento.Report: {pairs} of {documents}{skipped}>")
        })
    }
}

/// A text as a page has it.
fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            '"' => page.push_str("&quot;"),
            other => page.push(other),
        }
    }
    page
}

/// A share as it is written everywhere.
pub(crate) fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}
