//! The pairs of documents that are alike.

use rusqlite::{Connection, params};

use super::Catalog;
use super::row::RowChecksum;
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
        let row = |row: &rusqlite::Row<'_>| {
            let (earlier, later, shared) = (row.get(0)?, row.get(1)?, row.get(2)?);
            checksum([earlier, later, shared]).expect(row.get(3)?, 3)?;
            Ok((earlier, later, shared))
        };
        let columns = "SELECT earlier, later, shared, checksum FROM pairs";
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

pub(in super::super) fn insert(pair: [u32; 3], connection: &Connection) -> rusqlite::Result<()> {
    let sql = "INSERT INTO pairs VALUES (?1, ?2, ?3, ?4)";
    let [earlier, later, shared] = pair;
    connection.prepare_cached(sql)?.execute(params![
        earlier,
        later,
        shared,
        checksum(pair).value()
    ])?;
    Ok(())
}

/// Writes these pairs in the place of all that were there.
pub(in super::super) fn replace(
    pairs: &[[u32; 3]],
    connection: &Connection,
) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM pairs", [])?;
    pairs.iter().try_for_each(|pair| insert(*pair, connection))
}

fn checksum([earlier, later, shared]: [u32; 3]) -> RowChecksum {
    RowChecksum::default()
        .number(earlier)
        .number(later)
        .number(shared)
}
