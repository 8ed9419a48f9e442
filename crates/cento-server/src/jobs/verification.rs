//! Documents against the registry, as far as the one who asks may see it.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use cento::align::Aligner;
use cento::discount::Discounts;
use cento::index::registry::{Entry, Exclusions, Request, Retained, Retention, Scratch, Snapshot};
use cento::report::{Note, Report, Skipped};
use cento::verify::{Query, VerifySettings, verify};
use cento::{Fingerprint, Measure, NoCollection, Texts};
use cento_ingest::{Input, Options};
use rayon::prelude::*;

use super::pairwise::{Found, Tested, add_texts, find};
use super::watch::{Step, Watch};
use super::{FILES, Task, id_prefix};
use crate::auth::{Role, Sets};
use crate::oracle::Sketch;
use crate::reading::{About, describe, query};
use crate::veil::veil;

/// Who asks, and for what.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) threshold: f64,
    pub(crate) top: Option<usize>,
    pub(crate) set: Option<String>,
    pub(crate) submitter: Option<String>,
    pub(crate) role: Role,
    pub(crate) sets: Sets,
    /// The account that asks.
    pub(crate) account: String,
}

impl Question {
    pub(crate) fn of(task: &Task, account: &str) -> Question {
        Question {
            threshold: task.threshold,
            top: None,
            set: task.set.clone(),
            submitter: task.submitter.clone(),
            role: task.role.parse().unwrap_or(Role::Submit),
            sets: Sets(task.sets.clone()),
            account: account.to_owned(),
        }
    }

    pub(crate) fn about(&self) -> About {
        About {
            submitter: self.submitter.clone(),
            set: self.set.clone(),
            id_prefix: id_prefix(self.set.as_deref(), self.submitter.as_deref()),
            recipe: None,
        }
    }
}

/// Whether a question about a text may be answered; if not, why.
pub(crate) type Allowed<'a> = dyn Fn(&Query, &Sketch) -> Result<(), String> + Sync + 'a;

/// Verifies the files of a job.
pub(crate) fn verification(
    question: &Question,
    folder: &Path,
    options: &Options,
    snapshot: &Snapshot,
    watch: &Watch,
    allowed: &Allowed<'_>,
) -> Result<Tested, String> {
    watch.begin(Step::Finding, 0);
    let Found {
        inputs,
        mut skipped,
        notes,
        ..
    } = find(&folder.join(FILES), options)?;
    watch.begin(Step::Reading, inputs.len() as u64);
    let about = question.about();
    let read: Vec<Result<Query, String>> = inputs
        .par_iter()
        .map(|input| {
            let query = watch.go_on().and_then(|()| query(input, &about, snapshot));
            watch.step();
            query
        })
        .collect();
    watch.go_on()?;
    let mut queries = Vec::with_capacity(read.len());
    for (input, query) in inputs.iter().zip(read) {
        // One after the other: each question counts for the next one.
        let query = query.and_then(|query| {
            if question.role > Role::Submit {
                return Ok(query);
            }
            let sketch = sketch(&query, snapshot).map_err(|error| failed(&error))?;
            allowed(&query, &sketch)?;
            Ok(query)
        });
        match query {
            Ok(query) => queries.push(query),
            Err(reason) => skipped.push(Skipped {
                id: input.id().to_owned(),
                reason,
                limit: None,
            }),
        }
    }
    skipped.sort();
    watch.begin(Step::Comparing, 0);
    let by_id: HashMap<&str, &Input> = inputs.iter().map(|input| (input.id(), input)).collect();
    let read = |id: &str| {
        watch.go_on().ok()?;
        Some(by_id.get(id)?.read().ok()?.content)
    };
    let mut report = answered(question, &queries, snapshot, &read, Some(watch))?;
    watch.go_on()?;
    for document in &mut report.documents {
        if let Some(input) = by_id.get(document.id.as_str()) {
            describe(input, document);
        }
    }
    report.skipped = skipped;
    report.notes.extend(notes.into_iter().map(Note::Layout));
    Ok(Tested {
        report,
        templates: Vec::new(),
    })
}

/// A registered document that has so much of a text is near it, and the nearest few are looked at.
const NEAR: f64 = 0.03;
const NEAREST: usize = 3;

/// What is remembered of a question.
pub(crate) fn sketch(query: &Query, snapshot: &Snapshot) -> Result<Sketch, cento::Error> {
    let whole = Fingerprint::union(&query.fingerprints);
    let mut telling = snapshot.counted(&whole, query.set.as_deref());
    telling.retain(|digest| Sketch::is_telling(*digest, snapshot));
    let fingerprint =
        Fingerprint::from_digests(whole.recipe().clone(), whole.tokens(), telling.clone());
    let request = Request {
        query: &fingerprint,
        set: query.set.as_deref(),
        measure: Measure::Containment,
        at_least: NEAR,
        limit: NEAREST,
        exclusions: &Exclusions::default(),
    };
    let found = snapshot.search(&request, &mut Scratch::default())?;
    let near = found.alike.iter().map(|alike| alike.number).collect();
    Ok(Sketch::of(&telling, near))
}

/// What documents share with the registry, without what is not for the one who asks. `watch` is
/// there if texts are wanted in the report.
pub(crate) fn answered(
    question: &Question,
    queries: &[Query],
    snapshot: &Snapshot,
    read: &(dyn Fn(&str) -> Option<String> + Sync),
    watch: Option<&Watch>,
) -> Result<Report, String> {
    let settings = VerifySettings {
        measure: Measure::MaxContainment,
        threshold: question.threshold,
        top: question.top,
        passage_threshold: 0.5,
        exclude: Vec::new(),
        exclude_own_submitter: false,
        include_own: false,
        left_out: Discounts::USUAL,
    };
    let nobody = cento::Watch::NOBODY;
    let verification =
        verify(snapshot, queries, &settings, nobody).map_err(|error| failed(&error))?;
    let entries: HashMap<String, &Entry> = verification.listed().collect();
    let numbers: BTreeMap<String, u32> = entries
        .iter()
        .map(|(id, entry)| (id.clone(), entry.number))
        .collect();
    let read = |id: &str| match entries.get(id) {
        Some(entry) => kept(snapshot, entry),
        None => read(id),
    };
    let tell = |_, pairs| {
        if let Some(watch) = watch {
            if watch.progress().step == Step::Comparing {
                watch.begin(Step::Aligning, pairs);
            }
            watch.step_of(pairs);
        }
    };
    let has_texts = snapshot.settings().retention == Retention::Text;
    let texts = Texts {
        aligner: Aligner::default(),
        read: &read,
        templates: Vec::new(),
        key: snapshot.prepare().key(),
        seen: &NoCollection,
    };
    // What somebody may not see need not be computed, either.
    let texts = (has_texts && question.role > Role::Submit).then_some(&texts);
    let watching = cento::Watch::new(&tell, &|| false);
    let report = verification.report(texts, watching);
    let mut report = report.map_err(|error| failed(&error))?;
    // The account, not the submitter: that is whatever they say.
    let own = &question.account;
    veil(&mut report, question.role, &question.sets, own, &numbers);
    if watch.is_some() {
        add_texts(&mut report, &read);
    }
    Ok(report)
}

/// What goes wrong in the registry is for the log.
fn failed(error: &cento::Error) -> String {
    crate::log::fault("a verification", error);
    "the registry cannot be read; the server's log says why".to_owned()
}

/// The text that the registry keeps of a document.
fn kept(snapshot: &Snapshot, entry: &Entry) -> Option<String> {
    match snapshot.retained(entry.number) {
        Ok(Some(Retained::Text(text))) => Some(text),
        _ => None,
    }
}
