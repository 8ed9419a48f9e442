//! Runs a job in front of a person: a progress bar for a step that takes more than a second, remarks
//! on the way, and the account at its end.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use cento::report::Skipped;
use cento_jobs::{Event, Remark, Step, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::config::Settings;
use crate::machine::{size, time};
use crate::{convert, flags, output};

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
        warned: Mutex::default(),
    };
    let tell = |event| shown.hear(event);
    let started = Instant::now();
    let done = job(&Watch::new(&tell, &|| false));
    shown.end(if done.is_ok() { End::Done } else { End::Failed });
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
        if let Some(offer) = convert::offers(skipped) {
            output::message(&offer);
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
    /// Warnings that several parts of a job may give.
    warned: Mutex<Vec<String>>,
}

/// The step that is under way.
struct Current {
    bar: ProgressBar,
    started: Instant,
    is_drawn: bool,
    /// How many documents there are, and how many are done.
    parts: Amount,
    bytes: Amount,
}

/// How much of something is done; nothing is known about it if there is none of it.
#[derive(Clone, Copy, Default)]
struct Amount {
    done: u64,
    of: u64,
}

/// How a step ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Done,
    Failed,
}

impl Shown {
    /// Nothing more will be heard.
    fn end(&self, end: End) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut last) = current.take() {
            last.end(end);
        }
    }

    /// Whether it has been said before that something is open to others.
    fn was_warned(&self, remark: &Remark, said: &str) -> bool {
        if !matches!(remark, Remark::OpenKey(_) | Remark::OpenRegistry { .. }) {
            return false;
        }
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        let was_said = warned.iter().any(|before| before == said);
        warned.push(said.to_owned());
        was_said
    }

    fn hear(&self, event: Event) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Event::Remark(remark) = event {
            let said = flags::remark(&remark);
            let tell = || output::message(&said);
            match current.as_ref() {
                _ if self.quiet || self.was_warned(&remark, &said) => {}
                // A bar makes room for it.
                Some(current) => current.bar.suspend(tell),
                None => tell(),
            }
            return;
        }
        if !self.is_watched {
            return;
        }
        match (event, current.as_mut()) {
            (Event::Begin { step, parts, bytes }, last) => {
                if let Some(last) = last {
                    last.end(End::Done);
                }
                *current = Some(Current::new(step, parts, bytes));
            }
            (Event::Advance { parts, bytes }, Some(current)) => current.advance(parts, bytes),
            (Event::Reached { done, of }, Some(current)) => current.reach(done, of),
            (Event::End, Some(last)) => {
                last.end(End::Done);
                *current = None;
            }
            (Event::Remark(_) | Event::Advance { .. } | Event::Reached { .. } | Event::End, _) => {}
        }
    }
}

impl Current {
    fn new(step: Step, parts: u64, bytes: u64) -> Current {
        let length = if bytes > 0 { bytes } else { parts };
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let template = "{prefix} {bar:30} {msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style);
        bar.set_prefix(step.name());
        let amount = |of| Amount { done: 0, of };
        Current {
            bar,
            started: Instant::now(),
            is_drawn: false,
            parts: amount(parts),
            bytes: amount(bytes),
        }
    }

    fn advance(&mut self, parts: u64, bytes: u64) {
        self.parts.done += parts;
        self.bytes.done += bytes;
        self.bar.inc(if self.bytes.of > 0 { bytes } else { parts });
        self.show();
    }

    fn reach(&mut self, done: u64, of: u64) {
        self.bar.set_length(of);
        self.bar.set_position(done);
        self.show();
    }

    /// Short work shows nothing.
    fn show(&mut self) {
        if !self.is_drawn && self.started.elapsed() > Duration::from_secs(1) {
            self.is_drawn = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        if self.is_drawn {
            self.bar.set_message(self.said(self.bar.eta()));
        }
    }

    /// What is known about how far it is.
    fn said(&self, left: Duration) -> String {
        let mut parts = Vec::new();
        let Amount { done, of } = self.parts;
        if of > 0 && self.bytes.of > 0 {
            parts.push(format!("{done} of {of} documents"));
        } else if of > 0 {
            parts.push(format!("{done} of {of}"));
        }
        let Amount { done, of } = self.bytes;
        if of > 0 {
            parts.push(format!("{} of {}", size(done), size(of)));
        }
        if let ([], Some(of @ 1..)) = (parts.as_slice(), self.bar.length()) {
            let percent = self.bar.position().min(of).saturating_mul(100) / of;
            parts.push(format!("{percent} %"));
        }
        if left >= Duration::from_secs(1) {
            parts.push(format!("{} left", time(left.as_secs_f64())));
        }
        parts.join(", ")
    }

    /// Work that is done has come to its end, however little was told on the way.
    fn end(&mut self, end: End) {
        if end == End::Done {
            self.parts.done = self.parts.of;
            self.bytes.done = self.bytes.of;
            self.bar.set_position(self.bar.length().unwrap_or(0));
            self.bar.set_message(self.said(Duration::ZERO));
            self.bar.finish();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(parts: u64, bytes: u64, left: u64, expected: [&str; 2]) {
        let mut current = Current::new(Step::Reading, parts, bytes);
        current.advance(parts / 2, bytes / 2);
        if (parts, bytes) == (0, 0) {
            current.reach(3, 7);
        }
        assert_eq!(current.said(Duration::from_secs(left)), expected[0]);
        current.end(End::Done);
        assert_eq!(Some(current.bar.position()), current.bar.length());
        assert_eq!(current.said(Duration::ZERO), expected[1]);
    }

    #[test]
    fn progress_has_no_stray_commas_and_comes_to_its_end() {
        let of_bytes = "20 of 40 documents, 1.0 MB of 2.0 MB, 12 s left";
        check(
            40,
            2 << 20,
            12,
            [of_bytes, "40 of 40 documents, 2.0 MB of 2.0 MB"],
        );
        check(0, 2 << 20, 0, ["1.0 MB of 2.0 MB", "2.0 MB of 2.0 MB"]);
        check(40, 0, 300, ["20 of 40, 5 min left", "40 of 40"]);
        check(0, 0, 0, ["42 %", "100 %"]);
    }

    #[test]
    fn work_that_failed_does_not_look_done() {
        let mut current = Current::new(Step::Reading, 40, 0);
        current.advance(20, 0);
        current.end(End::Failed);
        assert_eq!(current.parts.done, 20);
    }
}
