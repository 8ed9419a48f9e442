//! How often were these messages seen before?

use std::path::PathBuf;

use cento::report::Skipped;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Checked, Desk, Duty, StoreOptions};
use crate::documents::Unreadable;
use crate::error::Result;
use crate::time;
use crate::watch::{Step, Watch};

/// Which messages, and when they came.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The store.
    pub store: StoreOptions,
    /// Messages, mailboxes, and folders of them.
    pub paths: Vec<PathBuf>,
    /// How they are read.
    pub input: cento_ingest::Options,
    /// When they came; now without one.
    pub time: Option<String>,
    /// Do not count them.
    pub look: bool,
    /// Seen so often in a day, a message is bulk.
    pub bulk_from: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            store: StoreOptions::default(),
            paths: Vec::new(),
            input: cento_ingest::Options::default(),
            time: None,
            look: false,
            bulk_from: Options::BULK_FROM,
        }
    }
}

impl Options {
    /// What [`Options::bulk_from`] is without a choice.
    pub const BULK_FROM: u64 = 10;
}

/// What is known about each message, in the order of the ids.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// The messages.
    pub messages: Vec<Checked>,
    /// Those that could not be read.
    pub skipped: Vec<Skipped>,
}

/// How many messages are read before they are asked about.
const BATCH: usize = 256;

/// Asks about messages and counts them, one after the other.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let now = time::given(options.time.as_deref())?;
    let desk = Desk::open(
        &options.store,
        &options.input,
        "mail check",
        Duty::Once,
        watch,
    )?;
    let found = desk.reader().find(&options.paths, watch)?;
    let mut outcome = Outcome {
        messages: Vec::with_capacity(found.inputs.len()),
        skipped: found.skipped,
    };
    watch.begin(Step::Counting, found.inputs.len(), 0);
    for batch in found.inputs.chunks(BATCH) {
        watch.go_on()?;
        let digests: Vec<_> = batch.par_iter().map(|input| desk.digests(input)).collect();
        for (input, digests) in batch.iter().zip(digests) {
            match digests {
                Ok(digests) => {
                    let answer = desk.ask(&digests, now, !options.look)?;
                    let checked = Checked::of(input.id(), &answer, options.bulk_from);
                    outcome.messages.push(checked);
                }
                Err(error) => {
                    let why = Unreadable::Other(error.sentence());
                    outcome.skipped.push(why.of(input.id()));
                }
            }
            watch.advance(1, 0);
        }
    }
    desk.sync()?;
    watch.end();
    outcome.skipped.sort();
    Ok(outcome)
}
