//! `cento registry ignore`: standard text that does not count.

use anyhow::{Context as _, Result, bail};
use std::fmt::Write as _;

use super::place::Place;
use crate::args::{General, IgnoreFileArgs, StatusArgs};
use crate::{Outcome, load, output};

pub(super) fn add(args: IgnoreFileArgs, general: &General) -> Result<Outcome> {
    let (place, settings) = Place::named(args.options, general)?;
    let input = load::single(&args.file, &settings)?;
    let text = input
        .read()
        .map_err(anyhow::Error::msg)
        .with_context(|| args.file.display().to_string())?;
    let mut writer = place.writer("registry ignore add")?;
    let name = name(&args.file);
    let digests = writer.ignore(&name, args.set.as_deref(), &text.content)?;
    writer.finish()?;
    if digests == 0 {
        output::message(&format!(
            "warning: {name} is too short for this recipe: nothing of it can be left out"
        ));
    }
    let of = args.set.map(|set| format!(" for the set {set}"));
    output::result(&format!(
        "{digests} digests of {} do not count any more{}\n",
        name.escape_debug(),
        of.unwrap_or_default()
    ))?;
    Ok(Outcome::Done)
}

pub(super) fn remove(args: IgnoreFileArgs, general: &General) -> Result<Outcome> {
    let (place, _) = Place::named(args.options, general)?;
    let mut writer = place.writer("registry ignore remove")?;
    let name = name(&args.file);
    let digests = writer.heed(&name, args.set.as_deref())?;
    writer.finish()?;
    if digests == 0 {
        bail!(
            "{name}: no such standard text{}; `cento registry ignore list` shows them",
            args.set
                .map(|set| format!(" of the set {set}"))
                .unwrap_or_default()
        );
    }
    output::result(&format!(
        "{digests} digests of {} count again\n",
        name.escape_debug()
    ))?;
    Ok(Outcome::Done)
}

pub(super) fn list(args: StatusArgs, general: &General) -> Result<Outcome> {
    let (place, _) = Place::named(args.options, general)?;
    let mut text = String::new();
    for ignored in place.snapshot()?.status()?.ignored {
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

/// A text is known by the name of its file.
fn name(file: &std::path::Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    name.to_string_lossy().into_owned()
}
