//! How often messages were seen, for programs that speak HTTP.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use cento_jobs::mail::mark::Change;
use cento_jobs::mail::{Checked, Desk, stats};
use cento_jobs::{Error, InMemory};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::audit::Action;
use crate::auth::{Caller, Role};
use crate::http::extract::{Params, Sent};
use crate::problem::Problem;
use crate::time;

/// The query of `POST /mail/checks`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct About {
    /// What it is called.
    name: Option<String>,
    /// Whether it is only asked about.
    look: Option<bool>,
    /// Seen so often in a day it is bulk.
    bulk_from: Option<u64>,
}

/// `POST /mail/checks`: how often the message in the body was seen before; it is counted.
pub(crate) async fn check(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(about): Params<About>,
    Sent(bytes): Sent,
) -> Result<Json<Checked>, Problem> {
    caller.expect(Role::Verify)?;
    let desk = desk(&app)?;
    let bulk_from = about
        .bulk_from
        .unwrap_or(cento_jobs::mail::check::Options::BULK_FROM);
    let count = !about.look.unwrap_or(false);
    let message = message(about.name, bytes);
    let checked = app.pool.run(move || {
        let checked = desk.check(&message, now(), count, bulk_from);
        checked.map_err(|error| problem(&error))
    });
    Ok(Json(checked.await?))
}

/// The query of `POST /mail/marks`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Said {
    name: Option<String>,
    mark: Change,
}

/// `POST /mail/marks`: what messages like the one in the body are.
pub(crate) async fn mark(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(said): Params<Said>,
    Sent(bytes): Sent,
) -> Result<Json<Checked>, Problem> {
    caller.expect(Role::Verify)?;
    let desk = desk(&app)?;
    let message = message(said.name, bytes);
    let audited = json!({"message": message.name, "mark": said.mark});
    let marked = app.pool.run(move || {
        let marked = desk.mark(&message, said.mark.mark(), now());
        marked.map_err(|error| problem(&error))
    });
    let marked = marked.await?;
    app.audit
        .write(caller.name(), Action::MarkedMessage, &audited);
    Ok(Json(marked))
}

/// `GET /mail/stats`: what is in the store.
pub(crate) async fn show_stats(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<stats::Outcome>, Problem> {
    caller.expect(Role::Verify)?;
    let desk = desk(&app)?;
    let stats = app
        .pool
        .run(move || stats::of(&desk, now()).map_err(|error| problem(&error)));
    Ok(Json(stats.await?))
}

fn desk(app: &App) -> Result<Arc<Desk>, Problem> {
    let desk = app.mail.as_ref().map(Arc::clone);
    desk.ok_or_else(Problem::no_mail_store)
}

fn message(name: Option<String>, bytes: Vec<u8>) -> InMemory {
    let name = name.filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "message".to_owned());
    InMemory { name, bytes }
}

fn now() -> u64 {
    u64::try_from(time::now()).unwrap_or(0)
}

/// A message that cannot be read is the caller's, a store that fails is ours.
fn problem(error: &Error) -> Problem {
    match error {
        Error::At { source, .. } if matches!(**source, Error::Ingest(_)) => {
            Problem::unusable(error.sentence())
        }
        error => Problem::store_failed(&error.sentence()),
    }
}
