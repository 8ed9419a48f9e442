//! Every job of Cento, once: plain [`Options`](scan::Options) go in, an outcome comes out, and a
//! [`Watch`] is told what happens in between and may end it.
//!
//! Each job is a module with `Options` (plain data with a default, which can be stored as JSON),
//! `run(&Options, &Watch) -> Result<Outcome>`, and an `Outcome` that serialises as the JSON that
//! people and programs get. The command line, the server and other front ends parse, run and
//! render; how a job is done is written here and nowhere else.
//!
//! [`scan`], [`compare`] and [`verify`] end in a [`Reported`]: a report with what a front end needs
//! to show it. [`register`], [`forget`] and [`registry`] change and look after a registry,
//! [`dedupe`] cleans a corpus, [`archive`] keeps versions of pages, [`guard`] stops a crawl that
//! loops, [`mail`] counts bulk mail, [`inbox`] registers what arrives in a folder, [`explain`],
//! [`eval`] and [`attack`] look into methods, and [`plan`] says what a run will take. An [`Error`]
//! says what cannot be done and what to do instead; a job that is told to stop ends with
//! [`Error::Stopped`] and leaves its last commit, or everything as it was.
//!
//! ```
//! use cento_jobs::{Watch, scan};
//!
//! let folder = tempfile::tempdir()?;
//! let shared = "the town rebuilt its canal in nine years and paid for it with a loan";
//! for (name, own) in [("anna.txt", "First of all"), ("ben.txt", "Everybody says that")] {
//!     std::fs::write(folder.path().join(name), format!("{own} {shared}"))?;
//! }
//! let options = scan::Options {
//!     paths: vec![folder.path().to_owned()],
//!     ..scan::Options::default()
//! };
//! let done = scan::run(&options, &Watch::NOBODY)?;
//! assert!(done.is_found);
//! assert_eq!(done.report.pairs[0].left, "anna.txt");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advise;
mod approximate;
mod author;
mod documents;
mod error;
mod estimate;
mod help;
mod machine;
mod meanings;
mod method;
mod prepare;
mod program;
mod report;
mod settings_file;
mod staged;
mod style;
mod submitter;
mod templates;
mod time;
mod watch;

pub mod archive;
pub mod attack;
pub mod compare;
pub mod dedupe;
pub mod eval;
pub mod explain;
pub mod files;
pub mod forget;
pub mod guard;
pub mod inbox;
pub mod mail;
pub mod plan;
pub mod register;
pub mod registry;
pub mod scan;
pub mod shards;
pub mod verify;
pub mod verify_case;

pub use approximate::Approximate;
pub use documents::{GivenText, InMemory, Reader};
pub use error::{Error, Problem, Result};
pub use help::Help;
pub use machine::{free_disk, free_memory};
pub use method::{BaseFrom, EvidenceOptions, GivenKey, MethodOptions, key_in, parse_key, recipe};
pub use report::{Reported, TextOptions, TextsOf};
pub use settings_file::read_settings;
pub use submitter::{SUBMITTER, SubmitterFrom, SubmitterPattern};
pub use watch::{Event, Remark, Step, Watch};
