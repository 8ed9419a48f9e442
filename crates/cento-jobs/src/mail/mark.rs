//! Say what messages are: bulk, or wanted.

use std::path::PathBuf;

use cento::index::sightings::{Answer, Mark};
use cento::report::Skipped;
use serde::{Deserialize, Serialize};

use super::{Desk, Duty, StoreOptions};
use crate::documents::Unreadable;
use crate::error::Result;
use crate::time;
use crate::watch::Watch;

/// Which messages, and what they are.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The store.
    pub store: StoreOptions,
    /// Messages, mailboxes, and folders of them.
    pub paths: Vec<PathBuf>,
    /// How they are read.
    pub input: cento_ingest::Options,
    /// What they are.
    pub change: Change,
    /// When that is said; now without one.
    pub time: Option<String>,
}

/// What is said about messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// They are bulk.
    #[default]
    Bulk,
    /// They are wanted, and never counted.
    Wanted,
    /// What was said before does not hold.
    None,
}

impl Change {
    /// The mark that it leaves.
    pub fn mark(self) -> Option<Mark> {
        match self {
            Change::Bulk => Some(Mark::Bulk),
            Change::Wanted => Some(Mark::Wanted),
            Change::None => None,
        }
    }
}

/// What was marked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// How many messages.
    pub marked: u64,
    /// Those that are too short to be told from others.
    pub short: Vec<String>,
    /// Those that could not be read.
    pub skipped: Vec<Skipped>,
}

/// Marks messages, and all that are like them.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let now = time::given(options.time.as_deref())?;
    let desk = Desk::open(
        &options.store,
        &options.input,
        "mail mark",
        Duty::Once,
        watch,
    )?;
    let found = desk.reader().find(&options.paths, watch)?;
    let mut outcome = Outcome {
        skipped: found.skipped,
        ..Outcome::default()
    };
    for input in &found.inputs {
        watch.go_on()?;
        match desk.digests(input) {
            Ok(digests) => match desk.say(&digests, options.change.mark(), now)? {
                Answer::TooShort => outcome.short.push(input.id().to_owned()),
                Answer::Known { .. } => outcome.marked += 1,
            },
            Err(error) => {
                let why = Unreadable::Other(error.sentence());
                outcome.skipped.push(why.of(input.id()));
            }
        }
    }
    desk.sync()?;
    outcome.skipped.sort();
    Ok(outcome)
}
