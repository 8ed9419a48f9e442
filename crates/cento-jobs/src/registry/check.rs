//! Checks a registry for damage.

use cento::Key;
use cento::index::registry::{self, Checked};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;
use std::path::Path;

use super::RegistryOptions;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// Which registry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
}

/// What was looked at, and what is wrong.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All of it.
    pub checked: Checked,
}

/// Checks every checksum and every cross-reference.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place(watch)?;
    run_at(&place.path, &place.key, watch)
}

/// The same for a registry whose key is known.
pub fn run_at(path: &Path, key: &Key, watch: &Watch<'_>) -> Result<Outcome> {
    let checked = watch.during(Step::Checking, |watch| registry::check(path, key, watch))?;
    Ok(Outcome { checked })
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
            "faults": checked.faults,
        });
        value.serialize(serializer)
    }
}
