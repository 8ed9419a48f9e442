//! `cento registry status`, `list` and `check`.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use cento::index::registry::KeptStretches;
use cento_jobs::registry::{Described, check, list, status};
use cento_report::counted;
use serde_json::json;

use super::settings;
use crate::args::{CheckArgs, General, StatusArgs};
use crate::run::run as watched;
use crate::{Outcome, output};

pub(super) fn status(args: StatusArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let settings = settings(args.options, general)?;
    let options = status::Options {
        registry: settings.registry.clone(),
    };
    let done = watched(&settings, |watch| status::run(&options, watch))?;
    if json {
        output::json(&done)?;
    } else {
        let name = settings.registry.registry.display().to_string();
        output::result(&status_text(name, &done))?;
    }
    Ok(Outcome::Done)
}

fn status_text(name: String, done: &status::Outcome) -> String {
    let status = &done.status;
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    line("registry", name);
    line("made", status.created.clone());
    line("recipe", status.settings.recipe.to_string());
    if let Some(list) = status.settings.recipe.word_list() {
        line("dictionary", format!("{} words", list.words().len()));
    }
    line("keeps", status.settings.retention.to_string());
    let key = status.key.clone();
    line("key", key.unwrap_or_else(|| "none".to_owned()));
    let expired = match status.expired {
        0 => String::new(),
        count => format!(", {count} of them expired (cento forget --expired)"),
    };
    line("documents", format!("{}{expired}", status.documents));
    for (set, documents) in &status.sets {
        if let Some(set) = set {
            line("", format!("{documents} in {}", set.escape_debug()));
        }
    }
    let removed = match status.removed_postings {
        0 => String::new(),
        count => format!(", {count} of them no longer used (cento registry compact)"),
    };
    line("postings", format!("{}{removed}", status.postings));
    line(
        "segments",
        format!(
            "{}, {} bytes, {:.2} per posting",
            status.segments,
            status.bytes,
            done.bytes_per_posting()
        ),
    );
    let stretches = match status.settings.stretches {
        KeptStretches::None => "none".to_owned(),
        kept @ KeptStretches::Pairs => format!("{kept}, {} bytes", status.stretch_bytes),
    };
    line("stretches", stretches);
    if let Some(style) = &status.settings.style {
        let (vectors, bytes) = (status.vectors, status.vector_bytes);
        line(
            "style",
            format!("{style}, {vectors} vectors, {bytes} bytes"),
        );
    }
    line("catalogue", format!("{} bytes", status.catalog_bytes));
    if status.settings.pairs {
        line("pairs", done.pairs.to_string());
    }
    for ignored in &status.ignored {
        let of = match &ignored.set {
            Some(set) => format!(" in {}", set.escape_debug()),
            None => String::new(),
        };
        let name = ignored.name.escape_debug();
        line(
            "ignored",
            format!("{name}, {} digests{of}", ignored.digests),
        );
    }
    text
}

pub(super) fn list(args: StatusArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let settings = settings(args.options, general)?;
    let options = list::Options {
        registry: settings.registry.clone(),
    };
    let done = watched(&settings, |watch| list::run(&options, watch))?;
    let mut text = String::new();
    for entry in &done.documents {
        if json {
            let _ = writeln!(text, "{}", json!(entry));
        } else {
            let _ = writeln!(text, "{}", entry_text(entry));
        }
    }
    output::result(&text)?;
    Ok(Outcome::Done)
}

fn entry_text(entry: &Described) -> String {
    let mut text = entry.id.escape_debug().to_string();
    if entry.version > 1 {
        let _ = write!(text, "  version {}", entry.version);
    }
    let _ = write!(text, "  {} words", entry.words);
    for (name, value) in [
        ("submitter", &entry.submitter),
        ("set", &entry.set),
        ("date", &entry.date),
        ("expires", &entry.expires),
    ] {
        if let Some(value) = value {
            let _ = write!(text, "  {name} {}", value.escape_debug());
        }
    }
    text
}

pub(super) fn check(args: CheckArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let settings = settings(args.options, general)?;
    let options = check::Options {
        registry: settings.registry.clone(),
        all: args.all,
        repair: args.repair,
    };
    let done = watched(&settings, |watch| check::run(&options, watch))?;
    let checked = &done.checked;
    if json {
        output::json(&done)?;
    } else {
        let mut text = format!(
            "{} and {} checked\n",
            counted(checked.documents, "document"),
            counted(checked.postings, "posting"),
        );
        if checked.proved > 0 {
            let _ = writeln!(
                text,
                "{} proved by what is kept of them",
                counted(checked.proved, "document"),
            );
        }
        if checked.forgotten == 0 && checked.free_pages == 0 {
            text += "nothing is left of documents that were forgotten\n";
        } else {
            let _ = writeln!(
                text,
                "{} postings of documents that were forgotten are still there, and {} free pages \
                 of the catalogue; `cento registry compact` removes them",
                checked.forgotten, checked.free_pages
            );
        }
        for fault in &done.repaired {
            let _ = writeln!(text, "repaired: {fault}");
        }
        for fault in &checked.faults {
            let _ = writeln!(text, "fault: {fault}");
        }
        output::result(&text)?;
    }
    if !checked.faults.is_empty() {
        let advice = if args.repair {
            "that cannot be repaired"
        } else {
            "try `cento registry check --repair`; what is left cannot be repaired"
        };
        bail!(
            "{}: {}; {advice}: restore it from a backup, or register the documents again",
            settings.registry.registry.display(),
            counted(checked.faults.len() as u64, "fault")
        );
    }
    Ok(Outcome::Done)
}
