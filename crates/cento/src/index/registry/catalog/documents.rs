//! What is known about documents.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};

use super::super::{Entry, Facts, Which};
use super::Catalog;
use super::row::RowChecksum;
use crate::error::Error;

const COLUMNS: &str = "number, id, version, label, submitter, set_name, date, expires, registered, \
                       words, digests, ignored, content, file, extractor, checksum";

impl Catalog {
    /// The latest version of a document.
    pub(in super::super) fn latest(&self, id: &str) -> Result<Option<Entry>, Error> {
        let which = "WHERE id = ?1 ORDER BY version DESC LIMIT 1";
        self.one(which, &[&id])
    }

    /// All versions of a document, oldest first.
    pub(in super::super) fn versions(&self, id: &str) -> Result<Vec<Entry>, Error> {
        self.run(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM documents WHERE id = ?1 ORDER BY version");
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_map([id], entry)?.collect()
        })
    }

    /// The document with a number.
    pub(in super::super) fn entry(&self, number: u32) -> Result<Option<Entry>, Error> {
        self.one("WHERE number = ?1", &[&number])
    }

    /// A document that was read from a file with these bytes.
    pub(in super::super) fn of_file(&self, file: &[u8; 16]) -> Result<Option<Entry>, Error> {
        self.one(
            "WHERE file = ?1 ORDER BY number LIMIT 1",
            &[&file.as_slice()],
        )
    }

    /// The first document with this text under another id, of those that have not expired.
    pub(in super::super) fn of_content(
        &self,
        content: &[u8; 16],
        other_than: &str,
        now: &str,
    ) -> Result<Option<Entry>, Error> {
        let which = "WHERE content = ?1 AND id <> ?2 AND (expires IS NULL OR expires > ?3) \
                     ORDER BY number LIMIT 1";
        self.one(which, &[&content.as_slice(), &other_than, &now])
    }

    /// All documents, by id and version.
    pub(in super::super) fn entries(
        &self,
        mut visit: impl FnMut(Entry) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let sql = format!("SELECT {COLUMNS} FROM documents ORDER BY id, version");
        // What the visitor finds wrong is not the database's fault.
        let mut refused = Ok(());
        self.run(|connection| {
            let mut statement = connection.prepare(&sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                refused = visit(entry(row)?);
                if refused.is_err() {
                    break;
                }
            }
            Ok(())
        })?;
        refused
    }

    /// The documents after an id, by id and version, until the visitor has seen enough.
    pub(in super::super) fn entries_after(
        &self,
        id: &str,
        mut visit: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        let sql = format!("SELECT {COLUMNS} FROM documents WHERE id > ?1 ORDER BY id, version");
        self.run(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let mut rows = statement.query([id])?;
            while let Some(row) = rows.next()? {
                if visit(entry(row)?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The numbers of all documents that have not expired, ascending, each with how many of its
    /// digests do not count.
    pub(in super::super) fn live(&self, now: &str) -> Result<Vec<(u32, u32)>, Error> {
        self.run(|connection| {
            let sql = "SELECT number, ignored FROM documents \
                       WHERE expires IS NULL OR expires > ?1 ORDER BY number";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([now], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// How many digests of each document count.
    pub(in super::super) fn sizes(&self) -> Result<BTreeMap<u32, u32>, Error> {
        self.run(|connection| {
            let sql = "SELECT number, digests - ignored FROM documents";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// Which of these documents are registered, expired or not.
    pub(in super::super) fn registered(
        &self,
        numbers: impl Iterator<Item = u32>,
    ) -> Result<HashSet<u32>, Error> {
        self.run(|connection| {
            let sql = "SELECT number FROM documents WHERE number = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let mut registered = HashSet::new();
            for number in numbers {
                let found: Option<u32> =
                    statement.query_row([number], |row| row.get(0)).optional()?;
                registered.extend(found);
            }
            Ok(registered)
        })
    }

    /// The numbers of documents, ascending.
    pub(in super::super) fn numbers(&self, which: &Which) -> Result<Vec<u32>, Error> {
        let (condition, value) = condition(which);
        self.run(|connection| {
            let sql = format!("SELECT number FROM documents WHERE {condition} ORDER BY number");
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([value], |row| row.get(0))?.collect()
        })
    }

    /// How many documents there are, and how many of them have expired.
    pub(in super::super) fn counts(&self, now: &str) -> Result<(u64, u64), Error> {
        self.run(|connection| {
            let sql = "SELECT count(*), count(*) FILTER (WHERE expires <= ?1) FROM documents";
            connection.query_row(sql, [now], |row| Ok((row.get(0)?, row.get(1)?)))
        })
    }

    /// How many documents each set has; those without one come first.
    pub(in super::super) fn sets(&self) -> Result<Vec<(Option<String>, u64)>, Error> {
        self.run(|connection| {
            let sql =
                "SELECT set_name, count(*) FROM documents GROUP BY set_name ORDER BY set_name";
            let mut statement = connection.prepare(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        })
    }

    /// The set of every document that is in one.
    pub(in super::super) fn set_members(&self, set: &str) -> Result<Vec<u32>, Error> {
        self.numbers(&Which::Set(set.to_owned()))
    }

    /// The number that the next document will have.
    pub(in super::super) fn next_document(&self) -> Result<u32, Error> {
        self.run(|connection| {
            let sql =
                "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'documents'";
            connection.query_row(sql, [], |row| row.get(0))
        })
    }

    fn one(&self, which: &str, values: &[&dyn ToSql]) -> Result<Option<Entry>, Error> {
        self.run(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM documents {which}");
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_row(values, entry).optional()
        })
    }
}

impl Entry {
    pub(in super::super) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = format!(
            "INSERT INTO documents ({COLUMNS}) VALUES \
             (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"
        );
        let Facts {
            id,
            label,
            submitter,
            set,
            date,
            expires,
            registered,
            file,
            extractor,
        } = &self.facts;
        connection.prepare_cached(&sql)?.execute(params![
            self.number,
            id,
            self.version,
            label,
            submitter,
            set,
            date,
            expires,
            registered,
            self.words,
            self.digests,
            self.ignored,
            self.content.as_slice(),
            file.as_ref().map(<[u8; 16]>::as_slice),
            extractor,
            self.checksum().value(),
        ])?;
        Ok(())
    }

    fn checksum(&self) -> RowChecksum {
        let facts = &self.facts;
        let text = |text: &Option<String>| text.clone().map(String::into_bytes);
        let mut checksum = RowChecksum::default()
            .number(self.number)
            .number(self.version)
            .number(self.words)
            .number(self.digests)
            .number(self.ignored)
            .field(Some(&self.content))
            .field(facts.file.as_ref().map(<[u8; 16]>::as_slice))
            .field(Some(facts.id.as_bytes()))
            .field(Some(facts.registered.as_bytes()));
        for field in [
            &facts.label,
            &facts.submitter,
            &facts.set,
            &facts.date,
            &facts.expires,
            &facts.extractor,
        ] {
            checksum = checksum.field(text(field).as_deref());
        }
        checksum
    }

    /// Removes a document and everything that refers to it.
    pub(in super::super) fn delete(number: u32, connection: &Connection) -> rusqlite::Result<()> {
        for sql in [
            "DELETE FROM keepsakes WHERE document = ?1",
            "DELETE FROM documents WHERE number = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([number])?;
        }
        Ok(())
    }

    pub(in super::super) fn set_ignored(
        number: u32,
        ignored: u32,
        connection: &Connection,
    ) -> rusqlite::Result<()> {
        let sql = format!("SELECT {COLUMNS} FROM documents WHERE number = ?1");
        let before = connection
            .prepare_cached(&sql)?
            .query_row([number], entry)?;
        let now = Entry { ignored, ..before };
        let sql = "UPDATE documents SET ignored = ?2, checksum = ?3 WHERE number = ?1";
        connection.prepare_cached(sql)?.execute(params![
            number,
            ignored,
            now.checksum().value()
        ])?;
        Ok(())
    }
}

fn condition(which: &Which) -> (&'static str, &str) {
    match which {
        Which::Id(id) => ("id = ?1", id),
        Which::Set(set) => ("set_name = ?1", set),
        Which::Submitter(submitter) => ("submitter = ?1", submitter),
        Which::Expired(now) => ("expires <= ?1", now),
    }
}

fn entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    let found = Entry {
        number: row.get(0)?,
        version: row.get(2)?,
        words: row.get(9)?,
        digests: row.get(10)?,
        ignored: row.get(11)?,
        content: row.get(12)?,
        facts: Facts {
            id: row.get(1)?,
            label: row.get(3)?,
            submitter: row.get(4)?,
            set: row.get(5)?,
            date: row.get(6)?,
            expires: row.get(7)?,
            registered: row.get(8)?,
            file: row.get(13)?,
            extractor: row.get(14)?,
        },
    };
    found.checksum().expect(row.get(15)?, 15)?;
    Ok(found)
}
