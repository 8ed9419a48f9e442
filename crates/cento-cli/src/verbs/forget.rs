//! `cento forget`: removes documents from a registry.

use anyhow::{Result, bail};
use cento::index::registry::Which;
use cento_jobs::forget::{self, Forgotten, Options};
use cento_report::counted;

use super::registry::settings;
use crate::args::{ForgetArgs, General};
use crate::run::run as watched;
use crate::{Outcome, output};

pub(crate) fn run(args: ForgetArgs, general: &General) -> Result<Outcome> {
    let json = args.options.json;
    let settings = settings(args.options, general)?;
    let options = Options {
        registry: settings.registry.clone(),
        what: Forgotten {
            ids: args.ids,
            sets: args.sets,
            submitters: args.submitters,
            expired: args.expired,
        },
    };
    let done = watched(&settings, |watch| forget::run(&options, watch))?;
    if json {
        output::json(&done)?;
    }
    expect_some(&done)?;
    for (which, _) in done.counts.iter().filter(|(_, count)| *count == 0) {
        output::message(&format!("warning: nothing is registered {}", of(which)));
    }
    if !json {
        let documents = counted(done.forgotten, "document");
        output::result(&format!("{documents} forgotten\n"))?;
    }
    if done.forgotten > 0 {
        output::message("`cento registry compact` removes their digests for good");
    }
    Ok(Outcome::Done)
}

/// Refuses to have done nothing: what was named is a slip, or was forgotten before. That nothing has
/// expired is no slip.
fn expect_some(done: &forget::Outcome) -> Result<()> {
    let is_named = |which: &Which| !matches!(which, Which::Expired(_));
    let named: Vec<String> = done
        .counts
        .iter()
        .filter(|(which, _)| is_named(which))
        .map(|(which, _)| of(which))
        .collect();
    if done.forgotten == 0 && !named.is_empty() {
        bail!("nothing is registered {}", named.join(" or "));
    }
    Ok(())
}

fn of(which: &Which) -> String {
    match which {
        Which::Id(id) => format!("as {}", id.escape_debug()),
        Which::Set(set) => format!("in the set {}", set.escape_debug()),
        Which::Submitter(submitter) => format!("by {}", submitter.escape_debug()),
        Which::Expired(_) => "that has expired".to_owned(),
    }
}
