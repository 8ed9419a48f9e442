//! For those who watch the server.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::Value;

use crate::app::App;
use crate::auth::{Caller, Role};
use crate::http::Peer;
use crate::problem::Problem;
use crate::registry::check;
use crate::registry::copies::{Latest, ended};
use crate::time;

/// `GET /healthz`: the process answers.
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: it takes requests, and answers from the registry as it is now.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    if !app.is_ready() {
        return Err(Problem::unavailable("the server is starting or stopping"));
    }
    if app
        .registry
        .get()
        .is_some_and(|(shared, _)| shared.is_lost())
    {
        return Err(Problem::unavailable(
            "the registry cannot be opened any more, and answers are from what was there before; the \
             server's log says why",
        ));
    }
    Ok("ready\n")
}

/// `GET /metrics`: numbers, for this machine and for administrators.
pub(crate) async fn metrics(
    State(app): State<Arc<App>>,
    caller: Result<Caller, Problem>,
    request: Request,
) -> Result<Response, Problem> {
    let peer = request
        .extensions()
        .get::<Peer>()
        .copied()
        .unwrap_or_default();
    // What a proxy on this machine sends on comes from elsewhere.
    let is_forwarded = ["forwarded", "x-forwarded-for"]
        .iter()
        .any(|name| request.headers().contains_key(*name));
    if !peer.address().is_loopback() || is_forwarded {
        caller?.expect(Role::Admin)?;
    }
    let shared = Arc::clone(&app);
    let text = app.pool.run(move || {
        let (held, _) = shared.jobs.held()?;
        let mut moment = vec![
            (
                "cento_uptime_seconds",
                "Since the start",
                shared.started.elapsed().as_secs_f64(),
            ),
            (
                "cento_jobs",
                "Jobs that wait or run",
                shared.jobs.count() as f64,
            ),
            (
                "cento_text_held_bytes",
                "Uploads and results that are kept",
                held as f64,
            ),
            (
                "cento_waiting",
                "Requests that wait to be computed",
                shared.pool.waiting() as f64,
            ),
        ];
        if let Some((registry, writer)) = shared.registry.get() {
            let status = registry.snapshot().status()?;
            moment.extend([
                (
                    "cento_documents",
                    "Registered documents",
                    status.documents as f64,
                ),
                (
                    "cento_postings",
                    "Postings of the registry",
                    status.postings as f64,
                ),
                (
                    "cento_segments",
                    "Segments of the registry",
                    status.segments as f64,
                ),
                (
                    "cento_segment_bytes",
                    "Bytes of the segments",
                    status.bytes as f64,
                ),
                (
                    "cento_registrations_waiting",
                    "Documents that wait for a commit",
                    writer.waiting() as f64,
                ),
            ]);
        }
        moment.extend(care(&shared)?);
        Ok(shared.metrics.text(&moment))
    });
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    Ok((StatusCode::OK, kind, text.await?).into_response())
}

/// How old checks and backups are, and what they came to; nothing of what there has never been.
fn care(app: &App) -> Result<Vec<(&'static str, &'static str, f64)>, Problem> {
    let now = time::now();
    let age = |outcome: &Value| Some((now - ended(outcome)?).max(0) as f64);
    let mut moment = Vec::new();
    let check = check::latest(&app.store)?;
    if let Some(age) = age(&check) {
        let faults = check["fault_count"].as_f64().unwrap_or_default();
        moment.extend([
            ("cento_check_age_seconds", "Since the latest check", age),
            ("cento_check_faults", "What the latest check found", faults),
        ]);
    }
    if app.config.backups.is_none() {
        return Ok(moment);
    }
    if let Some(age) = age(&Latest::read(&app.store)?.good) {
        let help = "Since the latest good backup";
        moment.push(("cento_backup_age_seconds", help, age));
    }
    moment.push((
        "cento_backup_failures_total",
        "Backups that failed since the start",
        app.copies.failures() as f64,
    ));
    Ok(moment)
}
