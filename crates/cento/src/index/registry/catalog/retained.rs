//! What a registry remembers of a document besides its digests; in the file, the table `keepsakes`.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::Catalog;
use super::row::RowChecksum;
use crate::error::Error;

impl Catalog {
    /// What is kept of a document, packed.
    pub(in super::super) fn retained(&self, document: u32) -> Result<Option<Vec<u8>>, Error> {
        self.run(|connection| {
            let sql = "SELECT content, checksum FROM keepsakes WHERE document = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let row = |row: &rusqlite::Row<'_>| {
                let content: Vec<u8> = row.get(0)?;
                checksum(document, &content).expect(row.get(1)?, 1)?;
                Ok(content)
            };
            statement.query_row([document], row).optional()
        })
    }

    /// How many bytes that takes, of all documents together.
    pub(in super::super) fn retained_bytes(&self) -> Result<u64, Error> {
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
    let sql = "INSERT INTO keepsakes VALUES (?1, ?2, ?3)";
    connection.prepare_cached(sql)?.execute(params![
        document,
        content,
        checksum(document, content).value()
    ])?;
    Ok(())
}

fn checksum(document: u32, content: &[u8]) -> RowChecksum {
    RowChecksum::default().number(document).field(Some(content))
}
