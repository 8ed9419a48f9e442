//! `cento archive check`.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use cento_jobs::archive::check::{self, Options};
use cento_report::counted;

use super::options;
use crate::args::{ArchiveCheckArgs, General};
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: &ArchiveCheckArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
    };
    let done = watched(general.quiet, |watch| check::run(&options, watch))?;
    if args.which.json {
        output::json(&done)?;
    } else {
        let versions = counted(done.versions, "version");
        let payloads = counted(done.payloads, "payload");
        let mut text = format!("{versions} and {payloads} checked\n");
        for fault in &done.faults {
            let _ = writeln!(text, "fault: {fault}");
        }
        if done.faults.is_empty() {
            text += "all is well\n";
        }
        output::result(&text)?;
    }
    if !done.faults.is_empty() {
        let faults = counted(done.faults.len() as u64, "fault");
        bail!("{}: {faults} found", options.archive.archive.display());
    }
    Ok(Outcome::Done)
}
