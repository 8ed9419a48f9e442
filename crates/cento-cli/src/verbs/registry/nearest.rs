//! `cento registry nearest`: the registered documents whose style is nearest.

use std::fmt::Write as _;

use anyhow::Result;
use cento_jobs::registry::nearest::{self, Options};
use cento_report::{counted, digits};

use crate::args::{General, NearestArgs};
use crate::config::{Typed, settle};
use crate::run::{account, run as watched};
use crate::{Outcome, output};

pub(super) fn run(args: NearestArgs, general: &General) -> Result<Outcome> {
    let mut typed = Typed {
        which: args.options.which,
        ..Typed::default()
    };
    typed.reading.input = args.input;
    typed.reading.key_file = args.options.key_file;
    let settings = settle(typed, general)?;
    let options = Options {
        paths: args.paths,
        registry: settings.registry.clone(),
        top: args.top,
        input: settings.input.clone(),
    };
    let done = watched(&settings, |watch| nearest::run(&options, watch))?;
    if args.options.json {
        output::json(&done)?;
    } else {
        output::result(&text(&done))?;
    }
    account(done.documents.len(), &done.skipped, &settings)?;
    Ok(Outcome::Done)
}

fn text(done: &nearest::Outcome) -> String {
    let mut text = String::new();
    for (id, nearest) in &done.documents {
        let _ = writeln!(
            text,
            "{}: looked at {} of {}",
            id.escape_debug(),
            nearest.looked_at,
            counted(done.vectors, "vector")
        );
        if nearest.documents.is_empty() {
            text += "    nothing registered has a measurement in common with it\n";
            continue;
        }
        text += " DISTANCE  REGISTERED\n";
        for near in &nearest.documents {
            let version = match near.entry.version {
                1 => String::new(),
                version => format!("@{version}"),
            };
            let registered = &near.entry.facts.id;
            let remark = if registered == id { " (same id)" } else { "" };
            let _ = writeln!(
                text,
                "{:>9}  {}{version}{remark}",
                digits(near.distance),
                registered.escape_debug()
            );
        }
    }
    text
}
