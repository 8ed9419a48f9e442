//! `cento archive guard`.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::num::NonZeroU64;

use anyhow::Result;
use cento::guard::{Limits, Method};
use cento_jobs::guard::{self, Answer, Options, Outcome as Guarded};

use crate::args::{ArchiveGuardArgs, General, GuardMethod};
use crate::config::{Typed, settle};
use crate::run::watched;
use crate::{Outcome, output};

pub(super) fn run(args: ArchiveGuardArgs, general: &General) -> Result<Outcome> {
    let settings = settle(Typed::default(), general)?;
    let options = Options {
        crawl: args.crawl,
        limits: Limits {
            method: match args.method {
                GuardMethod::Content => Method::Content,
                GuardMethod::Plagiarex => Method::Plagiarex,
            },
            patience: args.patience,
            pages_per_host: NonZeroU64::new(args.pages_per_host),
            hosts: args.hosts,
        },
        skip_patterns: args.skip_patterns,
        input: settings.input.clone(),
    };
    // A crawler waits for each line.
    let mut each = |answer: &Answer| {
        let mut stdout = io::stdout().lock();
        serde_json::to_writer(&mut stdout, answer)?;
        stdout.write_all(b"\n")?;
        stdout.flush()
    };
    let done = watched(settings.quiet, |watch| {
        guard::run(&options, &mut each, watch)
    })?;
    output::message(&account(&done));
    Ok(Outcome::Done)
}

/// What became of the crawl, in a line for each thing.
fn account(done: &Guarded) -> String {
    let s = if done.pages == 1 { "" } else { "s" };
    let mut text = format!("{} page{s}, {} stopped", done.pages, done.stopped);
    let broken = if done.broken == 1 {
        "broken line or record"
    } else {
        "broken lines or records"
    };
    for (count, what) in [(done.unread, "not read"), (done.broken, broken)] {
        if count > 0 {
            let _ = write!(text, ", {count} {what}");
        }
    }
    for skip in &done.skips {
        let _ = write!(text, "\nskip {}{}", skip.host, skip.pattern);
    }
    text
}
