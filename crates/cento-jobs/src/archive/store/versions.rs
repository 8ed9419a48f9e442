//! Names and their versions.

use std::fmt;

use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{PayloadId, Tables};
use crate::error::Result;

/// How a version differs from what came before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It has the same bytes as the version before.
    Same,
    /// It has the same text as the version before; only its markup is another one.
    Text,
    /// Its text differs little from that of the version stored whole.
    Insignificant,
    /// Its text is another one, or it is the first.
    Significant,
}

impl Kind {
    const ALL: [Kind; 4] = [
        Kind::Same,
        Kind::Text,
        Kind::Insignificant,
        Kind::Significant,
    ];

    fn of(number: u8) -> Option<Kind> {
        Kind::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Same => "same bytes",
            Kind::Text => "same text",
            Kind::Insignificant => "insignificant",
            Kind::Significant => "significant",
        })
    }
}

/// A version of a page.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::archive) struct Version {
    pub(in crate::archive) number: u64,
    pub(in crate::archive) payload: PayloadId,
    /// When it was fetched or made, in milliseconds since 1970.
    pub(in crate::archive) time: i64,
    pub(in crate::archive) kind: Kind,
    /// The version stored whole that it was compared with; none if that is the version itself.
    pub(in crate::archive) root: Option<u64>,
    /// How similar it is to that, in ten-thousandths.
    pub(in crate::archive) similarity: Option<u16>,
    /// The digest of its text, if it has one.
    pub(in crate::archive) mark: Option<String>,
    /// The fields of a web archive and the headers of the transfer.
    pub(in crate::archive) head: Option<PayloadId>,
    /// What was transferred, if that is not the page as it is.
    pub(in crate::archive) transfer: Option<PayloadId>,
}

impl Version {
    /// The version of its chain that is stored whole.
    pub(in crate::archive) fn root(&self) -> u64 {
        self.root.unwrap_or(self.number)
    }
}

/// A version as the catalogue has it.
struct Stored {
    version: Version,
    is_sealed: bool,
}

const COLUMNS: &str = "version, payload, time, kind, root, similarity, \
     (SELECT mark FROM marks WHERE id = versions.mark), head, transfer, seal";

impl Tables<'_> {
    /// The number of a name, if there are versions under it.
    pub(in crate::archive) fn find_name(&self, name: &str) -> Result<Option<i64>> {
        self.run(|connection| {
            let mut find = connection.prepare_cached("SELECT id FROM names WHERE name = ?1")?;
            find.query_row([name], |row| row.get(0)).optional()
        })
    }

    /// The number of a name, which may be new.
    pub(in crate::archive) fn name_id(&self, name: &str) -> Result<i64> {
        if let Some(id) = self.find_name(name)? {
            return Ok(id);
        }
        self.run(|connection| {
            let mut insert = connection.prepare_cached("INSERT INTO names (name) VALUES (?1)")?;
            insert.insert([name])
        })
    }

    /// All names and their numbers, by name.
    pub(in crate::archive) fn names(&self) -> Result<Vec<(i64, String)>> {
        self.run(|connection| {
            let mut all = connection.prepare("SELECT id, name FROM names ORDER BY name")?;
            let all = all.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            all.collect()
        })
    }

    /// The versions under a name, in their order.
    pub(in crate::archive) fn versions(&self, name: (i64, &str)) -> Result<Vec<Version>> {
        let sql = format!("SELECT {COLUMNS} FROM versions WHERE name = ?1 ORDER BY version");
        let stored: Vec<Stored> = self.run(|connection| {
            let mut all = connection.prepare_cached(&sql)?;
            let all = all.query_map([name.0], |row| stored(row, name.1))?;
            all.collect()
        })?;
        stored
            .into_iter()
            .map(|stored| self.sound(stored, name.1))
            .collect()
    }

    /// The versions under a name, and whether their entries are as they were written.
    pub(in crate::archive) fn entries(&self, name: (i64, &str)) -> Result<Vec<(Version, bool)>> {
        let sql = format!("SELECT {COLUMNS} FROM versions WHERE name = ?1 ORDER BY version");
        self.run(|connection| {
            let mut all = connection.prepare_cached(&sql)?;
            let all = all.query_map([name.0], |row| stored(row, name.1))?;
            let all = all.map(|stored| stored.map(|stored| (stored.version, stored.is_sealed)));
            all.collect()
        })
    }

    /// Removes a version.
    pub(in crate::archive) fn remove_version(&self, name: i64, number: u64) -> Result<()> {
        let sql = "DELETE FROM versions WHERE name = ?1 AND version = ?2";
        self.run(|connection| connection.execute(sql, params![name, number]))?;
        Ok(())
    }

    /// Removes all versions under a name; says how many there were.
    pub(in crate::archive) fn remove_versions(&self, name: i64) -> Result<u64> {
        let sql = "DELETE FROM versions WHERE name = ?1";
        let removed = self.run(|connection| connection.execute(sql, [name]))?;
        Ok(removed as u64)
    }

    /// Removes a name that has no versions any more; says whether it had none.
    pub(in crate::archive) fn remove_empty_name(&self, name: i64) -> Result<bool> {
        let sql = "DELETE FROM names WHERE id = ?1 \
                   AND NOT EXISTS (SELECT 1 FROM versions WHERE name = ?1)";
        let removed = self.run(|connection| connection.execute(sql, [name]))?;
        Ok(removed > 0)
    }

    /// What is wrong with the database itself.
    pub(in crate::archive) fn integrity(&self) -> Result<Vec<String>> {
        let said: Vec<String> = self.run(|connection| {
            let mut check = connection.prepare("PRAGMA integrity_check")?;
            let said = check.query_map([], |row| row.get(0))?;
            said.collect()
        })?;
        let is_fault = |line: &String| line != "ok";
        let faults = said.into_iter().filter(is_fault);
        Ok(faults
            .map(|line| format!("the catalogue: {line}"))
            .collect())
    }

    /// One version under a name.
    pub(in crate::archive) fn version(
        &self,
        name: (i64, &str),
        number: u64,
    ) -> Result<Option<Version>> {
        self.one_version(name, "version = ?2", number)
    }

    /// The last version under a name.
    pub(in crate::archive) fn last_version(&self, name: (i64, &str)) -> Result<Option<Version>> {
        self.one_version(
            name,
            "version <= ?2 ORDER BY version DESC LIMIT 1",
            i64::MAX as u64,
        )
    }

    /// The number of the last version under a name, sound or not.
    pub(in crate::archive) fn highest_number(&self, name: i64) -> Result<u64> {
        let sql = "SELECT coalesce(max(version), 0) FROM versions WHERE name = ?1";
        self.run(|connection| connection.query_row(sql, [name], |row| row.get(0)))
    }

    fn one_version(&self, name: (i64, &str), which: &str, number: u64) -> Result<Option<Version>> {
        let sql = format!("SELECT {COLUMNS} FROM versions WHERE name = ?1 AND {which}");
        let found = self.run(|connection| {
            let mut find = connection.prepare_cached(&sql)?;
            let found = find.query_row(params![name.0, number], |row| stored(row, name.1));
            found.optional()
        })?;
        found.map(|stored| self.sound(stored, name.1)).transpose()
    }

    /// The first version that was fetched at a time and has these bytes.
    pub(in crate::archive) fn find_version(
        &self,
        name: i64,
        time: i64,
        payload: PayloadId,
    ) -> Result<Option<u64>> {
        let sql = "SELECT version FROM versions WHERE name = ?1 AND time = ?2 AND payload = ?3 \
                   ORDER BY version LIMIT 1";
        self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            let found = find.query_row(params![name, time, payload.0], |row| row.get(0));
            found.optional()
        })
    }

    /// A version that has a payload: its name and number.
    pub(in crate::archive) fn holder(&self, payload: PayloadId) -> Result<Option<(String, u64)>> {
        let sql = "SELECT names.name, version FROM versions JOIN names ON names.id = versions.name \
                   WHERE payload = ?1 LIMIT 1";
        self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            let found = find.query_row([payload.0], |row| Ok((row.get(0)?, row.get(1)?)));
            found.optional()
        })
    }

    /// Adds a version, or replaces it.
    pub(in crate::archive) fn put_version(
        &self,
        name: (i64, &str),
        version: &Version,
    ) -> Result<()> {
        let mark = match &version.mark {
            Some(mark) => Some(self.mark_id(mark)?),
            None => None,
        };
        let sql = "INSERT OR REPLACE INTO versions \
                   (name, version, payload, time, kind, root, similarity, mark, head, transfer, seal) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        self.run(|connection| {
            let mut insert = connection.prepare_cached(sql)?;
            insert.execute(params![
                name.0,
                version.number,
                version.payload.0,
                version.time,
                version.kind as u8,
                version.root,
                version.similarity,
                mark,
                version.head.map(|head| head.0),
                version.transfer.map(|transfer| transfer.0),
                seal(name.1, version).as_slice(),
            ])
        })?;
        Ok(())
    }

    /// Remembers what was transferred by its SHA-1.
    pub(in crate::archive) fn put_sum(
        &self,
        sum: &[u8],
        payload: PayloadId,
        transfer: Option<PayloadId>,
    ) -> Result<()> {
        let sql = "INSERT OR IGNORE INTO sums VALUES (?1, ?2, ?3)";
        self.run(|connection| {
            let mut insert = connection.prepare_cached(sql)?;
            insert.execute(params![sum, payload.0, transfer.map(|transfer| transfer.0)])
        })?;
        Ok(())
    }

    /// What was transferred with a SHA-1: the page, and its form if that is another one.
    pub(in crate::archive) fn find_sum(
        &self,
        sum: &[u8],
    ) -> Result<Option<(PayloadId, Option<PayloadId>)>> {
        let sql = "SELECT payload, transfer FROM sums WHERE sum = ?1";
        self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            let found = find.query_row([sum], |row| {
                let transfer: Option<i64> = row.get(1)?;
                Ok((PayloadId(row.get(0)?), transfer.map(PayloadId)))
            });
            found.optional()
        })
    }

    /// The page of which a payload is the form that was transferred, or that it is itself.
    pub(in crate::archive) fn transferred(
        &self,
        payload: PayloadId,
    ) -> Result<Option<(PayloadId, Option<PayloadId>)>> {
        let sql = "SELECT payload FROM sums WHERE transfer = ?1";
        let page: Option<i64> = self.run(|connection| {
            let mut find = connection.prepare_cached(sql)?;
            find.query_row([payload.0], |row| row.get(0)).optional()
        })?;
        Ok(Some(match page {
            Some(page) => (PayloadId(page), Some(payload)),
            None => (payload, None),
        }))
    }

    fn mark_id(&self, mark: &str) -> Result<i64> {
        let found = self.run(|connection| {
            let mut find = connection.prepare_cached("SELECT id FROM marks WHERE mark = ?1")?;
            find.query_row([mark], |row| row.get(0)).optional()
        })?;
        if let Some(id) = found {
            return Ok(id);
        }
        self.run(|connection| {
            let mut insert = connection.prepare_cached("INSERT INTO marks (mark) VALUES (?1)")?;
            insert.insert([mark])
        })
    }

    fn sound(&self, stored: Stored, name: &str) -> Result<Version> {
        let Stored { version, is_sealed } = stored;
        if is_sealed {
            return Ok(version);
        }
        let number = version.number;
        let name = name.escape_debug();
        let reason =
            format!("the entry of {name}@{number} is damaged: it does not have its checksum");
        Err(self.damaged(&reason))
    }
}

fn stored(row: &Row<'_>, name: &str) -> rusqlite::Result<Stored> {
    let kind = Kind::of(row.get(3)?);
    let seal_there: Vec<u8> = row.get(9)?;
    let version = Version {
        number: row.get(0)?,
        payload: PayloadId(row.get(1)?),
        time: row.get(2)?,
        kind: kind.unwrap_or(Kind::Significant),
        root: row.get(4)?,
        similarity: row.get(5)?,
        mark: row.get(6)?,
        head: row.get::<_, Option<i64>>(7)?.map(PayloadId),
        transfer: row.get::<_, Option<i64>>(8)?.map(PayloadId),
    };
    let is_sealed = kind.is_some() && seal_there == seal(name, &version);
    Ok(Stored { version, is_sealed })
}

/// A checksum of an entry, so that damage to the catalogue does not go unnoticed.
fn seal(name: &str, version: &Version) -> [u8; 4] {
    let Version {
        number,
        payload,
        time,
        kind,
        root,
        similarity,
        mark,
        head,
        transfer,
    } = version;
    let optional = |id: &Option<PayloadId>| id.map_or(0, |id| id.0);
    let similarity = similarity.map_or(-1, i32::from);
    let text = format!(
        "{number} {} {time} {} {} {similarity} {} {} {}\n{name}",
        payload.0,
        *kind as u8,
        root.unwrap_or(0),
        optional(head),
        optional(transfer),
        mark.as_deref().unwrap_or_default(),
    );
    let digest = Sha256::digest(text.as_bytes());
    let mut seal = [0; 4];
    seal.copy_from_slice(&digest[..4]);
    seal
}
