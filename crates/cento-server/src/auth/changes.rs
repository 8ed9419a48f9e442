//! Changes of accounts that leave somebody who can undo them.

use rusqlite::{OptionalExtension as _, Transaction, params};

use super::accounts::{Account, Accounts, account};
use super::secret::Kept;
use super::{Role, Sets};
use crate::error::Error;
use crate::time;

/// What is to be different about an account.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    pub(crate) role: Option<Role>,
    pub(crate) sets: Option<Sets>,
    pub(crate) is_disabled: Option<bool>,
}

/// Why an account stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There is none of this name.
    Unknown,
    /// Nobody could administer the server afterwards.
    LastAdministrator,
}

impl Accounts {
    /// Changes an account; gives it as it is then.
    pub(crate) fn change(
        &self,
        name: &str,
        change: &Change,
    ) -> Result<Result<Account, Refused>, Error> {
        self.store.write(|transaction| {
            let Some(old) = find(transaction, name)? else {
                return Ok(Err(Refused::Unknown));
            };
            let new = Account {
                name: old.name.clone(),
                role: change.role.unwrap_or(old.role),
                sets: change.sets.clone().unwrap_or_else(|| old.sets.clone()),
            };
            let stays = new.administers_everything() && change.is_disabled != Some(true);
            if !stays && is_last_administrator(transaction, &old)? {
                return Ok(Err(Refused::LastAdministrator));
            }
            let sql = "UPDATE accounts SET role = ?2, sets = ?3 WHERE name = ?1";
            let values = params![name, new.role.to_string(), new.sets.as_json()];
            transaction.execute(sql, values)?;
            match change.is_disabled {
                None => {}
                Some(false) => {
                    transaction.execute("DELETE FROM disabled WHERE account = ?1", [name])?;
                }
                Some(true) => {
                    let sql = "INSERT OR IGNORE INTO disabled VALUES (?1, ?2)";
                    transaction.execute(sql, params![name, time::now()])?;
                    // They would be back with the account.
                    transaction.execute("DELETE FROM sessions WHERE account = ?1", [name])?;
                }
            }
            Ok(Ok(new))
        })
    }

    /// Removes an account with its logins and tokens, unless it is the last that administers.
    pub(crate) fn remove_unless_last(&self, name: &str) -> Result<Result<(), Refused>, Error> {
        self.store.write(|transaction| {
            let Some(old) = find(transaction, name)? else {
                return Ok(Err(Refused::Unknown));
            };
            if is_last_administrator(transaction, &old)? {
                return Ok(Err(Refused::LastAdministrator));
            }
            transaction.execute("DELETE FROM accounts WHERE name = ?1", [name])?;
            Ok(Ok(()))
        })
    }

    /// Gives an account another password. All logins with the old one end, but for one that may be
    /// named by its hash; gives how many.
    pub(crate) fn set_password(
        &self,
        name: &str,
        kept: &Kept,
        except: Option<[u8; 32]>,
    ) -> Result<Result<usize, Refused>, Error> {
        self.store.write(|transaction| {
            let sql = "UPDATE accounts SET salt = ?2, hash = ?3 WHERE name = ?1";
            let changed = transaction.execute(sql, params![name, kept.salt, kept.hash])?;
            if changed == 0 {
                return Ok(Err(Refused::Unknown));
            }
            let sql = "DELETE FROM sessions WHERE account = ?1 AND hash IS NOT ?2";
            Ok(Ok(transaction.execute(sql, params![name, except])?))
        })
    }

    /// Takes all tokens of an account back; gives how many.
    pub(crate) fn revoke_all(&self, name: &str) -> Result<Result<usize, Refused>, Error> {
        self.store.write(|transaction| {
            if find(transaction, name)?.is_none() {
                return Ok(Err(Refused::Unknown));
            }
            let sql = "DELETE FROM tokens WHERE account = ?1";
            Ok(Ok(transaction.execute(sql, [name])?))
        })
    }

    /// Ends the logins of an account, but for one that may be named by its hash; gives how many.
    pub(crate) fn end_sessions(
        &self,
        name: &str,
        except: Option<[u8; 32]>,
    ) -> Result<Result<usize, Refused>, Error> {
        self.store.write(|transaction| {
            if find(transaction, name)?.is_none() {
                return Ok(Err(Refused::Unknown));
            }
            let sql = "DELETE FROM sessions WHERE account = ?1 AND hash IS NOT ?2";
            Ok(Ok(transaction.execute(sql, params![name, except])?))
        })
    }

    /// Whether anybody can administer everything.
    pub(crate) fn have_administrator(&self) -> Result<bool, Error> {
        self.store
            .write(|transaction| Ok(other_administrators(transaction, "")? > 0))
    }
}

fn find(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<Option<Account>> {
    let sql = "SELECT name, role, sets FROM accounts WHERE name = ?1";
    transaction.query_row(sql, [name], account).optional()
}

fn is_last_administrator(
    transaction: &Transaction<'_>,
    account: &Account,
) -> rusqlite::Result<bool> {
    Ok(account.administers_everything() && other_administrators(transaction, &account.name)? == 0)
}

/// How many besides this one can log in and administer everything.
fn other_administrators(transaction: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
    let sql = "SELECT count(*) FROM accounts WHERE role = 'admin' AND sets IS NULL AND name <> ?1 \
               AND name NOT IN (SELECT account FROM disabled)";
    transaction.query_row(sql, [name], |row| row.get(0))
}
