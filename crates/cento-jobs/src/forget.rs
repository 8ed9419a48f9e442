//! Removes documents from a registry.

use cento::index::registry::Which;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::registry::RegistryOptions;
use crate::time;
use crate::watch::Watch;

/// Which documents of which registry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// Which documents.
    pub what: Forgotten,
}

/// Which documents to forget; also the body of `POST /forget`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Forgotten {
    /// All versions of these ids.
    pub ids: Vec<String>,
    /// Whole sets.
    pub sets: Vec<String>,
    /// Everything of submitters.
    pub submitters: Vec<String>,
    /// Everything that has expired.
    pub expired: bool,
}

/// How many documents were forgotten.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// All of them.
    pub forgotten: u64,
    /// What was asked for, and how many documents that were.
    #[serde(skip)]
    pub counts: Vec<(Which, u64)>,
}

impl Forgotten {
    /// The same, one by one.
    pub fn which(&self) -> Vec<Which> {
        let ids = self.ids.iter().cloned().map(Which::Id);
        let sets = self.sets.iter().cloned().map(Which::Set);
        let submitters = self.submitters.iter().cloned().map(Which::Submitter);
        let expired = self.expired.then(|| Which::Expired(time::now()));
        ids.chain(sets).chain(submitters).chain(expired).collect()
    }
}

/// Forgets documents: all of them or, if it is stopped, none.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let mut writer = options.registry.place(watch)?.writer("forget", watch)?;
    watch.go_on()?;
    let which = options.what.which();
    let counts = writer.forget_all(&which)?;
    writer.finish()?;
    Ok(Outcome {
        forgotten: counts.iter().sum(),
        counts: which.into_iter().zip(counts).collect(),
    })
}
