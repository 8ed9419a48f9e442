//! The digests of documents, one document after the other: in memory, or in a file if they are more
//! than memory should hold.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::number::index32;

/// The sets of digests of documents, which are numbered in the order of adding.
pub struct DigestStore {
    place: Place,
    /// How many digests each document has.
    sizes: Vec<u32>,
}

enum Place {
    Memory(Vec<Box<[Digest]>>),
    File(Spill),
}

/// A file of digests, eight bytes each.
struct Spill {
    path: PathBuf,
    out: BufWriter<File>,
    /// Where each document starts, counted in digests; one more for the end.
    starts: Vec<u64>,
}

const DIGEST: u64 = 8;

impl DigestStore {
    /// A store that keeps everything in memory.
    pub fn in_memory() -> DigestStore {
        DigestStore {
            place: Place::Memory(Vec::new()),
            sizes: Vec::new(),
        }
    }

    /// A store in a file that has the digests of documents of these sizes, and nothing or something
    /// half written behind them, which is cut off. Without documents the file need not exist.
    pub fn in_file(path: &Path, sizes: Vec<u32>) -> Result<DigestStore, Error> {
        let failed = |source| io_error(path, source);
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .map_err(failed)?;
        let mut starts = Vec::with_capacity(sizes.len() + 1);
        let mut end = 0;
        starts.push(end);
        for size in &sizes {
            end += u64::from(*size);
            starts.push(end);
        }
        let length = file.metadata().map_err(failed)?.len();
        if length < end * DIGEST {
            return Err(Error::Format {
                path: path.to_owned(),
                reason: "digests that were written are missing".to_owned(),
            });
        }
        file.set_len(end * DIGEST).map_err(failed)?;
        Ok(DigestStore {
            place: Place::File(Spill {
                path: path.to_owned(),
                out: BufWriter::with_capacity(1 << 20, file),
                starts,
            }),
            sizes,
        })
    }

    /// Adds the next document.
    pub fn push(&mut self, fingerprint: &Fingerprint) -> Result<(), Error> {
        let digests = fingerprint.digests();
        match &mut self.place {
            Place::Memory(documents) => documents.push(digests.into()),
            Place::File(spill) => spill.push(digests)?,
        }
        self.sizes.push(index32(digests.len()));
        Ok(())
    }

    /// Writes down all that was added, so that it survives the machine's end.
    pub fn sync(&mut self) -> Result<(), Error> {
        match &mut self.place {
            Place::Memory(_) => Ok(()),
            Place::File(spill) => {
                let synced = spill
                    .out
                    .flush()
                    .and_then(|()| spill.out.get_ref().sync_data());
                synced.map_err(|source| io_error(&spill.path, source))
            }
        }
    }

    /// How many digests each document has.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How many digests there are in all.
    pub fn total(&self) -> u64 {
        self.sizes.iter().map(|size| u64::from(*size)).sum()
    }

    /// The digests of a document, sorted. What was added after the last [`DigestStore::sync`] may not
    /// be there yet.
    pub fn read(&self, document: u32) -> Result<Vec<Digest>, Error> {
        Ok(self.digests(document, &mut ReadBuffer::default())?.to_vec())
    }

    /// The same; those from a file are put into `buffer`.
    pub(super) fn digests<'a>(
        &'a self,
        document: u32,
        buffer: &'a mut ReadBuffer,
    ) -> Result<&'a [Digest], Error> {
        match &self.place {
            Place::Memory(documents) => Ok(&documents[document as usize]),
            Place::File(spill) => spill.read(document, buffer),
        }
    }
}

/// Memory for the digests of a document that are read from a file, to be used again.
#[derive(Default)]
pub(super) struct ReadBuffer {
    bytes: Vec<u8>,
    digests: Vec<Digest>,
}

impl Spill {
    fn push(&mut self, digests: &[Digest]) -> Result<(), Error> {
        for digest in digests {
            self.out
                .write_all(&digest.0.to_le_bytes())
                .map_err(|source| io_error(&self.path, source))?;
        }
        let end = self.starts.last().map_or(0, |end| *end);
        self.starts.push(end + digests.len() as u64);
        Ok(())
    }

    fn read<'a>(&self, document: u32, buffer: &'a mut ReadBuffer) -> Result<&'a [Digest], Error> {
        let (start, end) = (
            self.starts[document as usize],
            self.starts[document as usize + 1],
        );
        let bytes = usize::try_from((end - start) * DIGEST).expect("a document fits into memory");
        buffer.bytes.resize(bytes, 0);
        read_at(self.out.get_ref(), &mut buffer.bytes, start * DIGEST)
            .map_err(|source| io_error(&self.path, source))?;
        let (words, _) = buffer.bytes.as_chunks();
        buffer.digests.clear();
        buffer
            .digests
            .extend(words.iter().map(|bytes| Digest(u64::from_le_bytes(*bytes))));
        Ok(&buffer.digests)
    }
}

pub(super) fn io_error(path: &Path, source: std::io::Error) -> Error {
    Error::Io {
        path: path.to_owned(),
        source,
    }
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, start)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        start += read as u64;
        bytes = &mut bytes[read..];
    }
    Ok(())
}
