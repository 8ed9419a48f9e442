//! Where documents that are to be registered go.

use std::time::{Duration, Instant};

use cento::index::registry::{Added, Candidate, OnChange, Prepare, Registry};
use cento::report::Remedy;

use crate::error::Result;

/// A registry that takes documents: an open one, or somebody who writes for many.
pub trait Target {
    /// Whether an id is registered by this submitter with a file of these bytes: it need not be read
    /// again.
    fn has_file(&mut self, id: &str, submitter: Option<&str>, file: &[u8; 16]) -> Result<bool>;

    /// Takes some documents; says what became of each.
    fn add(&mut self, candidates: Vec<Candidate>, on_change: OnChange) -> Result<Vec<Taken>>;

    /// How many pairs of documents that are alike came with what was added.
    fn pairs(&self) -> u64;
}

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is new.
    New {
        /// Another id that has the same text.
        same_text_as: Option<String>,
    },
    /// It is a further version of a registered document.
    Version {
        /// Which one.
        version: u32,
        /// Another id that has the same text.
        same_text_as: Option<String>,
    },
    /// It was registered with the same text.
    Unchanged,
    /// It was not taken.
    Refused(Refusal),
}

/// Why a document was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: String,
    /// The option that would help.
    pub remedy: Option<Remedy>,
}

/// Why an id that has another text was refused.
pub const OTHER_TEXT: &str = "the id is registered with another text";

/// Why an id that is somebody else's was refused, for those who may know whose it is.
pub fn other_submitter(registered: Option<&str>, given: Option<&str>) -> String {
    let name = |submitter: Option<&str>| match submitter {
        Some(submitter) => format!("submitter {}", submitter.escape_debug()),
        None => "no submitter".to_owned(),
    };
    format!(
        "the id is registered with {}, and this document comes with {}; it needs another id",
        name(registered),
        name(given)
    )
}

impl Taken {
    /// What became of a document, and which other id has its text.
    pub fn of(added: Added, same_text_as: Option<String>) -> Taken {
        match added {
            Added::New => Taken::New { same_text_as },
            Added::Version(version) => Taken::Version {
                version,
                same_text_as,
            },
            Added::Unchanged => Taken::Unchanged,
            Added::Refused => Taken::Refused(OTHER_TEXT.to_owned().into()),
            Added::OtherSubmitter { registered, given } => Taken::Refused(Refusal {
                reason: other_submitter(registered.as_deref(), given.as_deref()),
                remedy: Some(Remedy::IdPrefix),
            }),
        }
    }

    /// Whether it is registered now and was not before.
    pub fn is_added(&self) -> bool {
        matches!(self, Taken::New { .. } | Taken::Version { .. })
    }
}

impl From<String> for Refusal {
    fn from(reason: String) -> Refusal {
        Refusal {
            reason,
            remedy: None,
        }
    }
}

/// How many postings may wait for a commit, which is 128 MiB of digests.
pub(crate) const COMMIT_AT: u64 = 1 << 24;
const COMMIT_AFTER: Duration = Duration::from_mins(2);

/// A registry that is open for writing.
pub(crate) struct Writing {
    registry: Registry,
    committed: Instant,
    pairs: u64,
}

impl Writing {
    pub(crate) fn new(registry: Registry) -> Writing {
        Writing {
            registry,
            committed: Instant::now(),
            pairs: 0,
        }
    }

    pub(crate) fn prepare(&self) -> &Prepare {
        self.registry.prepare()
    }

    /// Commits, and waits for what goes on in the background; says how many pairs there are.
    pub(crate) fn finish(self) -> Result<u64> {
        let committed = self.registry.finish()?;
        Ok(self.pairs + committed.pairs)
    }
}

impl Target for Writing {
    fn has_file(&mut self, id: &str, submitter: Option<&str>, file: &[u8; 16]) -> Result<bool> {
        Ok(self.registry.has_file(id, submitter, file)?)
    }

    fn add(&mut self, candidates: Vec<Candidate>, on_change: OnChange) -> Result<Vec<Taken>> {
        let mut all = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let same_text = self.registry.same_text(&candidate)?;
            let added = self.registry.add(candidate, on_change)?;
            all.push(Taken::of(added, same_text.map(|same| same.id)));
        }
        let is_due = self.committed.elapsed() > COMMIT_AFTER;
        if is_due || self.registry.pending_postings() > COMMIT_AT {
            self.pairs += self.registry.commit()?.pairs;
            self.committed = Instant::now();
        }
        Ok(all)
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }
}
