//! Errors of jobs → exceptions of Python, with the same words as on the command line.

use cento_jobs::{Error, Help, Problem};
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
        error => &helped(error),
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

/// The end of a sentence about something that an option helps against.
fn helped(error: &Error) -> String {
    Help::with(error)
        .map(|Help { option, does }| format!("; {} {does}", option.replace('-', "_")))
        .unwrap_or_default()
}
