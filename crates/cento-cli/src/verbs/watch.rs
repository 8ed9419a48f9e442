//! `cento watch`: what arrives in a folder, registered and verified, with a report each night.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use cento_jobs::inbox::{Arrived, Event, Inbox, Looked, Nightly, Options, ReportAt};
use cento_jobs::{files, register};
use cento_report::counted;

use super::register::filed;
use super::serve::time;
use super::verify;
use crate::args::{General, WatchArgs};
use crate::config::{Settings, Typed, settle};
use crate::replace::{self, Readers};
use crate::run::{use_threads, watched};
use crate::{Outcome, flags, output};

pub(crate) fn run(args: &WatchArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        which: args.which.clone(),
        reading: args.reading.clone(),
        evidence: args.evidence.clone(),
        method: verify::method(&args.search),
        many: verify::many(&args.search),
    };
    let settings = settle(typed, general)?;
    use_threads(&settings)?;
    let at = args.report_at.as_deref().map(str::parse::<ReportAt>);
    let at = at.transpose().map_err(flags::explained)?;
    let every = time(&args.every).context("--every")?;
    let options = options(args, &settings)?;
    let pause = options.settle;
    let folder = args.reports.as_deref();
    if let Some(folder) = folder {
        files::make_folder(folder).with_context(|| format!("--reports {}", folder.display()))?;
        if !folder.is_dir() {
            // Better now than in the night.
            bail!("--reports: {} is not a folder", folder.display());
        }
        let [reports, inbox] = [folder, &args.folder].map(|path| path.canonicalize().ok());
        if reports.is_some() && reports == inbox {
            // Each report would be a document that arrives, and the next report would be about it.
            bail!(
                "--reports: {} is the folder that is watched; give another one",
                folder.display()
            );
        }
    }
    let mut inbox = Inbox::open(options).map_err(flags::explained)?;
    if args.once {
        let looked = look(&mut inbox, &settings)?;
        if looked.unfinished > 0 {
            // What was still being written has a chance to be complete.
            std::thread::sleep(pause);
            let left = look(&mut inbox, &settings)?.unfinished;
            if left > 0 {
                let left = counted(left as u64, "file");
                output::message(&format!(
                    "{left} still being written, left for the next run"
                ));
            }
        }
        report(&mut inbox, at, folder, &settings)?;
        return Ok(Outcome::Done);
    }
    output::message(&format!(
        "watching {}; Ctrl-C ends it",
        args.folder.display()
    ));
    let mut trouble = String::new();
    loop {
        let done = look(&mut inbox, &settings).and_then(|_| {
            // Reports can wait, arrivals cannot be lost: both are tried again.
            report(&mut inbox, at, folder, &settings)
        });
        // Another program may be writing to the registry: that passes, and is said once.
        match done {
            Ok(()) => trouble.clear(),
            Err(error) => {
                let said = format!("{error:#}");
                if said != trouble {
                    output::error(&format!("error: {said}; trying again"));
                }
                trouble = said;
            }
        }
        std::thread::sleep(every);
    }
}

fn options(args: &WatchArgs, settings: &Settings) -> Result<Options> {
    Ok(Options {
        folder: args.folder.clone(),
        register: register::Options {
            registry: settings.registry.clone(),
            search: verify::search(&args.search, settings),
            evidence: settings.evidence.clone(),
            input: settings.input.clone(),
            ..filed(&args.filing)?
        },
        settle: time(&args.settle).context("--settle")?,
    })
}

fn look(inbox: &mut Inbox, settings: &Settings) -> Result<Looked> {
    let mut said = Ok(());
    let looked = watched(settings.quiet, |watch| {
        inbox.look(watch, &mut |event| {
            if said.is_ok() {
                said = tell(event);
            }
        })
    });
    said?;
    looked
}

/// Says what became of a file: a line each, for a terminal, a log or a mail of cron.
fn tell(event: Event) -> Result<()> {
    match event {
        Event::Arrived(arrived) => output::result(&format!("{}\n", line(&arrived))),
        Event::Failed(skipped) => {
            let (name, reason) = (skipped.id.escape_debug(), flags::reason(&skipped));
            output::error(&format!("{name} stays: {reason}"));
            Ok(())
        }
    }
}

fn line(arrived: &Arrived) -> String {
    let mut line = format!("{}: ", arrived.name.escape_debug());
    let new = arrived.documents.iter();
    let new = new.filter(|one| one.registered != "unchanged").count();
    let _ = match (arrived.documents.len(), new) {
        (1, 0) => write!(line, "registered already"),
        (1, _) => write!(line, "registered"),
        (all, new) => write!(
            line,
            "{new} of {} registered",
            counted(all as u64, "document")
        ),
    };
    if !arrived.rejected.is_empty() {
        let count = arrived.rejected.len() as u64;
        let _ = write!(line, ", {} skipped", counted(count, "document"));
    }
    let report = &arrived.found.report;
    let label = |id: &str| {
        let named = report.documents.iter().find(|document| document.id == id);
        let label = named.map_or(id, |document| &document.label);
        label.escape_debug().to_string()
    };
    let pairs = &report.pairs;
    let is_short = report.documents.iter().any(|document| document.short);
    // The first one is the one that `verify` lists first.
    let _ = match pairs.first() {
        None if is_short => write!(line, "; too short to say what it shares"),
        None => write!(line, "; nothing shared was found"),
        Some(best) => {
            let more = match pairs.len() - 1 {
                0 => String::new(),
                more => format!(", and {}", counted(more as u64, "more pair")),
            };
            write!(
                line,
                "; {} of {} is in {}{more}",
                cento_report::percent(best.shares()[0]),
                label(&best.left),
                label(&best.right)
            )
        }
    };
    line
}

fn report(
    inbox: &mut Inbox,
    at: Option<ReportAt>,
    folder: Option<&Path>,
    settings: &Settings,
) -> Result<()> {
    let Some(folder) = folder else {
        return Ok(());
    };
    let mut failed = None;
    let done = watched(settings.quiet, |watch| {
        inbox.report(at, watch, &mut |nightly| {
            write(nightly, folder).map_err(|error| {
                let reason = format!("{error:#}");
                failed = Some(error);
                cento_jobs::Error::Refused(reason)
            })
        })
    });
    match failed {
        Some(error) => Err(error),
        None => done,
    }
}

/// Writes a report: a page, and what programs read.
fn write(nightly: Nightly, folder: &Path) -> Result<()> {
    let Nightly { name, reported } = nightly;
    let mut report = reported.report;
    cento_report::place(&mut report);
    cento_report::seal(&mut report);
    let page = cento_report::html(&mut report, &reported.templates);
    let data = report.without_texts(|slim| cento_report::json(slim));
    for (ending, text) in [("json", data), ("html", page)] {
        let path = folder.join(format!("{name}.{ending}"));
        if path.is_dir() {
            bail!("--reports: {} is a folder", path.display());
        }
        replace::file(&path, &text, Readers::Owner).with_context(|| path.display().to_string())?;
    }
    output::result(&format!(
        "report on {}: {}, {} listed\n",
        counted(reported.read as u64, "document"),
        folder.join(format!("{name}.html")).display(),
        counted(report.pairs.len() as u64, "pair")
    ))
}
