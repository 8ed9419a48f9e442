//! Where a writer puts its bits: a buffer, a running checksum, and a file or scratch space behind.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, Read as _, Seek, Write};
use std::path::Path;

use tempfile::SpooledTempFile;
use twox_hash::XxHash3_64;

use super::bits::low_bits;
use super::table::BUCKET_SHIFT;

/// How many bytes are gathered before they are written. What comes to a file in pieces of the size
/// of a huge page, from one border of such a page to the next, the system may keep in huge pages,
/// and a lookup in a large segment then waits less for memory.
const BUFFER: usize = 1 << 21;
/// How many bytes of scratch space stay in memory.
const SPOOL: usize = 1 << 23;

/// A section while it is being written.
pub(super) struct Sink<W> {
    out: W,
    buffer: Vec<u8>,
    /// How many bytes are still missing to the next border.
    room: usize,
    /// Bits that do not fill a word yet.
    pending: u64,
    used: u32,
    hasher: XxHash3_64,
    bytes: u64,
}

/// A section that was written.
pub(super) struct Done<W> {
    pub(super) out: W,
    pub(super) bytes: u64,
    pub(super) checksum: u64,
}

impl<W: Write + Seek> Sink<W> {
    /// A section that begins where the file is written to next.
    pub(super) fn here(mut out: W) -> io::Result<Sink<W>> {
        let place = out.stream_position()?;
        Ok(Sink::new(out, place))
    }
}

impl<W: Write> Sink<W> {
    fn new(out: W, place: u64) -> Sink<W> {
        let within = usize::try_from(place % BUFFER as u64).expect("less than a buffer");
        Sink {
            out,
            buffer: Vec::new(),
            room: BUFFER - within,
            pending: 0,
            used: 0,
            hasher: XxHash3_64::new(),
            bytes: 0,
        }
    }

    /// Adds a number of so many bits.
    #[inline]
    pub(super) fn push(&mut self, number: u64, width: u32) -> io::Result<()> {
        let number = number & low_bits(width);
        self.pending |= number.checked_shl(self.used).unwrap_or(0);
        self.used += width;
        if self.used >= 64 {
            self.used -= 64;
            let word = self.pending;
            self.pending = number.checked_shr(width - self.used).unwrap_or(0);
            self.push_bytes(&word.to_le_bytes())?;
        }
        Ok(())
    }

    /// Adds bytes; between bits only where a word is full.
    #[inline]
    pub(super) fn push_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() < self.room {
            self.buffer.extend_from_slice(bytes);
            self.room -= bytes.len();
            return Ok(());
        }
        self.push_beyond(bytes)
    }

    /// Adds bytes that reach the next border or go beyond it.
    #[cold]
    fn push_beyond(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while let Some((now, later)) = bytes.split_at_checked(self.room) {
            self.buffer.extend_from_slice(now);
            self.flush()?;
            self.room = BUFFER;
            bytes = later;
        }
        self.buffer.extend_from_slice(bytes);
        self.room -= bytes.len();
        Ok(())
    }

    /// Ends a section of bits: whole words and one more.
    pub(super) fn finish_bits(mut self) -> io::Result<Done<W>> {
        if self.used > 0 {
            let word = self.pending;
            self.push_bytes(&word.to_le_bytes())?;
        }
        self.push_bytes(&[0; 8])?;
        self.finish()
    }

    /// Ends a section of bytes, padded with zeros.
    pub(super) fn finish(mut self) -> io::Result<Done<W>> {
        self.flush()?;
        let padding = self.bytes.next_multiple_of(8) - self.bytes;
        let zeros = [0; 8];
        self.push_bytes(&zeros[..usize::try_from(padding).expect("less than 8")])?;
        self.flush()?;
        Ok(Done {
            out: self.out,
            bytes: self.bytes,
            checksum: self.hasher.finish(),
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.hasher.write(&self.buffer);
        self.out.write_all(&self.buffer)?;
        self.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }
}

/// Scratch space beside a file, on disk once it is large; the system takes it back by itself.
pub(super) fn scratch(beside: &Path) -> Sink<SpooledTempFile> {
    let folder = beside.parent().unwrap_or(beside);
    Sink::new(tempfile::spooled_tempfile_in(SPOOL, folder), 0)
}

impl Done<SpooledTempFile> {
    /// Copies what was written to the end of a file; gives back its checksum.
    pub(super) fn append_to(mut self, file: &mut File) -> io::Result<u64> {
        self.out.rewind()?;
        let mut sink = Sink::here(file)?;
        let mut left = self.bytes;
        let mut buffer = vec![0; 1 << 16];
        while left > 0 {
            let now = usize::try_from(left).map_or(buffer.len(), |left| left.min(buffer.len()));
            self.out.read_exact(&mut buffer[..now])?;
            sink.push_bytes(&buffer[..now])?;
            left -= now as u64;
        }
        let copied = sink.finish()?;
        debug_assert_eq!(copied.checksum, self.checksum);
        Ok(copied.checksum)
    }
}

/// A table while it is being written.
pub(super) struct TableSink<W> {
    records: Sink<W>,
    buckets: Sink<SpooledTempFile>,
    /// Where in `buckets` the one of every 2^6-th bucket is.
    samples: Vec<u64>,
    bucket_count: u64,
    rest_bits: u32,
    payload_bits: u32,
    /// The bucket that is being filled, and how many bits of `buckets` there are.
    bucket: u64,
    bit: u64,
}

/// A table that was written.
pub(super) struct TableDone<W> {
    pub(super) records: Done<W>,
    pub(super) buckets: Done<SpooledTempFile>,
    pub(super) samples: Vec<u64>,
}

impl<W: Write> TableSink<W> {
    pub(super) fn new(
        records: Sink<W>,
        beside: &Path,
        bucket_bits: u8,
        rest_bits: u32,
        payload_bits: u32,
    ) -> TableSink<W> {
        TableSink {
            records,
            buckets: scratch(beside),
            samples: Vec::new(),
            bucket_count: 1 << bucket_bits,
            rest_bits,
            payload_bits,
            bucket: 0,
            bit: 0,
        }
    }

    /// Adds an entry; keys come in ascending order.
    #[inline]
    pub(super) fn push(&mut self, key: u64, payload: u64) -> io::Result<()> {
        let bucket = key.checked_shr(self.rest_bits).unwrap_or(0);
        self.end_buckets(bucket)?;
        self.buckets.push(0, 1)?;
        self.bit += 1;
        let rest = key & low_bits(self.rest_bits);
        let record = rest.checked_shl(self.payload_bits).unwrap_or(0) | payload;
        self.records
            .push(record, self.rest_bits + self.payload_bits)
    }

    pub(super) fn finish(mut self) -> io::Result<TableDone<W>> {
        self.end_buckets(self.bucket_count)?;
        Ok(TableDone {
            records: self.records.finish_bits()?,
            buckets: self.buckets.finish_bits()?,
            samples: self.samples,
        })
    }

    /// Ends all buckets before `bucket`.
    #[inline]
    fn end_buckets(&mut self, bucket: u64) -> io::Result<()> {
        while self.bucket < bucket {
            if self.bucket.trailing_zeros() >= BUCKET_SHIFT {
                self.samples.push(self.bit);
            }
            self.buckets.push(1, 1)?;
            self.bit += 1;
            self.bucket += 1;
        }
        Ok(())
    }
}
