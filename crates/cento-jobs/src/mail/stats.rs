//! What is in a store.

use serde::{Deserialize, Serialize};

use super::{Desk, Duty, StoreOptions};
use crate::error::Result;
use crate::time;
use crate::watch::Watch;

/// Which store.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The store.
    pub store: StoreOptions,
    /// The time; now without one.
    pub time: Option<String>,
}

/// What is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many families of messages there are.
    pub families: u64,
    /// How many of them are marked as bulk.
    pub bulk: u64,
    /// How many are marked as wanted.
    pub wanted: u64,
    /// How many messages were counted, ever.
    pub counted: u64,
    /// How many families were forgotten because they were not seen for a week.
    pub expired: u64,
    /// How many were forgotten sooner, because there was no room.
    pub evicted: u64,
    /// From when on nothing is missing in the counts.
    pub since: String,
    /// Bytes of memory, by an estimate.
    pub memory: u64,
    /// Bytes of memory that it may use.
    pub most_memory: u64,
    /// Bytes on the disk.
    pub disk: u64,
}

/// Asks a store about itself.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let now = time::given(options.time.as_deref())?;
    let input = cento_ingest::Options::default();
    let desk = Desk::open(&options.store, &input, "mail stats", Duty::Once, watch)?;
    of(&desk, now)
}

/// The same for a store that is open.
pub fn of(desk: &Desk, now: u64) -> Result<Outcome> {
    let stats = desk.stats(now)?;
    Ok(Outcome {
        families: stats.families,
        bulk: stats.bulk,
        wanted: stats.wanted,
        counted: stats.counted,
        expired: stats.expired,
        evicted: stats.evicted,
        since: time::of_seconds(stats.since),
        memory: stats.memory,
        most_memory: desk.most_memory(),
        disk: stats.disk,
    })
}
