//! Every job of Cento, once: plain [`Options`](scan::Options) go in, an outcome comes out, and a
//! [`Watch`] is told what happens in between and may end it.
//!
//! Each job is a module with `Options` (plain data with a default, which can be stored as JSON),
//! `run(&Options, &Watch) -> Result<Outcome>`, and an `Outcome` that serialises as the JSON that
//! people and programs get. The command line, the server and other front ends parse, run and
//! render; how a job is done is written here and nowhere else.

mod advise;
mod approximate;
mod documents;
mod error;
mod estimate;
mod machine;
mod method;
mod prepare;
mod report;
mod staged;
mod style;
mod time;
mod watch;

pub mod attack;
pub mod compare;
pub mod dedupe;
pub mod eval;
pub mod explain;
pub mod forget;
pub mod plan;
pub mod register;
pub mod registry;
pub mod scan;
pub mod verify;
pub mod verify_case;

pub use approximate::Approximate;
pub use documents::{InMemory, Reader};
pub use error::{Error, Problem, Result};
pub use machine::{free_disk, free_memory};
pub use method::{BaseFrom, EvidenceOptions, GivenKey, MethodOptions, key_in, parse_key, recipe};
pub use report::{Reported, TextOptions, TextsOf};
pub use watch::{Event, Remark, Step, Watch};
