//! Work that takes longer than an answer: files come up, are tested, verified or registered, and the
//! result can be looked at for a while.
//!
//! Everything of a job is in one folder that only the server can read. It goes when the job is
//! cancelled and when its time is up; after a crash, uploads go and results stay.

mod clean;
mod decisions;
mod method;
mod name;
mod preview;
mod register;
mod row;
mod run;
mod scan;
mod summary;
pub(crate) mod upload;
pub(crate) mod verify;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cento_jobs::{BaseFrom, SUBMITTER, SubmitterFrom};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::config::Limits;
use crate::error::Error;
use crate::problem::Problem;
use crate::store::Store;
use crate::time::{self, Seconds};

pub(crate) use clean::tidy;
pub(crate) use decisions::{Decision, Kept, Verdict};
pub(crate) use method::Method;
pub(crate) use preview::preview;
pub(crate) use row::{Row, State};
pub(crate) use run::{resume, start, unsaid};
pub(crate) use watch::{Stop, Watch};

/// The jobs of a server.
pub(crate) struct Jobs {
    store: Arc<Store>,
    folder: PathBuf,
    /// Those that wait or run.
    live: Mutex<BTreeMap<String, Live>>,
    places: Arc<Semaphore>,
    /// Threads for reading and comparing; what answers requests has others.
    threads: rayon::ThreadPool,
    limits: Limits,
}

/// A job that is not at its end.
#[derive(Clone)]
struct Live {
    owner: String,
    watch: Arc<Watch>,
}

/// What is to be done with the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Pairwise,
    Verify,
    Register,
}

/// A job as it was ordered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Task {
    /// What its owner calls it.
    #[serde(default)]
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) threshold: f64,
    pub(crate) set: Option<String>,
    pub(crate) submitter: Option<String>,
    /// Where each document has a submitter of its own.
    #[serde(default)]
    pub(crate) submitter_from: Option<SubmitterFrom>,
    /// Text that does not count besides templates.
    #[serde(default)]
    pub(crate) base_from: Option<BaseFrom>,
    /// How a pairwise test compares.
    #[serde(default)]
    pub(crate) method: Method,
    /// What the owner may see, at the time of the order.
    pub(crate) role: String,
    pub(crate) sets: Option<Vec<String>>,
    /// How many files came up, and how many bytes.
    pub(crate) files: u64,
    pub(crate) bytes: u64,
}

/// The files that a job leaves.
pub(crate) const PAGE: &str = "report.html";
pub(crate) const DATA: &str = "report.json";
pub(crate) const TABLE: &str = "report.csv";
const FILES: &str = "files";
const TEMPLATES: &str = "templates";

impl Jobs {
    pub(crate) fn new(
        store: &Arc<Store>,
        data: &std::path::Path,
        limits: &Limits,
    ) -> Result<Jobs, Error> {
        let folder = data.join("jobs");
        crate::folder::make_private(&folder)?;
        let threads = rayon::ThreadPoolBuilder::new()
            .thread_name(|number| format!("job {number}"))
            .build()
            .map_err(|error| Error::System(std::io::Error::other(error)))?;
        Ok(Jobs {
            store: Arc::clone(store),
            folder,
            live: Mutex::default(),
            places: Arc::new(Semaphore::new(limits.jobs)),
            threads,
            limits: limits.clone(),
        })
    }

    /// The folder of a job.
    pub(crate) fn folder(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// Takes a place for a job that is about to come up.
    pub(crate) fn admit(&self, id: &str, owner: &str) -> Result<Arc<Watch>, Problem> {
        let mut live = self.live();
        // It may be started twice at the same time, by two clicks or in two pages.
        if live.contains_key(id) {
            return Err(Problem::conflict("the job is under way already"));
        }
        if live.len() >= self.limits.jobs_waiting {
            return Err(Problem::busy());
        }
        let own = live.values().filter(|live| live.owner == owner).count();
        if own >= self.limits.jobs_of_one {
            return Err(Problem::too_many(
                format!("{own} of your jobs are not done yet; wait for them, or cancel some"),
                std::time::Duration::from_secs(10),
            ));
        }
        let watch = Arc::new(Watch::default());
        let one = Live {
            owner: owner.to_owned(),
            watch: Arc::clone(&watch),
        };
        live.insert(id.to_owned(), one);
        Ok(watch)
    }

    /// The progress of a job that is still running.
    pub(crate) fn watch(&self, id: &str) -> Option<Arc<Watch>> {
        self.live().get(id).map(|live| Arc::clone(&live.watch))
    }

    pub(crate) fn release(&self, id: &str) {
        self.live().remove(id);
    }

    /// Stops all of them.
    pub(crate) fn stop_all(&self, why: Stop) {
        for live in self.live().values() {
            live.watch.stop(why);
        }
    }

    /// How many wait or run.
    pub(crate) fn count(&self) -> usize {
        self.live().len()
    }

    /// How many bytes of uploads and results are held, and until when at most.
    pub(crate) fn held(&self) -> Result<(u64, Option<Seconds>), Error> {
        let latest = self.store.run(|connection| {
            let sql = "SELECT max(expires) FROM jobs WHERE state IN \
                       ('uploading', 'asking', 'waiting', 'running', 'done')";
            connection.query_row(sql, [], |row| row.get::<_, Option<Seconds>>(0))
        })?;
        let bytes = crate::folder::bytes(&self.folder);
        Ok((bytes, latest.filter(|_| bytes > 0)))
    }

    /// A job as its owner is told about it.
    pub(crate) fn described(&self, row: &Row) -> Value {
        let progress = self.watch(&row.id).map(|watch| watch.progress());
        let mut told = json!({
            "id": row.id,
            "name": row.task.name,
            "kind": row.task.kind,
            "state": row.state,
            "owner": row.owner,
            "created": time::text(row.created),
            "expires": time::text(row.expires),
            "set": row.task.set,
            "submitter": row.task.submitter,
            "submitter_from": row.task.submitter_from,
            "threshold": row.task.threshold,
            "files": row.task.files,
            "bytes": row.task.bytes,
            "progress": progress,
        });
        if let Value::Object(told) = &mut told {
            if let Value::Object(outcome) = &row.outcome {
                told.extend(outcome.clone());
            }
            if let Some(summary) = summary::of(row) {
                told.insert("summary".to_owned(), summary.into());
            }
        }
        told
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<String, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What stands before the ids of documents that come up by a page: people do not know what others
/// call their files.
pub(crate) fn id_prefix(
    set: Option<&str>,
    submitter: Option<&str>,
    from: Option<&SubmitterFrom>,
) -> String {
    let submitter = from.map(|_| SUBMITTER).or(submitter);
    let parts = [set, submitter].into_iter().flatten();
    parts.flat_map(|part| [part, "/"]).collect()
}
