//! The HTTP API: every route in one table.

mod accounts;
mod bulk;
mod decisions;
mod documents;
mod hosted;
mod job;
mod mail;
mod openapi;
mod operation;
mod session;
mod setup;
mod status;
mod verification;

use std::convert::Infallible;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_request};
use axum::routing::{delete, get, patch, post};

use crate::app::App;
use crate::http::body::in_pieces;
use crate::http::guard::guard;
use crate::pages;
use crate::problem::Problem;

pub(crate) use session::enter;
pub(crate) use setup::{KeyCopy, NewRegistry};

/// Everything that the server answers.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let upload = usize::try_from(app.config.limits.upload).unwrap_or(usize::MAX);
    let api = Router::new()
        .route("/openapi.json", get(openapi::document))
        .route(
            "/session",
            get(session::show)
                .post(session::log_in)
                .delete(session::log_out),
        )
        .route(
            "/jobs",
            get(job::list)
                .post(job::create)
                .layer::<_, Infallible>(map_request(in_pieces))
                // Names and boundaries come on top of the files.
                .layer(DefaultBodyLimit::max(
                    upload.saturating_add(job::AROUND_FILES),
                )),
        )
        .route("/setup", post(setup::make))
        .route("/setup/key", post(setup::copy_key))
        .route("/jobs/{id}", get(job::show).delete(job::remove))
        .route("/jobs/{id}/preview", get(job::preview))
        .route("/jobs/{id}/start", post(job::go_on))
        .route(
            "/jobs/{id}/decisions",
            get(decisions::list).post(decisions::decide),
        )
        .route("/jobs/{id}/events", get(job::events))
        .route("/jobs/{id}/report.json", get(job::data))
        .route("/jobs/{id}/report.csv", get(job::table))
        .route("/jobs/{id}/report.html", get(job::page))
        .route("/verifications", post(verification::verify))
        .route("/documents", get(documents::list).post(documents::register))
        .route("/documents/bulk", post(bulk::import))
        .route("/forget", post(documents::forget))
        .route("/mail/checks", post(mail::check))
        .route("/mail/marks", post(mail::mark))
        .route("/mail/stats", get(mail::show_stats))
        .route("/status", get(status::show))
        .route("/check", post(status::start_check))
        .route("/backup", post(status::start_backup))
        .route("/audit", get(status::audit))
        .route("/password", post(accounts::change_own_password))
        .route("/sessions", delete(accounts::end_own_sessions))
        .route("/accounts", get(accounts::list).post(accounts::add))
        .route(
            "/accounts/{name}",
            patch(accounts::change).delete(accounts::remove),
        )
        .route("/accounts/{name}/password", post(accounts::reset_password))
        .route("/accounts/{name}/sessions", delete(accounts::end_sessions))
        .route("/accounts/{name}/tokens", delete(accounts::revoke_tokens));
    Router::new()
        .nest("/api/v1", api)
        .route("/open", get(session::open))
        .route("/jobs/{id}/report", get(hosted::page))
        .route("/healthz", get(operation::health))
        .route("/readyz", get(operation::ready))
        .route("/metrics", get(operation::metrics))
        .merge(pages::routes())
        .fallback(|| async { Problem::not_found("there is nothing at this address") })
        .method_not_allowed_fallback(|| async { Problem::wrong_method() })
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}
