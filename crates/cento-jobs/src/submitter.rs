//! Whose each of many documents is: told by the layout of an export, or by a pattern for their names.

use std::fmt;
use std::str::FromStr;

use cento_ingest::Input;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::author::NamePattern;
use crate::error::{Error, Result};

/// Where the submitters of documents come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmitterFrom {
    /// The names in an export of a learning platform, or those of a folder per submission.
    Layout,
    /// A pattern such as `{submitter}_*`, in which `*` stands for any characters but `/`. It has to fit
    /// the end of an id, from a `/` on.
    Pattern(SubmitterPattern),
}

/// A pattern that says where in the name of a document its submitter is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubmitterPattern {
    text: String,
    pattern: NamePattern,
}

/// What stands for the submitter in patterns.
pub const SUBMITTER: &str = "{submitter}";
/// The word for [`SubmitterFrom::Layout`].
const LAYOUT: &str = "layout";

impl SubmitterFrom {
    /// The submitter of a document, if there is a way to tell.
    pub fn submitter(&self, input: &Input) -> Option<String> {
        let found = match self {
            SubmitterFrom::Layout => input.owner()?,
            SubmitterFrom::Pattern(pattern) => pattern.submitter(input.id())?,
        };
        Some(found.trim().to_owned()).filter(|name| !name.is_empty())
    }

    /// Why there is none.
    pub(crate) fn missing(&self) -> String {
        match self {
            SubmitterFrom::Layout => {
                "nothing says whose it is: its name is none of a Moodle or Canvas export, and it is \
                 in no folder of its own"
                    .to_owned()
            }
            SubmitterFrom::Pattern(pattern) => {
                format!(
                    "nothing says whose it is: its name does not fit {}",
                    pattern.text
                )
            }
        }
    }
}

/// What is said about the submitters of all documents, and about their ids.
#[derive(Clone, Debug, Default)]
pub(crate) struct Whose {
    /// The submitter of all; where each has its own, of those that nothing says anything about.
    pub(crate) submitter: Option<String>,
    /// Where each has its own.
    pub(crate) from: Option<SubmitterFrom>,
    /// What stands before every id in a registry; with submitters of their own, `{submitter}` in it
    /// stands for them.
    pub(crate) id_prefix: String,
}

impl Whose {
    /// The submitter of a document, and what stands before its id; or why nobody knows.
    pub(crate) fn of(&self, input: &Input) -> Result<(Option<String>, String), String> {
        let Some(from) = &self.from else {
            return Ok((self.submitter.clone(), self.id_prefix.clone()));
        };
        let submitter = from.submitter(input).or_else(|| self.submitter.clone());
        let submitter = submitter.ok_or_else(|| from.missing())?;
        let prefix = self.id_prefix.replace(SUBMITTER, &submitter);
        Ok((Some(submitter), prefix))
    }
}

impl SubmitterPattern {
    fn parse(text: &str) -> Result<SubmitterPattern> {
        Ok(SubmitterPattern {
            text: text.to_owned(),
            pattern: NamePattern::parse(text, SUBMITTER).ok_or_else(|| {
                let reason = format!(
                    "{text} must be {LAYOUT}, or a pattern that says once where the submitter is, \
                     as `{SUBMITTER}_*` does"
                );
                Error::option("submitter-from", reason)
            })?,
        })
    }

    /// The pattern fits the end of an id: people know the names of their files, not what the archive
    /// around them is called.
    fn submitter<'i>(&self, id: &'i str) -> Option<&'i str> {
        let depth = self.text.matches('/').count();
        let parts = id.rmatch_indices('/').map(|(at, _)| at + 1);
        let start = parts.chain([0]).nth(depth)?;
        let whole = self.pattern.name(id);
        whole.or_else(|| self.pattern.name(&id[start..]))
    }
}

impl FromStr for SubmitterFrom {
    type Err = Error;

    fn from_str(text: &str) -> Result<SubmitterFrom> {
        match text.trim() {
            LAYOUT => Ok(SubmitterFrom::Layout),
            pattern => SubmitterPattern::parse(pattern).map(SubmitterFrom::Pattern),
        }
    }
}

impl fmt::Display for SubmitterFrom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SubmitterFrom::Layout => LAYOUT,
            SubmitterFrom::Pattern(pattern) => &pattern.text,
        })
    }
}

impl Serialize for SubmitterFrom {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SubmitterFrom {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SubmitterFrom, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse()
            .map_err(|error: Error| serde::de::Error::custom(error.sentence()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use super::*;

    #[track_caller]
    fn check(pattern: &str, id: &str, expected: Option<&str>) {
        let pattern = SubmitterPattern::parse(pattern).unwrap();
        assert_eq!(pattern.submitter(id), expected, "{id}");
    }

    #[test]
    fn the_end_of_an_id_tells_whose_it_is() {
        check("{submitter}_*", "novak_hw1.txt", Some("novak"));
        check("{submitter}_*", "class.zip/novak_hw1.txt", Some("novak"));
        check("{submitter}/*", "class.zip/novak/hw1.txt", Some("novak"));
        check("{submitter}/*", "hw1.txt", None);
        check("*/{submitter}/*", "class.zip/a/hw1.txt", Some("a"));
        check("*/{submitter}/*", "deep/class.zip/a/hw1.txt", Some("a"));
        let attempt = "Essay 1_jdoe_attempt_2026-03-01-12-34-56_essay.docx";
        check("*_{submitter}_attempt_*", attempt, Some("jdoe"));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for wrong in [
            "",
            "export",
            "*.txt",
            "{submitter}{submitter}",
            "{author}_*",
        ] {
            assert!(wrong.parse::<SubmitterFrom>().is_err(), "{wrong}");
        }
        let layout: SubmitterFrom = "layout".parse().unwrap();
        assert_eq!(layout, SubmitterFrom::Layout);
    }
}
