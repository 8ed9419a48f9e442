//! `cento archive init`.

use anyhow::Result;
use cento_jobs::archive::init::{self, Options};

use super::options;
use crate::args::{ArchiveInitArgs, General};
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveInitArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
        recipe: args.recipe,
        level: args.level,
        patch_share: args.patch_share,
    };
    let done = watched(general.quiet, |watch| init::run(&options, watch))?;
    if args.which.json {
        output::json(&done)?;
    } else if !general.quiet {
        output::result(&format!(
            "new archive in {}\na change is insignificant if the digest by {} stays the same, or the \
             texts are similar by {} or more\n",
            done.archive.display(),
            done.recipe,
            done.level,
        ))?;
    }
    Ok(Outcome::Done)
}
