//! Why something cannot be read.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use crate::Convertible;

/// Why something cannot be read, by what a person can do about it.
///
/// Its text is a sentence for people that names no option of any program: a front end adds how its
/// own users raise the [limit](Error::limit) that was reached, or name the field that was not found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It is larger, deeper or slower than allowed. A higher limit allows more.
    #[error("{message}")]
    Limit {
        /// The limit that was reached.
        limit: Limit,
        /// What is too much.
        message: String,
    },
    /// Cento does not read this kind of file. The message says what to do with it, if anything helps.
    #[error("{0}")]
    Unsupported(String),
    /// Cento does not read this format, but other programs convert it. The message says what to do
    /// without one.
    #[error("{message}")]
    Unconverted {
        /// The format.
        format: Convertible,
        /// What it is, and what to do with it.
        message: String,
    },
    /// It can only be opened with a password.
    #[error("encrypted: remove the password first")]
    Encrypted,
    /// It is not well formed. Another copy of it may be.
    #[error("{0}")]
    Damaged(String),
    /// There is nothing to read in it.
    #[error("{0}")]
    Empty(String),
    /// A mail message that shows no text: nothing is wrong with it, but nothing can be told from it.
    #[error("{0}")]
    EmptyMessage(String),
    /// It is a link, a device, or something else that is never opened.
    #[error("{0}")]
    NotOpened(String),
    /// The system cannot open or read it.
    #[error("{0}")]
    Io(String),
    /// It is no longer what it was when it was found.
    #[error("{0}")]
    Changed(String),
    /// The parser failed, which is not the fault of the file.
    #[error("{0}")]
    Failed(String),
    /// A table or a row has no such field.
    #[error("no field named {}{}", names.join(", "), others(present))]
    NoField {
        /// What the field is wanted for.
        key: FieldKey,
        /// The names that would do.
        names: Vec<String>,
        /// The names that there are; none for a single row.
        present: Vec<String>,
    },
    /// A pattern for file names is not well formed.
    #[error("{list} pattern {pattern}: {message}")]
    Pattern {
        /// Which list it is in.
        list: PatternList,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        message: String,
    },
    /// Another error, and where it is: in a file, a line, a format.
    #[error("{place}: {error}")]
    In {
        /// Where.
        place: String,
        /// What is wrong there.
        error: Box<Error>,
    },
    /// None of the files of a document can be read.
    #[error("{}", joined(.0))]
    Parts(Vec<Error>),
}

/// What a table's field is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKey {
    /// The text.
    Text,
    /// The id.
    Id,
}

/// A list of patterns in [`Options`](crate::Options).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatternList {
    /// Files that count.
    Include,
    /// Files that do not.
    Exclude,
}

/// One of the [`Limits`](crate::Limits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Bytes of a file.
    FileSize,
    /// Bytes of a document's text.
    TextSize,
    /// How many times its own size anything unpacks to.
    Ratio,
    /// Archives inside one another.
    Nesting,
    /// Entries of an archive.
    Entries,
    /// How long a file takes.
    Time,
    /// Bytes of memory.
    Memory,
    /// Links in folders, which are followed only if that is asked for.
    Links,
}

impl Error {
    /// The limit that was reached, if it was one: a front end says how to raise it.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Error::Limit { limit, .. } => Some(*limit),
            Error::In { error, .. } => error.limit(),
            Error::Parts(errors) => errors.iter().find_map(Error::limit),
            _ => None,
        }
    }

    /// What the missing field is read for, if that is the problem: a front end says how to name
    /// another.
    pub fn key(&self) -> Option<FieldKey> {
        match self {
            Error::NoField { key, .. } => Some(*key),
            Error::In { error, .. } => error.key(),
            Error::Parts(errors) => errors.iter().find_map(Error::key),
            _ => None,
        }
    }

    /// The format that another program would convert, if that is the problem: a front end says how to
    /// name one.
    pub fn format(&self) -> Option<Convertible> {
        match self {
            Error::Unconverted { format, .. } => Some(*format),
            Error::In { error, .. } => error.format(),
            Error::Parts(errors) => errors.iter().find_map(Error::format),
            _ => None,
        }
    }

    /// Whether it is a mail message without text, wherever it is.
    pub fn is_empty_message(&self) -> bool {
        match self {
            Error::EmptyMessage(_) => true,
            Error::In { error, .. } => error.is_empty_message(),
            _ => false,
        }
    }

    pub(crate) fn cannot_open(error: &io::Error) -> Error {
        Error::Io(format!("cannot be opened: {error}"))
    }

    /// A stream's own reason, or that the system cannot read it.
    pub(crate) fn cannot_read(error: &io::Error) -> Error {
        told(error).unwrap_or_else(|| Error::Io(format!("cannot be read: {error}")))
    }

    /// A stream's own reason, or that what it unpacks is damaged.
    pub(crate) fn damaged(error: &io::Error) -> Error {
        told(error).unwrap_or_else(|| Error::Damaged(format!("damaged ({error})")))
    }

    pub(crate) fn no_longer_there() -> Error {
        Error::Changed("no longer there".to_owned())
    }

    /// The same error, and where it is.
    pub(crate) fn at(self, place: impl fmt::Display) -> Error {
        Error::In {
            place: place.to_string(),
            error: Box::new(self),
        }
    }

    /// The same error with more words at its end.
    pub(crate) fn and(mut self, more: &str) -> Error {
        match &mut self {
            Error::Limit { message, .. }
            | Error::Pattern { message, .. }
            | Error::Unsupported(message)
            | Error::Unconverted { message, .. }
            | Error::Damaged(message)
            | Error::Empty(message)
            | Error::EmptyMessage(message)
            | Error::NotOpened(message)
            | Error::Io(message)
            | Error::Changed(message)
            | Error::Failed(message) => message.push_str(more),
            Error::In { error, .. } => **error = error.clone().and(more),
            Error::Encrypted | Error::NoField { .. } | Error::Parts(_) => {}
        }
        self
    }
}

/// What a reader has put into the error of its stream.
fn told(error: &io::Error) -> Option<Error> {
    error.get_ref()?.downcast_ref::<Error>().cloned()
}

impl Limit {
    /// All of them.
    pub const ALL: [Limit; 8] = [
        Limit::FileSize,
        Limit::TextSize,
        Limit::Ratio,
        Limit::Nesting,
        Limit::Entries,
        Limit::Time,
        Limit::Memory,
        Limit::Links,
    ];

    /// Its name in reports, which stays the same.
    pub fn name(self) -> &'static str {
        match self {
            Limit::FileSize => "file_size",
            Limit::TextSize => "text_size",
            Limit::Ratio => "ratio",
            Limit::Nesting => "nesting",
            Limit::Entries => "entries",
            Limit::Time => "time",
            Limit::Memory => "memory",
            Limit::Links => "links",
        }
    }

    /// The limit of this name.
    pub fn named(name: &str) -> Option<Limit> {
        Limit::ALL.into_iter().find(|limit| limit.name() == name)
    }

    pub(crate) fn reached(self, message: impl Into<String>) -> Error {
        Error::Limit {
            limit: self,
            message: message.into(),
        }
    }
}

impl fmt::Display for PatternList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PatternList::Include => "include",
            PatternList::Exclude => "exclude",
        })
    }
}

/// The fields that there are, as far as they fit into a message.
fn others(names: &[String]) -> String {
    const MOST: usize = 20;
    if names.is_empty() {
        return String::new();
    }
    let shown: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    format!("; there are {}{more}", shown.join(", ").escape_debug())
}

fn joined(errors: &[Error]) -> String {
    let errors: Vec<String> = errors.iter().map(Error::to_string).collect();
    errors.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_limits_are_those_of_serde() {
        for limit in Limit::ALL {
            assert_eq!(serde_json::to_value(limit).unwrap(), limit.name());
            assert_eq!(Limit::named(limit.name()), Some(limit));
        }
        assert_eq!(Limit::named("size"), None);
    }

    #[test]
    fn a_limit_is_found_wherever_it_is() {
        let reached = Limit::Time.reached("takes longer than 4 s to read");
        let parts = Error::Parts(vec![
            Error::Encrypted.at("a.pdf"),
            reached.clone().at("b.txt"),
        ]);
        assert_eq!(
            parts.to_string(),
            "a.pdf: encrypted: remove the password first; b.txt: takes longer than 4 s to read"
        );
        assert_eq!(parts.limit(), Some(Limit::Time));
        assert_eq!(Error::Encrypted.limit(), None);
        let carried = io::Error::other(reached.clone());
        assert_eq!(Error::damaged(&carried), reached);
        assert_eq!(
            reached.and(", and more").to_string(),
            "takes longer than 4 s to read, and more"
        );
    }

    #[test]
    fn fields_are_listed_as_far_as_they_fit() {
        let error = Error::NoField {
            key: FieldKey::Text,
            names: vec!["words".to_owned()],
            present: (0..30).map(|number| format!("f{number}")).collect(),
        };
        let text = error.at("a.csv").to_string();
        assert!(
            text.starts_with("a.csv: no field named words; there are f0, f1, "),
            "{text}"
        );
        assert!(text.ends_with("f19, …"), "{text}");
    }
}
