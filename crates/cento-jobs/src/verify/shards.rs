//! Questions to shards that many machines answer together.

use cento::Measure;
use cento::index::registry::Commit;
use cento::verify::{Order, VerifySettings, standard_from};
use serde::{Deserialize, Serialize};

use super::{Options, settings};
use crate::error::{At as _, Error, Result};
use crate::shards::programs;
use crate::time;
use crate::watch::Watch;

/// What is asked: the same on all machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asking {
    pub(crate) commit: Commit,
    pub(crate) measure: Measure,
    threshold: f64,
    pub(crate) top: Option<usize>,
    include_standard: bool,
    /// From how many documents on text is standard text.
    pub(crate) standard_from: u32,
    set: Option<String>,
}

impl Asking {
    /// What the options mean. Refuses shards of which one is missing, and those that somebody writes to.
    pub fn of(options: &Options, watch: &Watch<'_>) -> Result<Asking> {
        let place = options.registry.place_to_read(watch)?;
        let snapshot = place.snapshot()?;
        if snapshot.settings().recipe.is_for_programs() {
            return Err(programs()).at(options.registry.registry.display());
        }
        let settings = settings(&options.search, &options.evidence, &snapshot)?;
        let measure = settings.method.measure;
        if !measure.is_set() {
            let reason =
                format!("{measure} ranks all documents, and shards only count; give another");
            return Err(Error::option("measure", reason));
        }
        Ok(Asking {
            commit: place.shard_work()?.commit_at(&time::now())?,
            measure,
            threshold: settings.method.threshold,
            top: options.search.top,
            include_standard: options.search.include_standard,
            standard_from: standard_from(&snapshot),
            set: options.set.clone(),
        })
    }

    /// The set of the documents in question.
    pub(crate) fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    /// What is listed.
    pub(crate) fn settings(&self) -> VerifySettings {
        VerifySettings {
            measure: self.measure,
            threshold: self.threshold,
            order: Order::Score,
            include_standard: self.include_standard,
            ..VerifySettings::default()
        }
    }
}
