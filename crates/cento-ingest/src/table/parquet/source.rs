//! How the library gets at the bytes of a file.

use std::io::{BufReader, Read as _, Seek as _, SeekFrom};

use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use crate::archive::{Bytes, Cursor};

impl Length for Bytes {
    fn len(&self) -> u64 {
        self.length()
    }
}

impl ChunkReader for Bytes {
    type T = BufReader<Cursor>;

    fn get_read(&self, start: u64) -> Result<BufReader<Cursor>> {
        let mut reader = self.reader();
        reader.seek(SeekFrom::Start(start))?;
        Ok(BufReader::new(reader))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        // What a file says of itself may be wrong; memory is not spent on it.
        let rest = self.length().saturating_sub(start);
        if length as u64 > rest {
            return Err(ParquetError::EOF(format!(
                "{length} bytes wanted where there are {rest}"
            )));
        }
        let mut buffer = vec![0; length];
        let mut reader = self.reader();
        reader.seek(SeekFrom::Start(start))?;
        reader.read_exact(&mut buffer)?;
        Ok(buffer.into())
    }
}
