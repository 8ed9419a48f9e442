//! `cento archive add`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use cento_jobs::archive::add::{self, Added, Options, Stored};
use cento_report::counted;
use serde_json::json;

use super::options;
use crate::args::{ArchiveAddArgs, General, ReadOptions};
use crate::config::{Typed, settle};
use crate::machine::size;
use crate::run::run as watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveAddArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        reading: ReadOptions {
            input: args.reading.into(),
            ..ReadOptions::default()
        },
        ..Typed::default()
    };
    let settings = settle(typed, general)?;
    let (name, files) = name_and_files(&args.name_and_files)?;
    let options = Options {
        archive: options(&args.which),
        name,
        files,
        time: args.time,
        level: args.level,
        input: settings.input.clone(),
    };
    let done = watched(&settings, |watch| add::run(&options, watch))?;
    let mut text = String::new();
    for added in &done.added {
        let line = if args.which.json {
            format!("{}\n", json!(added))
        } else {
            line(added)
        };
        text.push_str(&line);
    }
    output::result(&text)?;
    for skipped in &done.skipped {
        let id = skipped.id.escape_debug();
        output::message(&format!("warning: {id} skipped: {}", skipped.reason));
    }
    for added in done.added.iter().filter(|added| added.is_altered) {
        let Added { name, version, .. } = added;
        let name = name.escape_debug();
        output::message(&format!(
            "warning: {name}@{version}: the record has the digest of other bytes; it is damaged, or it \
             was written wrongly"
        ));
    }
    let (new, known): (Vec<&Added>, Vec<&Added>) = done.added.iter().partition(|it| it.is_new);
    let mut said = format!("{} added", counted(new.len() as u64, "version"));
    if !known.is_empty() {
        let _ = write!(said, ", {} there already", known.len());
    }
    if !done.skipped.is_empty() {
        let _ = write!(said, ", {} skipped", done.skipped.len());
    }
    output::message(&said);
    if done.added.is_empty() && !done.skipped.is_empty() {
        bail!("nothing could be added");
    }
    Ok(Outcome::Done)
}

/// The page, unless web archives name theirs, and the files.
fn name_and_files(given: &[String]) -> Result<(Option<String>, Vec<PathBuf>)> {
    let files = |given: &[String]| given.iter().map(PathBuf::from).collect();
    match given {
        [file] if file == "-" || Path::new(file).exists() => Ok((None, files(given))),
        [name] => bail!(
            "{}: no such file; to add a version of a page, give its name and then a file",
            name.escape_debug()
        ),
        [first, ..] if add::is_web_archive(Path::new(first)) => Ok((None, files(given))),
        [name, rest @ ..] => Ok((Some(name.clone()), files(rest))),
        [] => bail!("give the name of a page and a file"),
    }
}

fn line(added: &Added) -> String {
    let Added {
        name,
        version,
        kind,
        reason,
        ..
    } = added;
    let name = name.escape_debug();
    let stored = match added.stored {
        Stored::Nothing => "nothing stored".to_owned(),
        Stored::Patch => format!("patch of {} for {}", size(added.bytes), size(added.length)),
        Stored::Whole => format!(
            "stored whole, {} for {}",
            size(added.bytes),
            size(added.length)
        ),
    };
    let headers = match added.headers {
        0 => String::new(),
        bytes => format!(", and {} of headers", size(bytes)),
    };
    format!("{name}@{version}  {kind}: {reason}; {stored}{headers}\n")
}
