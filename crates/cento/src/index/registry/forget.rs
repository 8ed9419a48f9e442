//! Documents that are to be removed.

use std::collections::BTreeSet;

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
        let counts = self.forget_all(std::slice::from_ref(which))?;
        Ok(counts.iter().sum())
    }

    /// The same for several at once: all of them are removed, or none. Says how many each is; those
    /// that were counted before are not counted again.
    pub fn forget_all(&mut self, all: &[Which]) -> Result<Vec<u64>, Error> {
        self.commit()?;
        let mut numbers = BTreeSet::new();
        let mut counts = Vec::with_capacity(all.len());
        for which in all {
            let before = numbers.len();
            numbers.extend(self.catalog.numbers(which)?);
            counts.push((numbers.len() - before) as u64);
        }
        self.catalog.write(|transaction| {
            for &number in &numbers {
                Entry::delete(number, transaction)?;
            }
            Ok(())
        })?;
        Ok(counts)
    }
}
