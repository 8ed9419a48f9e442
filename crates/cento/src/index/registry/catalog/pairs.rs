//! The pairs of documents that are alike.

use rusqlite::Connection;

use super::Catalog;
use crate::error::Error;

impl Catalog {
    /// How many pairs there are.
    pub(in super::super) fn pair_count(&self) -> Result<u64, Error> {
        self.run(|connection| {
            connection.query_row("SELECT count(*) FROM pairs", [], |row| row.get(0))
        })
    }

    /// All pairs, or those of one document: earlier, later, shared digests.
    pub(in super::super) fn pairs(
        &self,
        document: Option<u32>,
    ) -> Result<Vec<(u32, u32, u32)>, Error> {
        let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let columns = "SELECT earlier, later, shared FROM pairs";
        self.run(|connection| match document {
            None => connection.prepare(columns)?.query_map([], row)?.collect(),
            Some(document) => {
                let sql = format!("{columns} WHERE later = ?1 OR earlier = ?1");
                connection
                    .prepare(&sql)?
                    .query_map([document], row)?
                    .collect()
            }
        })
    }
}

pub(in super::super) fn insert(
    [earlier, later, shared]: [u32; 3],
    connection: &Connection,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO pairs (earlier, later, shared) VALUES (?1, ?2, ?3)";
    connection
        .prepare_cached(sql)?
        .execute([earlier, later, shared])?;
    Ok(())
}

pub(in super::super) fn clear(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM pairs", [])?;
    Ok(())
}
