//! Which segments there are, and which documents their numbers stand for.

use rusqlite::{Connection, params};

use super::Catalog;
use super::row::RowChecksum;

/// A segment as the catalogue knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct SegmentRow {
    pub(in super::super) number: u64,
    /// For each document of the segment the number of the registered document that it is, or is a
    /// passage of.
    pub(in super::super) documents: Vec<u32>,
    pub(in super::super) postings: u64,
    pub(in super::super) bytes: u64,
}

impl Catalog {
    /// All segments, oldest first.
    pub(in super::super) fn segments(&self) -> Result<Vec<SegmentRow>, crate::Error> {
        self.run(|connection| {
            let sql =
                "SELECT number, documents, postings, bytes, checksum FROM segments ORDER BY number";
            let mut statement = connection.prepare(sql)?;
            let row = |row: &rusqlite::Row<'_>| {
                let segment = SegmentRow {
                    number: row.get(0)?,
                    documents: numbers_of(row.get_ref(1)?.as_blob()?),
                    postings: row.get(2)?,
                    bytes: row.get(3)?,
                };
                segment.checksum().expect(row.get(4)?, 4)?;
                Ok(segment)
            };
            statement.query_map([], row)?.collect()
        })
    }

    /// The segments that a catalogue names which is not in its place yet.
    pub(in super::super) fn segments_in(
        path: &std::path::Path,
    ) -> Result<Vec<SegmentRow>, crate::Error> {
        Catalog::with(path, rusqlite::OpenFlags::default())?.segments()
    }

    /// The number that the next segment will have.
    pub(in super::super) fn next_segment(&self) -> Result<u64, crate::Error> {
        self.run(|connection| {
            let sql =
                "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'segments'";
            connection.query_row(sql, [], |row| row.get(0))
        })
    }
}

impl SegmentRow {
    pub(in super::super) fn insert(&self, connection: &Connection) -> rusqlite::Result<()> {
        let documents = self.document_bytes();
        connection.execute(
            "INSERT INTO segments VALUES (?1, ?2, ?3, ?4, ?5)",
            params![
                self.number,
                documents,
                self.postings,
                self.bytes,
                self.checksum().value()
            ],
        )?;
        Ok(())
    }

    fn document_bytes(&self) -> Vec<u8> {
        let numbers = self.documents.iter();
        numbers.flat_map(|number| number.to_le_bytes()).collect()
    }

    fn checksum(&self) -> RowChecksum {
        RowChecksum::default()
            .number(self.number)
            .field(Some(&self.document_bytes()))
            .number(self.postings)
            .number(self.bytes)
    }

    pub(in super::super) fn delete(number: u64, connection: &Connection) -> rusqlite::Result<()> {
        connection.execute("DELETE FROM segments WHERE number = ?1", [number])?;
        Ok(())
    }
}

/// Document numbers from the bytes that the catalogue keeps them as.
fn numbers_of(bytes: &[u8]) -> Vec<u32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect()
}
