//! `cento archive get`.

use std::io::Write as _;

use anyhow::{Context as _, Result};
use cento_jobs::archive::get::{self, Options};

use super::options;
use crate::args::{ArchiveGetArgs, General};
use crate::replace::{self, Readers};
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveGetArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
        version: args.version,
        transferred: args.transferred,
    };
    let done = watched(general.quiet, |watch| get::run(&options, watch))?;
    match &args.output {
        Some(path) => {
            let written = replace::bytes(path, &done.bytes, Readers::Usual);
            written.with_context(|| path.display().to_string())?;
            if args.which.json {
                output::json(&done)?;
            } else {
                let (name, version) = (done.name.escape_debug(), done.version);
                let path = path.display();
                output::message(&format!("{name}@{version} of {} is in {path}", done.time));
            }
        }
        None if args.which.json => output::json(&done)?,
        None => {
            let mut stdout = std::io::stdout().lock();
            stdout.write_all(&done.bytes)?;
            stdout.flush()?;
        }
    }
    Ok(Outcome::Done)
}
