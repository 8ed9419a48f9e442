//! Which segments there are, and which documents their numbers stand for.

use rusqlite::{Connection, OptionalExtension as _, params};

use super::super::folder::Kind;
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
    /// The stretches of the same documents, if they are kept.
    pub(in super::super) stretches: Option<StretchesRow>,
    /// Their vectors, if they are kept.
    pub(in super::super) vectors: Option<VectorsRow>,
}

/// A segment of stretches as the catalogue knows it; it has the number of the other one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct StretchesRow {
    /// The registered documents in the order of their blocks, and how many each has.
    pub(in super::super) documents: Vec<(u32, u32)>,
    pub(in super::super) postings: u64,
    pub(in super::super) bytes: u64,
}

/// A file of vectors as the catalogue knows it; it has the number of the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct VectorsRow {
    pub(in super::super) vectors: u32,
    pub(in super::super) bytes: u64,
}

impl Catalog {
    /// All segments, oldest first.
    pub(in super::super) fn segments(&self) -> Result<Vec<SegmentRow>, crate::Error> {
        let mut segments = self.segments_of_digests()?;
        let (has_stretches, has_vectors) = (self.has_stretches()?, self.has_vectors()?);
        for segment in &mut segments {
            let number = segment.number;
            let missing =
                |what| self.damaged(&format!("the {what} of segment {number} are missing"));
            if has_stretches {
                let stretches = self.stretches_of(number)?;
                segment.stretches = Some(stretches.ok_or_else(|| missing("stretches"))?);
            }
            if has_vectors {
                let vectors = self.vectors_of(number)?;
                segment.vectors = Some(vectors.ok_or_else(|| missing("vectors"))?);
            }
        }
        Ok(segments)
    }

    fn vectors_of(&self, number: u64) -> Result<Option<VectorsRow>, crate::Error> {
        self.run(|connection| {
            let sql = "SELECT vectors, bytes, checksum FROM vectors WHERE segment = ?1";
            let row = |row: &rusqlite::Row<'_>| {
                let vectors = VectorsRow {
                    vectors: row.get(0)?,
                    bytes: row.get(1)?,
                };
                vectors.checksum(number).expect(row.get(2)?, 2)?;
                Ok(vectors)
            };
            connection.query_row(sql, [number], row).optional()
        })
    }

    fn stretches_of(&self, number: u64) -> Result<Option<StretchesRow>, crate::Error> {
        self.run(|connection| {
            let sql = "SELECT documents, postings, bytes, checksum FROM stretches \
                       WHERE segment = ?1";
            let row = |row: &rusqlite::Row<'_>| {
                let runs = row.get_ref(0)?.as_blob()?;
                let (postings, bytes) = (row.get(1)?, row.get(2)?);
                // Before anything is made as long as it says.
                StretchesRow::checksum(number, runs, postings, bytes).expect(row.get(3)?, 3)?;
                Ok(StretchesRow {
                    documents: runs_of(runs),
                    postings,
                    bytes,
                })
            };
            connection.query_row(sql, [number], row).optional()
        })
    }

    fn segments_of_digests(&self) -> Result<Vec<SegmentRow>, crate::Error> {
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
                    stretches: None,
                    vectors: None,
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
    /// Its files, and how many bytes they have.
    pub(in super::super) fn files(&self) -> impl Iterator<Item = (Kind, u64)> {
        let stretches = self
            .stretches
            .iter()
            .map(|row| (Kind::Stretches, row.bytes));
        let vectors = self.vectors.iter().map(|row| (Kind::Vectors, row.bytes));
        std::iter::once((Kind::Digests, self.bytes))
            .chain(stretches)
            .chain(vectors)
    }

    /// How many bytes its files have.
    pub(in super::super) fn all_bytes(&self) -> u64 {
        self.files().map(|(_, bytes)| bytes).sum()
    }

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
        if let Some(stretches) = &self.stretches {
            stretches.insert(self.number, connection)?;
        }
        if let Some(vectors) = &self.vectors {
            vectors.insert(self.number, connection)?;
        }
        Ok(())
    }

    fn document_bytes(&self) -> Vec<u8> {
        bytes_of(&self.documents)
    }

    fn checksum(&self) -> RowChecksum {
        RowChecksum::default()
            .number(self.number)
            .field(Some(&self.document_bytes()))
            .number(self.postings)
            .number(self.bytes)
    }

    /// Removes a segment with its stretches and vectors.
    pub(in super::super) fn delete(&self, connection: &Connection) -> rusqlite::Result<()> {
        let number = self.number;
        if self.stretches.is_some() {
            connection.execute("DELETE FROM stretches WHERE segment = ?1", [number])?;
        }
        if self.vectors.is_some() {
            connection.execute("DELETE FROM vectors WHERE segment = ?1", [number])?;
        }
        connection.execute("DELETE FROM segments WHERE number = ?1", [number])?;
        Ok(())
    }
}

impl VectorsRow {
    fn insert(self, segment: u64, connection: &Connection) -> rusqlite::Result<()> {
        let checksum = self.checksum(segment).value();
        connection.execute(
            "INSERT INTO vectors VALUES (?1, ?2, ?3, ?4)",
            params![segment, self.vectors, self.bytes, checksum],
        )?;
        Ok(())
    }

    fn checksum(self, segment: u64) -> RowChecksum {
        RowChecksum::default()
            .number(segment)
            .number(self.vectors)
            .number(self.bytes)
    }
}

impl StretchesRow {
    fn insert(&self, segment: u64, connection: &Connection) -> rusqlite::Result<()> {
        let runs = self.runs();
        let checksum = StretchesRow::checksum(segment, &runs, self.postings, self.bytes);
        connection.execute(
            "INSERT INTO stretches VALUES (?1, ?2, ?3, ?4, ?5)",
            params![segment, runs, self.postings, self.bytes, checksum.value()],
        )?;
        Ok(())
    }

    /// For each block the number of its registered document.
    pub(in super::super) fn owners(&self) -> impl Iterator<Item = u32> {
        let documents = self.documents.iter();
        documents.flat_map(|&(owner, blocks)| std::iter::repeat_n(owner, blocks as usize))
    }

    /// How many blocks there are.
    pub(in super::super) fn blocks(&self) -> u64 {
        let blocks = self.documents.iter().map(|(_, blocks)| u64::from(*blocks));
        blocks.sum()
    }

    fn runs(&self) -> Vec<u8> {
        let runs = self.documents.iter();
        let runs: Vec<u32> = runs.flat_map(|&(owner, blocks)| [owner, blocks]).collect();
        bytes_of(&runs)
    }

    fn checksum(segment: u64, runs: &[u8], postings: u64, bytes: u64) -> RowChecksum {
        RowChecksum::default()
            .number(segment)
            .field(Some(runs))
            .number(postings)
            .number(bytes)
    }
}

/// The documents of blocks and how many each has, from the bytes that the catalogue keeps them as.
fn runs_of(bytes: &[u8]) -> Vec<(u32, u32)> {
    let numbers = numbers_of(bytes);
    let (runs, _) = numbers.as_chunks::<2>();
    runs.iter()
        .map(|&[owner, blocks]| (owner, blocks))
        .collect()
}

fn bytes_of(numbers: &[u32]) -> Vec<u8> {
    let numbers = numbers.iter();
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

/// Document numbers from the bytes that the catalogue keeps them as.
fn numbers_of(bytes: &[u8]) -> Vec<u32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect()
}
