//! Why a job cannot be done.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The result of a job or a part of it.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error with what a person needs to act on it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Options that cannot be followed; all that were found.
    #[error("{}", listed(.0))]
    Options(Vec<Problem>),
    /// It was told to stop. What it had committed stays; everything else is as it was.
    #[error("stopped before it was done")]
    Stopped,
    /// The algorithms or the index.
    #[error(transparent)]
    Library(cento::Error),
    /// A file or folder could not be read as documents.
    #[error(transparent)]
    Ingest(cento_ingest::Error),
    /// The system refused to read or write a file.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// What went wrong at a place: a file, a document, a line.
    #[error("{place}")]
    At {
        /// The place.
        place: String,
        /// What went wrong there.
        source: Box<Error>,
    },
    /// What went wrong with test documents, which have options of their own.
    #[error("the test documents")]
    Tests {
        /// What went wrong.
        source: Box<Error>,
    },
    /// The key of a registry was not given, and is not beside it.
    #[error("{}: the registry has the key {expected}, and it is not in {}", path.display(), beside.display())]
    NoKey {
        /// The registry.
        path: PathBuf,
        /// The name of its key.
        expected: String,
        /// Where it was looked for.
        beside: PathBuf,
    },
    /// Vectors of style were asked for.
    #[error("{}: the registry keeps no vectors of style", path.display())]
    NoVectors {
        /// The registry.
        path: PathBuf,
    },
    /// There is no archive where one was expected.
    #[error("{}: there is no archive", path.display())]
    NoArchive {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// An archive has no such page.
    #[error("{name}: the archive has no page of this name")]
    NoPage {
        /// The name.
        name: String,
    },
    /// Something that cannot be done, and what to do instead.
    #[error("{0}")]
    Refused(String),
}

/// An option that cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name, as cento.toml has it; empty if the reason says where it comes from.
    pub option: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

impl Problem {
    pub(crate) fn new(option: &'static str, reason: impl fmt::Display) -> Problem {
        let reason = reason.to_string();
        Problem { option, reason }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.option {
            "" => f.write_str(&self.reason),
            option => write!(f, "{option}: {}", self.reason),
        }
    }
}

fn listed(problems: &[Problem]) -> String {
    let all: Vec<String> = problems.iter().map(ToString::to_string).collect();
    all.join("\n")
}

impl Error {
    /// One option that cannot be followed.
    pub(crate) fn option(option: &'static str, reason: impl fmt::Display) -> Error {
        Error::Options(vec![Problem::new(option, reason)])
    }

    pub(crate) fn refused(reason: impl Into<String>) -> Error {
        Error::Refused(reason.into())
    }

    /// The error with everything behind it, in one line.
    pub fn sentence(&self) -> String {
        let mut sentence = self.to_string();
        let mut error: &dyn std::error::Error = self;
        while let Some(source) = error.source() {
            sentence = format!("{sentence}: {source}");
            error = source;
        }
        sentence
    }

    /// Whether the job ended because it was told to.
    pub fn is_stopped(&self) -> bool {
        match self {
            Error::Stopped => true,
            Error::At { source, .. } | Error::Tests { source } => source.is_stopped(),
            _ => false,
        }
    }
}

impl From<cento::Error> for Error {
    fn from(error: cento::Error) -> Error {
        match error {
            cento::Error::Stopped => Error::Stopped,
            error => Error::Library(error),
        }
    }
}

impl From<cento_ingest::Error> for Error {
    fn from(error: cento_ingest::Error) -> Error {
        Error::Ingest(error)
    }
}

/// Says where something went wrong, or with which option.
pub(crate) trait At<T> {
    fn at(self, place: impl fmt::Display) -> Result<T>;

    fn for_option(self, option: &'static str) -> Result<T>;

    fn of_tests(self) -> Result<T>;
}

impl<T, E: Into<Error>> At<T> for Result<T, E> {
    fn at(self, place: impl fmt::Display) -> Result<T> {
        self.map_err(|error| match error.into() {
            Error::Stopped => Error::Stopped,
            error => Error::At {
                place: place.to_string(),
                source: Box::new(error),
            },
        })
    }

    fn for_option(self, option: &'static str) -> Result<T> {
        self.map_err(|error| match error.into() {
            Error::Stopped => Error::Stopped,
            error => Error::option(option, error.sentence()),
        })
    }

    fn of_tests(self) -> Result<T> {
        self.map_err(|error| match error.into() {
            // Options say which they are.
            error @ (Error::Stopped | Error::Options(_)) => error,
            error => Error::Tests {
                source: Box::new(error),
            },
        })
    }
}

/// Names the file that the system refused.
pub(crate) trait File<T> {
    fn of(self, path: &Path) -> Result<T>;
}

impl<T> File<T> for io::Result<T> {
    fn of(self, path: &Path) -> Result<T> {
        self.map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })
    }
}
