//! Everything into one segment, without what was forgotten.

use serde::{Deserialize, Serialize};

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

/// The sizes before and after, and whether every trace is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many bytes the segments had.
    pub before: u64,
    /// How many bytes the one segment has.
    pub after: u64,
    /// Whether nothing of forgotten documents is left; not if somebody reads an older state.
    pub is_swept: bool,
}

/// Writes everything into one segment and removes what was forgotten for good.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place(watch)?;
    let mut writer = place.writer("registry compact", watch)?;
    let done = watch.during(Step::Compacting, |watch| writer.compact(watch))?;
    Ok(Outcome {
        before: done.before,
        after: done.after,
        is_swept: done.is_swept,
    })
}
