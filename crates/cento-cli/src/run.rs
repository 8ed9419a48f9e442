//! Runs a job in front of a person: a progress bar for a step that takes more than a second, remarks
//! on the way, and the account at its end.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cento::report::Skipped;
use cento_jobs::{Event, Step, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::config::Settings;
use crate::{flags, output};

/// Who waits longer for a binary that was built to be ready soon should know that there is another.
const FIRST_LOOK: Duration = Duration::from_secs(5);

/// Runs a job on as many threads as were asked for.
pub(crate) fn run<T>(
    settings: &Settings,
    job: impl FnOnce(&Watch<'_>) -> cento_jobs::Result<T>,
) -> Result<T> {
    use_threads(settings)?;
    watched(settings.quiet, job)
}

/// Runs a job and shows how far it is.
pub(crate) fn watched<T>(
    quiet: bool,
    job: impl FnOnce(&Watch<'_>) -> cento_jobs::Result<T>,
) -> Result<T> {
    let shown = Shown {
        is_watched: std::io::stderr().is_terminal() && !quiet,
        quiet,
        current: Mutex::new(None),
    };
    let tell = |event| shown.hear(event);
    let started = Instant::now();
    let done = job(&Watch::new(&tell, &|| false));
    shown.hear(Event::End);
    if cfg!(debug_assertions) && shown.is_watched && started.elapsed() > FIRST_LOOK {
        output::message(
            "this cento was built for a first look; `cargo install --path crates/cento-cli` \
             builds one that is many times faster",
        );
    }
    done.map_err(flags::explained)
}

/// Starts as many threads as were asked for.
pub(crate) fn use_threads(settings: &Settings) -> Result<()> {
    if let Some(threads) = settings.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global()?;
    }
    Ok(())
}

/// Warns of what was skipped, and says as the last line how many documents were read.
pub(crate) fn account(read: usize, skipped: &[Skipped], settings: &Settings) -> Result<()> {
    const MOST: usize = 20;
    let all = read + skipped.len();
    if !settings.quiet {
        for one in skipped.iter().take(MOST) {
            let (id, reason) = (one.id.escape_debug(), flags::reason(one));
            output::message(&format!("warning: {id} skipped: {reason}"));
        }
        if skipped.len() > MOST {
            let more = skipped.len() - MOST;
            output::message(&format!(
                "warning: {more} more skipped; --json lists them all"
            ));
        }
        let also = match skipped.len() {
            0 => String::new(),
            count => format!(", {count} skipped"),
        };
        output::message(&format!("{read} of {all} documents read{also}"));
    }
    if settings.strict && !skipped.is_empty() {
        bail!(
            "{} of {all} documents skipped, and --strict was given",
            skipped.len()
        );
    }
    Ok(())
}

/// What a person sees of a job.
struct Shown {
    is_watched: bool,
    quiet: bool,
    current: Mutex<Option<Current>>,
}

/// The step that is under way.
struct Current {
    bar: ProgressBar,
    started: Instant,
    is_drawn: bool,
    is_of_bytes: bool,
    /// How many documents there are, where the bar counts bytes, and how many are done.
    parts: u64,
    done: u64,
}

impl Shown {
    fn hear(&self, event: Event) {
        if let Event::Remark(remark) = event {
            if !self.quiet {
                output::message(&flags::remark(&remark));
            }
            return;
        }
        if !self.is_watched {
            return;
        }
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        match (event, current.as_mut()) {
            (Event::Begin { step, parts, bytes }, _) => {
                if let Some(last) = current.take() {
                    last.bar.finish_and_clear();
                }
                *current = Some(Current::new(step, parts, bytes));
            }
            (Event::Advance { parts, bytes }, Some(current)) => current.advance(parts, bytes),
            (Event::Reached { done, of }, Some(current)) => current.reach(done, of),
            (Event::End, Some(_)) => {
                if let Some(last) = current.take() {
                    last.bar.finish_and_clear();
                }
            }
            (Event::Remark(_) | Event::Advance { .. } | Event::Reached { .. } | Event::End, _) => {}
        }
    }
}

impl Current {
    fn new(step: Step, parts: u64, bytes: u64) -> Current {
        let (length, template) = match (parts, bytes) {
            (_, 1..) => (
                bytes,
                "{prefix} {bar:30} {msg}{bytes} of {total_bytes}, {eta} left",
            ),
            (1.., 0) => (parts, "{prefix} {bar:30} {pos} of {len}, {eta} left"),
            (0, 0) => (0, "{prefix} {bar:30} {percent} %, {eta} left"),
        };
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style);
        bar.set_prefix(name(step));
        Current {
            bar,
            started: Instant::now(),
            is_drawn: false,
            is_of_bytes: bytes > 0,
            parts: if bytes > 0 { parts } else { 0 },
            done: 0,
        }
    }

    fn advance(&mut self, parts: u64, bytes: u64) {
        self.show();
        self.done += parts;
        if self.parts > 0 && self.is_drawn {
            let message = format!("{} of {} documents, ", self.done, self.parts);
            self.bar.set_message(message);
        }
        self.bar.inc(if self.is_of_bytes { bytes } else { parts });
    }

    fn reach(&mut self, done: u64, of: u64) {
        self.show();
        self.bar.set_length(of);
        self.bar.set_position(done);
    }

    /// Short work shows nothing.
    fn show(&mut self) {
        if !self.is_drawn && self.started.elapsed() > Duration::from_secs(1) {
            self.is_drawn = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

fn name(step: Step) -> &'static str {
    match step {
        Step::Finding => "finding documents",
        Step::Reading => "reading",
        Step::Counting => "counting",
        Step::Comparing => "comparing",
        Step::Aligning => "aligning",
        Step::Registering => "registering",
        Step::Writing => "writing",
        Step::Attacking => "attacking",
        Step::Checking => "checking",
        Step::Compacting => "compacting",
        Step::Copying => "copying",
        Step::Merging => "merging",
        Step::Exporting => "exporting",
        Step::Importing => "importing",
    }
}
