//! The digests of standard text.

use rusqlite::{Connection, params};

use super::Catalog;
use super::row::RowChecksum;
use crate::digest::Digest;
use crate::error::Error;

/// A digest that does not count, in one set or everywhere.
pub(in super::super) struct IgnoredRow {
    pub(in super::super) name: String,
    /// Empty for everywhere.
    pub(in super::super) set: String,
    pub(in super::super) digest: Digest,
}

impl Catalog {
    /// All of them, by set, name and digest.
    pub(in super::super) fn ignored(&self) -> Result<Vec<IgnoredRow>, Error> {
        self.run(|connection| {
            let sql = "SELECT name, set_name, digest, checksum FROM ignored \
                       ORDER BY set_name, name, digest";
            let mut statement = connection.prepare(sql)?;
            let row = |row: &rusqlite::Row<'_>| {
                let ignored = IgnoredRow {
                    name: row.get(0)?,
                    set: row.get(1)?,
                    digest: Digest(row.get::<_, i64>(2)?.cast_unsigned()),
                };
                ignored.checksum().expect(row.get(3)?, 3)?;
                Ok(ignored)
            };
            statement.query_map([], row)?.collect()
        })
    }
}

impl IgnoredRow {
    pub(in super::super) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "INSERT OR REPLACE INTO ignored VALUES (?1, ?2, ?3, ?4)";
        let digest = self.digest.0.cast_signed();
        connection.prepare_cached(sql)?.execute(params![
            self.name,
            self.set,
            digest,
            self.checksum().value()
        ])?;
        Ok(())
    }

    fn checksum(&self) -> RowChecksum {
        RowChecksum::default()
            .field(Some(self.name.as_bytes()))
            .field(Some(self.set.as_bytes()))
            .number(self.digest.0)
    }

    /// Removes a text; says how many digests it had.
    pub(in super::super) fn delete(
        name: &str,
        set: &str,
        connection: &Connection,
    ) -> rusqlite::Result<usize> {
        let sql = "DELETE FROM ignored WHERE name = ?1 AND set_name = ?2";
        connection.execute(sql, [name, set])
    }
}
