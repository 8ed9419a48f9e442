//! `cento archive log`.

use std::fmt::Write as _;

use anyhow::Result;
use cento_jobs::archive::log::{self, Entry, Options, PageEntry};
use cento_report::counted;
use serde_json::json;

use super::options;
use crate::args::{ArchiveLogArgs, General};
use crate::machine::size;
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveLogArgs, general: &General) -> Result<Outcome> {
    let options = Options {
        archive: options(&args.which),
        name: args.name,
        sha1: args.sha1,
    };
    let done = watched(general.quiet, |watch| log::run(&options, watch))?;
    let json = args.which.json;
    let mut text = String::new();
    match &done {
        log::Outcome::Versions(entries) => {
            for entry in entries {
                let line = if json {
                    format!("{}\n", json!(entry))
                } else {
                    version(entry)
                };
                text.push_str(&line);
            }
        }
        log::Outcome::Pages(pages) => {
            for entry in pages {
                let line = if json {
                    format!("{}\n", json!(entry))
                } else {
                    page(entry)
                };
                text.push_str(&line);
            }
            if pages.is_empty() {
                output::message("the archive is empty; `cento archive add NAME FILE` adds a page");
            }
        }
    }
    output::result(&text)?;
    Ok(Outcome::Done)
}

fn version(entry: &Entry) -> String {
    let mut text = format!(
        "{:>5}  {}  {:<13}",
        entry.version,
        entry.time,
        entry.kind.to_string()
    );
    let similarity = entry.similarity.map(|similarity| {
        // 100 % is for equal texts.
        format!("{:.1} %", (similarity * 1000.0).floor() / 10.0)
    });
    let _ = write!(
        text,
        "  {:>7}",
        similarity.unwrap_or_else(|| "-".to_owned())
    );
    let _ = write!(
        text,
        "  {:>9} of {:>9}",
        size(entry.stored),
        size(entry.length)
    );
    let _ = write!(text, "  {:<22}", entry.digest.as_deref().unwrap_or("-"));
    let _ = write!(text, "  {}", &entry.sha256[..12]);
    if let Some(sha1) = &entry.sha1 {
        let _ = write!(text, "  {sha1}");
    }
    text.push('\n');
    text
}

fn page(entry: &PageEntry) -> String {
    let PageEntry {
        name, first, last, ..
    } = entry;
    let versions = counted(entry.versions, "version");
    let name = name.escape_debug();
    format!(
        "{name}  {versions}, {} significant, {first} to {last}\n",
        entry.significant
    )
}
