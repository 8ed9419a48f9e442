//! The catalogue: everything about documents that is not a posting, in one `SQLite` database.

mod documents;
pub(super) mod ignored;
pub(super) mod retained;
mod row;
mod segments;

pub(super) use segments::{SegmentRow, StretchesRow, VectorsRow};

use std::hash::Hasher as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension as _, Transaction};

use super::{Folder, KeptStretches, Settings};
use crate::digest::Key;
use crate::error::Error;
use crate::index::private;
use crate::recipe::Recipe;
use crate::token::{STRUCTURE_REVISION, WordList};
use crate::watch::Watch;

/// The version of the catalogue and of the folder's layout that this library writes.
const VERSION: i64 = 1;
/// The same where stretches are kept: a program that does not know them would lose them.
const VERSION_WITH_STRETCHES: i64 = 2;
/// The same where vectors of style are kept, with or without stretches.
const VERSION_WITH_VECTORS: i64 = 3;
/// "CENT": tells the database from those of other programs.
const APPLICATION: i64 = 0x4345_4e54;
const SCHEMA: &str = include_str!("schema.sql");
/// What a catalogue has besides where stretches are kept.
const STRETCHES: &str = include_str!("stretches.sql");
/// And where vectors are kept.
const VECTORS: &str = include_str!("vectors.sql");
/// What the first catalogues have not. An index changes nothing of what a catalogue says, so that
/// older programs read and write it as before, and the version stays.
const LATER_INDEXES: &str =
    "CREATE INDEX IF NOT EXISTS documents_by_content ON documents (content)";
/// The list of pairs that older programs kept. Pairs follow from the postings, and a list that is not
/// kept up to date would name documents that are forgotten.
const NO_PAIRS: &str = "DELETE FROM pairs";
/// What tells a registry, and its copies, from all others. The first catalogues have none.
const IDENTITY: &str =
    "INSERT OR IGNORE INTO settings VALUES ('identity', lower(hex(randomblob(16))))";
/// How long a statement waits for another process to end its transaction.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a long statement is asked whether to go on.
const ASK: Duration = Duration::from_millis(50);
/// How many pages are copied at a time.
const PAGES: i32 = 1000;

/// An open catalogue.
pub(super) struct Catalog {
    connection: Connection,
    path: PathBuf,
}

/// What the catalogue says about the registry as a whole.
pub(super) struct Origin {
    pub(super) settings: Settings,
    /// The name of the key; none if the registry has none.
    pub(super) key: Option<String>,
    /// When it was made.
    pub(super) created: String,
}

impl Catalog {
    /// Makes the catalogue of a new registry. It appears complete or not at all.
    pub(super) fn create(folder: &Folder, origin: &Origin) -> Result<(), Error> {
        let (path, finished) = (folder.unfinished_catalog(), folder.catalog());
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| Error::Io { path, source }
        };
        let _ = std::fs::remove_file(&path);
        // Journals get the permissions of the file that they belong to.
        private::create(&path).map_err(io(&path))?;
        let mut catalog = Catalog::with(&path, OpenFlags::default())?;
        let has_stretches = origin.settings.stretches != KeptStretches::None;
        catalog.write(|transaction| {
            transaction.execute_batch(SCHEMA)?;
            if has_stretches {
                transaction.execute_batch(STRETCHES)?;
            }
            if origin.settings.style.is_some() {
                transaction.execute_batch(VECTORS)?;
            }
            let mut insert = transaction.prepare("INSERT INTO settings VALUES (?1, ?2)")?;
            let settings = &origin.settings;
            for (name, value) in [
                ("recipe", settings.recipe.to_string()),
                ("retention", settings.retention.to_string()),
                ("kept-bits", settings.kept_bits.to_string()),
                ("pairs", settings.pairs.to_string()),
                ("key", origin.key.clone().unwrap_or_default()),
                ("created", origin.created.clone()),
            ] {
                insert.execute([name, &value])?;
            }
            if has_stretches {
                insert.execute(["stretches", &settings.stretches.to_string()])?;
            }
            if let Some(list) = settings.recipe.word_list() {
                let words: Vec<&str> = list.words().collect();
                insert.execute(["dictionary", &words.join("\n")])?;
            }
            if let Some(style) = &settings.style {
                insert.execute(["style", &style.to_string()])?;
            }
            transaction.execute(IDENTITY, [])?;
            Ok(())
        })?;
        catalog.run(|connection| {
            connection.pragma_update(None, "application_id", APPLICATION)?;
            let version = match &origin.settings.style {
                Some(_) => VERSION_WITH_VECTORS,
                None if has_stretches => VERSION_WITH_STRETCHES,
                None => VERSION,
            };
            connection.pragma_update(None, "user_version", version)?;
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))
        })?;
        let Catalog { connection, .. } = catalog;
        connection
            .close()
            .map_err(|(_, source)| failed(&path, source))?;
        std::fs::File::open(&path)
            .and_then(|file| file.sync_all())
            .map_err(io(&path))?;
        std::fs::rename(&path, &finished).map_err(io(&path))?;
        super::folder::sync(folder.path())
    }

    /// Opens a catalogue to write to it.
    pub(super) fn open(folder: &Folder) -> Result<Catalog, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let catalog = Catalog::with(&folder.catalog(), flags)?;
        catalog.run(|connection| {
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
            // A commit that was acknowledged is on the disk.
            connection.pragma_update(None, "synchronous", "FULL")?;
            // What is deleted is overwritten.
            connection.pragma_update(None, "secure_delete", "ON")?;
            connection.pragma_update(None, "temp_store", "MEMORY")?;
            connection.pragma_update(None, "foreign_keys", "ON")
        })?;
        catalog.expect_version()?;
        catalog.run(|connection| connection.execute_batch(LATER_INDEXES))?;
        catalog.run(|connection| connection.execute(NO_PAIRS, []))?;
        catalog.run(|connection| connection.execute(IDENTITY, []))?;
        Ok(catalog)
    }

    /// Opens a catalogue to read what is committed now, whatever happens to it later.
    pub(super) fn read(folder: &Folder) -> Result<Catalog, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let path = folder.catalog();
        let begin = |catalog: &Catalog| {
            // A transaction sees the state of its first read.
            catalog.connection.execute_batch("BEGIN")?;
            let sql = "SELECT count(*) FROM settings";
            catalog.connection.query_row(sql, [], |_| Ok(()))
        };
        let catalog = Catalog::with(&path, flags)?;
        let catalog = match begin(&catalog) {
            Ok(()) => catalog,
            // In a folder that nobody may write to there are no other processes to look out for.
            Err(source)
                if matches!(
                    source.sqlite_error_code(),
                    Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)
                ) && !path.with_extension("sqlite-wal").exists() =>
            {
                let flags = flags | OpenFlags::SQLITE_OPEN_URI;
                let catalog = Catalog {
                    path: path.clone(),
                    ..Catalog::with(&immutable(&path), flags)?
                };
                begin(&catalog).map_err(|source| catalog.failed(source))?;
                catalog
            }
            Err(source) => return Err(catalog.failed(source)),
        };
        catalog.expect_version()?;
        Ok(catalog)
    }

    /// Opens a catalogue without a look at its journal, which has nothing in it as long as nobody writes:
    /// so it can be read where files cannot be locked, on another machine.
    pub(super) fn read_settled(folder: &Folder) -> Result<Catalog, Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let path = folder.catalog();
        let catalog = Catalog {
            path: path.clone(),
            ..Catalog::with(&immutable(&path), flags)?
        };
        catalog.expect_version()?;
        Ok(catalog)
    }

    /// Empties the journal of a catalogue that is open to write.
    pub(super) fn checkpoint(&self) -> Result<(), Error> {
        self.run(|connection| {
            let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
            connection.query_row(sql, [], |_| Ok(()))
        })
    }

    fn with(path: &Path, flags: OpenFlags) -> Result<Catalog, Error> {
        let open = || {
            let connection = Connection::open_with_flags(path, flags)?;
            connection.busy_timeout(PATIENCE)?;
            Ok(connection)
        };
        let connection = open().map_err(|source| failed(path, source))?;
        Ok(Catalog {
            connection,
            path: path.to_owned(),
        })
    }

    fn expect_version(&self) -> Result<(), Error> {
        if self.pragma("application_id")? != APPLICATION {
            return Err(self.damaged("it is not the catalogue of a registry"));
        }
        let version = self.pragma("user_version")?;
        if (VERSION..=VERSION_WITH_VECTORS).contains(&version) {
            return Ok(());
        }
        Err(self.damaged(&format!(
            "it has version {version} and this program reads versions {VERSION} to \
             {VERSION_WITH_VECTORS}"
        )))
    }

    fn has_stretches(&self) -> Result<bool, Error> {
        match self.pragma("user_version")? {
            VERSION_WITH_VECTORS => Ok(self.setting("stretches")?.is_some()),
            version => Ok(version == VERSION_WITH_STRETCHES),
        }
    }

    fn has_vectors(&self) -> Result<bool, Error> {
        Ok(self.pragma("user_version")? == VERSION_WITH_VECTORS)
    }

    fn setting(&self, name: &str) -> Result<Option<String>, Error> {
        self.run(|connection| {
            let sql = "SELECT value FROM settings WHERE name = ?1";
            connection
                .query_row(sql, [name], |row| row.get(0))
                .optional()
        })
    }

    fn pragma(&self, name: &str) -> Result<i64, Error> {
        self.run(|connection| connection.pragma_query_value(None, name, |row| row.get(0)))
    }

    /// What the registry was made to be.
    pub(super) fn origin(&self) -> Result<Origin, Error> {
        let setting = |name: &str| -> Result<String, Error> {
            let value = self.setting(name)?;
            value.ok_or_else(|| self.damaged(&format!("its setting `{name}` is missing")))
        };
        let wrong = |name: &str| self.damaged(&format!("its setting `{name}` is wrong"));
        let settings = Settings {
            recipe: match self.setting("dictionary")? {
                // The recipe has the digest of its words, so a damaged one does not fit.
                Some(words) => {
                    let list = WordList::new(words.lines());
                    Recipe::parse_with(&setting("recipe")?, &[list])
                        .map_err(|_| wrong("dictionary"))?
                }
                None => Recipe::named(&setting("recipe")?).map_err(|error| {
                    self.other_revision(error)
                        .unwrap_or_else(|| wrong("recipe"))
                })?,
            },
            retention: setting("retention")?
                .parse()
                .map_err(|_| wrong("retention"))?,
            kept_bits: setting("kept-bits")?
                .parse()
                .map_err(|_| wrong("kept-bits"))?,
            pairs: setting("pairs")?.parse().map_err(|_| wrong("pairs"))?,
            stretches: match self.setting("stretches")? {
                Some(kept) => kept.parse().map_err(|_| wrong("stretches"))?,
                None => KeptStretches::None,
            },
            style: match self.setting("style")? {
                Some(style) => Some(style.parse().map_err(|_| wrong("style"))?),
                None => None,
            },
        };
        if self.has_stretches()? != (settings.stretches != KeptStretches::None) {
            return Err(wrong("stretches"));
        }
        if self.has_vectors()? != settings.style.is_some() {
            return Err(wrong("style"));
        }
        Ok(Origin {
            settings,
            key: Some(setting("key")?).filter(|key| !key.is_empty()),
            created: setting("created")?,
        })
    }

    /// What there is to say about a recipe that reads programs as another version of Cento does.
    fn other_revision(&self, error: Error) -> Option<Error> {
        let Error::Recipe(error) = error else {
            return None;
        };
        let revision = error.word.strip_prefix("structure:")?;
        let made_by = revision
            .parse()
            .ok()
            .filter(|made| *made != STRUCTURE_REVISION)?;
        Some(Error::Revision {
            path: self.path.clone(),
            made_by,
            now: STRUCTURE_REVISION,
        })
    }

    /// Whether another catalogue is that of the same registry, or of a copy.
    pub(super) fn is_of_same(&self, other: &Catalog) -> Result<bool, Error> {
        if let (Some(own), Some(identity)) = (self.identity()?, other.identity()?) {
            return Ok(own == identity);
        }
        // One is older than identities: then it is a question of where they come from.
        let of = |origin: Origin| (origin.created, origin.key, origin.settings);
        Ok(of(self.origin()?) == of(other.origin()?))
    }

    pub(super) fn identity(&self) -> Result<Option<String>, Error> {
        self.setting("identity")
    }

    /// Refuses a key that is not the registry's; gives back the key that is in force.
    pub(super) fn expect_key(&self, origin: &Origin, key: &Key) -> Result<Key, Error> {
        let given = key.name();
        match &origin.key {
            None => Ok(Key::PUBLIC),
            Some(expected) if *expected == given => Ok(key.clone()),
            Some(expected) => Err(Error::WrongKey {
                path: self.path.clone(),
                expected: expected.clone(),
                given,
            }),
        }
    }

    /// Reads something.
    pub(super) fn run<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        read(&self.connection).map_err(|source| self.failed(source))
    }

    /// Changes something: all of it is safely there when this returns, or nothing.
    pub(super) fn write<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, Error> {
        let path = self.path.clone();
        let apply = || {
            let transaction = self.connection.transaction()?;
            let result = change(&transaction)?;
            transaction.commit()?;
            Ok(result)
        };
        apply().map_err(|source| failed(&path, source))
    }

    /// Runs something that takes long; it ends with [`Error::Stopped`], and without having changed
    /// anything, soon after somebody stopped it.
    pub(super) fn interruptible<T>(
        &mut self,
        watch: Watch<'_>,
        work: impl FnOnce(&mut Catalog) -> Result<T, Error>,
    ) -> Result<T, Error> {
        watch.go_on()?;
        let interrupt = self.connection.get_interrupt_handle();
        let (done, is_done) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while is_done.recv_timeout(ASK) == Err(RecvTimeoutError::Timeout) {
                    if watch.is_stopped() {
                        interrupt.interrupt();
                    }
                }
            });
            let result = work(self);
            drop(done);
            result
        })
    }

    /// Writes the database anew without what was deleted, and empties the journal. Says whether that
    /// was possible: somebody who reads an older state may still need the journal.
    pub(super) fn sweep(&mut self, watch: Watch<'_>) -> Result<bool, Error> {
        self.interruptible(watch, |catalog| {
            catalog.run(|connection| {
                connection.execute_batch("VACUUM")?;
                let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
                connection.query_row(sql, [], |row| Ok(row.get::<_, i64>(0)? == 0))
            })
        })
    }

    /// Puts everything that is in the journal of a catalogue into its file, or fails: closing alone does
    /// not say whether that was possible, and without its journal such a file is damaged.
    pub(super) fn without_journal(folder: &Folder) -> Result<(), Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let Catalog { connection, path } = Catalog::with(&folder.catalog(), flags)?;
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy = connection
            .query_row(sql, [], |row| Ok(row.get::<_, i64>(0)? != 0))
            .map_err(|source| failed(&path, source))?;
        connection
            .close()
            .map_err(|(_, source)| failed(&path, source))?;
        if is_busy {
            return Err(Error::Registry {
                path: folder.path().to_owned(),
                reason: "somebody is reading it before it is finished".to_owned(),
            });
        }
        Ok(())
    }

    /// Puts a copy of a catalogue in its place; it is safely there when this returns.
    pub(super) fn put_in_place(folder: &Folder) -> Result<(), Error> {
        let (from, to) = (folder.unfinished_catalog(), folder.catalog());
        let io = |source| Error::Io {
            path: from.clone(),
            source,
        };
        std::fs::File::open(&from)
            .and_then(|file| file.sync_all())
            .map_err(io)?;
        std::fs::rename(&from, &to).map_err(io)?;
        super::folder::sync(folder.path())
    }

    /// Tells what the catalogue says from anything else it could say: a hash of all its rows, those of
    /// what is kept left out.
    pub(super) fn state(&self) -> Result<String, Error> {
        let mut hasher = twox_hash::XxHash3_64::default();
        self.run(|connection| {
            for sql in [
                "SELECT name, value FROM settings ORDER BY name",
                "SELECT number, checksum FROM documents ORDER BY number",
                "SELECT number, checksum FROM segments ORDER BY number",
                "SELECT digest, checksum FROM ignored ORDER BY set_name, name, digest",
            ] {
                let mut statement = connection.prepare(sql)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    for column in 0..2 {
                        let value: rusqlite::types::Value = row.get(column)?;
                        hasher.write(format!("{value:?}\n").as_bytes());
                    }
                }
            }
            Ok(())
        })?;
        Ok(format!("{:016x}", hasher.finish()))
    }

    /// What `SQLite` finds wrong with its own file.
    pub(super) fn faults(&mut self, watch: Watch<'_>) -> Result<Vec<String>, Error> {
        self.interruptible(watch, |catalog| catalog.own_faults())
    }

    fn own_faults(&self) -> Result<Vec<String>, Error> {
        let column = |sql: &str| {
            self.run(|connection| {
                let mut statement = connection.prepare(sql)?;
                let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
                rows.collect::<rusqlite::Result<Vec<String>>>()
            })
        };
        let mut faults = column("PRAGMA integrity_check")?;
        faults.retain(|fault| fault != "ok");
        let orphans = column("PRAGMA foreign_key_check")?;
        let orphans = orphans.iter();
        faults.extend(orphans.map(|table| format!("a row of {table} refers to nothing")));
        Ok(faults)
    }

    /// How many pages of the database are not in use.
    pub(super) fn free_pages(&self) -> Result<u64, Error> {
        self.run(|connection| {
            connection.pragma_query_value(None, "freelist_count", |row| row.get(0))
        })
    }

    /// Copies the whole catalogue as it is now.
    pub(super) fn copy_to(&self, path: &Path, watch: Watch<'_>) -> Result<(), Error> {
        private::create(path).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        let mut target = Connection::open(path).map_err(|source| failed(path, source))?;
        let copy = Backup::new(&self.connection, &mut target);
        let copy = copy.map_err(|source| self.failed(source))?;
        loop {
            watch.go_on()?;
            match copy
                .step(PAGES)
                .map_err(|source| self.failed_copy(source, path))?
            {
                StepResult::Done => return Ok(()),
                StepResult::More => {}
                // Somebody is writing just now.
                _ => std::thread::sleep(ASK),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What went wrong in reading this catalogue or in writing a copy of it, and with which of them.
    fn failed_copy(&self, source: rusqlite::Error, copy: &Path) -> Error {
        match source.sqlite_error_code() {
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) => {
                failed(copy, source)
            }
            _ => self.failed(source),
        }
    }

    pub(super) fn failed(&self, source: rusqlite::Error) -> Error {
        failed(&self.path, source)
    }

    pub(super) fn damaged(&self, reason: &str) -> Error {
        Error::Format {
            path: self.path.clone(),
            reason: reason.to_owned(),
        }
    }
}

fn failed(path: &Path, source: rusqlite::Error) -> Error {
    if source.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) {
        return Error::Stopped;
    }
    match source {
        // The database is fine, and what a row says is not.
        rusqlite::Error::FromSqlConversionFailure(_, _, reason) => Error::Format {
            path: path.to_owned(),
            reason: reason.to_string(),
        },
        source => Error::Catalog {
            path: path.to_owned(),
            source: source.into(),
        },
    }
}

/// The name under which `SQLite` reads a file that cannot change.
fn immutable(path: &Path) -> PathBuf {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' => name.push(char::from(*byte)),
            _ if byte.is_ascii_alphanumeric() => name.push(char::from(*byte)),
            _ => name.extend(['%', hex_digit(byte >> 4), hex_digit(byte & 15)]),
        }
    }
    name.push_str("?immutable=1");
    PathBuf::from(name)
}

fn hex_digit(value: u8) -> char {
    char::from_digit(value.into(), 16).unwrap_or('0')
}
