//! Checks of the registry that an administrator asks for: one at a time, beside everything else.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cento::index::registry::Checked;
use cento_jobs::Watch;
use cento_jobs::registry::check::run_at;
use serde_json::{Value, json};

use crate::app::App;
use crate::audit::Action;
use crate::config::Place;
use crate::error::Error;
use crate::store::Store;
use crate::{log, time};

/// Whether a check is under way.
#[derive(Clone, Default)]
pub(crate) struct Checking(Arc<AtomicBool>);

/// Under which name the latest outcome is kept.
const LATEST: &str = "latest check";
/// How many faults are kept: one for every document would fill the page.
const FAULTS: usize = 100;

impl Checking {
    /// Starts a check in the background. False if one is under way.
    pub(crate) fn start(&self, app: &Arc<App>, place: &Place, account: &str) -> bool {
        if self.0.swap(true, Ordering::AcqRel) {
            return false;
        }
        let running = Running(self.clone());
        let (app, place, account) = (Arc::clone(app), place.clone(), account.to_owned());
        // It only reads, so the end of the server may interrupt it.
        std::thread::spawn(move || {
            let outcome = outcome(&place, &account);
            if let Err(error) = app.store.set_note(LATEST, &outcome.to_string()) {
                log::fault("noting the check of the registry", &error);
            }
            let detail =
                json!({"documents": outcome["documents"], "faults": outcome["fault_count"]});
            app.audit.write(&account, Action::Checked, &detail);
            drop(running);
        });
        true
    }

    pub(crate) fn is_under_way(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// What the latest check found; null if there was none.
pub(crate) fn latest(store: &Store) -> Result<Value, Error> {
    let note = store.note(LATEST)?;
    let outcome = note.and_then(|note| serde_json::from_str(&note).ok());
    Ok(outcome.unwrap_or_default())
}

/// Makes room for the next check when it goes, even if that is because of a panic.
struct Running(Checking);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.0.store(false, Ordering::Release);
    }
}

fn outcome(place: &Place, account: &str) -> Value {
    let started = time::now_text();
    let checked = match run_at(&place.path, &place.key, &Watch::NOBODY) {
        Ok(outcome) => outcome.checked,
        Err(error) => Checked {
            faults: vec![error.sentence()],
            ..Checked::default()
        },
    };
    json!({
        "started": started,
        "ended": time::now_text(),
        "account": account,
        "documents": checked.documents,
        "postings": checked.postings,
        "fault_count": checked.faults.len(),
        "faults": checked.faults.iter().take(FAULTS).collect::<Vec<_>>(),
    })
}
