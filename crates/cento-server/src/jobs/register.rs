//! Files into the registry.

use std::path::Path;

use cento::index::registry::{Candidate, Facts, OnChange, Prepare, Snapshot};
use cento::report::Skipped;
use cento_ingest::{Input, Options};
use rayon::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::pairwise::{Found, find};
use super::watch::{Step, Watch};
use super::{FILES, Task, id_prefix};
use crate::auth::Sets;
use crate::reading::NO_WORDS;
use crate::registry::{Addition, Registered, Writer};
use crate::time;

/// How many documents are read at a time.
const BATCH: usize = 64;

/// What became of the documents.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) new: u64,
    pub(crate) versions: u64,
    pub(crate) unchanged: u64,
    pub(crate) documents: Vec<Value>,
    pub(crate) skipped: Vec<Skipped>,
}

impl Tally {
    /// Notes what became of a document.
    pub(crate) fn count(&mut self, id: &str, registered: Registered) {
        let (what, version) = match registered {
            Registered::New => ("new", 1),
            Registered::Version(version) => ("version", version),
            Registered::Unchanged => ("unchanged", 0),
            Registered::Changed | Registered::Foreign => {
                let reason = refusal(registered).to_owned();
                self.skip(id, reason);
                return;
            }
        };
        match registered {
            Registered::New => self.new += 1,
            Registered::Version(_) => self.versions += 1,
            _ => self.unchanged += 1,
        }
        let mut document = json!({"id": id, "registered": what});
        if version > 1 {
            document["version"] = json!(version);
        }
        self.documents.push(document);
    }

    pub(crate) fn skip(&mut self, id: &str, reason: String) {
        self.skipped.push(Skipped {
            id: id.to_owned(),
            reason,
            limit: None,
        });
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "schema": "cento.register/1",
            "registered": self.new + self.versions,
            "new": self.new,
            "versions": self.versions,
            "unchanged": self.unchanged,
            "documents": self.documents,
            "skipped": self.skipped,
        })
    }
}

/// Why a document was not taken.
pub(crate) fn refusal(registered: Registered) -> &'static str {
    match registered {
        Registered::Foreign => "the id is that of a document in another set",
        _ => "the id is registered with another text",
    }
}

/// Registers the files of a job; each is safe before it is counted.
pub(crate) fn register(
    task: &Task,
    folder: &Path,
    options: &Options,
    snapshot: &Snapshot,
    writer: &Writer,
    watch: &Watch,
    handle: &Handle,
) -> Result<Tally, String> {
    watch.begin(Step::Finding, 0);
    let Found {
        inputs, skipped, ..
    } = find(&folder.join(FILES), options)?;
    watch.begin(Step::Registering, inputs.len() as u64);
    let mut tally = Tally {
        skipped,
        ..Tally::default()
    };
    for batch in inputs.chunks(BATCH) {
        watch.go_on()?;
        let candidates: Vec<Result<Candidate, String>> = batch
            .par_iter()
            .map(|input| candidate(input, task, snapshot.prepare()))
            .collect();
        let mut answers = Vec::with_capacity(batch.len());
        for (input, candidate) in batch.iter().zip(candidates) {
            let candidate = match candidate {
                Ok(candidate) => candidate,
                Err(reason) => {
                    tally.skip(input.id(), reason);
                    watch.step();
                    continue;
                }
            };
            let id = candidate.facts.id.clone();
            let addition = Addition {
                candidate: Box::new(candidate),
                on_change: OnChange::Version,
                sets: Sets(task.sets.clone()),
            };
            let queued = handle.block_on(writer.queue(addition));
            answers.push((id, queued.map_err(|problem| problem.detail().to_owned())?));
        }
        for (id, answer) in answers {
            let answer = handle.block_on(answer);
            match answer {
                Ok(Ok(registered)) => tally.count(&id, registered),
                Ok(Err(problem)) => tally.skip(&id, problem.detail().to_owned()),
                Err(_) => tally.skip(&id, "the server stopped".to_owned()),
            }
            watch.step();
        }
    }
    tally.skipped.sort();
    Ok(tally)
}

fn candidate(input: &Input, task: &Task, prepare: &Prepare) -> Result<Candidate, String> {
    let document = input.read()?;
    let kind = document.kind.map(|kind| format!(" {kind}"));
    let prefix = id_prefix(task.set.as_deref(), task.submitter.as_deref());
    let facts = Facts {
        id: format!("{prefix}{}", input.id()),
        label: Some(input.label().to_owned()),
        submitter: task.submitter.clone(),
        set: task.set.clone(),
        date: input.date().map(str::to_owned),
        registered: time::now_text(),
        extractor: Some(extractor(kind.as_deref())),
        ..Facts::default()
    };
    let candidate = prepare.candidate(facts, &document.content);
    if candidate.words() == 0 {
        return Err(NO_WORDS.to_owned());
    }
    Ok(candidate)
}

/// What read a document, as the registry notes it.
pub(crate) fn extractor(kind: Option<&str>) -> String {
    format!(
        "cento {}{}",
        env!("CARGO_PKG_VERSION"),
        kind.unwrap_or_default()
    )
}
