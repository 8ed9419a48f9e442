//! What all handlers share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use cento::index::registry::Snapshot;
use cento_jobs::Reader;
use cento_jobs::mail::Desk;
use cento_jobs::verify::Asked;
use serde_json::json;
use tokio::sync::watch;

use crate::api::{KeyCopy, NewRegistry};
use crate::audit::{Action, Audit};
use crate::auth::attempts::Attempts;
use crate::auth::institution::Institution;
use crate::auth::sessions::Sessions;
use crate::auth::turns::Turns;
use crate::auth::{Accounts, Role, secret};
use crate::config::Config;
use crate::error::Error;
use crate::events::Events;
use crate::http::hosts::Hosts;
use crate::http::metrics::Metrics;
use crate::http::pool::Pool;
use crate::http::rates::Rates;
use crate::jobs::Jobs;
use crate::jobs::verify::Question;
use crate::oracle::{Oracle, Sketch, Sketching, Verdict};
use crate::problem::Problem;
use crate::registry::{Checks, Copies, Shared, Writer};
use crate::store::Store;
use crate::time;

/// The server.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) store: Arc<Store>,
    pub(crate) accounts: Accounts,
    pub(crate) sessions: Sessions,
    pub(crate) audit: Audit,
    pub(crate) hosts: Hosts,
    pub(crate) jobs: Jobs,
    pub(crate) pool: Pool,
    pub(crate) rates: Rates,
    pub(crate) attempts: Attempts,
    /// At hashing passwords.
    pub(crate) turns: Turns,
    pub(crate) metrics: Metrics,
    pub(crate) oracle: Oracle,
    /// Reads documents that are sent one by one, not as a job.
    pub(crate) reader: Reader,
    /// Set at the start, or in the first run.
    pub(crate) registry: OnceLock<(Arc<Shared>, Writer)>,
    /// The thread that writes to it.
    pub(crate) writing: Mutex<Option<JoinHandle<()>>>,
    /// Held by the first run; what it has made so far.
    pub(crate) setting_up: Mutex<Option<NewRegistry>>,
    /// Who may copy a new key.
    pub(crate) key_copy: Mutex<Option<KeyCopy>>,
    /// The store of messages, if there is one.
    pub(crate) mail: Option<Arc<Desk>>,
    /// The command that hears what happens.
    pub(crate) events: Events,
    pub(crate) checks: Checks,
    pub(crate) copies: Copies,
    /// Whether people have to log in: it changes when the first account is made.
    pub(crate) has_accounts: AtomicBool,
    /// If people log in elsewhere.
    pub(crate) institution: Option<Institution>,
    /// The hash of the token in the address that was printed, until somebody has used it.
    pub(crate) way_in: Mutex<Option<[u8; 32]>>,
    pub(crate) started: Instant,
    pub(crate) is_ready: AtomicBool,
    /// Becomes true when the server stops.
    pub(crate) stopping: watch::Sender<bool>,
}

impl App {
    pub(crate) fn registry(&self) -> Result<&(Arc<Shared>, Writer), Problem> {
        self.registry.get().ok_or_else(Problem::no_registry)
    }

    /// Uses the token of the printed address, once.
    pub(crate) fn take_way_in(&self, token: &str) -> bool {
        let mut way_in = self.way_in.lock().unwrap_or_else(PoisonError::into_inner);
        let given = secret::token_hash(token);
        let is_right = way_in.is_some_and(|hash| secret::equal(&hash, &given));
        if is_right {
            *way_in = None;
        }
        is_right
    }

    pub(crate) fn has_accounts(&self) -> bool {
        self.has_accounts.load(Ordering::Relaxed)
    }

    /// From now on people have to log in; those who came without an account have to, too.
    pub(crate) fn start_having_accounts(&self) -> Result<(), Error> {
        if !self.has_accounts.swap(true, Ordering::Relaxed) {
            self.sessions.close_visitors()?;
        }
        Ok(())
    }

    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed) && !*self.stopping.borrow()
    }

    /// Refuses a question if nearly the same text has been asked about too often. Those who may
    /// verify are noted in the audit log, not slowed.
    pub(crate) fn expect_budget(
        &self,
        question: &Question,
        asked: &Asked<'_>,
        snapshot: &Snapshot,
    ) -> Result<(), Problem> {
        if question.role > Role::Submit {
            return Ok(());
        }
        let query = asked.query;
        let text = (asked.text)().map_err(Problem::unusable)?;
        let sketch = Sketch::of(&Sketching {
            query,
            text: &text,
            snapshot,
        });
        let verdict = self.oracle.ask(&question.account, &sketch, time::now())?;
        let Verdict::Wait(wait) = verdict else {
            return Ok(());
        };
        let about = json!({"document": query.id, "seconds": wait.as_secs()});
        self.audit.write(&question.account, Action::Slowed, &about);
        // The same words whatever the reason: which one it is would be an answer.
        let detail = format!("not answered; ask again after {}", time::span(wait));
        Err(Problem::over_budget(detail, wait))
    }
}
