//! Who did what: one row for each registration, verification, removal, login and refusal. No text.

use std::sync::Arc;

use rusqlite::params;
use serde_json::{Value, json};

use crate::error::Error;
use crate::store::Store;
use crate::{log, time};

/// The log of a server.
pub(crate) struct Audit {
    store: Arc<Store>,
}

/// What somebody did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    LoggedIn,
    LoginRefused,
    LoggedOut,
    Tested,
    Verified,
    Registered,
    Forgot,
    /// The registry was checked for damage.
    Checked,
    BackedUp,
    Cancelled,
    AddedAccount,
    ChangedAccount,
    RemovedAccount,
    ChangedPassword,
    /// Somebody did not know the old password.
    PasswordRefused,
    ResetPassword,
    EndedSessions,
    RevokedTokens,
    /// A verification was refused because of many that were alike.
    Slowed,
    /// The key of a new registry was given to whoever made it.
    CopiedKey,
    /// Somebody said what pairs of a report are.
    Decided,
    /// Somebody said that messages are bulk, or wanted.
    MarkedMessage,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::LoggedIn => "logged-in",
            Action::LoginRefused => "login-refused",
            Action::LoggedOut => "logged-out",
            Action::Tested => "tested",
            Action::Verified => "verified",
            Action::Registered => "registered",
            Action::Forgot => "forgot",
            Action::Checked => "checked",
            Action::BackedUp => "backed-up",
            Action::Cancelled => "cancelled",
            Action::AddedAccount => "added-account",
            Action::ChangedAccount => "changed-account",
            Action::RemovedAccount => "removed-account",
            Action::ChangedPassword => "changed-password",
            Action::PasswordRefused => "password-refused",
            Action::ResetPassword => "reset-password",
            Action::EndedSessions => "ended-sessions",
            Action::RevokedTokens => "revoked-tokens",
            Action::Slowed => "slowed",
            Action::CopiedKey => "copied-key",
            Action::Decided => "decided",
            Action::MarkedMessage => "marked-message",
        }
    }
}

impl Audit {
    pub(crate) fn of(store: Arc<Store>) -> Audit {
        Audit { store }
    }

    /// Writes something down.
    pub(crate) fn write(&self, account: &str, action: Action, detail: &Value) {
        let written = self.store.run(|connection| {
            let sql = "INSERT INTO audit (at, account, action, detail) VALUES (?1, ?2, ?3, ?4)";
            let mut statement = connection.prepare_cached(sql)?;
            let values = params![time::now(), account, action.name(), detail.to_string()];
            statement.execute(values)
        });
        if let Err(error) = written {
            log::fault("the audit log", &error);
        }
    }

    /// The latest entries before a number, latest first.
    pub(crate) fn read(&self, before: Option<u64>, limit: u32) -> Result<Vec<Value>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT number, at, account, action, detail FROM audit \
                       WHERE number < ?1 ORDER BY number DESC LIMIT ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let before = before.and_then(|before| i64::try_from(before).ok());
            let values = params![before.unwrap_or(i64::MAX), limit];
            let rows = statement.query_map(values, |row| {
                let detail: String = row.get(4)?;
                Ok(json!({
                    "number": row.get::<_, i64>(0)?,
                    "time": time::text(row.get(1)?),
                    "account": row.get::<_, String>(2)?,
                    "action": row.get::<_, String>(3)?,
                    "detail": serde_json::from_str::<Value>(&detail).unwrap_or(Value::Null),
                }))
            })?;
            rows.collect()
        })
    }
}
