//! `cento register`: documents into a registry.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use cento_jobs::Reader;
use cento_jobs::register::{self, Options, Rejected};
use cento_report::{Cells, Table, counted};

use super::verify;
use crate::args::{FilingOptions, Format, General, RegisterArgs};
use crate::config::{Settings, Typed, settle as settle_typed};
use crate::publish::Publication;
use crate::replace::{self, Readers};
use crate::run::{account, run as watched};
use crate::{Outcome, flags, output};

pub(crate) fn run(args: &RegisterArgs, general: &General) -> Result<Outcome> {
    let (mut settings, mut options) = settle(args, general)?;
    if args.preview {
        return preview(&options, &settings);
    }
    let publication = Publication::settle(args.publishing.clone(), &settings)?;
    options.texts = publication.texts();
    let mut done = watched(&settings, |watch| register::run(&options, watch))?;
    tell(&done, args, &settings)?;
    if let Some(found) = &mut done.verification {
        // What is written down is the method in force: the registry's.
        settings.method.recipe = Some(found.report.recipe.clone());
        settings.method.measure = Some(found.report.measure.clone());
        publication.publish(&mut found.report, &found.templates, &settings)?;
    }
    if args.manifest.is_some() {
        write_rejects(args.rejects.as_deref(), &done.rejected)?;
    }
    let read = done.new + done.versions + done.unchanged;
    let read = usize::try_from(read).unwrap_or(usize::MAX);
    let mut skipped: Vec<_> = done.rejected.iter().map(flags::rejected).collect();
    skipped.sort();
    account(read, &skipped, &settings)?;
    Ok(Outcome::Done)
}

/// What was typed, as the options of the job.
pub(super) fn settle(args: &RegisterArgs, general: &General) -> Result<(Settings, Options)> {
    let typed = Typed {
        which: args.which.clone(),
        reading: args.reading.clone(),
        evidence: args.evidence.clone(),
        method: verify::method(&args.search),
        many: verify::many(&args.search),
    };
    let settings = settle_typed(typed, general)?;
    let options = Options {
        paths: args.paths.clone(),
        manifest: args.manifest.clone(),
        registry: settings.registry.clone(),
        date: args.date.clone(),
        on_change: args.on_change.into(),
        verify: args.verify,
        search: verify::search(&args.search, &settings),
        evidence: settings.evidence.clone(),
        input: settings.input.clone(),
        ..filed(&args.filing)?
    };
    Ok((settings, options))
}

/// The names under which documents are to be registered; everything else as it is by default.
pub(super) fn filed(filing: &FilingOptions) -> Result<Options> {
    let from = filing.submitter_from.as_deref().map(str::parse).transpose();
    Ok(Options {
        submitter: filing.submitter.clone(),
        submitter_from: from.map_err(flags::explained)?,
        set: filing.set.clone(),
        expire: filing.expire.clone(),
        id_prefix: filing.id_prefix.clone().unwrap_or_default(),
        ..Options::default()
    })
}

/// Says whose each document is.
fn preview(options: &Options, settings: &Settings) -> Result<Outcome> {
    let reader = Reader::new(&options.input);
    let preview = watched(settings, |watch| register::preview(options, &reader, watch))?;
    if settings.format == Format::Json {
        output::json(&preview)?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    for one in &preview.documents {
        let id = one.id.escape_debug();
        let _ = match (&one.submitter, &one.problem) {
            (Some(submitter), _) => writeln!(text, "{id}: {}", submitter.escape_debug()),
            (None, problem) => writeln!(text, "{id}: {}", problem.as_deref().unwrap_or("nobody")),
        };
    }
    output::result(&text)?;
    let known = preview.documents.len() - preview.unknown;
    let mut said = format!(
        "{} of {}; nothing is registered yet",
        counted(known as u64, "document"),
        counted(preview.submitters as u64, "submitter")
    );
    if preview.unknown > 0 {
        let unknown = counted(preview.unknown as u64, "document");
        let _ = write!(said, "; {unknown} would not be registered");
    }
    output::message(&said);
    if !preview.skipped.is_empty() {
        account(preview.documents.len(), &preview.skipped, settings)?;
    }
    if preview.documents.is_empty() {
        bail!("there is no document that could be registered");
    }
    Ok(Outcome::Done)
}

/// Says what was registered: to people on the way, or as the result where nothing else is.
fn tell(done: &register::Outcome, args: &RegisterArgs, settings: &Settings) -> Result<()> {
    if settings.format == Format::Json && !args.verify {
        return output::json(done);
    }
    let mut text = format!("{} registered", counted(done.new, "document"));
    if done.versions > 0 {
        let _ = write!(text, ", {}", counted(done.versions, "new version"));
    }
    if done.unchanged > 0 {
        let _ = write!(text, ", {} were registered already", done.unchanged);
    }
    if done.pairs > 0 {
        let share = if done.pairs == 1 { "shares" } else { "share" };
        let _ = write!(
            text,
            "; {} {share} 1 % or more",
            counted(done.pairs, "pair")
        );
    }
    text += &same_texts(done);
    if args.verify {
        output::message(&text);
        return Ok(());
    }
    output::result(&format!("{text}\n"))
}

/// What is registered under another id already, a line each.
fn same_texts(done: &register::Outcome) -> String {
    const MOST: usize = 20;
    let named = |one: &register::Registered| Some((one.id.clone(), one.same_text_as.clone()?));
    let all: Vec<(String, String)> = done.documents.iter().filter_map(named).collect();
    let mut text = String::new();
    for (id, other) in all.iter().take(MOST) {
        let (id, other) = (id.escape_debug(), other.escape_debug());
        let _ = write!(text, "\n{id}: the same text is registered as {other}");
    }
    if all.len() > MOST {
        let more = counted((all.len() - MOST) as u64, "more such document");
        let _ = write!(text, "\n{more}; --json lists them all");
    }
    text
}

/// Writes what could not be registered, with the reasons; nothing if there is nothing to say.
fn write_rejects(file: Option<&Path>, rejected: &[Rejected]) -> Result<()> {
    let path = file.unwrap_or(Path::new("rejects.csv"));
    if rejected.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(Cells::ForPeople, &["line", "path", "id", "reason"]);
    for one in rejected {
        let line = one.line.map(|line| line.to_string()).unwrap_or_default();
        let reason = flags::reason(&flags::rejected(one));
        table.row([&line, &one.path, &one.skipped.id, &reason]);
    }
    replace::file(path, &table.finish(), Readers::Usual)
        .with_context(|| format!("--rejects {}", path.display()))?;
    output::message(&format!(
        "{} could not be registered: {}",
        counted(rejected.len() as u64, "document"),
        path.display()
    ));
    Ok(())
}
