//! The documents of an export, or of another registry with the same key.

use std::path::PathBuf;

use cento::index::registry::{self, Folder, OnChange, OtherSubmitter};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// What is taken in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry that takes it in.
    pub registry: RegistryOptions,
    /// The export.
    pub from: PathBuf,
    /// What to do with an id that is registered with another text.
    pub on_change: OnChange,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            registry: RegistryOptions::default(),
            from: PathBuf::new(),
            on_change: OnChange::Version,
        }
    }
}

/// What became of the documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many were added.
    pub added: u64,
    /// How many were there already.
    pub unchanged: u64,
    /// The ids that have another text here and were refused.
    pub refused: Vec<String>,
    /// What was refused because its id is somebody else's here.
    pub other_submitters: Vec<OtherSubmitter>,
}

/// Adds the documents of an export.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place(watch)?;
    let mut at = options.registry.at(&options.from);
    // An export has no key of its own: it is that of the registry.
    let beside = Folder::new(&place.path).key();
    if at.key_file.is_none() && at.key.is_none() && beside.exists() {
        at.key_file = Some(beside);
    }
    let from = at.place_to_read(watch)?.snapshot()?;
    let mut writer = place.writer("registry import", watch)?;
    let absorbed = watch.during(Step::Importing, |watch| {
        registry::import(&mut writer, &from, options.on_change, watch)
    })?;
    writer.finish()?;
    Ok(Outcome {
        added: absorbed.added,
        unchanged: absorbed.unchanged,
        refused: absorbed.refused,
        other_submitters: absorbed.other_submitters,
    })
}
