//! What a registrar wants to know: what is there, how it grows, what is held, who did what.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;
use crate::auth::{Caller, Role, Sets};
use crate::http::extract::Params;
use crate::problem::Problem;
use crate::registry::check;
use crate::registry::copies::Latest;
use crate::{folder, time};

/// `GET /status`: how much there is, and how much text is held until when.
pub(crate) async fn show(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<Json<Value>, Problem> {
    let shared = Arc::clone(&app);
    let (role, sets) = (caller.role(), caller.sets().clone());
    let told = app.pool.run(move || {
        let (bytes, until) = shared.jobs.held()?;
        let registry = match shared.registry.get() {
            None => Value::Null,
            Some((registry, _)) => {
                let status = registry.snapshot().status()?;
                let shown = status
                    .sets
                    .iter()
                    .filter(|(set, _)| sets.allow(set.as_deref()))
                    .map(|(set, documents)| json!({"set": set, "documents": documents}));
                let mut told = json!({
                    "retention": status.settings.retention.to_string(),
                    "recipe": status.settings.recipe.to_string(),
                    "sets": shown.collect::<Vec<Value>>(),
                });
                if role >= Role::Verify {
                    told["documents"] = json!(status.documents);
                    told["expired"] = json!(status.expired);
                    told["postings"] = json!(status.postings);
                    told["forgotten_postings"] = json!(status.removed_postings);
                    told["segments"] = json!(status.segments);
                    // Counting them reads all postings, and a status is asked for often.
                    told["pairs"] = Value::Null;
                    told["created"] = json!(status.created);
                }
                if role == Role::Admin {
                    told["bytes"] = json!(folder::bytes(&registry.place().path));
                    told["kept_bytes"] = json!(status.retained_bytes);
                    told["growth"] = growth(&registry.snapshot())?;
                    told["check"] = latest_check(&shared, &sets)?;
                    told["backup"] = backups(&shared)?;
                }
                told
            }
        };
        Ok(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "uptime_seconds": shared.started.elapsed().as_secs(),
            "registry": registry,
            "text_held": {
                "bytes": bytes,
                "until": until.map(time::text),
                "keep_seconds": shared.config.keep.as_secs(),
            },
            "jobs": shared.jobs.count(),
        }))
    });
    Ok(Json(told.await?))
}

/// `POST /check`: looks for damage, in the background; the status tells what was found.
pub(crate) async fn start_check(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<(StatusCode, Json<Value>), Problem> {
    caller.expect(Role::Admin)?;
    let (registry, _) = app.registry()?;
    if !app.checks.start(&app, registry.place(), caller.name()) {
        return Err(Problem::conflict("a check is already running"));
    }
    Ok((StatusCode::ACCEPTED, Json(json!({"under_way": true}))))
}

/// `POST /backup`: brings the copy of the registry up to date, in the background; the status tells how
/// it went.
pub(crate) async fn start_backup(
    State(app): State<Arc<App>>,
    caller: Caller,
) -> Result<(StatusCode, Json<Value>), Problem> {
    caller.expect(Role::Admin)?;
    let (registry, _) = app.registry()?;
    let Some(backups) = &app.config.backups else {
        return Err(Problem::conflict("this server makes no backups"));
    };
    let started = app
        .copies
        .start(&app, registry.place(), &backups.to, caller.name());
    if !started {
        return Err(Problem::conflict("a backup is already being made"));
    }
    Ok((StatusCode::ACCEPTED, Json(json!({"under_way": true}))))
}

/// How the backups stand; null if the server makes none.
fn backups(app: &App) -> Result<Value, Problem> {
    let Some(backups) = &app.config.backups else {
        return Ok(Value::Null);
    };
    let latest = Latest::read(&app.store)?;
    Ok(json!({
        "under_way": app.copies.under_way.now(),
        "every_seconds": backups.every.as_secs(),
        "to": backups.to.display().to_string(),
        "summary": latest.sentence(time::now()),
        "latest": latest.any,
        "latest_good": latest.good,
    }))
}

/// What the latest check of the registry found, and whether another is under way.
fn latest_check(app: &App, sets: &Sets) -> Result<Value, Problem> {
    let mut latest = check::latest(&app.store)?;
    // Faults name documents.
    if sets.0.is_some() && latest.is_object() {
        latest["faults"] = json!([]);
    }
    Ok(json!({
        "under_way": app.checks.under_way.now(),
        "every_seconds": app.config.check_every.map(|every| every.as_secs()),
        "latest": latest,
    }))
}

/// How many documents came on each of the last days that had any.
fn growth(snapshot: &cento::index::registry::Snapshot) -> Result<Value, Problem> {
    const DAYS: usize = 30;
    let mut days = std::collections::BTreeMap::<String, u64>::new();
    snapshot.entries(|entry| {
        let day: String = entry.facts.registered.chars().take(10).collect();
        *days.entry(day).or_default() += 1;
        Ok(())
    })?;
    let latest = days.into_iter().rev().take(DAYS);
    let mut latest: Vec<Value> = latest
        .map(|(day, documents)| json!({"day": day, "documents": documents}))
        .collect();
    latest.reverse();
    Ok(json!(latest))
}

/// The query of `GET /audit`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// Those before this number.
    before: Option<u64>,
    limit: Option<u32>,
}

/// `GET /audit`: who did what, latest first.
pub(crate) async fn audit(
    State(app): State<Arc<App>>,
    caller: Caller,
    Params(page): Params<Page>,
) -> Result<Json<Value>, Problem> {
    caller.expect(Role::Admin)?;
    let limit = page.limit.unwrap_or(100);
    if !(1..=1000).contains(&limit) {
        return Err(Problem::unusable("limit must be from 1 to 1000"));
    }
    let entries = app.audit.read(page.before, limit)?;
    Ok(Json(json!({"entries": entries})))
}
