//! All documents of a registry in a new one without the key, to be imported elsewhere.

use std::path::PathBuf;

use cento::index::registry::{self, Names};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::make_room;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// What is exported, and where to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// The folder of the new one.
    pub to: PathBuf,
    /// Leave out everything that names a document or a person.
    pub without_ids: bool,
}

/// What was exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many documents.
    pub documents: u64,
    /// Whether a registry that imports it must have the same key.
    pub needs_key: bool,
}

/// Writes all documents into a new registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    make_room(&options.to, watch)?;
    let names = if options.without_ids {
        Names::Opaque
    } else {
        Names::Kept
    };
    let from = options.registry.place_to_read(watch)?.snapshot()?;
    let done = watch.during(Step::Exporting, |watch| {
        registry::export(&from, &options.to, names, watch)
    })?;
    Ok(Outcome {
        documents: done.documents,
        needs_key: done.needs_key,
    })
}
