//! What is to be taken out of a dataset, and how.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use cento_ingest::Keys;
use serde::{Deserialize, Serialize};

use super::rewrite::Mode;
use super::streams::is_standard;
use crate::approximate::Approximate;
use crate::error::{Error, Problem};
use crate::method::MethodOptions;

/// What is to be taken out of a dataset, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Tables, folders of them, or folders of documents: one dataset, all of them together. `-` is
    /// standard input, as JSON lines.
    pub inputs: Vec<PathBuf>,
    /// A new folder; or for a single table a new file with the same ending; or `-`, standard output,
    /// which takes JSON lines when everything is done.
    pub output: PathBuf,
    /// A new folder for the lists about the data. Without one they stand with the data, and if that
    /// goes to standard output, nowhere.
    pub lists: Option<PathBuf>,
    /// What is taken out.
    pub kind: Kind,
    /// Take nothing out: write all documents, with what was found out about each.
    pub annotate: bool,
    /// The largest share of the documents that may be unreadable; with more, nothing is written.
    pub max_errors: f64,
    /// How files are found and read.
    pub input: cento_ingest::Options,
}

/// What is taken out of a dataset.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Documents that are like another one.
    NearDuplicates(Box<NearDuplicates>),
    /// Passages that stand earlier in the data.
    Passages(Passages),
    /// The text of test documents.
    Against(Against),
}

/// How documents that are like another one are found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NearDuplicates {
    /// How texts become fingerprints, and which documents are duplicates. Without a measure it is
    /// [`NearDuplicates::MEASURE`], without a threshold [`NearDuplicates::THRESHOLD`].
    pub method: MethodOptions,
    /// Which one of several is kept.
    pub keep: Keep,
    /// What belongs together.
    pub clusters: Clusters,
    /// Keep none of several.
    pub drop_all: bool,
    /// Only documents whose texts are equal, byte for byte, are alike: nothing else of the method
    /// counts.
    pub exact: bool,
    /// Compare only documents that their sketches call alike.
    pub approximate: Option<Approximate>,
    /// The folder of a registry: what is like one of its documents is taken out too, and what is
    /// kept is registered. Its recipe is used.
    pub registry: Option<PathBuf>,
    /// How many bytes of memory the run may take; half of what is free without a number.
    pub max_memory: Option<u64>,
    /// The folder for what does not fit into memory, where a run that was ended goes on; beside the
    /// output without one.
    pub work: Option<PathBuf>,
}

/// How passages that stand earlier are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Passages {
    /// The fewest words of a passage.
    pub min_words: u32,
}

/// How the text of test documents is found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Against {
    /// The test documents: tables, files, folders.
    pub tests: Vec<PathBuf>,
    /// The fields of their tables that are read; without a name, the same as those of the data.
    pub keys: Keys,
    /// The fewest words of a passage.
    pub min_words: u32,
    /// Only documents with this share of a test document in them.
    pub min_share: f64,
    /// Cut the text of the tests out of documents, instead of removing them.
    pub only_passages: bool,
}

/// Which one of several documents is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Keep {
    /// The first one in the order of the input.
    #[default]
    First,
    /// The last one.
    Last,
    /// The one with the longest text.
    Longest,
    /// The one with the shortest text.
    Shortest,
    /// The one of the input that was given first, and of those its first.
    Source,
    /// The one with the largest number in a field of its row; documents without one come last.
    Max(String),
    /// The one with the smallest; documents without one come last here too.
    Min(String),
}

/// What belongs together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clusters {
    /// A document joins the most similar one that is kept, or is kept itself.
    #[default]
    Star,
    /// Everything that a chain of duplicates connects.
    Components,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            inputs: Vec::new(),
            output: PathBuf::new(),
            lists: None,
            kind: Kind::default(),
            annotate: false,
            max_errors: 0.001,
            input: cento_ingest::Options::default(),
        }
    }
}

impl Default for Kind {
    fn default() -> Kind {
        Kind::NearDuplicates(Box::default())
    }
}

impl Default for Passages {
    fn default() -> Passages {
        Passages { min_words: 50 }
    }
}

impl Default for Against {
    fn default() -> Against {
        Against {
            tests: Vec::new(),
            keys: Keys::default(),
            min_words: 13,
            min_share: 0.0,
            only_passages: false,
        }
    }
}

impl NearDuplicates {
    /// What makes the score if nothing else is said.
    pub const MEASURE: &'static str = "resemblance";
    /// From which score on documents are duplicates if nothing else is said.
    pub const THRESHOLD: f64 = 0.8;
}

impl Options {
    /// What is wrong with the options that every kind has.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.inputs.is_empty() {
            problems.push(Problem::new("inputs", "there are none"));
        }
        let tests: &[PathBuf] = match &self.kind {
            Kind::Against(against) => &against.tests,
            Kind::NearDuplicates(_) | Kind::Passages(_) => &[],
        };
        let standard = self
            .inputs
            .iter()
            .chain(tests)
            .filter(|path| is_standard(path));
        if standard.count() > 1 {
            problems.push(Problem::new("", "standard input can be given once only"));
        }
        if self.output.as_os_str().is_empty() {
            problems.push(Problem::new("output", "name a new folder or a new file"));
        }
        expect_share_of_errors(self.max_errors, &mut problems);
        problems
    }

    /// What is done with what is found.
    pub(super) fn mode(&self) -> Mode {
        if self.annotate {
            Mode::Annotate
        } else {
            Mode::Clean
        }
    }
}

/// A share is from 0 to 1.
pub(super) fn expect_share_of_errors(share: f64, problems: &mut Vec<Problem>) {
    if !(0.0..=1.0).contains(&share) {
        let reason = format!("{share} is not a share from 0 to 1");
        problems.push(Problem::new("max-errors", reason));
    }
}

/// A passage has at least one word.
pub(super) fn expect_words(min_words: u32, problems: &mut Vec<Problem>) {
    if min_words == 0 {
        let reason = "a passage has at least 1 word";
        problems.push(Problem::new("min-words", reason));
    }
}

impl Keep {
    /// The field that decides.
    pub(super) fn field(&self) -> Option<&str> {
        match self {
            Keep::Max(field) | Keep::Min(field) => Some(field),
            Keep::First | Keep::Last | Keep::Longest | Keep::Shortest | Keep::Source => None,
        }
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keep::First => f.write_str("first"),
            Keep::Last => f.write_str("last"),
            Keep::Longest => f.write_str("longest"),
            Keep::Shortest => f.write_str("shortest"),
            Keep::Source => f.write_str("source"),
            Keep::Max(field) => write!(f, "max:{field}"),
            Keep::Min(field) => write!(f, "min:{field}"),
        }
    }
}

impl FromStr for Keep {
    type Err = Error;

    fn from_str(text: &str) -> Result<Keep, Error> {
        Ok(match text {
            "first" => Keep::First,
            "last" => Keep::Last,
            "longest" => Keep::Longest,
            "shortest" => Keep::Shortest,
            "source" => Keep::Source,
            _ => match text.split_once(':') {
                Some(("max", field)) if !field.is_empty() => Keep::Max(field.to_owned()),
                Some(("min", field)) if !field.is_empty() => Keep::Min(field.to_owned()),
                _ => {
                    let reason = format!(
                        "{text} is none of first, last, longest, shortest, source, max:FIELD and \
                         min:FIELD"
                    );
                    return Err(Error::option("keep", reason));
                }
            },
        })
    }
}

impl From<Keep> for String {
    fn from(keep: Keep) -> String {
        keep.to_string()
    }
}

impl TryFrom<String> for Keep {
    type Error = Error;

    fn try_from(text: String) -> Result<Keep, Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_stored_as_they_are() {
        let options = Options {
            inputs: vec!["in".into()],
            kind: Kind::NearDuplicates(Box::new(NearDuplicates {
                keep: Keep::Max("score".to_owned()),
                clusters: Clusters::Components,
                ..NearDuplicates::default()
            })),
            ..Options::default()
        };
        let stored = serde_json::to_value(&options).unwrap();
        assert_eq!(stored["kind"]["near-duplicates"]["keep"], "max:score");
        assert_eq!(serde_json::from_value::<Options>(stored).unwrap(), options);
    }

    #[test]
    fn options_that_say_little_are_the_usual_ones() {
        let options: Options = serde_json::from_str("{}").unwrap();
        assert_eq!(options, Options::default());
        let kind: Kind = serde_json::from_str("{\"against\": {\"tests\": [\"t\"]}}").unwrap();
        let Kind::Against(against) = kind else {
            panic!("{kind:?}");
        };
        assert_eq!(against.min_words, 13);
        assert!(serde_json::from_str::<Keep>("\"best\"").is_err());
    }
}
