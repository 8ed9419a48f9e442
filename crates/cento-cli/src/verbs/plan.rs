//! `cento plan`: what a run will take, before it is begun.

use std::fmt::Write as _;

use anyhow::Result;
use cento_jobs::plan::{self, ForecastNote, Options};

use super::{dedupe, register, scan};
use crate::args::{General, PlanArgs, PlanVerb};
use crate::machine::{size, time};
use crate::run::run as watched;
use crate::{Outcome, output};

pub(crate) fn run(args: &PlanArgs, general: &General) -> Result<Outcome> {
    let (settings, options) = match &args.verb {
        PlanVerb::Dedupe(args) => {
            let (settings, options) = dedupe::settle(args, general)?;
            (settings, Options::Dedupe(Box::new(options)))
        }
        PlanVerb::Scan(args) => {
            let (settings, options) = scan::settle(args, general)?;
            (settings, Options::Scan(Box::new(options)))
        }
        PlanVerb::Register(args) => {
            let (settings, options) = register::settle(args, general)?;
            (settings, Options::Register(Box::new(options)))
        }
    };
    let planned = watched(&settings, |watch| plan::run(&options, watch))?;
    if args.json {
        output::json(&planned)?;
    } else {
        output::result(&text(&planned))?;
    }
    Ok(Outcome::Done)
}

fn text(planned: &plan::Outcome) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<10} {value}");
    };
    let free = |bytes: Option<u64>| bytes.map(|bytes| format!(" ({} free)", size(bytes)));
    let free = |bytes: Option<u64>| free(bytes).unwrap_or_default();
    line(
        "input",
        format!(
            "{} in about {} documents, {} digests",
            size(planned.bytes),
            planned.documents,
            planned.digests
        ),
    );
    line("time", format!("about {}", time(planned.seconds)));
    let memory = size(planned.memory);
    line(
        "memory",
        format!("about {memory}{}", free(planned.free_memory)),
    );
    for disk in &planned.disk {
        let (bytes, place) = (size(disk.bytes), disk.place.display());
        line(
            "disk",
            format!(
                "about {bytes} for {} in {place}{}",
                disk.what,
                free(disk.free)
            ),
        );
    }
    for note in &planned.notes {
        line("note", said(note));
    }
    text
}

/// A note, with numbers as the other lines have them.
fn said(note: &ForecastNote) -> String {
    match note {
        ForecastNote::Passes {
            passes,
            all_in_memory,
        } => {
            let passes = match passes {
                1 => "once".to_owned(),
                passes => format!("{passes} times"),
            };
            format!(
                "the run passes over all documents {passes}; to hold everything in memory would take \
                 {}",
                size(*all_in_memory)
            )
        }
        note => note.to_string(),
    }
}
