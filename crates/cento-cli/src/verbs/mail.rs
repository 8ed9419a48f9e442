//! `cento mail`: how often messages were seen.

use std::fmt::Write as _;
use std::io::{self, Read as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use cento_ingest::{not_a_size, parse_size};
use cento_jobs::mail::{self, Checked, Desk, Duty, Verdict, check, filter, init, mark, stats};
use cento_report::counted;
use cento_server::{Milter, MilterLimits};

use crate::args::{
    General, MailArgs, MailCheckArgs, MailInitArgs, MailMarkArgs, MailStatsArgs, MailVerb,
    MilterArgs, StoreOptions,
};
use crate::config::{Settings, Typed, settle};
use crate::machine::size;
use crate::run::run as watched;
use crate::{Outcome, args, output};

pub(crate) fn run(args: MailArgs, general: &General) -> Result<Outcome> {
    match args.verb {
        MailVerb::Init(args) => make(args, general),
        MailVerb::Check(args) => check_messages(*args, general),
        MailVerb::Mark(args) => mark_messages(*args, general),
        MailVerb::Stats(args) => say_stats(args, general),
        MailVerb::Milter(args) => serve(args, general),
    }
}

/// The settings, and the store that is meant.
fn settled(
    which: StoreOptions,
    reading: args::InputOptions,
    general: &General,
) -> Result<(Settings, mail::StoreOptions)> {
    let mut typed = Typed::default();
    typed.reading.key_file = which.key_file;
    typed.reading.input = reading;
    let settings = settle(typed, general)?;
    let usual = mail::StoreOptions::default();
    let store = mail::StoreOptions {
        store: which.store.unwrap_or(usual.store),
        key_file: settings.registry.key_file.clone(),
        key: settings.registry.key.clone(),
    };
    Ok((settings, store))
}

fn make(args: MailInitArgs, general: &General) -> Result<Outcome> {
    let (settings, store) = settled(args.which, args::InputOptions::default(), general)?;
    let options = init::Options {
        store,
        memory: bytes(&args.max_memory, "--max-memory")?,
        time: args.time,
    };
    let done = watched(&settings, |watch| init::run(&options, watch))?;
    if args.json {
        output::json(&done)?;
        return Ok(Outcome::Done);
    }
    if settings.quiet {
        return Ok(Outcome::Done);
    }
    let mut text = format!("new mail store in {}\n", done.store.display());
    let _ = writeln!(text, "recipe {}", done.recipe);
    let _ = writeln!(
        text,
        "no word of any message is stored, only digests, in at most {} of memory",
        size(done.memory)
    );
    let _ = writeln!(text, "its key {} is in {}", done.key, done.key_place);
    output::result(&text)?;
    Ok(Outcome::Done)
}

fn check_messages(args: MailCheckArgs, general: &General) -> Result<Outcome> {
    let (settings, store) = settled(args.which, args.input, general)?;
    let options = check::Options {
        store,
        paths: args.paths,
        input: settings.input.clone(),
        time: args.time,
        look: args.look,
        bulk_from: args.bulk_from,
    };
    if args.headers {
        let [path] = options.paths.as_slice() else {
            bail!("--headers: give one message, `-` for standard input");
        };
        if path.as_os_str() != "-" {
            bail!("--headers: the message comes from standard input; give `-` for it");
        }
        return pass(&options, &settings, args.exit_code);
    }
    let done = watched(&settings, |watch| check::run(&options, watch))?;
    let mut text = String::new();
    for message in &done.messages {
        let _ = writeln!(text, "{}", serde_json::to_string(message)?);
    }
    output::result(&text)?;
    crate::run::account(done.messages.len(), &done.skipped, &settings)?;
    if done.messages.is_empty() && !done.skipped.is_empty() {
        bail!("no message could be checked");
    }
    let is_bulk = |message: &Checked| message.verdict == Verdict::Bulk;
    let is_found = args.exit_code && done.messages.iter().any(is_bulk);
    Ok(Outcome::of(is_found))
}

/// A message from standard input to standard output. That it comes through is more important than anything
/// that may go wrong.
fn pass(options: &check::Options, settings: &Settings, exit_code: bool) -> Result<Outcome> {
    let limit = options.input.reading.limits.file_size;
    let mut message = Vec::new();
    let mut stdin = io::stdin().lock();
    stdin
        .by_ref()
        .take(limit.saturating_add(1))
        .read_to_end(&mut message)
        .context("standard input")?;
    let done = watched(settings, |watch| Ok(filter::run(options, &message, watch)))?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&done.message)?;
    // What was too long to be checked goes on.
    io::copy(&mut stdin, &mut stdout).context("standard input")?;
    stdout.flush()?;
    match done.checked {
        Ok(checked) => Ok(Outcome::of(exit_code && checked.verdict == Verdict::Bulk)),
        Err(error) => {
            output::error(&format!(
                "warning: the message is passed on without a verdict: {}",
                error.sentence()
            ));
            Ok(Outcome::Done)
        }
    }
}

fn mark_messages(args: MailMarkArgs, general: &General) -> Result<Outcome> {
    let (settings, store) = settled(args.which, args.input, general)?;
    let options = mark::Options {
        store,
        paths: args.paths,
        input: settings.input.clone(),
        change: args.what.into(),
        time: args.time,
    };
    let done = watched(&settings, |watch| mark::run(&options, watch))?;
    if args.json {
        output::json(&done)?;
    } else {
        let messages = counted(done.marked, "message");
        let what = match options.change {
            mark::Change::Bulk => "marked as bulk",
            mark::Change::Wanted => "marked as wanted",
            mark::Change::None => "no longer marked",
        };
        output::result(&format!("{messages} {what}\n"))?;
    }
    for id in &done.short {
        output::message(&format!(
            "warning: {} is too short to be told from other messages, and not marked",
            id.escape_debug()
        ));
    }
    let read = usize::try_from(done.marked).unwrap_or(usize::MAX) + done.short.len();
    if !done.skipped.is_empty() {
        crate::run::account(read, &done.skipped, &settings)?;
    }
    if done.marked == 0 {
        bail!("no message was marked");
    }
    Ok(Outcome::Done)
}

fn say_stats(args: MailStatsArgs, general: &General) -> Result<Outcome> {
    let (settings, store) = settled(args.which, args::InputOptions::default(), general)?;
    let options = stats::Options {
        store,
        time: args.time,
    };
    let done = watched(&settings, |watch| stats::run(&options, watch))?;
    if args.json {
        output::json(&done)?;
        return Ok(Outcome::Done);
    }
    let mut text = String::new();
    let _ = writeln!(text, "{} counted", counted(done.counted, "message"));
    let _ = writeln!(
        text,
        "{} different messages remembered, {} marked as bulk, {} as wanted",
        done.families, done.bulk, done.wanted
    );
    let _ = writeln!(
        text,
        "{} forgotten because they were not seen for a week, {} sooner because there was no room",
        done.expired, done.evicted
    );
    let _ = writeln!(text, "nothing is missing since {}", done.since);
    let _ = writeln!(
        text,
        "{} of {} of memory, {} on the disk",
        size(done.memory),
        size(done.most_memory),
        size(done.disk)
    );
    output::result(&text)?;
    Ok(Outcome::Done)
}

/// How long a mail server may be silent: as long as it waits for the next message of a connection.
const SILENCE: Duration = Duration::from_mins(30);

fn serve(args: MilterArgs, general: &General) -> Result<Outcome> {
    let (settings, store) = settled(args.which, args::InputOptions::default(), general)?;
    let longest = bytes(&args.max_message, "--max-message")?;
    let limits = MilterLimits {
        message: usize::try_from(longest).context("--max-message")?,
        connections: usize::try_from(args.max_connections).context("--max-connections")?,
        silence: SILENCE,
        bulk_from: args.bulk_from,
    };
    let milter =
        Milter::bind(&args.listen).with_context(|| format!("--listen: {}", args.listen))?;
    let desk = watched(&settings, |watch| {
        Desk::open(&store, &settings.input, "mail milter", Duty::Serve, watch)
    })?;
    output::result(&format!("{}\n", milter.address()))?;
    milter.serve(&Arc::new(desk), limits, output::error)?;
    Ok(Outcome::Done)
}

fn bytes(text: &str, flag: &str) -> Result<u64> {
    parse_size(text).with_context(|| format!("{flag}: {}", not_a_size(text)))
}
