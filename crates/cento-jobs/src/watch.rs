//! How a front end follows a job, and ends it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use cento::report::Note;
use cento::sketch::Bands;
use cento_ingest::LayoutNote;
use serde::Serialize;

use crate::error::{Error, Result};

/// Who is told what a job does, and says when it has to stop.
///
/// Both functions are called from many threads. A job that is told to stop ends with
/// [`Error::Stopped`] within a second.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    tell: &'a (dyn Fn(Event) + Sync),
    stop: &'a (dyn Fn() -> bool + Sync),
}

/// What happens in a job.
#[derive(Clone, Debug)]
pub enum Event {
    /// A step begins.
    Begin {
        /// Which.
        step: Step,
        /// How many parts it has, mostly documents; 0 if that is not known.
        parts: u64,
        /// How many bytes they have together; 0 if bytes are not counted.
        bytes: u64,
    },
    /// More of the step is done.
    Advance {
        /// How many more parts are done.
        parts: u64,
        /// How many more bytes are done.
        bytes: u64,
    },
    /// How far the step is; only the ratio of the two means something.
    Reached {
        /// What is done.
        done: u64,
        /// What there is to do.
        of: u64,
    },
    /// The step is over.
    End,
    /// Something that a person should know while the job runs.
    Remark(Remark),
}

/// What is being done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Looking for documents.
    #[default]
    Finding,
    /// Reading them.
    Reading,
    /// Counting how many documents have a digest.
    Counting,
    /// Comparing fingerprints.
    Comparing,
    /// Aligning texts.
    Aligning,
    /// Adding documents to a registry.
    Registering,
    /// Writing results.
    Writing,
    /// Attacking documents.
    Attacking,
    /// Checking a registry.
    Checking,
    /// Writing a registry into one segment.
    Compacting,
    /// Copying a registry.
    Copying,
    /// Making one registry of several.
    Merging,
    /// Writing a registry for others.
    Exporting,
    /// Taking in another registry.
    Importing,
    /// Adding versions of pages to an archive.
    Archiving,
    /// Cutting a registry into shards.
    Sharding,
    /// Making one registry of shards.
    Joining,
}

impl Step {
    /// What a person reads beside the progress of it.
    pub fn name(self) -> &'static str {
        match self {
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
            Step::Sharding => "cutting",
            Step::Joining => "putting together",
            Step::Importing => "importing",
            Step::Archiving => "archiving",
        }
    }
}

/// Something that a person should know while a job runs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Remark {
    /// What was assumed about the layout of the files.
    Layout(LayoutNote),
    /// A document is odd.
    Odd {
        /// Its id.
        id: String,
        /// What is odd about it.
        warning: String,
    },
    /// Others than the owner may read the file of a key.
    OpenKey(PathBuf),
    /// Others than the owner may read a registry, or a copy of one.
    OpenRegistry {
        /// Its folder.
        path: PathBuf,
        /// Whether the key beside it is open, too.
        with_key: bool,
    },
    /// The run is approximate: what it finds.
    Approximate(Bands),
    /// The run goes on with the work of an earlier one.
    GoingOn(PathBuf),
    /// An interrupted run had left files, which were removed or used.
    CleanedUp {
        /// Where.
        place: PathBuf,
        /// How many.
        files: u64,
    },
    /// What a report would say in a note, where there is no report.
    Note(Note),
}

impl Watch<'static> {
    /// Nobody is told, and nothing stops the job.
    pub const NOBODY: Watch<'static> = Watch {
        tell: &|_| (),
        stop: &|| false,
    };
}

impl<'a> Watch<'a> {
    /// Calls `tell` with everything that happens, and stops the job once `stop` says so.
    pub fn new(tell: &'a (dyn Fn(Event) + Sync), stop: &'a (dyn Fn() -> bool + Sync)) -> Watch<'a> {
        Watch { tell, stop }
    }

    /// Whether the job has to stop.
    pub fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    /// An error if the job has to stop.
    pub fn go_on(&self) -> Result<()> {
        if self.is_stopped() {
            return Err(Error::Stopped);
        }
        Ok(())
    }

    pub(crate) fn begin(&self, step: Step, parts: usize, bytes: u64) {
        let parts = parts as u64;
        (self.tell)(Event::Begin { step, parts, bytes });
    }

    pub(crate) fn advance(&self, parts: u64, bytes: u64) {
        (self.tell)(Event::Advance { parts, bytes });
    }

    pub(crate) fn end(&self) {
        (self.tell)(Event::End);
    }

    /// The same for work of which nobody is told: it can be stopped.
    pub(crate) fn silent(&self) -> Watch<'a> {
        Watch {
            tell: Watch::NOBODY.tell,
            stop: self.stop,
        }
    }

    pub(crate) fn remark(&self, remark: Remark) {
        (self.tell)(Event::Remark(remark));
    }

    /// Says what an interrupted run had left, if it was anything.
    pub(crate) fn cleaned_up(&self, place: &Path, files: u64) {
        if files > 0 {
            let place = place.to_owned();
            self.remark(Remark::CleanedUp { place, files });
        }
    }

    /// Does work of the library that tells how far it is.
    pub(crate) fn during<T>(
        &self,
        step: Step,
        work: impl FnOnce(cento::Watch<'_>) -> Result<T, cento::Error>,
    ) -> Result<T> {
        self.begin(step, 0, 0);
        let tell = |done, of| (self.tell)(Event::Reached { done, of });
        let done = work(cento::Watch::new(&tell, self.stop))?;
        self.end();
        Ok(done)
    }

    /// The same for work that compares first, and tells how far it is only when it aligns.
    pub(crate) fn while_comparing<T>(
        &self,
        work: impl FnOnce(cento::Watch<'_>) -> Result<T, cento::Error>,
    ) -> Result<T> {
        self.begin(Step::Comparing, 0, 0);
        let is_aligning = AtomicBool::new(false);
        let tell = |done, of| {
            if !is_aligning.swap(true, Ordering::Relaxed) {
                self.begin(Step::Aligning, 0, 0);
            }
            (self.tell)(Event::Reached { done, of });
        };
        let done = work(cento::Watch::new(&tell, self.stop))?;
        self.end();
        Ok(done)
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Remark::Layout(note) => note.fmt(f),
            Remark::Odd { id, warning } => write!(f, "{}: {warning}", id.escape_debug()),
            Remark::OpenKey(path) => {
                let path = path.display();
                write!(
                    f,
                    "others may read the key in {path}; `chmod 600 {path}` keeps it secret"
                )
            }
            Remark::OpenRegistry { path, with_key } => {
                let path = path.display();
                let (what, and) = if *with_key {
                    ("and its key are", "")
                } else {
                    ("is", ", and so does the next command that writes to it")
                };
                write!(
                    f,
                    "the registry in {path} {what} not closed to other people on this machine; \
                     `chmod -R go= {path}` closes it{and}"
                )
            }
            Remark::Approximate(bands) => {
                let points = (1..10).map(|tenth| {
                    let resemblance = f64::from(tenth) / 10.0;
                    format!("{resemblance:.1}: {:.4}", bands.chance(resemblance))
                });
                write!(
                    f,
                    "approximate: {} bands of {} min-hash values; implied threshold {:.3}\nshare \
                     of pairs found, by resemblance: {}",
                    bands.bands,
                    bands.rows,
                    bands.threshold(),
                    points.collect::<Vec<_>>().join(", ")
                )
            }
            Remark::GoingOn(folder) => {
                write!(f, "going on with the work in {}", folder.display())
            }
            Remark::CleanedUp { place, files } => {
                let files = cento_report::counted(*files, "file");
                let place = place.display();
                write!(f, "cleaned up after an interrupted run: {place} ({files})")
            }
            Remark::Note(note) => note.fmt(f),
        }
    }
}
