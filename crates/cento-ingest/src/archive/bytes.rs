//! Bytes to look into: a file or memory, read from any place.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Where bytes are. Copies share them.
#[derive(Clone)]
pub(crate) enum Bytes {
    /// In a file, which may be larger than memory.
    File { file: Arc<File>, length: u64 },
    /// In memory.
    Memory(Arc<Vec<u8>>),
}

impl Bytes {
    pub(crate) fn open(path: &std::path::Path) -> io::Result<Bytes> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Bytes::File {
            file: Arc::new(file),
            length,
        })
    }

    pub(crate) fn length(&self) -> u64 {
        match self {
            Bytes::File { length, .. } => *length,
            Bytes::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// From the first byte on.
    pub(crate) fn reader(&self) -> Cursor {
        Cursor {
            bytes: self.clone(),
            position: 0,
        }
    }

    fn read_at(&self, buffer: &mut [u8], position: u64) -> io::Result<usize> {
        match self {
            Bytes::File { file, .. } => read_at(file, buffer, position),
            Bytes::Memory(bytes) => {
                let start = usize::try_from(position).unwrap_or(usize::MAX);
                let rest = bytes.get(start..).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        }
    }
}

/// A place in bytes to read from. Copies move on their own.
#[derive(Clone)]
pub(crate) struct Cursor {
    bytes: Bytes,
    position: u64,
}

impl Read for Cursor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read_at(buffer, self.position)?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Cursor {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::End(offset) => self.bytes.length().checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, position)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], position: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, position)
}
