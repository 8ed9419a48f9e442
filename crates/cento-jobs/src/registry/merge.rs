//! One registry of several.

use std::path::PathBuf;

use cento::index::registry::{self, Folder, OtherSubmitter, Snapshot};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::make_room;
use crate::error::{Error, Result};
use crate::method::GivenKey;
use crate::watch::{Step, Watch};

/// What is put together, and where.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registries.
    pub from: Vec<PathBuf>,
    /// The folder of the new one.
    pub into: PathBuf,
    /// The file of the key of all of them; without one, that of the first.
    pub key_file: Option<PathBuf>,
    /// Their key, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
}

/// What became of the documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many were added.
    pub added: u64,
    /// How many were there already.
    pub unchanged: u64,
    /// The ids that have another text there and were refused.
    pub refused: Vec<String>,
    /// What was refused because its id is somebody else's there.
    pub other_submitters: Vec<OtherSubmitter>,
    /// Whether the new registry has the key of the others, which was not copied.
    pub needs_key: bool,
}

/// Makes a new registry of several.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    make_room(&options.into, watch)?;
    let mut snapshots = Vec::new();
    let mut at = RegistryOptions {
        registry: PathBuf::new(),
        key_file: options.key_file.clone(),
        key: options.key.clone(),
    };
    for path in &options.from {
        at.registry.clone_from(path);
        snapshots.push(at.place_to_read(watch)?.snapshot()?);
        // All have the key of the first one.
        let beside = Folder::new(path).key();
        if at.key_file.is_none() && at.key.is_none() && beside.exists() {
            at.key_file = Some(beside);
        }
    }
    let all: Vec<&Snapshot> = snapshots.iter().collect();
    let [first, ..] = all.as_slice() else {
        return Err(Error::refused("there is no registry to merge"));
    };
    let needs_key = first.status()?.key.is_some();
    let absorbed = watch.during(Step::Merging, |watch| {
        registry::merge(&all, &options.into, watch)
    })?;
    Ok(Outcome {
        added: absorbed.added,
        unchanged: absorbed.unchanged,
        refused: absorbed.refused,
        other_submitters: absorbed.other_submitters,
        needs_key,
    })
}
