//! A job from its place in the row to its result.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use cento::report::Report;
use cento_jobs::register::Outcome;
use cento_jobs::verify::Asked;
use cento_jobs::{Error as JobError, Reported};
use cento_report::{Cells, Table};
use serde_json::{Value, json};
use tokio::runtime::Handle;

use super::register::register;
use super::scan::scan;
use super::summary::Documents;
use super::verify::{Question, verify};
use super::watch::{Step, Stop, Watch};
use super::{DATA, FILES, Kind, PAGE, Row, State, TABLE, TEMPLATES, Task};
use crate::app::App;
use crate::audit::Action;
use crate::error::Error;
use crate::events::FINDS;
use crate::problem::Problem;
use crate::{folder, log, time};

/// Starts a job whose files are all there; it waits for its turn.
pub(crate) fn start(app: &Arc<App>, row: Row, watch: Arc<Watch>) {
    let app = Arc::clone(app);
    tokio::spawn(async move {
        watch.begin(Step::Waiting, 0);
        let places = Arc::clone(&app.jobs.places);
        let mut stopping = app.stopping.subscribe();
        let place = tokio::select! {
            biased;
            () = watch.told_to_stop() => None,
            _ = stopping.wait_for(|stopping| *stopping) => {
                // It has not begun, so it costs nothing to begin it in the next run.
                watch.stop(Stop::Pausing);
                None
            }
            place = places.acquire_owned() => place.ok(),
        };
        let (handle, limit) = (Handle::current(), app.config.limits.job);
        let (working, watching) = (Arc::clone(&app), Arc::clone(&watch));
        let id = row.id.clone();
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            run(&working, &row, &watching, &handle);
        });
        let timer = tokio::spawn({
            let watch = Arc::clone(&watch);
            async move {
                tokio::time::sleep(limit).await;
                watch.stop(Stop::TooLong);
            }
        });
        if let Err(panicked) = work.await {
            log::fault("a job", &panicked);
            let outcome = json!({"message": "it failed; the server's log says why"});
            finish(&app, &id, State::Failed, &outcome);
        }
        timer.abort();
        app.jobs.release(&id);
        watch.end();
    });
}

/// Starts the jobs again that a server that stopped in order left waiting.
pub(crate) fn resume(app: &Arc<App>) -> Result<(), Error> {
    for row in app.jobs.in_state(State::Waiting)? {
        if let Ok(watch) = app.jobs.admit(&row.id, &row.owner) {
            start(app, row, watch);
        }
    }
    Ok(())
}

fn run(app: &App, row: &Row, watch: &Watch, handle: &Handle) {
    let folder = app.jobs.folder(&row.id);
    let done = if watch.stopped().is_some() {
        Err(failed("stopped"))
    } else {
        note(app.jobs.set_state(&row.id, State::Running));
        app.jobs
            .threads
            .install(|| work(app, row, &folder, watch, handle))
    };
    match (watch.stopped(), done) {
        (Some(Stop::Pausing), _) => note(app.jobs.set_state(&row.id, State::Waiting)),
        (Some(Stop::Cancelled), _) => {
            finish(
                app,
                &row.id,
                State::Cancelled,
                &json!({"message": "cancelled"}),
            );
        }
        (Some(Stop::TooLong), _) => {
            let limit = time::span(app.config.limits.job);
            let message = format!("it took longer than {limit}; give it fewer or smaller files");
            finish(app, &row.id, State::Failed, &failed(message));
        }
        (None, Err(outcome)) => finish(app, &row.id, State::Failed, &outcome),
        (None, Ok((outcome, finds))) => {
            finish(app, &row.id, State::Done, &outcome);
            for find in finds {
                app.events.tell("find", find);
            }
        }
    }
}

/// Notes how a job ended, and removes what is not needed any more.
fn finish(app: &App, id: &str, state: State, outcome: &Value) {
    let folder = app.jobs.folder(id);
    let gone = if state == State::Done {
        [FILES, TEMPLATES].map(|inner| folder::remove(&folder.join(inner)))
    } else {
        [folder::remove(&folder), Ok(())]
    };
    gone.into_iter().for_each(note);
    let expires = time::now() + time::seconds(app.config.keep);
    note(app.jobs.set_outcome(id, state, expires, outcome));
    if app.events.are_heard()
        && let Ok(Some(row)) = app.jobs.find(id)
    {
        let about = json!({"job": app.jobs.described(&row), "page": format!("/jobs/{id}")});
        app.events.tell("job", about);
    }
}

fn note(done: Result<(), Error>) {
    if let Err(error) = done {
        log::fault("noting how far a job is", &error);
    }
}

/// What is noted of a job that has no result.
fn failed(message: impl Into<String>) -> Value {
    json!({"message": message.into()})
}

/// What a job came to, and the pairs that are told one by one.
type Done = (Value, Vec<Value>);

/// Does what was ordered; the result is in the folder, and what it came to is given back. An error if
/// there is no result.
fn work(
    app: &App,
    row: &Row,
    folder: &Path,
    watch: &Watch,
    handle: &Handle,
) -> Result<Done, Value> {
    let Row { task, owner, .. } = row;
    let input = &app.config.input;
    let told = |error| failed(told(&error, folder));
    let registry = || {
        let registry = app.registry();
        registry.map_err(|problem| failed(problem.detail()))
    };
    let mut refused = BTreeSet::new();
    let (action, outcome) = match task.kind {
        Kind::Pairwise => {
            let tested = scan(task, folder, input, watch).map_err(told)?;
            (
                Action::Tested,
                publish(app, tested, &refused, row, folder, watch),
            )
        }
        Kind::Verify => {
            let (shared, _) = registry()?;
            let question = Question::of(task, owner);
            let snapshot = shared.snapshot();
            // One after the other: each question counts for the next one.
            let mut gate = |asked: &Asked<'_>| {
                let allowed = app.expect_budget(&question, asked, &snapshot);
                allowed.map_err(|problem| {
                    refused.insert(asked.query.id.clone());
                    problem.detail().to_owned()
                })
            };
            let tested = verify(&question, folder, input, &snapshot, watch, &mut gate);
            let tested = tested.map_err(told)?;
            (
                Action::Verified,
                publish(app, tested, &refused, row, folder, watch),
            )
        }
        Kind::Register => {
            let (shared, writer) = registry()?;
            let snapshot = shared.snapshot();
            let done = register(row, folder, input, &snapshot, writer, watch, handle);
            let done = done.map_err(told)?;
            save(folder, DATA, &format!("{:#}\n", json!(done)))?;
            save(folder, TABLE, &table(&done))?;
            let numbers = json!({
                "documents": done.documents.len(),
                "registered": done.new + done.versions,
                "unchanged": done.unchanged,
                "skipped": done.rejected.len(),
            });
            let documents = Documents {
                kind: task.kind,
                read: done.documents.len(),
                short: 0,
                skipped: &done.skipped(),
                refused: &refused,
            };
            let outcome = documents.outcome(numbers);
            (
                Action::Registered,
                outcome.map(|outcome| (outcome, Vec::new())),
            )
        }
    };
    if let Ok((outcome, _)) = &outcome {
        app.audit.write(owner, action, &audited(row, task, outcome));
    }
    outcome
}

/// Why a job failed, for the one who ordered it: what goes wrong here is for the log, and where
/// uploads are is nobody's business.
fn told(error: &JobError, folder: &Path) -> String {
    match error {
        JobError::Library(error) => unreadable(error),
        JobError::Io { .. } => {
            log::fault("a job", error);
            "it failed; the server's log says why".to_owned()
        }
        error => {
            let place = format!("{}/", folder.display());
            error.sentence().replace(&place, "")
        }
    }
}

/// The same for somebody who waits for an answer.
pub(crate) fn unsaid(error: JobError, folder: &Path) -> Problem {
    match error {
        JobError::Library(_) | JobError::Io { .. } => error.into(),
        error => Problem::unusable(told(&error, folder)),
    }
}

fn unreadable(error: &cento::Error) -> String {
    log::fault("a job", error);
    "the registry cannot be read; the server's log says why".to_owned()
}

fn audited(row: &Row, task: &Task, outcome: &Value) -> Value {
    let mut numbers = outcome.clone();
    // The log outlives the documents, so it does not name them.
    if let Value::Object(fields) = &mut numbers {
        fields.retain(|_, value| value.is_number());
    }
    json!({
        "job": row.id,
        "set": task.set,
        "submitter": task.submitter,
        "outcome": numbers,
    })
}

/// Writes a report in all forms; gives back what it came to.
fn publish(
    app: &App,
    tested: Reported,
    refused: &BTreeSet<String>,
    row: &Row,
    folder: &Path,
    watch: &Watch,
) -> Result<Done, Value> {
    let Reported {
        mut report,
        templates,
        ..
    } = tested;
    let read = report.documents.iter().filter(|document| !document.old);
    let documents = Documents {
        kind: row.task.kind,
        read: read.count(),
        short: short(&report),
        skipped: &report.skipped,
        refused,
    };
    let outcome = documents.outcome(numbers(&report))?;
    watch.begin(Step::Working(cento_jobs::Step::Writing), 0);
    // Each of these may take a while, and nobody waits for the result of a job that was cancelled.
    let go_on = || match watch.stopped() {
        Some(_) => Err(failed("stopped")),
        None => Ok(()),
    };
    go_on()?;
    cento_report::place(&mut report);
    go_on()?;
    cento_report::seal(&mut report);
    save(folder, PAGE, &cento_report::html(&mut report, &templates))?;
    go_on()?;
    report.without_texts(|slim| {
        save(folder, DATA, &cento_report::json(slim))?;
        save(folder, TABLE, &cento_report::csv(slim))
    })?;
    let finds = if app.events.are_heard() {
        finds(&report, row)
    } else {
        Vec::new()
    };
    Ok((outcome, finds))
}

/// How many documents in question are too short and have no pair: that none was found says nothing.
fn short(report: &Report) -> usize {
    let paired: BTreeSet<&str> = (report.pairs.iter())
        .flat_map(|pair| [pair.left.as_str(), pair.right.as_str()])
        .collect();
    let short = report.documents.iter();
    let short = short.filter(|document| !document.old && document.short);
    let short = short.filter(|document| document.registered.is_none());
    short
        .filter(|document| !paired.contains(document.id.as_str()))
        .count()
}

/// The first pairs of a report, as events.
fn finds(report: &Report, row: &Row) -> Vec<Value> {
    let Row { id, task, .. } = row;
    let pairs = report.pairs.iter().take(FINDS).enumerate();
    let find = |(number, pair): (usize, &cento::report::PairReport)| {
        json!({
            "job": id,
            "name": task.name,
            "kind": task.kind,
            "owner": row.owner,
            "set": task.set,
            "page": format!("/jobs/{id}/report#/pair/{number}"),
            "pair": {
                "left": pair.left,
                "right": pair.right,
                "score": pair.score,
                "share": pair.shares(),
                "containment": pair.containment,
            },
        })
    };
    pairs.map(find).collect()
}

/// What became of registered documents, as a table.
fn table(done: &Outcome) -> String {
    let heads = ["id", "result", "version", "same_text_as", "reason"];
    let mut table = Table::new(Cells::ForPeople, &heads);
    for one in &done.documents {
        let version = one.version.map(|version| version.to_string());
        let version = version.unwrap_or_default();
        let same = one.same_text_as.as_deref().unwrap_or_default();
        table.row([one.id.as_str(), one.registered, &version, same, ""]);
    }
    for one in done.skipped() {
        table.row([one.id.as_str(), "skipped", "", "", &one.reason]);
    }
    table.finish()
}

fn numbers(report: &Report) -> Value {
    let read = report.documents.iter().filter(|document| !document.old);
    json!({
        "documents": read.count(),
        "pairs": report.pairs.len(),
        "families": report.families.len(),
        "skipped": report.skipped.len(),
    })
}

fn save(folder: &Path, name: &str, text: &str) -> Result<(), Value> {
    let path = folder.join(name);
    // A job that begins again finds what it wrote before.
    let _ = std::fs::remove_file(&path);
    // It is promised for a while, whatever happens to the machine.
    let write = || {
        let mut file = folder::create_private(&path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    write().map_err(|error| {
        log::fault("writing a result", &error);
        failed("the result cannot be written; the server's log says why")
    })
}
