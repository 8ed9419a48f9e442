//! Many documents in one request, as slow as the disk: the next line is read when there is room for
//! it.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::State;
use cento_jobs::InMemory;
use cento_jobs::register::{Outcome, candidate};
use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::documents::Announced;
use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::body::{Pace, too_large};
use crate::problem::Problem;
use crate::registry::{Addition, Registered};

/// A line.
#[derive(Deserialize)]
struct Line {
    #[serde(flatten)]
    about: Fields,
    text: String,
}

/// The fields of a line other than the text.
#[derive(Deserialize)]
struct Fields {
    id: String,
    label: Option<String>,
    set: Option<String>,
    submitter: Option<String>,
    date: Option<String>,
    expires: Option<String>,
}

/// A document that waits for its commit.
type Waiting = (String, oneshot::Receiver<Result<Registered, Problem>>);

/// How many documents may wait for their commits before the next line is read.
const AHEAD: usize = 256;

/// `POST /documents/bulk`: one JSON object a line, with `id` and `text`.
pub(crate) async fn import(
    State(app): State<Arc<App>>,
    caller: Caller,
    body: Body,
) -> Result<Json<Value>, Problem> {
    caller.expect(Role::Admin)?;
    app.registry()?.1.expect()?;
    let mut lines = Lines {
        body,
        pace: Pace::new(app.config.limits.patience),
        buffer: Vec::new(),
        limit: app.config.limits.document,
        is_ended: false,
    };
    let mut tally = Outcome::default();
    let mut waiting: VecDeque<Waiting> = VecDeque::new();
    let mut number = 0_u64;
    while let Some(line) = lines.next().await? {
        number += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let line: Line = match serde_json::from_slice(&line) {
            Ok(line) => line,
            Err(error) => {
                tally.reject(&format!("line {number}"), error.to_string());
                continue;
            }
        };
        match take(&app, &caller, line).await {
            Ok(one) => waiting.push_back(one),
            Err((id, problem)) => tally.reject(&id, problem.detail().to_owned()),
        }
        while waiting.len() > AHEAD {
            settle(&mut tally, waiting.pop_front()).await;
        }
    }
    while !waiting.is_empty() {
        settle(&mut tally, waiting.pop_front()).await;
    }
    let audited = json!({
        "documents": tally.new + tally.versions,
        "unchanged": tally.unchanged,
        "skipped": tally.rejected.len(),
    });
    app.audit.write(caller.name(), Action::Registered, &audited);
    // Somebody who sends a million lines does not want to read a million back, only what is odd.
    tally
        .documents
        .retain(|document| document.same_text_as.is_some());
    Ok(Json(json!(tally)))
}

async fn take(app: &Arc<App>, caller: &Caller, line: Line) -> Result<Waiting, (String, Problem)> {
    let Fields {
        id,
        label,
        set,
        submitter,
        date,
        expires,
    } = line.about;
    let name = id.clone();
    let failed = |problem| (name.clone(), problem);
    let announced = Announced {
        id,
        label,
        set,
        submitter,
        date,
        expires,
        on_change: super::documents::Changed::Version,
    };
    let (facts, on_change) = announced.facts(caller).map_err(failed)?;
    let (shared, writer) = app.registry().map_err(failed)?;
    let prepare = shared.snapshot().prepare().clone();
    let reader = app.reader.clone();
    let given = InMemory {
        name: name.clone(),
        bytes: line.text.into_bytes(),
    };
    let work = move || {
        let candidate = candidate(&given, facts, &prepare, &reader);
        candidate.map_err(|skipped| Problem::unusable(skipped.reason))
    };
    let candidate = app.pool.run(work).await.map_err(failed)?;
    let addition = Addition {
        candidate: Box::new(candidate),
        on_change,
        viewer: caller.viewer(),
    };
    let answer = writer.queue(addition).await.map_err(failed)?;
    Ok((name, answer))
}

async fn settle(tally: &mut Outcome, waiting: Option<Waiting>) {
    let Some((id, answer)) = waiting else {
        return;
    };
    match answer.await {
        Ok(Ok(registered)) => {
            tally.pairs += registered.pairs;
            if let Err(refusal) = tally.count(&id, registered.taken) {
                tally.reject(&id, refusal.reason);
            }
        }
        Ok(Err(problem)) => tally.reject(&id, problem.detail().to_owned()),
        Err(_) => tally.reject(&id, "the server stopped".to_owned()),
    }
}

/// The lines of a body, one at a time.
struct Lines {
    body: Body,
    pace: Pace,
    buffer: Vec<u8>,
    limit: usize,
    is_ended: bool,
}

impl Lines {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, Problem> {
        let mut searched = 0;
        loop {
            let end = self.buffer[searched..]
                .iter()
                .position(|byte| *byte == b'\n');
            if let Some(end) = end {
                let mut line: Vec<u8> = self.buffer.drain(..=searched + end).collect();
                line.pop();
                return Ok(Some(line));
            }
            searched = self.buffer.len();
            if self.is_ended {
                let line = std::mem::take(&mut self.buffer);
                return Ok(Some(line).filter(|line| !line.is_empty()));
            }
            if self.buffer.len() > self.limit {
                return Err(too_large(self.limit as u64));
            }
            match self.pace.next(self.body.frame()).await? {
                None => self.is_ended = true,
                Some(frame) => {
                    let frame =
                        frame.map_err(|_| Problem::bad_request("the request ended too early"))?;
                    if let Ok(data) = frame.into_data() {
                        self.pace.received(data.len());
                        self.buffer.extend_from_slice(&data);
                    }
                }
            }
        }
    }
}
