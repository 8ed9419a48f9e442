//! How far a job is, for those who wait for it, and how it is told to stop.

use std::sync::atomic::{AtomicU64, Ordering};

use cento_jobs::Event;
use serde::Serialize;
use tokio::sync::watch;

/// The progress of a running job, and whether somebody has cancelled it.
pub(crate) struct Watch {
    stop: watch::Sender<Option<Stop>>,
    done: AtomicU64,
    progress: watch::Sender<Progress>,
}

/// How far a job is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Progress {
    pub(crate) step: Step,
    pub(crate) done: u64,
    pub(crate) of: u64,
    /// Nothing more will be heard.
    #[serde(skip)]
    pub(crate) ended: bool,
}

/// A step of a job, as the pages name it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Step {
    Uploading,
    #[default]
    Waiting,
    #[serde(untagged)]
    Working(cento_jobs::Step),
}

/// Why a job has to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Cancelled,
    TooLong,
    /// The server stops; the job goes on when it starts again.
    Pausing,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            stop: watch::Sender::new(None),
            done: AtomicU64::new(0),
            progress: watch::Sender::new(Progress::default()),
        }
    }
}

impl Watch {
    /// Runs a job that is told to stop when this is, and whose progress is told here.
    pub(crate) fn follow_job<T>(&self, job: impl FnOnce(&cento_jobs::Watch<'_>) -> T) -> T {
        let tell = |event| self.hear(&event);
        let stop = || self.stopped().is_some();
        job(&cento_jobs::Watch::new(&tell, &stop))
    }

    fn hear(&self, event: &Event) {
        match *event {
            Event::Begin { step, parts, .. } => self.begin(Step::Working(step), parts),
            Event::Advance { parts, .. } => self.advance(parts),
            Event::Reached { done, of } => self.tell(|progress| {
                progress.done = done;
                progress.of = of;
            }),
            // Remarks are in the report too.
            Event::End | Event::Remark(_) => {}
        }
    }

    /// Begins a step of `of` parts.
    pub(crate) fn begin(&self, step: Step, of: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.tell(|progress| {
            *progress = Progress {
                step,
                done: 0,
                of,
                ended: progress.ended,
            };
        });
    }

    /// Notes that more parts are done.
    pub(crate) fn advance(&self, by: u64) {
        let done = self.done.fetch_add(by, Ordering::Relaxed) + by;
        self.tell(|progress| progress.done = done.max(progress.done));
    }

    /// Nothing more will be heard.
    pub(crate) fn end(&self) {
        self.tell(|progress| progress.ended = true);
    }

    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.send_modify(change);
    }

    pub(crate) fn progress(&self) -> Progress {
        *self.progress.borrow()
    }

    pub(crate) fn follow(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Tells the job to stop. The first reason counts.
    pub(crate) fn stop(&self, why: Stop) {
        self.stop.send_if_modified(|stop| {
            let is_first = stop.is_none();
            stop.get_or_insert(why);
            is_first
        });
    }

    /// Whether it has to stop, and why.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        *self.stop.borrow()
    }

    /// Waits until it has to stop.
    pub(crate) async fn told_to_stop(&self) {
        let mut stop = self.stop.subscribe();
        // The sender is this, so there is no other end to it.
        let _ = stop.wait_for(Option::is_some).await;
    }
}
