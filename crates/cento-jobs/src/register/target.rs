//! Where documents that are to be registered go.

use std::time::{Duration, Instant};

use cento::index::registry::{Added, Candidate, OnChange, Prepare, Registry};

use crate::error::Result;

/// A registry that takes documents: an open one, or somebody who writes for many.
pub trait Target {
    /// Whether an id is registered with a file of these bytes: it need not be read again.
    fn has_file(&mut self, id: &str, file: &[u8; 16]) -> Result<bool>;

    /// Takes some documents; says what became of each.
    fn add(&mut self, candidates: Vec<Candidate>, on_change: OnChange) -> Result<Vec<Taken>>;

    /// How many pairs of documents that are alike came with what was added.
    fn pairs(&self) -> u64;
}

/// What became of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is new.
    New,
    /// It is a further version of a registered document.
    Version(u32),
    /// It was registered with the same text.
    Unchanged,
    /// It was not taken; why.
    Refused(String),
}

/// Why an id that has another text was refused.
pub const OTHER_TEXT: &str = "the id is registered with another text";

impl From<Added> for Taken {
    fn from(added: Added) -> Taken {
        match added {
            Added::New => Taken::New,
            Added::Version(version) => Taken::Version(version),
            Added::Unchanged => Taken::Unchanged,
            Added::Refused => Taken::Refused(OTHER_TEXT.to_owned()),
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
    fn has_file(&mut self, id: &str, file: &[u8; 16]) -> Result<bool> {
        Ok(self.registry.has_file(id, file)?)
    }

    fn add(&mut self, candidates: Vec<Candidate>, on_change: OnChange) -> Result<Vec<Taken>> {
        let mut all = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            all.push(self.registry.add(candidate, on_change)?.into());
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
