//! `cento archive stats`.

use std::fmt::Write as _;

use anyhow::Result;
use cento_jobs::archive::stats::{self, Options};

use super::options;
use crate::args::{ArchiveStatsArgs, General};
use crate::machine::size;
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: &ArchiveStatsArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
    };
    let done = watched(general.quiet, |watch| stats::run(&options, watch))?;
    if args.which.json {
        output::json(&done)?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<10}{value}");
    };
    line("archive", options.archive.archive.display().to_string());
    line("made", done.created.clone());
    line(
        "rules",
        format!(
            "insignificant if the {} digest stays, or from similarity {} on; whole again from {:.0} % \
             of the page on",
            done.recipe,
            done.level,
            done.patch_share * 100.0
        ),
    );
    line("pages", done.pages.to_string());
    line(
        "versions",
        format!(
            "{}: {} significant, {} insignificant, {} with the same text, {} with the same bytes",
            done.versions, done.significant, done.insignificant, done.same_text, done.same
        ),
    );
    line("contents", format!("{} in all versions", size(done.bytes)));
    line(
        "stored",
        format!(
            "{} whole, {}; {} as patches, {}",
            done.whole,
            size(done.whole_bytes),
            done.patches,
            size(done.patch_bytes)
        ),
    );
    line("on disk", size(done.disk_bytes));
    output::result(&text)?;
    Ok(Outcome::Done)
}
