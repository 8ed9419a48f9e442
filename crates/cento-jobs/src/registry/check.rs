//! Checks a registry for damage.

use cento::Key;
use cento::index::registry::{self, Checked, Extent};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;
use std::path::Path;

use super::RegistryOptions;
use crate::error::{Error, Result};
use crate::watch::{Step, Watch};

/// Which registry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// Make the digests of every document again, not of a sample.
    pub all: bool,
    /// Count anew what can be counted.
    pub repair: bool,
}

/// What was looked at, and what is wrong.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All of it; after the repair, if there was one.
    pub checked: Checked,
    /// What was wrong before the repair and is not any more.
    pub repaired: Vec<String>,
}

/// Checks every checksum and every cross-reference, and what documents consist of; repairs what can
/// be repaired, if that is asked for.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place_to_read(watch)?;
    let (path, key) = (&place.path, &place.key);
    let checked = |extent| {
        checked(path, key, extent, watch).map_err(|error| match error {
            Error::Library(error) => place.explained(error),
            other => other,
        })
    };
    let extent = if options.all || options.repair {
        Extent::All
    } else {
        Extent::Sample
    };
    let before = checked(extent)?;
    if !options.repair {
        return Ok(Outcome {
            checked: before,
            repaired: Vec::new(),
        });
    }
    let before = before.faults;
    if !before.is_empty() {
        let mut registry = place.writer("registry check --repair", watch)?;
        registry.count_anew()?;
        registry.finish()?;
    }
    let checked = checked(extent)?;
    let is_repaired = |fault: &String| !checked.faults.contains(fault);
    Ok(Outcome {
        repaired: before.into_iter().filter(is_repaired).collect(),
        checked,
    })
}

/// A check of a registry whose key is known, with a sample of the documents.
pub fn run_at(path: &Path, key: &Key, watch: &Watch<'_>) -> Result<Outcome> {
    Ok(Outcome {
        checked: checked(path, key, Extent::Sample, watch)?,
        repaired: Vec::new(),
    })
}

fn checked(path: &Path, key: &Key, extent: Extent, watch: &Watch<'_>) -> Result<Checked> {
    watch.during(Step::Checking, |watch| {
        registry::check(path, key, extent, watch)
    })
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let checked = &self.checked;
        let value = json!({
            "documents": checked.documents,
            "postings": checked.postings,
            "pairs": checked.pairs,
            "forgotten_postings": checked.forgotten,
            "free_pages": checked.free_pages,
            "proved": checked.proved,
            // Pairs are always counted from the postings, so that there is nothing to count again.
            "recounted": 0,
            "faults": checked.faults,
            "repaired": self.repaired,
        });
        value.serialize(serializer)
    }
}
