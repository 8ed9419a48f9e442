//! The options that help when something cannot be read.

use cento_ingest::{FieldKey, Limit};

use crate::error::Error;

/// An option that helps. Each front end writes its name as its own users do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// The option, by the name of the flag.
    pub option: &'static str,
    /// What it does, as the end of a sentence that begins with its name.
    pub does: &'static str,
}

impl Help {
    /// What helps against an error.
    pub fn with(error: &Error) -> Option<Help> {
        Help::of(error, Whose::Documents)
    }

    /// What helps when a limit was reached.
    pub fn beyond(limit: Limit) -> Help {
        let (option, does) = match limit {
            Limit::FileSize => ("max-file-size", "allows more"),
            Limit::TextSize => ("max-text-size", "allows more"),
            Limit::Ratio => ("max-ratio", "allows more"),
            Limit::Nesting => ("max-nesting", "allows more"),
            Limit::Entries => ("max-entries", "allows more"),
            Limit::Time => ("max-time", "allows more"),
            Limit::Memory => ("max-reader-memory", "allows more"),
            Limit::Links => ("follow-links", "follows it"),
        };
        Help { option, does }
    }

    fn of(error: &Error, whose: Whose) -> Option<Help> {
        match error {
            Error::At { source, .. } => Help::of(source, whose),
            Error::Tests { source } => Help::of(source, Whose::Tests),
            Error::Ingest(error) => match error.limit() {
                Some(limit) => Some(Help::beyond(limit)),
                None => error.key().map(|key| Help::naming(key, whose)),
            },
            _ => None,
        }
    }

    fn naming(key: FieldKey, whose: Whose) -> Help {
        let option = match (key, whose) {
            (FieldKey::Text, Whose::Documents) => "text-key",
            (FieldKey::Id, Whose::Documents) => "id-key",
            (FieldKey::Text, Whose::Tests) => "against-text-key",
            (FieldKey::Id, Whose::Tests) => "against-id-key",
        };
        let does = match key {
            FieldKey::Text => "says which one has the text",
            FieldKey::Id => "says which one has the id",
        };
        Help { option, does }
    }
}

/// Whose file could not be read.
#[derive(Clone, Copy)]
enum Whose {
    Documents,
    Tests,
}
