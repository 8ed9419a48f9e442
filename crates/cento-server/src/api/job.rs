//! Jobs: files up, progress, results, cancel.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Multipart, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream::{self, Stream};
use serde_json::{Value, json};

use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::Name;
use crate::jobs::{self, DATA, PAGE, Row, State as JobState, Stop, TABLE};
use crate::problem::Problem;

/// `POST /jobs`: files to test, to verify or to register.
pub(crate) async fn create(
    State(app): State<Arc<App>>,
    caller: Caller,
    form: Result<Multipart, axum::extract::multipart::MultipartRejection>,
) -> Result<Response, Problem> {
    let form = form.map_err(|error| Problem::wrong_media_type(error.body_text()))?;
    if *app.stopping.borrow() {
        return Err(Problem::unavailable("the server is stopping"));
    }
    let (row, watch) = jobs::upload::receive(&app, &caller, form).await?;
    let told = app.jobs.described(&row);
    let location = format!("/api/v1/jobs/{}", row.id);
    jobs::start(&app, row, watch);
    Ok((
        StatusCode::ACCEPTED,
        [(header::LOCATION, location)],
        Json(told),
    )
        .into_response())
}

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
    Ok(Json(app.jobs.described(&row)))
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
    match row.state {
        JobState::Done => {}
        JobState::Failed | JobState::Cancelled | JobState::Expired => {
            return Err(Problem::gone(
                "the job has no result, or the result has been removed",
            ));
        }
        JobState::Uploading | JobState::Waiting | JobState::Running => {
            return Err(Problem::conflict("the job is not done yet"));
        }
    }
    let path = app.jobs.folder(&id).join(name);
    let bytes = match tokio::fs::read(&path).await {
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
fn own(app: &App, caller: &Caller, id: &str) -> Result<Row, Problem> {
    let row = app.jobs.find(id)?;
    let is_theirs = |row: &Row| row.owner == caller.name() || caller.role() == Role::Admin;
    row.filter(is_theirs)
        .ok_or_else(|| Problem::not_found("there is no such job"))
}
