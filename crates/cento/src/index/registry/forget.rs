//! Documents that are to be removed.

use serde::{Deserialize, Serialize};

use super::{Entry, Registry};
use crate::error::Error;

/// Which documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// All versions of an id.
    Id(String),
    /// A set.
    Set(String),
    /// All of a submitter.
    Submitter(String),
    /// Those that have expired at this time.
    Expired(String),
}

impl Registry {
    /// Removes documents; says how many. No search finds them from now on, and what the catalogue
    /// knew of them is overwritten; their postings go with the next merge, at the latest when the
    /// registry is compacted.
    pub fn forget(&mut self, which: &Which) -> Result<u64, Error> {
        self.commit()?;
        let numbers = self.catalog.numbers(which)?;
        self.catalog.write(|transaction| {
            for &number in &numbers {
                Entry::delete(number, transaction)?;
            }
            Ok(())
        })?;
        Ok(numbers.len() as u64)
    }
}
