//! A copy of a registry in another folder, brought up to date.

use std::path::{Path, PathBuf};

use cento::index::registry;
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// What is copied, and where to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// The folder of the copy.
    pub to: PathBuf,
}

/// What was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many segments there are.
    pub segments: u64,
    /// How many of them were not there yet.
    pub copied: u64,
    /// How many bytes these have.
    pub bytes: u64,
    /// Whether the registry has a key, which is not part of the copy.
    pub needs_key: bool,
}

/// Copies a registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place_to_read(watch)?;
    let done = run_at(&place.path, &options.to, watch)?;
    watch.cleaned_up(&options.to, done.left);
    Ok(Outcome {
        segments: done.segments,
        copied: done.copied,
        bytes: done.bytes,
        needs_key: place.snapshot()?.status()?.key.is_some(),
    })
}

/// The same for a registry whose place is known.
pub fn run_at(path: &Path, to: &Path, watch: &Watch<'_>) -> Result<registry::Backup> {
    watch.during(Step::Copying, |watch| registry::backup(path, to, watch))
}
