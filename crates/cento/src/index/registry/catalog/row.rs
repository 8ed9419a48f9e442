//! The checksum of a row: `SQLite` does not notice a bit that a disk has turned.

use std::hash::Hasher as _;

use rusqlite::types::Type;
use twox_hash::XxHash3_64;

/// Adds up the fields of a row.
#[derive(Default)]
pub(super) struct RowChecksum {
    hasher: XxHash3_64,
}

impl RowChecksum {
    pub(super) fn number(mut self, number: impl Into<u64>) -> RowChecksum {
        self.hasher.write(&number.into().to_le_bytes());
        self
    }

    /// Bytes or text that may not be there: both its length and its absence count.
    pub(super) fn field(mut self, field: Option<&[u8]>) -> RowChecksum {
        let length = field.map_or(u64::MAX, |bytes| bytes.len() as u64);
        self.hasher.write(&length.to_le_bytes());
        self.hasher.write(field.unwrap_or_default());
        self
    }

    /// As the database keeps it.
    pub(super) fn value(&self) -> i64 {
        self.hasher.finish().cast_signed()
    }

    /// Compares it with what the database has in a column.
    pub(super) fn expect(&self, found: i64, column: usize) -> rusqlite::Result<()> {
        if self.value() == found {
            return Ok(());
        }
        let reason = "a row is damaged: its checksum differs";
        Err(rusqlite::Error::FromSqlConversionFailure(
            column,
            Type::Integer,
            reason.into(),
        ))
    }
}
