//! People and programs that may log in.

use std::path::Path;
use std::sync::Arc;

use rusqlite::{OptionalExtension as _, Row, params};

use super::secret::{self, Kept};
use super::{Role, Sets};
use crate::error::Error;
use crate::store::Store;
use crate::time;

/// What begins every API token, so that one that leaked is recognised.
const TOKEN: &str = "cento_";

/// The accounts of a server.
pub struct Accounts {
    pub(super) store: Arc<Store>,
}

/// Somebody who may log in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The name.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Where they may do it.
    pub sets: Sets,
}

impl Account {
    /// Whether it may administer everything, not only sets of its own.
    pub(crate) fn administers_everything(&self) -> bool {
        self.role == Role::Admin && self.sets.0.is_none()
    }

    /// Whether it stands for those who have none.
    pub(crate) fn is_anonymous(&self) -> bool {
        // No account can have such a name.
        self.name.starts_with('(')
    }
}

/// An account with what is on record about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The account.
    pub account: Account,
    /// When it was made, in UTC.
    pub created: String,
    /// What its tokens are called.
    pub tokens: Vec<String>,
    /// Whether it cannot be used for now.
    pub is_disabled: bool,
    /// How many browsers are logged in.
    pub sessions: u64,
}

impl Accounts {
    /// The accounts of the server with this data folder.
    pub fn open(data: &Path) -> Result<Accounts, Error> {
        Ok(Accounts::of(Arc::new(Store::open(data)?)))
    }

    pub(crate) fn of(store: Arc<Store>) -> Accounts {
        Accounts { store }
    }

    /// Makes an account. Without a password one is made up; it is given back, and kept nowhere.
    pub fn add(&self, account: &Account, password: Option<&str>) -> Result<String, Error> {
        let password = chosen_or_new(password)?;
        if !self.insert(account, &Kept::of(&password)?)? {
            let name = &account.name;
            return Err(Error::Account(format!(
                "{name}: this account exists already"
            )));
        }
        Ok(password)
    }

    /// Gives an account another password and ends its logins. Without a password one is made up; it is
    /// given back, and kept nowhere.
    pub fn reset_password(&self, name: &str, password: Option<&str>) -> Result<String, Error> {
        let password = chosen_or_new(password)?;
        let changed = self.set_password(name, &Kept::of(&password)?, None)?;
        expect_one(usize::from(changed.is_ok()), name)?;
        Ok(password)
    }

    /// Makes an account that nobody can log in to with a password. False if there is one already.
    pub(crate) fn add_without_password(&self, account: &Account) -> Result<bool, Error> {
        self.insert(account, &Kept::nobodys())
    }

    /// Makes an account. False if there is one already.
    pub(crate) fn insert(&self, account: &Account, kept: &Kept) -> Result<bool, Error> {
        expect_name(&account.name)?;
        let sets = account.sets.as_json();
        let added = self.store.run(|connection| {
            let sql = "INSERT INTO accounts VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING";
            let role = account.role.to_string();
            let values = params![account.name, role, sets, kept.salt, kept.hash, time::now()];
            connection.execute(sql, values)
        })?;
        Ok(added > 0)
    }

    /// Removes an account with its logins and tokens.
    pub fn remove(&self, name: &str) -> Result<(), Error> {
        let removed = self
            .store
            .run(|connection| connection.execute("DELETE FROM accounts WHERE name = ?1", [name]))?;
        expect_one(removed, name)
    }

    /// Makes a token for programs. It is given back once, and only its hash is kept.
    pub fn new_token(&self, name: &str, label: &str) -> Result<String, Error> {
        let token = format!("{TOKEN}{}", secret::new_token()?);
        let hash = secret::token_hash(&token);
        let made = self.store.run(|connection| {
            let sql = "INSERT INTO tokens SELECT ?1, name, ?2, ?3 FROM accounts WHERE name = ?4";
            connection.execute(sql, params![hash, label, time::now(), name])
        })?;
        expect_one(made, name)?;
        Ok(token)
    }

    /// Takes the tokens of an account with this label back.
    pub fn revoke(&self, name: &str, label: &str) -> Result<usize, Error> {
        self.store.run(|connection| {
            let sql = "DELETE FROM tokens WHERE account = ?1 AND label = ?2";
            connection.execute(sql, [name, label])
        })
    }

    /// All accounts, by name.
    pub fn list(&self) -> Result<Vec<Listed>, Error> {
        let now = time::now();
        let listed: Vec<Listed> = self.store.run(|connection| {
            let sql = "SELECT name, role, sets, created, EXISTS (SELECT 1 FROM disabled WHERE \
                       account = name), (SELECT count(*) FROM sessions WHERE account = name AND \
                       expires > ?1) FROM accounts ORDER BY name";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([now], |row| {
                Ok(Listed {
                    account: account(row)?,
                    created: time::text(row.get(3)?),
                    tokens: Vec::new(),
                    is_disabled: row.get(4)?,
                    sessions: row.get(5)?,
                })
            })?;
            rows.collect()
        })?;
        let listed = listed.into_iter().map(|listed| {
            let tokens = self.store.run(|connection| {
                let sql = "SELECT label FROM tokens WHERE account = ?1 ORDER BY created, label";
                let mut statement = connection.prepare(sql)?;
                let name = &listed.account.name;
                statement.query_map([name], |row| row.get(0))?.collect()
            })?;
            Ok(Listed { tokens, ..listed })
        });
        listed.collect()
    }

    /// Whether there are any.
    pub fn exist(&self) -> Result<bool, Error> {
        self.store.run(|connection| {
            let sql = "SELECT EXISTS (SELECT 1 FROM accounts)";
            connection.query_row(sql, [], |row| row.get(0))
        })
    }

    /// The account with this name, and what is kept of its password; none if it cannot be used.
    pub(crate) fn find(&self, name: &str) -> Result<Option<(Account, Kept)>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT name, role, sets, salt, hash FROM accounts WHERE name = ?1 \
                       AND name NOT IN (SELECT account FROM disabled)";
            let mut statement = connection.prepare_cached(sql)?;
            let found = statement.query_row([name], |row| {
                let (salt, hash) = (row.get(3)?, row.get(4)?);
                Ok((account(row)?, Kept { salt, hash }))
            });
            found.optional()
        })
    }

    /// The account that a token belongs to.
    pub(crate) fn of_token(&self, token: &str) -> Result<Option<Account>, Error> {
        if !token.starts_with(TOKEN) {
            return Ok(None);
        }
        let hash = secret::token_hash(token);
        self.store.run(|connection| {
            let sql = "SELECT name, role, sets FROM accounts JOIN tokens ON account = name \
                       WHERE tokens.hash = ?1 AND name NOT IN (SELECT account FROM disabled)";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row([hash], account).optional()
        })
    }
}

/// The account in the first three columns of a row.
pub(super) fn account(row: &Row<'_>) -> rusqlite::Result<Account> {
    let (role, sets): (String, Option<String>) = (row.get(1)?, row.get(2)?);
    // What cannot be read allows as little as possible.
    let sets = sets.map(|sets| serde_json::from_str(&sets).unwrap_or_default());
    Ok(Account {
        name: row.get(0)?,
        role: role.parse().unwrap_or(Role::Submit),
        sets: Sets(sets),
    })
}

/// The password that somebody chose, if it is long enough, or one that nobody can guess.
fn chosen_or_new(password: Option<&str>) -> Result<String, Error> {
    match password {
        Some(password) => expect_password(password).map(|()| password.to_owned()),
        None => secret::new_name(),
    }
}

pub(crate) fn expect_password(password: &str) -> Result<(), Error> {
    if password.chars().count() >= 10 {
        return Ok(());
    }
    let problem = "a password must have at least 10 characters";
    Err(Error::Account(problem.to_owned()))
}

pub(crate) fn expect_name(name: &str) -> Result<(), Error> {
    let is_plain = |c: char| c.is_alphanumeric() || "._-@+".contains(c);
    if (1..=64).contains(&name.chars().count()) && name.chars().all(is_plain) {
        return Ok(());
    }
    Err(Error::Account(format!(
        "{}: a name may have up to 64 letters, digits and . _ - @ +",
        name.escape_debug()
    )))
}

fn expect_one(changed: usize, name: &str) -> Result<(), Error> {
    match changed {
        0 => Err(Error::Account(format!(
            "{}: there is no such account",
            name.escape_debug()
        ))),
        _ => Ok(()),
    }
}
