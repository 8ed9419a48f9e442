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
    store: Arc<Store>,
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
        expect_name(&account.name)?;
        let password = match password {
            Some(short) if short.chars().count() < 10 => {
                let problem = "a password must have at least 10 characters";
                return Err(Error::Account(problem.to_owned()));
            }
            Some(password) => password.to_owned(),
            None => secret::new_name()?,
        };
        if !self.insert(account, &Kept::of(&password)?)? {
            let name = &account.name;
            return Err(Error::Account(format!(
                "{name}: this account exists already"
            )));
        }
        Ok(password)
    }

    /// Makes an account that nobody can log in to with a password. False if there is one already.
    pub(crate) fn add_without_password(&self, account: &Account) -> Result<bool, Error> {
        expect_name(&account.name)?;
        self.insert(account, &Kept::nobodys())
    }

    fn insert(&self, account: &Account, kept: &Kept) -> Result<bool, Error> {
        let sets = account.sets.0.as_ref();
        let sets = sets.map(|sets| serde_json::json!(sets).to_string());
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
        let accounts: Vec<(Account, i64)> = self.store.run(|connection| {
            let sql = "SELECT name, role, sets, created FROM accounts ORDER BY name";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((account(row)?, row.get(3)?)))?;
            rows.collect()
        })?;
        let listed = accounts.into_iter().map(|(account, created)| {
            let tokens = self.store.run(|connection| {
                let sql = "SELECT label FROM tokens WHERE account = ?1 ORDER BY created, label";
                let mut statement = connection.prepare(sql)?;
                statement
                    .query_map([&account.name], |row| row.get(0))?
                    .collect()
            })?;
            Ok(Listed {
                account,
                created: time::text(created),
                tokens,
            })
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

    /// The account with this name, and what is kept of its password.
    pub(crate) fn find(&self, name: &str) -> Result<Option<(Account, Kept)>, Error> {
        self.store.run(|connection| {
            let sql = "SELECT name, role, sets, salt, hash FROM accounts WHERE name = ?1";
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
                       WHERE tokens.hash = ?1";
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

fn expect_name(name: &str) -> Result<(), Error> {
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
