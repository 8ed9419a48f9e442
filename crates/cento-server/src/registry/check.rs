//! Checks of the registry, when an administrator or the clock asks for one: one at a time, beside
//! everything else.

use std::sync::Arc;

use cento::index::registry::Checked;
use cento_jobs::Watch;
use cento_jobs::registry::check::run_at;
use serde_json::{Value, json};

use super::under_way::UnderWay;
use crate::app::App;
use crate::audit::Action;
use crate::config::Place;
use crate::error::Error;
use crate::store::Store;
use crate::{log, time};

/// Under which name the latest outcome is kept.
const LATEST: &str = "latest check";
/// How many faults are kept: one for every document would fill the page.
const FAULTS: usize = 100;

/// Checks of this run.
#[derive(Default)]
pub(crate) struct Checks {
    pub(crate) under_way: UnderWay,
}

impl Checks {
    /// Starts a check in the background. False if one is under way.
    pub(crate) fn start(&self, app: &Arc<App>, place: &Place, account: &str) -> bool {
        let Some(running) = self.under_way.begin() else {
            return false;
        };
        let (app, place, account) = (Arc::clone(app), place.clone(), account.to_owned());
        std::thread::spawn(move || {
            // The end of the server interrupts it; then the one before stays the latest.
            if let Some(outcome) = outcome(&app, &place, &account) {
                keep(&app, &account, &outcome);
            }
            drop(running);
        });
        true
    }
}

/// What the latest check found; null if there was none.
pub(crate) fn latest(store: &Store) -> Result<Value, Error> {
    let note = store.note(LATEST)?;
    let outcome = note.and_then(|note| serde_json::from_str(&note).ok());
    Ok(outcome.unwrap_or_default())
}

fn keep(app: &App, account: &str, outcome: &Value) {
    if let Err(error) = app.store.set_note(LATEST, &outcome.to_string()) {
        log::fault("noting the check of the registry", &error);
    }
    let faults = &outcome["fault_count"];
    let detail = json!({"documents": outcome["documents"], "faults": faults});
    app.audit.write(account, Action::Checked, &detail);
    if *faults != 0 {
        // Faults name documents; the page has them.
        log::fault("the check of the registry", &format!("{faults} found"));
    }
}

fn outcome(app: &App, place: &Place, account: &str) -> Option<Value> {
    let started = time::now_text();
    let is_stopping = || *app.stopping.borrow();
    let watch = Watch::new(&|_| (), &is_stopping);
    let checked = match run_at(&place.path, &place.key, &watch) {
        Ok(outcome) => outcome.checked,
        Err(_) if is_stopping() => return None,
        Err(error) => Checked {
            faults: vec![error.sentence()],
            ..Checked::default()
        },
    };
    Some(json!({
        "started": started,
        "ended": time::now_text(),
        "account": account,
        "documents": checked.documents,
        "postings": checked.postings,
        "fault_count": checked.faults.len(),
        "faults": checked.faults.iter().take(FAULTS).collect::<Vec<_>>(),
    }))
}
