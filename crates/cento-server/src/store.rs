//! The server's own database: accounts, logins, the audit log, jobs.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Transaction};

use crate::error::Error;

/// What makes each version of the database from the one before.
const STEPS: [&str; 3] = [
    include_str!("schema.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
];
/// "CENS": tells the database from those of other programs.
const APPLICATION: i64 = 0x4345_4e53;
const FILE: &str = "server.sqlite";

/// An open database. Statements are short, so one connection serves all threads.
pub(crate) struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl Store {
    /// Opens the database of a data folder; both are made if they are missing.
    pub(crate) fn open(data: &Path) -> Result<Store, Error> {
        crate::folder::make_private(data)?;
        let path = data.join(FILE);
        let open = || {
            let connection = Connection::open(&path)?;
            connection.busy_timeout(Duration::from_secs(10))?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "foreign_keys", "ON")?;
            connection.pragma_update(None, "secure_delete", "ON")?;
            Ok(connection)
        };
        let connection = open().map_err(|source| Error::Store {
            path: path.clone(),
            source,
        })?;
        crate::folder::make_file_private(&path)?;
        let store = Store {
            connection: Mutex::new(connection),
            path,
        };
        store.settle_version()?;
        Ok(store)
    }

    fn settle_version(&self) -> Result<(), Error> {
        let version = self.write(|transaction| {
            let version: i64 =
                transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
            let done = usize::try_from(version).unwrap_or(STEPS.len());
            for step in STEPS.iter().skip(done) {
                transaction.execute_batch(step)?;
            }
            if done < STEPS.len() {
                transaction.pragma_update(None, "application_id", APPLICATION)?;
                transaction.pragma_update(None, "user_version", STEPS.len())?;
            }
            Ok(version)
        })?;
        let newest = STEPS.len();
        if usize::try_from(version).is_ok_and(|version| version <= newest) {
            return Ok(());
        }
        Err(Error::Account(format!(
            "{}: it has version {version}, and this program reads versions up to {newest}",
            self.path.display()
        )))
    }

    /// Reads something, or changes it by a single statement.
    pub(crate) fn run<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        read(&self.lock()).map_err(|source| self.failed(source))
    }

    /// Changes something: all of it or nothing.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let mut connection = self.lock();
        let apply = || {
            let behaviour = rusqlite::TransactionBehavior::Immediate;
            let transaction = connection.transaction_with_behavior(behaviour)?;
            let result = change(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        apply().map_err(|source| self.failed(source))
    }

    /// A note of the last run.
    pub(crate) fn note(&self, name: &str) -> Result<Option<String>, Error> {
        self.run(|connection| {
            let sql = "SELECT value FROM notes WHERE name = ?1";
            let found = connection.query_row(sql, [name], |row| row.get(0));
            found.optional()
        })
    }

    /// Leaves a note for the next run.
    pub(crate) fn set_note(&self, name: &str, value: &str) -> Result<(), Error> {
        self.run(|connection| {
            let sql = "INSERT OR REPLACE INTO notes VALUES (?1, ?2)";
            connection.execute(sql, [name, value]).map(|_| ())
        })
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        // A transaction that a panic interrupted was rolled back.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, source: rusqlite::Error) -> Error {
        Error::Store {
            path: self.path.clone(),
            source,
        }
    }
}
