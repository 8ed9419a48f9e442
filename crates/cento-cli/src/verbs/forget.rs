//! `cento forget`: documents that shall no longer be in a registry.

use anyhow::Result;
use cento::index::registry::Which;
use serde_json::json;

use super::registry::place::Place;
use crate::args::{ForgetArgs, General};
use crate::{Outcome, output, time};

pub(crate) fn run(args: ForgetArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let (place, settings) = Place::named(args.options, general)?;
    let mut which: Vec<Which> = args.ids.into_iter().map(Which::Id).collect();
    which.extend(args.sets.into_iter().map(Which::Set));
    which.extend(args.submitters.into_iter().map(Which::Submitter));
    if args.expired {
        which.push(Which::Expired(time::now()));
    }
    let mut writer = place.writer("forget")?;
    let mut forgotten = 0;
    for which in &which {
        let count = writer.forget(which)?;
        forgotten += count;
        if count == 0 && !settings.quiet {
            output::message(&format!("warning: nothing is registered {}", of(which)));
        }
    }
    writer.finish()?;
    if json {
        output::result(&format!("{:#}\n", json!({"forgotten": forgotten})))?;
    } else {
        output::result(&format!("{forgotten} documents forgotten\n"))?;
    }
    if forgotten > 0 && !settings.quiet {
        output::message("their digests go for good with `cento registry compact`");
    }
    Ok(Outcome::Done)
}

fn of(which: &Which) -> String {
    match which {
        Which::Id(id) => format!("as {}", id.escape_debug()),
        Which::Set(set) => format!("in the set {}", set.escape_debug()),
        Which::Submitter(submitter) => format!("by {}", submitter.escape_debug()),
        Which::Expired(_) => "that has expired".to_owned(),
    }
}
