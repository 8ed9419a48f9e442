//! `cento archive diff`.

use anyhow::{Context as _, Result};
use cento_jobs::archive::diff::{self, Options};
use cento_report::{Context, changes_page, changes_text};

use super::options;
use crate::args::{ArchiveDiffArgs, General};
use crate::config::{Typed, settle};
use crate::replace::{self, Readers};
use crate::run::run as watched;
use crate::{Outcome, output};

/// How many words are shown before and after a change.
const AROUND: usize = 12;

pub(super) fn run(args: ArchiveDiffArgs, general: &General) -> Result<Outcome> {
    let settings = settle(Typed::default(), general)?;
    let options = Options {
        archive: options(&args.which),
        left: args.left,
        right: args.right,
        input: settings.input.clone(),
    };
    let changes = watched(&settings, |watch| diff::run(&options, watch))?;
    if let Some(path) = &args.html {
        let written = replace::file(path, &changes_page(&changes), Readers::Usual);
        written.with_context(|| path.display().to_string())?;
        output::message(&format!("the differences are in {}", path.display()));
    }
    if args.which.json {
        output::json(&changes)?;
    } else if args.html.is_none() {
        let context = if args.all {
            Context::All
        } else {
            Context::Words(AROUND)
        };
        output::result(&changes_text(&changes, context, output::screen()))?;
    }
    Ok(Outcome::Done)
}
