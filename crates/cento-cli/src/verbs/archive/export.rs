//! `cento archive export`.

use anyhow::Result;
use cento_jobs::archive::export::{self, Options};
use cento_report::counted;

use super::options;
use crate::args::{ArchiveExportArgs, General};
use crate::machine::size;
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveExportArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
        names: args.names,
        output: args.output,
    };
    let done = watched(general.quiet, |watch| export::run(&options, watch))?;
    if args.which.json {
        output::json(&done)?;
    } else {
        let pages = counted(done.pages, "record");
        output::message(&format!(
            "{pages} with pages and {} of revisits are in {}, {}",
            done.revisits,
            options.output.display(),
            size(done.bytes)
        ));
    }
    Ok(Outcome::Done)
}
