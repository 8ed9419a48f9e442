//! The documents of a registry.

use serde::{Deserialize, Serialize};

use super::{Described, RegistryOptions, described};
use crate::error::Result;
use crate::watch::Watch;

/// Which registry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
}

/// The documents, in the order of their ids.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Outcome {
    /// All of them.
    pub documents: Vec<Described>,
}

/// Lists the documents of a registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let snapshot = options.registry.place_to_read(watch)?.snapshot()?;
    let mut documents = Vec::new();
    snapshot.entries(|entry| {
        documents.push(described(entry));
        if watch.is_stopped() {
            return Err(cento::Error::Stopped);
        }
        Ok(())
    })?;
    Ok(Outcome { documents })
}
