//! Jobs: files up, progress, results, cancel.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Multipart, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use cento_jobs::SubmitterFrom;
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use serde_json::{Value, json};

use super::decisions::expect_report;
use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::{Name, Params, Said};
use crate::jobs::{self, DATA, PAGE, Row, State as JobState, Stop, TABLE};
use crate::problem::Problem;
use crate::time;

/// `POST /jobs`: files to test, to verify or to register.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    headers: HeaderMap,
    form: Result<Multipart, axum::extract::multipart::MultipartRejection>,
) -> Result<Response, Problem> {
    expect_length(&app, &headers)?;
    let form = form.map_err(|error| Problem::wrong_media_type(error.body_text()))?;
    if *app.stopping.borrow() {
        return Err(Problem::unavailable("the server is stopping"));
    }
    let (row, watch) = jobs::upload::receive(&app, &caller, form).await?;
    let told = app.jobs.described(&row);
    let location = format!("/api/v1/jobs/{}", row.id);
    if row.state == JobState::Asking {
        app.jobs.release(&row.id);
    } else {
        jobs::start(&app, row, watch);
    }
    Ok((
        StatusCode::ACCEPTED,
        [(header::LOCATION, location)],
        Json(told),
    )
        .into_response())
}

/// Refuses an upload that says that it is too large before it is sent.
fn expect_length(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let length = headers.get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    let limit = app.config.limits.upload;
    match length {
        Some(length) if length > limit.saturating_add(AROUND_FILES as u64) => {
            let [length, limit] = [length, limit].map(cento_ingest::size);
            Err(Problem::too_large(format!(
                "the upload has {length}; at most {limit} is allowed at a time"
            )))
        }
        _ => Ok(()),
    }
}

/// What names and boundaries of a form may add to its files, in bytes.
pub(super) const AROUND_FILES: usize = 16 << 20;

/// `GET /jobs`: one's own jobs; of an administrator, all.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<Value>, Problem> {
    let owner = (caller.role() < Role::Admin).then(|| caller.name());
    let rows = app.jobs.list(owner)?;
    let told: Vec<Value> = rows.iter().map(|row| app.jobs.described(row)).collect();
    Ok(Json(json!({"jobs": told})))
}

/// `GET /jobs/{id}`: how far it is.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
) -> Result<Json<Value>, Problem> {
    let row = own(&app, &caller, &id)?;
    let mut told = app.jobs.described(&row);
    told["decisions"] = app.jobs.decided_count(&id)?.into();
    Ok(Json(told))
}

/// The question of `GET /jobs/{id}/preview`.
#[derive(Deserialize)]
pub(crate) struct Previewing {
    /// Another rule than that of the job.
    submitter_from: Option<String>,
}

/// `GET /jobs/{id}/preview`: whose the documents would be, before anything happens to them.
pub(crate) async fn preview(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
    Params(asked): Params<Previewing>,
) -> Result<Json<Value>, Problem> {
    let row = own(&app, &caller, &id)?;
    let from = rule(&row, asked.submitter_from)?;
    let (folder, task) = (app.jobs.folder(&id), row.task.clone());
    let reader = app.reader.clone();
    let shown = app.pool.run(move || {
        jobs::preview(&task, &from, &folder, &reader)
            .map_err(|error| jobs::unsaid(error, &folder))
            .map(|preview| (from, preview))
    });
    let (from, preview) = shown.await?;
    let mut told = json!(preview);
    told["submitter_from"] = json!(from);
    Ok(Json(told))
}

/// The body of `POST /jobs/{id}/start`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    submitter_from: Option<String>,
}

/// `POST /jobs/{id}/start`: the preview is as it should be.
pub(crate) async fn go_on(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
    Said(said): Said<Answered>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let mut row = own(&app, &caller, &id)?;
    row.task.submitter_from = Some(rule(&row, said.submitter_from)?);
    row.expires = time::now() + time::seconds(app.config.keep);
    if *app.stopping.borrow() {
        return Err(Problem::unavailable("the server is stopping"));
    }
    let watch = app.jobs.admit(&id, &row.owner)?;
    let answered = app.jobs.answer(&row);
    if !matches!(answered, Ok(true)) {
        app.jobs.release(&id);
        answered?;
        return Err(Problem::conflict("the job does not ask any more"));
    }
    row.state = JobState::Waiting;
    let told = app.jobs.described(&row);
    jobs::start(&app, row, watch);
    Ok((StatusCode::ACCEPTED, Json(told)))
}

/// Where submitters come from: as it is asked now, or as it was asked when the files came up.
fn rule(row: &Row, asked: Option<String>) -> Result<SubmitterFrom, Problem> {
    if row.state != JobState::Asking {
        return Err(Problem::conflict("the job does not ask any more"));
    }
    match asked.map(|asked| asked.parse()) {
        Some(parsed) => {
            parsed.map_err(|error: cento_jobs::Error| Problem::unusable(error.sentence()))
        }
        None => row
            .task
            .submitter_from
            .clone()
            .ok_or_else(|| Problem::conflict("the job does not ask any more")),
    }
}

/// `DELETE /jobs/{id}`: cancels it, or removes its result; nothing of it stays.
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
) -> Result<StatusCode, Problem> {
    let row = own(&app, &caller, &id)?;
    if let Some(watch) = app.jobs.watch(&id) {
        watch.stop(Stop::Cancelled);
        let mut progress = watch.follow();
        // It looks up between two documents; the folder is gone when it has.
        let ended = progress.wait_for(|progress| progress.ended);
        let ended = tokio::time::timeout(Duration::from_secs(30), ended).await;
        if ended.is_err() {
            return Ok(StatusCode::ACCEPTED);
        }
    }
    let state = match app.jobs.find(&id)?.map(|row| row.state) {
        Some(state) if state.is_final() && state != JobState::Done => state,
        _ => JobState::Cancelled,
    };
    app.jobs.remove(&id, state)?;
    app.audit
        .write(caller.name(), Action::Cancelled, &json!({"job": row.id}));
    Ok(StatusCode::NO_CONTENT)
}

/// `GET /jobs/{id}/events`: how far it is, as it goes on (server-sent events).
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    own(&app, &caller, &id)?;
    let progress = app.jobs.watch(&id).map(|watch| watch.follow());
    let stopping = app.stopping.subscribe();
    let start = (app, id, progress, stopping, Telling::First);
    let events = stream::unfold(
        start,
        |(app, id, mut progress, mut stopping, telling)| async move {
            if telling == Telling::Last {
                return None;
            }
            if telling == Telling::Next
                && let Some(progress) = &mut progress
            {
                tokio::select! {
                    // Ten a second are enough for any eye.
                    _ = async {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        progress.changed().await
                    } => {}
                    _ = stopping.wait_for(|stopping| *stopping) => return None,
                }
            }
            let row = app.jobs.find(&id).ok()??;
            let ended = progress
                .as_ref()
                .is_none_or(|progress| progress.borrow().ended);
            let (name, next) = if ended {
                ("end", Telling::Last)
            } else {
                ("progress", Telling::Next)
            };
            let event = Event::default()
                .event(name)
                .data(app.jobs.described(&row).to_string());
            Some((Ok(event), (app, id, progress, stopping, next)))
        },
    );
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Which event of the stream comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Telling {
    First,
    Next,
    Last,
}

/// `GET /jobs/{id}/report.json`: the result as data.
pub(crate) async fn data(
    app: State<Arc<App>>,
    caller: Caller,
    id: Name,
) -> Result<Response, Problem> {
    file(app, caller, id, DATA, "application/json", None).await
}

/// `GET /jobs/{id}/report.csv`: its pairs as a table.
pub(crate) async fn table(
    app: State<Arc<App>>,
    caller: Caller,
    id: Name,
) -> Result<Response, Problem> {
    file(app, caller, id, TABLE, "text/csv; charset=utf-8", None).await
}

/// `GET /jobs/{id}/report.html`: the page that shows it.
pub(crate) async fn page(
    app: State<Arc<App>>,
    caller: Caller,
    id: Name,
) -> Result<Response, Problem> {
    let policy = format!("{}; frame-ancestors 'none'", cento_report::page_policy());
    file(
        app,
        caller,
        id,
        PAGE,
        "text/html; charset=utf-8",
        Some(policy),
    )
    .await
}

async fn file(
    State(app): State<Arc<App>>,
    caller: Caller,
    Name(id): Name,
    name: &str,
    kind: &'static str,
    policy: Option<String>,
) -> Result<Response, Problem> {
    let row = own(&app, &caller, &id)?;
    expect_report(&row)?;
    let path = app.jobs.folder(&id).join(name);
    let bytes = match tokio::fs::read(&path).await {
        // What was decided by now goes with the page.
        Ok(bytes) if name == PAGE => match String::from_utf8(bytes) {
            Ok(page) => {
                cento_report::with_work(&page, &app.jobs.decisions(&id)?.to_string()).into()
            }
            Err(error) => error.into_bytes(),
        },
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Problem::not_found("this job has no result in this format"));
        }
        Err(error) => return Err(Problem::internal("reading a result", &error)),
    };
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let policy = policy.and_then(|policy| HeaderValue::from_str(&policy).ok());
    if let Some(policy) = policy {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// A job, if it is theirs to see. That of somebody else is not even there.
pub(super) fn own(app: &App, caller: &Caller, id: &str) -> Result<Row, Problem> {
    let row = app.jobs.find(id)?;
    let is_theirs = |row: &Row| row.owner == caller.name() || caller.role() == Role::Admin;
    row.filter(is_theirs)
        .ok_or_else(|| Problem::not_found("there is no such job"))
}
