//! Files into the registry, through the one who writes for all.

use std::path::Path;

use cento::index::registry::{Candidate, OnChange, Snapshot};
use cento_jobs::Reader;
use cento_jobs::register::{Options, Outcome, Taken, Target, run_into};
use tokio::runtime::Handle;

use super::scan::paths;
use super::watch::Watch;
use super::{Row, id_prefix};
use crate::auth::{Role, Sets};
use crate::redact::Viewer;
use crate::registry::{Addition, Writer};

/// Registers the files of a job; each is safe before it is counted.
pub(crate) fn register(
    row: &Row,
    folder: &Path,
    input: &cento_ingest::Options,
    snapshot: &Snapshot,
    writer: &Writer,
    watch: &Watch,
    handle: &Handle,
) -> cento_jobs::Result<Outcome> {
    let Row { task, owner, .. } = row;
    let options = Options {
        paths: paths(folder),
        submitter: task.submitter.clone(),
        submitter_from: task.submitter_from.clone(),
        set: task.set.clone(),
        id_prefix: id_prefix(
            task.set.as_deref(),
            task.submitter.as_deref(),
            task.submitter_from.as_ref(),
        ),
        ..Options::default()
    };
    let mut queue = Queue {
        writer,
        handle,
        viewer: Viewer {
            role: task.role.parse().unwrap_or(Role::Submit),
            sets: Sets(task.sets.clone()),
            account: owner.clone(),
        },
        pairs: 0,
    };
    let reader = Reader::new(input);
    watch.follow_job(|watch| run_into(&options, snapshot.prepare(), &mut queue, &reader, watch))
}

/// Hands documents to the writer, and waits until they are safe.
struct Queue<'a> {
    writer: &'a Writer,
    handle: &'a Handle,
    viewer: Viewer,
    pairs: u64,
}

impl Target for Queue<'_> {
    fn has_file(&mut self, _: &str, _: Option<&str>, _: &[u8; 16]) -> cento_jobs::Result<bool> {
        Ok(false)
    }

    fn add(
        &mut self,
        candidates: Vec<Candidate>,
        on_change: OnChange,
    ) -> cento_jobs::Result<Vec<Taken>> {
        let mut answers = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let addition = Addition {
                candidate: Box::new(candidate),
                on_change,
                viewer: self.viewer.clone(),
            };
            let queued = self.handle.block_on(self.writer.queue(addition));
            let queued =
                queued.map_err(|problem| cento_jobs::Error::Refused(problem.detail().to_owned()));
            answers.push(queued?);
        }
        let mut all = Vec::with_capacity(answers.len());
        for answer in answers {
            all.push(match self.handle.block_on(answer) {
                Ok(Ok(registered)) => {
                    self.pairs += registered.pairs;
                    registered.taken
                }
                Ok(Err(problem)) => Taken::Refused(problem.detail().to_owned().into()),
                Err(_) => Taken::Refused("the server stopped".to_owned().into()),
            });
        }
        Ok(all)
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }
}
