//! Copies of the registry in another folder, when an administrator or the clock asks for one: one at a
//! time. Nobody who writes waits for them.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cento_jobs::Watch;
use cento_jobs::registry::backup::run_at;
use serde_json::{Value, json};

use super::under_way::UnderWay;
use crate::app::App;
use crate::audit::Action;
use crate::config::Place;
use crate::error::Error;
use crate::log;
use crate::store::Store;
use crate::time::{self, Seconds};

/// Under which names the latest outcome, and the latest that was good, are kept.
const LATEST: &str = "latest backup";
const GOOD: &str = "latest good backup";

/// Copies of this run.
#[derive(Default)]
pub(crate) struct Copies {
    pub(crate) under_way: UnderWay,
    failures: AtomicU64,
}

/// What became of the latest copies: null where there is none.
#[derive(Default)]
pub(crate) struct Latest {
    pub(crate) any: Value,
    pub(crate) good: Value,
}

impl Copies {
    /// Starts a copy in the background. False if one is under way.
    pub(crate) fn start(&self, app: &Arc<App>, place: &Place, to: &Path, account: &str) -> bool {
        let Some(running) = self.under_way.begin() else {
            return false;
        };
        let (app, place, to) = (Arc::clone(app), place.clone(), to.to_owned());
        let account = account.to_owned();
        std::thread::spawn(move || {
            // The end of the server interrupts it; the copy from before stays as it is.
            if let Some(outcome) = outcome(&app, &place, &to, &account) {
                app.copies.keep(&app, &account, &outcome);
            }
            drop(running);
        });
        true
    }

    /// How many have failed since the start.
    pub(crate) fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    fn keep(&self, app: &App, account: &str, outcome: &Value) {
        let mut names = vec![LATEST];
        let mut detail = json!({"segments": outcome["copied"], "bytes": outcome["bytes"]});
        if outcome["error"].is_null() {
            names.push(GOOD);
        } else {
            self.failures.fetch_add(1, Ordering::Relaxed);
            detail = json!({"error": outcome["error"]});
            log::fault("the backup", &outcome["error"].as_str().unwrap_or_default());
        }
        for name in names {
            if let Err(error) = app.store.set_note(name, &outcome.to_string()) {
                log::fault("noting the backup", &error);
            }
        }
        app.audit.write(account, Action::BackedUp, &detail);
    }
}

impl Latest {
    pub(crate) fn read(store: &Store) -> Result<Latest, Error> {
        let read = |name| {
            let note = store.note(name)?;
            let outcome = note.and_then(|note| serde_json::from_str(&note).ok());
            Ok::<Value, Error>(outcome.unwrap_or_default())
        };
        Ok(Latest {
            any: read(LATEST)?,
            good: read(GOOD)?,
        })
    }

    /// How they stand, for people.
    pub(crate) fn sentence(&self, now: Seconds) -> String {
        let age = |outcome: &Value| {
            let ended = ended(outcome).unwrap_or(now);
            time::span(time::until(now, ended))
        };
        let (latest, good) = (&self.any, &self.good);
        if latest.is_null() {
            return "there has been no backup yet".to_owned();
        }
        let Some(error) = latest["error"].as_str() else {
            return format!("the last backup is {} old", age(latest));
        };
        let before = if good.is_null() {
            "there is no good one".to_owned()
        } else {
            format!("the last good one is {} old", age(good))
        };
        format!(
            "the last backup failed {} ago: {error}; {before}",
            age(latest)
        )
    }
}

/// When something was done.
pub(crate) fn ended(outcome: &Value) -> Option<Seconds> {
    time::parse(outcome["ended"].as_str()?)
}

fn outcome(app: &App, place: &Place, to: &Path, account: &str) -> Option<Value> {
    let started = time::now_text();
    let is_stopping = || *app.stopping.borrow();
    let done = run_at(&place.path, to, &Watch::new(&|_| (), &is_stopping));
    if done.is_err() && is_stopping() {
        return None;
    }
    let mut outcome = json!({
        "started": started, "ended": time::now_text(), "account": account, "error": null,
    });
    match done {
        Ok(done) => {
            outcome["segments"] = json!(done.segments);
            outcome["copied"] = json!(done.copied);
            outcome["bytes"] = json!(done.bytes);
        }
        Err(error) => outcome["error"] = json!(error.sentence()),
    }
    Some(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_backups_stand() {
        let day = 86_400;
        let good = |at| json!({"ended": time::text(at), "error": null});
        let failed = |at| json!({"ended": time::text(at), "error": "the disk is full"});
        let sentence = |any, good| Latest { any, good }.sentence(10 * day);
        assert_eq!(
            sentence(Value::Null, Value::Null),
            "there has been no backup yet"
        );
        let latest = good(10 * day - 7200);
        assert_eq!(
            sentence(latest.clone(), latest),
            "the last backup is 2 hours old"
        );
        assert_eq!(
            sentence(failed(10 * day - 3 * 3600), good(8 * day)),
            "the last backup failed 3 hours ago: the disk is full; the last good one is 2 days old"
        );
        assert_eq!(
            sentence(failed(10 * day - 60), Value::Null),
            "the last backup failed 60 seconds ago: the disk is full; there is no good one"
        );
    }
}
