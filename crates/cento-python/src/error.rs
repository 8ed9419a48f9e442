//! Errors of jobs → exceptions of Python, with the same words as on the command line.

use cento_ingest::{FieldKey, Limit};
use cento_jobs::{Error, Problem};
use pyo3::PyErr;
use pyo3::exceptions::PyKeyboardInterrupt;

pyo3::import_exception!(cento._errors, OptionError);
pyo3::import_exception!(cento._errors, CentoError);

/// The exception for an error of a job.
pub(crate) fn exception(error: &Error) -> PyErr {
    let hint = match error {
        // Only who interrupts a job stops it.
        Error::Stopped => return PyKeyboardInterrupt::new_err(error.to_string()),
        Error::Options(problems) => return of_options(problems),
        Error::NoKey { .. } => "; give it by key_file or in CENTO_KEY",
        Error::Library(cento::Error::NoRegistry { .. }) => {
            "; Registry(path, create=True) makes one"
        }
        error => of_ingest(error, Whose::Documents),
    };
    CentoError::new_err(format!("{}{hint}", error.sentence()))
}

/// The same for an error of the library.
pub(crate) fn of_library(error: cento::Error) -> PyErr {
    exception(&error.into())
}

/// An option that cannot be followed.
pub(crate) fn of_option(option: &str, reason: impl std::fmt::Display) -> PyErr {
    OptionError::new_err(format!("{option}: {reason}"))
}

fn of_options(problems: &[Problem]) -> PyErr {
    let line = |problem: &Problem| match problem.option {
        "" => problem.reason.clone(),
        option => format!("{}: {}", option.replace('-', "_"), problem.reason),
    };
    let lines: Vec<String> = problems.iter().map(line).collect();
    OptionError::new_err(lines.join("\n"))
}

/// Whose file could not be read.
#[derive(Clone, Copy)]
enum Whose {
    Documents,
    Tests,
}

/// The end of a sentence about a file that could not be read: the option that helps.
fn of_ingest(error: &Error, whose: Whose) -> &'static str {
    match error {
        Error::At { source, .. } => of_ingest(source, whose),
        Error::Tests { source } => of_ingest(source, Whose::Tests),
        Error::Ingest(error) => match (error.limit(), error.key(), whose) {
            (Some(limit), ..) => of_limit(limit),
            (None, Some(FieldKey::Text), Whose::Documents) => {
                "; text_key says which one has the text"
            }
            (None, Some(FieldKey::Id), Whose::Documents) => "; id_key says which one has the id",
            (None, Some(FieldKey::Text), Whose::Tests) => {
                "; against_text_key says which one has the text"
            }
            (None, Some(FieldKey::Id), Whose::Tests) => {
                "; against_id_key says which one has the id"
            }
            (None, None, _) => "",
        },
        _ => "",
    }
}

fn of_limit(limit: Limit) -> &'static str {
    match limit {
        Limit::FileSize => "; max_file_size allows more",
        Limit::TextSize => "; max_text_size allows more",
        Limit::Ratio => "; max_ratio allows more",
        Limit::Nesting => "; max_nesting allows more",
        Limit::Entries => "; max_entries allows more",
        Limit::Time => "; max_time allows more",
        Limit::Memory => "; max_reader_memory allows more",
        Limit::Links => "; follow_links follows it",
    }
}
