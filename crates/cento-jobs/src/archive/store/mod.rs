//! The files of an archive: one `SQLite` database with everything in it, and a lock.

mod forgotten;
mod lock;
mod payloads;
mod versions;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, TransactionBehavior};

use self::lock::Lock;
pub(super) use self::payloads::{Near, PayloadId, digest};
pub use self::versions::Kind;
pub(super) use self::versions::Version;
use super::ArchiveOptions;
use crate::error::{Error, File as _, Result};
use crate::files;
use crate::watch::Watch;

/// The version of the format that this program writes.
const VERSION: i64 = 2;
/// The version before numbers of forgotten versions were remembered; writing to it makes it the present one.
const WITHOUT_FORGOTTEN: i64 = 1;
/// "CENA": tells the database from those of other programs.
const APPLICATION: i64 = 0x4345_4e41;
const SCHEMA: &str = include_str!("schema.sql");
const FORGOTTEN: &str = include_str!("forgotten.sql");
const CATALOG: &str = "catalog.sqlite";
/// The catalogue while it is being made; its journal has a longer name.
const UNFINISHED: &str = "catalog.sqlite.new";
/// How long a statement waits for another process to end its transaction.
const PATIENCE: Duration = Duration::from_secs(10);

/// An open archive.
pub(super) struct Store {
    connection: Connection,
    path: PathBuf,
    _lock: Option<Lock>,
}

impl Store {
    /// Makes an archive with these settings. It appears complete or not at all.
    pub(super) fn create(
        archive: &Path,
        settings: &[(&str, String)],
        watch: &Watch<'_>,
    ) -> Result<()> {
        let missing = files::missing(archive);
        let made = Store::make(archive, settings, watch);
        if made.is_err() && !archive.join(CATALOG).exists() {
            let _ = remove_unfinished(archive);
            if !missing.is_empty() {
                let _ = fs::remove_file(archive.join("lock"));
            }
            for folder in &missing {
                let _ = fs::remove_dir(folder);
            }
        }
        made
    }

    fn make(archive: &Path, settings: &[(&str, String)], watch: &Watch<'_>) -> Result<()> {
        if archive.is_file() {
            let reason = format!("{}: a file; give a folder", archive.display());
            return Err(Error::refused(reason));
        }
        files::make_folder(archive).of(archive)?;
        let _lock = Lock::take(archive, "archive init")?;
        let finished = archive.join(CATALOG);
        watch.cleaned_up(archive, remove_unfinished(archive)?);
        if finished.exists() {
            let reason = format!("{}: there is an archive already", archive.display());
            return Err(Error::refused(reason));
        }
        let path = archive.join(UNFINISHED);
        let create = || -> rusqlite::Result<Connection> {
            let mut connection = Connection::open(&path)?;
            // So that forgetting can give pages back.
            connection.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
            let transaction = connection.transaction()?;
            transaction.execute_batch(SCHEMA)?;
            transaction.execute_batch(FORGOTTEN)?;
            for (name, value) in settings {
                transaction.execute("INSERT INTO settings VALUES (?1, ?2)", [*name, value])?;
            }
            transaction.commit()?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", VERSION)?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            Ok(connection)
        };
        let connection = create().map_err(|source| failed(&path, &source))?;
        connection
            .close()
            .map_err(|(_, source)| failed(&path, &source))?;
        fs::File::open(&path)
            .and_then(|file| file.sync_all())
            .of(&path)?;
        fs::rename(&path, &finished).of(&path)?;
        files::sync_name(&finished).of(&finished)
    }

    /// Opens an archive to read what is committed now.
    pub(super) fn read(options: &ArchiveOptions) -> Result<Store> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let archive = &options.archive;
        let store = Store::with(archive, &archive.join(CATALOG), flags, None)?;
        let store = match store.begin() {
            Err(error) if is_closed(&error) && !store.journal().exists() => {
                // In a folder that nobody may write to there are no other processes to look out for.
                let path = immutable(&archive.join(CATALOG));
                let flags = flags | OpenFlags::SQLITE_OPEN_URI;
                let store = Store::with(archive, &path, flags, None)?;
                store
                    .begin()
                    .map_err(|source| failed(&store.path, &source))?;
                store
            }
            begun => {
                begun.map_err(|source| failed(&store.path, &source))?;
                store
            }
        };
        store.expect_version()?;
        Ok(store)
    }

    /// A transaction sees the state of its first read.
    fn begin(&self) -> rusqlite::Result<()> {
        self.connection.execute_batch("BEGIN")?;
        let sql = "SELECT count(*) FROM sqlite_schema";
        self.connection.query_row(sql, [], |_| Ok(()))
    }

    /// Opens an archive to write to it; others who want to write are told that `job` is running.
    pub(super) fn write(options: &ArchiveOptions, job: &str, watch: &Watch<'_>) -> Result<Store> {
        expect_archive(&options.archive)?;
        let lock = Lock::take(&options.archive, job)?;
        watch.cleaned_up(&options.archive, remove_unfinished(&options.archive)?);
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let path = options.archive.join(CATALOG);
        let mut store = Store::with(&options.archive, &path, flags, Some(lock))?;
        let version = store.expect_version()?;
        store.run(|connection| {
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            // A version that was acknowledged is on the disk.
            connection.pragma_update(None, "synchronous", "FULL")?;
            // What is forgotten is overwritten.
            connection.pragma_update(None, "secure_delete", "ON")?;
            // A check finds what refers to nothing; to look for it at every removal would take long.
            connection.pragma_update(None, "foreign_keys", "OFF")?;
            connection.pragma_update(None, "temp_store", "MEMORY")
        })?;
        if version == WITHOUT_FORGOTTEN {
            store.change(|tables| {
                tables.run(|connection| {
                    connection.execute_batch(FORGOTTEN)?;
                    connection.pragma_update(None, "user_version", VERSION)
                })
            })?;
        }
        Ok(store)
    }

    fn with(archive: &Path, at: &Path, flags: OpenFlags, lock: Option<Lock>) -> Result<Store> {
        expect_archive(archive)?;
        let path = archive.join(CATALOG);
        let open = || {
            let connection = Connection::open_with_flags(at, flags)?;
            connection.busy_timeout(PATIENCE)?;
            Ok(connection)
        };
        let connection = open().map_err(|source| failed(&path, &source))?;
        Ok(Store {
            connection,
            path,
            _lock: lock,
        })
    }

    fn expect_version(&self) -> Result<i64> {
        let pragma = |name: &str| -> Result<i64> {
            self.run(|connection| connection.pragma_query_value(None, name, |row| row.get(0)))
        };
        if pragma("application_id")? != APPLICATION {
            return Err(self.damaged("it is not the catalogue of an archive"));
        }
        match pragma("user_version")? {
            version @ (WITHOUT_FORGOTTEN | VERSION) => Ok(version),
            version if version > VERSION => Err(self.damaged(&format!(
                "a newer Cento made this archive: its format has version {version}, and this \
                 program reads version {VERSION}"
            ))),
            version => Err(self.damaged(&format!(
                "its format has version {version}, which is unknown"
            ))),
        }
    }

    /// A setting that the archive was made with.
    pub(super) fn setting(&self, name: &str) -> Result<String> {
        let sql = "SELECT value FROM settings WHERE name = ?1";
        let found = self.run(|connection| {
            let found = connection.query_row(sql, [name], |row| row.get(0));
            found.optional()
        })?;
        found.ok_or_else(|| self.damaged(&format!("its setting `{name}` is missing")))
    }

    /// What is in it, to read.
    pub(super) fn tables(&self) -> Tables<'_> {
        Tables {
            connection: &self.connection,
            path: &self.path,
        }
    }

    /// Changes something: all of it or nothing.
    pub(super) fn change<T>(&mut self, change: impl FnOnce(&Tables<'_>) -> Result<T>) -> Result<T> {
        let failed = |source: rusqlite::Error| failed(&self.path, &source);
        let behaviour = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behaviour);
        let transaction = transaction.map_err(failed)?;
        let tables = Tables {
            connection: &transaction,
            path: &self.path,
        };
        let result = change(&tables)?;
        transaction.commit().map_err(failed)?;
        Ok(result)
    }

    /// Gives the pages of what was removed back to the file system.
    pub(super) fn shrink(&self) -> Result<()> {
        self.run(|connection| {
            let mut free = connection.prepare("PRAGMA incremental_vacuum")?;
            let mut rows = free.query([])?;
            while rows.next()?.is_some() {}
            Ok(())
        })?;
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        self.run(|connection| connection.query_row(checkpoint, [], |_| Ok(())))
    }

    fn journal(&self) -> PathBuf {
        self.path.with_extension("sqlite-wal")
    }

    /// How many bytes its files have.
    pub(super) fn disk_bytes(&self) -> u64 {
        let length = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
        length(&self.path) + length(&self.journal())
    }

    fn run<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        self.tables().run(read)
    }

    /// The error of a catalogue that cannot be as it is.
    pub(super) fn damaged(&self, reason: &str) -> Error {
        self.tables().damaged(reason)
    }
}

/// The tables of an archive, in a transaction or as they are.
pub(super) struct Tables<'c> {
    connection: &'c Connection,
    path: &'c Path,
}

impl Tables<'_> {
    fn run<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        read(self.connection).map_err(|source| failed(self.path, &source))
    }

    /// The error of a catalogue that cannot be as it is.
    pub(super) fn damaged(&self, reason: &str) -> Error {
        Error::refused(format!("{}: {reason}", self.path.display()))
    }
}

/// The error of a statement that failed.
fn failed(path: &Path, source: &rusqlite::Error) -> Error {
    Error::refused(format!("{}: {source}", path.display()))
}

fn is_closed(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// The address of a database that nobody changes.
fn immutable(path: &Path) -> PathBuf {
    let path = path.to_string_lossy();
    let path = path
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    PathBuf::from(format!("file:{path}?immutable=1"))
}

fn expect_archive(archive: &Path) -> Result<()> {
    if archive.join(CATALOG).exists() {
        return Ok(());
    }
    Err(Error::NoArchive {
        path: archive.to_owned(),
    })
}

/// Removes what an interrupted run left; says how many files that were.
fn remove_unfinished(archive: &Path) -> Result<u64> {
    let mut removed = 0;
    for entry in fs::read_dir(archive).of(archive)? {
        let path = entry.of(archive)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(UNFINISHED) {
            fs::remove_file(&path).of(&path)?;
            removed += 1;
        }
    }
    Ok(removed)
}
