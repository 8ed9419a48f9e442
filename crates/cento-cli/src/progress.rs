//! A progress bar for work that takes more than a second, if somebody is watching.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Counts steps; shows them only when it takes long.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: AtomicBool,
}

impl Progress {
    pub(crate) fn new(what: &'static str, steps: usize, quiet: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len}, {eta} left")
            .expect("the template is well formed");
        bar.set_style(style);
        bar.set_message(what);
        let watched = std::io::stderr().is_terminal() && !quiet;
        Progress {
            bar,
            started: Instant::now(),
            shown: AtomicBool::new(!watched),
        }
    }

    /// One step of so many, when their number was not known at first.
    pub(crate) fn step_of(&self, steps: usize) {
        self.bar.set_length(steps as u64);
        self.step();
    }

    pub(crate) fn step(&self) {
        if self.started.elapsed() > Duration::from_secs(1)
            && !self.shown.swap(true, Ordering::Relaxed)
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
