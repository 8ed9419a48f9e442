//! `cento archive forget`.

use anyhow::Result;
use cento_jobs::archive::forget::{self, Options};
use cento_report::counted;

use super::options;
use crate::args::{ArchiveForgetArgs, General};
use crate::machine::size;
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveForgetArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
        names: args.names,
    };
    let done = watched(general.quiet, |watch| forget::run(&options, watch))?;
    if args.which.json {
        output::json(&done)?;
        return Ok(Outcome::Done);
    }
    let versions = counted(done.versions, "version");
    let pages = match done.pages {
        0 => String::new(),
        pages => format!(", with all versions of {}", counted(pages, "page")),
    };
    let reclaimed = size(done.reclaimed);
    output::result(&format!(
        "{versions} forgotten{pages}; the archive is smaller by {reclaimed}\n"
    ))?;
    Ok(Outcome::Done)
}
