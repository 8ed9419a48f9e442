//! Long reading and writing in one go that can be stopped all the same.

use std::io::{self, BufReader, Read, Write};

use super::tables::Table;
use crate::error::{At as _, File as _, Result};
use crate::watch::Watch;

/// Reads or writes until the job has to stop, and fails then.
pub(super) struct Stoppable<'w, T> {
    pub(super) inner: T,
    pub(super) watch: Watch<'w>,
}

impl<T> Stoppable<'_, T> {
    fn go_on(&self) -> io::Result<()> {
        if self.watch.is_stopped() {
            return Err(io::Error::other("stopped before it was done"));
        }
        Ok(())
    }
}

impl<T: Read> Read for Stoppable<'_, T> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.go_on()?;
        self.inner.read(buffer)
    }
}

impl<T: Write> Write for Stoppable<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.go_on()?;
        self.inner.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// The bytes of a table, unpacked, from its beginning to its end.
pub(super) struct TableBytes<'t> {
    table: &'t Table,
    watch: Watch<'t>,
    input: BufReader<Box<dyn Read + 't>>,
    at: u64,
    bytes: Vec<u8>,
}

impl<'t> TableBytes<'t> {
    pub(super) fn of(table: &'t Table, watch: &Watch<'t>) -> Result<TableBytes<'t>> {
        let inner = table.shard.unpacked().at(table.name.display())?;
        let watch = *watch;
        let input: Box<dyn Read + 't> = Box::new(Stoppable { inner, watch });
        Ok(TableBytes {
            table,
            watch,
            input: BufReader::with_capacity(1 << 20, input),
            at: 0,
            bytes: Vec::new(),
        })
    }

    /// The bytes between two places, which are not before any that were read.
    pub(super) fn read(&mut self, start: u64, end: u64) -> Result<&[u8]> {
        let read = self.fill(start, end);
        self.watch.go_on()?;
        read.of(self.table.shard.path())?;
        Ok(&self.bytes)
    }

    fn fill(&mut self, start: u64, end: u64) -> io::Result<()> {
        let skipped = start.saturating_sub(self.at);
        io::copy(&mut self.input.by_ref().take(skipped), &mut io::sink())?;
        let length = usize::try_from(end - start).map_err(io::Error::other)?;
        self.bytes.resize(length, 0);
        self.input.read_exact(&mut self.bytes)?;
        self.at = end;
        Ok(())
    }
}
