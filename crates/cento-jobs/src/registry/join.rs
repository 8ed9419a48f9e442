//! Shards put together to the registry that they were cut from.

use std::path::PathBuf;

use cento::index::registry;
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::make_room;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// Which shards, and where to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The folder of the shards.
    pub shards: RegistryOptions,
    /// The folder of the registry.
    pub into: PathBuf,
}

/// What was put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many documents.
    pub documents: u64,
    /// How many segments.
    pub segments: u64,
    /// How many postings.
    pub postings: u64,
    /// Whether the registry has a key, which was not copied.
    pub needs_key: bool,
}

/// Makes one registry of shards.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    make_room(&options.into, watch)?;
    let from = options.shards.place_to_read(watch)?.snapshot()?;
    let done = watch.during(Step::Joining, |watch| {
        registry::join(&from, &options.into, watch)
    })?;
    Ok(Outcome {
        documents: done.documents,
        segments: done.segments,
        postings: done.postings,
        needs_key: done.needs_key,
    })
}
