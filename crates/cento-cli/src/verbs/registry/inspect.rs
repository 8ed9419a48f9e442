//! `cento registry status`, `list` and `check`.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use cento::index::registry::{self, Checked, Entry, Status};
use serde_json::{Value, json};

use super::place::Place;
use crate::args::{General, StatusArgs};
use crate::progress::Progress;
use crate::{Outcome, output};

pub(super) fn status(args: StatusArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let (place, _) = Place::named(args.options, general)?;
    let status = place.snapshot()?.status()?;
    let text = if json {
        format!("{:#}\n", status_json(&status))
    } else {
        status_text(&place, &status)
    };
    output::result(&text)?;
    Ok(Outcome::Done)
}

fn bytes_per_posting(status: &Status) -> f64 {
    if status.postings == 0 {
        return 0.0;
    }
    status.bytes as f64 / status.postings as f64
}

fn status_json(status: &Status) -> Value {
    let sets: Vec<Value> = status
        .sets
        .iter()
        .map(|(set, documents)| json!({"set": set, "documents": documents}))
        .collect();
    let ignored: Vec<Value> = status
        .ignored
        .iter()
        .map(|text| json!({"name": text.name, "set": text.set, "digests": text.digests}))
        .collect();
    json!({
        "documents": status.documents,
        "expired": status.expired,
        "postings": status.postings,
        "removed_postings": status.removed_postings,
        "segments": status.segments,
        "bytes": status.bytes,
        "bytes_per_posting": (bytes_per_posting(status) * 1000.0).round() / 1000.0,
        "catalog_bytes": status.catalog_bytes,
        "kept_bytes": status.retained_bytes,
        "pairs": status.pairs,
        "recipe": status.settings.recipe.to_string(),
        "retention": status.settings.retention.to_string(),
        "kept_bits": status.settings.kept_bits,
        "key": status.key,
        "created": status.created,
        "sets": sets,
        "ignored": ignored,
    })
}

fn status_text(place: &Place, status: &Status) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<12}{value}");
    };
    line("registry", place.path.display().to_string());
    line("made", status.created.clone());
    line("recipe", status.settings.recipe.to_string());
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
        count => format!(", {count} of them of no use any more (cento registry compact)"),
    };
    line("postings", format!("{}{removed}", status.postings));
    line(
        "segments",
        format!(
            "{}, {} bytes, {:.2} a posting",
            status.segments,
            status.bytes,
            bytes_per_posting(status)
        ),
    );
    line("catalogue", format!("{} bytes", status.catalog_bytes));
    if status.settings.pairs {
        line("pairs", status.pairs.to_string());
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
    let (place, _) = Place::named(args.options, general)?;
    let snapshot = place.snapshot()?;
    let mut text = String::new();
    snapshot.entries(|entry| {
        if json {
            let _ = writeln!(text, "{}", entry_json(&entry));
        } else {
            let _ = writeln!(text, "{}", entry_text(&entry));
        }
        Ok(())
    })?;
    output::result(&text)?;
    Ok(Outcome::Done)
}

fn entry_json(entry: &Entry) -> Value {
    let facts = &entry.facts;
    json!({
        "id": facts.id,
        "version": entry.version,
        "label": facts.label,
        "submitter": facts.submitter,
        "set": facts.set,
        "date": facts.date,
        "expires": facts.expires,
        "registered": facts.registered,
        "words": entry.words,
        "digests": entry.digests,
        "ignored": entry.ignored,
        "extractor": facts.extractor,
    })
}

fn entry_text(entry: &Entry) -> String {
    let facts = &entry.facts;
    let mut text = facts.id.escape_debug().to_string();
    if entry.version > 1 {
        let _ = write!(text, "  version {}", entry.version);
    }
    let _ = write!(text, "  {} words", entry.words);
    for (name, value) in [
        ("submitter", &facts.submitter),
        ("set", &facts.set),
        ("date", &facts.date),
        ("expires", &facts.expires),
    ] {
        if let Some(value) = value {
            let _ = write!(text, "  {name} {}", value.escape_debug());
        }
    }
    text
}

pub(super) fn check(args: StatusArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let (place, settings) = Place::named(args.options, general)?;
    let Checked {
        documents,
        postings,
        pairs,
        forgotten,
        free_pages,
        faults,
    } = Progress::watching("checking", settings.quiet, |watch| {
        registry::check(&place.path, place.key(), watch)
    })?;
    let text = if json {
        let result = json!({
            "documents": documents,
            "postings": postings,
            "pairs": pairs,
            "forgotten_postings": forgotten,
            "free_pages": free_pages,
            "faults": faults,
        });
        format!("{result:#}\n")
    } else {
        let mut text =
            format!("{documents} documents, {postings} postings, {pairs} pairs checked\n");
        if forgotten == 0 && free_pages == 0 {
            text += "nothing is left of documents that were forgotten\n";
        } else {
            let _ = writeln!(
                text,
                "{forgotten} postings of documents that were forgotten are still there, and \
                 {free_pages} free pages of the catalogue; `cento registry compact` removes them"
            );
        }
        for fault in &faults {
            let _ = writeln!(text, "fault: {fault}");
        }
        text
    };
    output::result(&text)?;
    if !faults.is_empty() {
        bail!(
            "{}: {} faults; restore it from a backup, or register the documents again",
            place.path.display(),
            faults.len()
        );
    }
    Ok(Outcome::Done)
}
