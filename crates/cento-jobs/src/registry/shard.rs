//! A registry cut into shards, for more machines than one.

use std::path::PathBuf;

use cento::index::registry::{self, By};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::make_room;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// What is cut, and how.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// By ranges of digests or of documents.
    pub by: By,
    /// How many shards.
    pub count: u32,
    /// The folder of the shards.
    pub into: PathBuf,
}

/// What was cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many documents there are.
    pub documents: u64,
    /// How many postings each shard has, those of stretches not counted.
    pub postings: Vec<u64>,
    /// How many bytes the segments of each shard have.
    pub bytes: Vec<u64>,
    /// Whether the registry has a key, which is not part of the shards.
    pub needs_key: bool,
}

/// Cuts a registry into shards.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    make_room(&options.into, watch)?;
    let from = options.registry.place_to_read(watch)?.snapshot()?;
    let done = watch.during(Step::Sharding, |watch| {
        registry::shard(&from, &options.into, options.by, options.count, watch)
    })?;
    Ok(Outcome {
        documents: done.documents,
        postings: done.postings,
        bytes: done.bytes,
        needs_key: done.needs_key,
    })
}
