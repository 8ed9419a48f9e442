//! For those who watch the server.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::app::App;
use crate::auth::{Caller, Role};
use crate::http::Peer;
use crate::problem::Problem;

/// `GET /healthz`: the process answers.
pub(crate) async fn health() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: it takes requests.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Problem> {
    if app.is_ready() {
        return Ok("ready\n");
    }
    Err(Problem::unavailable("the server is starting or stopping"))
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
        if let Some((registry, writer)) = &shared.registry {
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
        Ok(shared.metrics.text(&moment))
    });
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    Ok((StatusCode::OK, kind, text.await?).into_response())
}
