//! `cento archive`: versions of pages.

mod add;
mod check;
mod diff;
mod export;
mod forget;
mod get;
mod guard;
mod init;
mod log;
mod stats;

use anyhow::Result;
use cento_jobs::archive::ArchiveOptions;

use crate::Outcome;
use crate::args::{ArchiveArgs, ArchiveVerb, General, WhichArchive};

pub(crate) fn run(args: ArchiveArgs, general: &General) -> Result<Outcome> {
    match args.verb {
        ArchiveVerb::Init(args) => init::run(args, general),
        ArchiveVerb::Add(args) => add::run(*args, general),
        ArchiveVerb::Log(args) => log::run(args, general),
        ArchiveVerb::Get(args) => get::run(args, general),
        ArchiveVerb::Diff(args) => diff::run(args, general),
        ArchiveVerb::Check(args) => check::run(&args, general),
        ArchiveVerb::Export(args) => export::run(args, general),
        ArchiveVerb::Forget(args) => forget::run(args, general),
        ArchiveVerb::Stats(args) => stats::run(&args, general),
        ArchiveVerb::Guard(args) => guard::run(args, general),
    }
}

fn options(which: &WhichArchive) -> ArchiveOptions {
    ArchiveOptions {
        archive: which.archive.clone(),
    }
}
