//! Logins of browsers. A browser has a random name of its session in a cookie; only its hash is kept.

use std::sync::Arc;

use rusqlite::{OptionalExtension as _, params};

use super::accounts::{Account, account};
use super::secret;
use super::{Role, Sets};
use crate::error::Error;
use crate::store::Store;
use crate::time::{self, Seconds};

/// How long a login lasts.
pub(crate) const LASTS: Seconds = 12 * 3600;
/// The logins that there may be without an account; the oldest go first.
const ANONYMOUS: i64 = 10_000;

/// The logins of a server.
pub(crate) struct Sessions {
    store: Arc<Store>,
}

/// A login.
pub(crate) struct Session {
    pub(crate) account: Account,
    /// What every change that a page asks for has to name: other sites cannot know it.
    pub(crate) forms: String,
}

/// The secret of a new session; only its hash is kept here.
pub(crate) struct Opened {
    /// For the cookie.
    pub(crate) secret: String,
}

impl Sessions {
    pub(crate) fn of(store: Arc<Store>) -> Sessions {
        Sessions { store }
    }

    /// Begins a login under a new name. `account` is none for somebody without one, who then has
    /// this role everywhere.
    pub(crate) fn open(&self, account: Option<&str>, role: Role) -> Result<Opened, Error> {
        let (secret, forms) = (secret::new_token()?, secret::new_token()?);
        let hash = secret::token_hash(&secret);
        let now = time::now();
        self.store.write(|transaction| {
            let sql = "DELETE FROM sessions WHERE expires <= ?1";
            transaction.execute(sql, [now])?;
            let sql = "DELETE FROM sessions WHERE hash IN (SELECT hash FROM sessions \
                       WHERE account IS NULL ORDER BY expires DESC LIMIT -1 OFFSET ?1)";
            transaction.execute(sql, [ANONYMOUS])?;
            let sql = "INSERT INTO sessions VALUES (?1, ?2, ?3, ?4, ?5)";
            let role = role.to_string();
            transaction.execute(sql, params![hash, account, role, forms, now + LASTS])
        })?;
        Ok(Opened { secret })
    }

    /// The login with this name.
    pub(crate) fn find(&self, secret: &str) -> Result<Option<Session>, Error> {
        let hash = secret::token_hash(secret);
        self.store.run(|connection| {
            let sql = "SELECT coalesce(accounts.name, ''), coalesce(accounts.role, sessions.role), \
                       accounts.sets, forms, account IS NULL \
                       FROM sessions LEFT JOIN accounts ON account = name \
                       WHERE sessions.hash = ?1 AND expires > ?2 \
                       AND (account IS NULL OR account NOT IN (SELECT account FROM disabled))";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_row(params![hash, time::now()], |row| {
                let is_anonymous: bool = row.get(4)?;
                let account = if is_anonymous {
                    anonymous(row.get::<_, String>(1)?.parse().unwrap_or(Role::Submit))
                } else {
                    account(row)?
                };
                let forms = row.get(3)?;
                Ok(Session { account, forms })
            });
            found.optional()
        })
    }

    /// Ends a login.
    pub(crate) fn close(&self, secret: &str) -> Result<(), Error> {
        let hash = secret::token_hash(secret);
        self.store.run(|connection| {
            let sql = "DELETE FROM sessions WHERE hash = ?1";
            connection.execute(sql, [hash]).map(|_| ())
        })
    }

    /// Ends the logins of visitors on a server that was open to anyone.
    pub(crate) fn close_visitors(&self) -> Result<(), Error> {
        self.store.run(|connection| {
            let sql = "DELETE FROM sessions WHERE account IS NULL AND role <> 'admin'";
            connection.execute(sql, []).map(|_| ())
        })
    }

    /// Ends the logins of people without an account: those of an earlier run.
    pub(crate) fn close_anonymous(&self) -> Result<(), Error> {
        self.store.run(|connection| {
            let sql = "DELETE FROM sessions WHERE account IS NULL";
            connection.execute(sql, []).map(|_| ())
        })
    }
}

/// Somebody without an account. No account can have this name.
fn anonymous(role: Role) -> Account {
    let name = match role {
        Role::Admin => "(this machine)",
        Role::Submit | Role::Verify => "(anyone)",
    };
    Account {
        name: name.to_owned(),
        role,
        sets: Sets::default(),
    }
}
