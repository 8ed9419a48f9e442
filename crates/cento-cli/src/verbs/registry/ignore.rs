//! `cento registry ignore`: standard text that does not count.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use cento_jobs::registry::ignore::{self, Change, Options};
use cento_jobs::registry::status;
use cento_report::counted;

use super::settings;
use crate::args::{General, IgnoreFileArgs, StatusArgs};
use crate::run::run as watched;
use crate::{Outcome, output};

pub(super) fn add(args: IgnoreFileArgs, general: &General) -> Result<Outcome> {
    let set = args.set.clone();
    let done = change(args, Change::Add, general)?;
    if done.digests == 0 {
        output::message(&format!(
            "warning: {} is too short for this recipe: nothing of it can be left out",
            done.name
        ));
    }
    let of = set.map(|set| format!(" for the set {set}"));
    output::result(&format!(
        "{} of {} no longer count{}\n",
        counted(done.digests, "digest"),
        done.name.escape_debug(),
        of.unwrap_or_default()
    ))?;
    Ok(Outcome::Done)
}

pub(super) fn remove(args: IgnoreFileArgs, general: &General) -> Result<Outcome> {
    let done = change(args, Change::Remove, general)
        .context("`cento registry ignore list` shows the standard texts")?;
    output::result(&format!(
        "{} of {} count again\n",
        counted(done.digests, "digest"),
        done.name.escape_debug()
    ))?;
    Ok(Outcome::Done)
}

fn change(args: IgnoreFileArgs, change: Change, general: &General) -> Result<ignore::Outcome> {
    let settings = settings(args.options, general)?;
    let options = Options {
        registry: settings.registry.clone(),
        change,
        file: args.file,
        set: args.set,
        input: settings.input.clone(),
    };
    watched(&settings, |watch| ignore::run(&options, watch))
}

pub(super) fn list(args: StatusArgs, general: &General) -> Result<Outcome> {
    let settings = settings(args.options, general)?;
    let options = status::Options {
        registry: settings.registry.clone(),
    };
    let done = watched(&settings, |watch| status::run(&options, watch))?;
    let mut text = String::new();
    for ignored in done.status.ignored {
        let of = match ignored.set {
            Some(set) => format!(", set {}", set.escape_debug()),
            None => String::new(),
        };
        let name = ignored.name.escape_debug();
        let _ = writeln!(text, "{name}, {} digests{of}", ignored.digests);
    }
    output::result(&text)?;
    Ok(Outcome::Done)
}
