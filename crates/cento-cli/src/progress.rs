//! A progress bar for work that takes more than a second, if somebody is watching.

use std::io::IsTerminal as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cento::{Error, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Counts steps; shows them only when it takes long.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: AtomicBool,
    /// How many documents there are, where the bar counts bytes, and how many have been read.
    documents: usize,
    read: AtomicUsize,
}

impl Progress {
    pub(crate) fn new(what: &'static str, steps: usize, quiet: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(steps as u64), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len}, {eta} left")
            .expect("the template is well formed");
        bar.set_style(style);
        bar.set_message(what);
        Progress::over(bar, 0, quiet)
    }

    /// Counts the documents that are read, and their bytes.
    pub(crate) fn reading(documents: usize, bytes: u64, quiet: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(
            "reading {bar:30} {msg}, {bytes} of {total_bytes}, {eta} left",
        )
        .expect("the template is well formed");
        bar.set_style(style);
        Progress::over(bar, documents, quiet)
    }

    fn over(bar: ProgressBar, documents: usize, quiet: bool) -> Progress {
        let watched = std::io::stderr().is_terminal() && !quiet;
        Progress {
            bar,
            started: Instant::now(),
            shown: AtomicBool::new(!watched),
            documents,
            read: AtomicUsize::new(0),
        }
    }

    /// One document of so many bytes.
    pub(crate) fn read(&self, bytes: u64) {
        let read = self.read.fetch_add(1, Ordering::Relaxed) + 1;
        self.advance(bytes);
        if !self.bar.is_hidden() {
            let documents = self.documents;
            self.bar
                .set_message(format!("{read} of {documents} documents"));
        }
    }

    /// Shows how much of something is done, where only the ratio means something.
    fn percent(what: &'static str, quiet: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} {bar:30} {percent} %, {eta} left")
            .expect("the template is well formed");
        bar.set_style(style);
        bar.set_message(what);
        Progress::over(bar, 0, quiet)
    }

    /// So much is done of so much.
    pub(crate) fn reach(&self, done: u64, all: u64) {
        self.bar.set_length(all);
        self.advance(done.saturating_sub(self.bar.position()));
    }

    /// Shows `what` as long as `work` goes on, which tells how far it has come.
    pub(crate) fn watching<T>(
        what: &'static str,
        quiet: bool,
        work: impl FnOnce(Watch<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let progress = Progress::percent(what, quiet);
        let tell = |done, all| progress.reach(done, all);
        let result = work(Watch::new(&tell, &|| false));
        progress.finish();
        result
    }

    pub(crate) fn step(&self) {
        self.advance(1);
    }

    /// So many more bytes or steps.
    pub(crate) fn advance(&self, by: u64) {
        if self.started.elapsed() > Duration::from_secs(1)
            && !self.shown.swap(true, Ordering::Relaxed)
        {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(by);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
