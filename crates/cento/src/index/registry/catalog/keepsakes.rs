//! What a registry remembers of a document besides its digests.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::Catalog;
use crate::error::Error;

impl Catalog {
    /// The packed keepsake of a document.
    pub(in super::super) fn keepsake(&self, document: u32) -> Result<Option<Vec<u8>>, Error> {
        self.run(|connection| {
            let sql = "SELECT content FROM keepsakes WHERE document = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row([document], |row| row.get(0)).optional()
        })
    }

    /// How many bytes all keepsakes take.
    pub(in super::super) fn keepsake_bytes(&self) -> Result<u64, Error> {
        self.run(|connection| {
            let sql = "SELECT coalesce(sum(length(content)), 0) FROM keepsakes";
            connection.query_row(sql, [], |row| row.get(0))
        })
    }
}

pub(in super::super) fn insert(
    document: u32,
    content: &[u8],
    connection: &Connection,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO keepsakes (document, content) VALUES (?1, ?2)";
    connection
        .prepare_cached(sql)?
        .execute(params![document, content])?;
    Ok(())
}
