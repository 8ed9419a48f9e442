//! One of each: near-duplicates, repeated passages or the text of tests are taken out of a dataset.
//!
//! A dataset is any number of tables (JSONL, CSV, Parquet) and files, read as one. What is left of it
//! is written in its own format, with lists of what was done to which document. Nothing that exists is
//! overwritten, and nothing has its name before everything is whole.
//!
//! ```
//! use cento_jobs::{Watch, dedupe};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let (input, output) = (folder.path().join("in"), folder.path().join("out"));
//! # std::fs::create_dir(&input)?;
//! std::fs::write(input.join("a.txt"), "the same words in both of these files")?;
//! std::fs::write(input.join("b.txt"), "the same words, in both of these files")?;
//! let options = dedupe::Options {
//!     inputs: vec![input],
//!     output: output.clone(),
//!     ..dedupe::Options::default()
//! };
//! let dedupe::Outcome::NearDuplicates(outcome) = dedupe::run(&options, &Watch::NOBODY)? else {
//!     unreachable!("the usual kind of run");
//! };
//! assert_eq!((outcome.kept, outcome.removed), (1, 1));
//! assert!(output.join("kept/a.txt").exists());
//! # Ok(())
//! # }
//! ```

// Paths → documents, a batch at a time.
mod corpus;
mod skipped;
mod tables;

// Near-duplicates.
mod choose;
mod compare;
mod dataset;
mod exact;
mod near;
mod needs;
mod registered;
mod work;
mod write;

// Text that stands elsewhere too.
mod against;
mod contained;
mod cut;
mod passages;
mod rewrite;

// What is written.
mod annotate;
mod output;
mod place;
mod record;
mod sources;
mod stoppable;
mod streams;

// The same for rows that are in memory, and for those on many machines.
pub mod parts;
pub mod rows;

mod options;
mod outcome;

pub use options::{Against, Clusters, Keep, Kind, NearDuplicates, Options, Passages};
pub use outcome::{AgainstOutcome, NearDuplicatesOutcome, Outcome, PassagesOutcome, SourceOutcome};

use crate::error::{Error, Result};
use crate::plan::Forecast;
use crate::watch::Watch;

/// Takes duplicates out of a dataset.
///
/// Told to stop, a search for near-duplicates leaves its work folder, if it has one, and goes on
/// there when it is run again; all other runs leave nothing.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    if let Kind::NearDuplicates(wanted) = &options.kind {
        wanted.method.warn_of_open_key(watch);
    }
    Ok(match &options.kind {
        Kind::NearDuplicates(wanted) => Outcome::NearDuplicates(near::run(options, wanted, watch)?),
        Kind::Passages(wanted) => Outcome::Passages(passages::run(options, *wanted, watch)?),
        Kind::Against(wanted) => Outcome::Against(against::run(options, wanted, watch)?),
    })
}

/// What a run will take.
pub(crate) fn forecast(options: &Options, watch: &Watch<'_>) -> Result<Forecast> {
    match &options.kind {
        Kind::NearDuplicates(wanted) => needs::forecast(options, wanted, watch),
        Kind::Passages(_) | Kind::Against(_) => Err(Error::refused(
            "only the search for near-duplicates can be planned, not that for passages or for the \
             text of tests",
        )),
    }
}
