//! Compressed streams: gzip, bzip2, xz and zstd, unpacked no further than the limits allow.

use std::io::{self, BufRead as _, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::xz::Xz;
use crate::options::Limits;
use crate::{Error, Limit};

/// A stream of bytes of unknown length.
pub(crate) type Stream = Box<dyn Read + Send>;

/// How bytes were compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl Packing {
    /// By the first bytes.
    pub(crate) fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Packing::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(Packing::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Packing::Xz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Packing::Zstd),
            _ => None,
        }
    }

    /// What a name is without the end that says how it is compressed.
    pub(crate) fn strip(self, name: &str) -> String {
        let ends: &[(&str, &str)] = match self {
            Packing::Gzip => &[(".gz", ""), (".tgz", ".tar"), (".gzip", "")],
            Packing::Bzip2 => &[(".bz2", ""), (".tbz2", ".tar"), (".tbz", ".tar")],
            Packing::Xz => &[(".xz", ""), (".txz", ".tar")],
            Packing::Zstd => &[(".zst", ""), (".tzst", ".tar"), (".zstd", "")],
        };
        let lower = name.to_ascii_lowercase();
        let stripped = ends.iter().find(|(end, _)| lower.ends_with(end));
        stripped.map_or_else(
            || name.to_owned(),
            |(end, instead)| format!("{}{instead}", &name[..name.len() - end.len()]),
        )
    }

    /// The unpacked bytes, as far as they are not too many for the packed ones.
    pub(crate) fn unpack(self, packed: Stream, limits: &Limits) -> Stream {
        let taken = Arc::new(AtomicU64::new(0));
        let packed = Counted {
            inner: packed,
            taken: Arc::clone(&taken),
        };
        let inner: Stream = match self {
            Packing::Gzip => Box::new(flate2::read::MultiGzDecoder::new(packed)),
            Packing::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(packed)),
            Packing::Xz => {
                let memory = u32::try_from(DICTIONARY >> 10).unwrap_or(u32::MAX);
                Box::new(Xz::new(packed, memory))
            }
            Packing::Zstd => Box::new(Frames::new(packed)),
        };
        Box::new(Guarded {
            inner,
            taken,
            given: 0,
            limits: *limits,
        })
    }
}

/// Memory for what a stream may refer back to; `xz -9` needs 64 MiB.
const DICTIONARY: u64 = 256 << 20;

/// The error of something that unpacks to too much.
pub(crate) fn too_much(limits: &Limits) -> Error {
    let ratio = limits.ratio;
    Limit::Ratio.reached(format!("unpacks to more than {ratio} times its size"))
}

struct Counted {
    inner: Stream,
    taken: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.taken.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Stops a bomb while it goes off.
struct Guarded {
    inner: Stream,
    taken: Arc<AtomicU64>,
    given: u64,
    limits: Limits,
}

impl Read for Guarded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.given += count as u64;
        if self.given > self.limits.unpacked(self.taken.load(Ordering::Relaxed)) {
            return Err(io::Error::other(too_much(&self.limits)));
        }
        Ok(count)
    }
}

/// The frames of a zstd stream, one after the other.
struct Frames {
    packed: BufReader<Counted>,
    decoder: FrameDecoder,
    is_inside: bool,
}

impl Frames {
    fn new(packed: Counted) -> Frames {
        Frames {
            packed: BufReader::new(packed),
            decoder: FrameDecoder::new(),
            is_inside: false,
        }
    }

    /// Opens the next frame that is not to be skipped, if there is one.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.packed.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.packed) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let skipped = &mut (&mut self.packed).take(length.into());
                    io::copy(skipped, &mut io::sink())?;
                }
                Err(error) => return Err(io::Error::other(error.to_string())),
            }
        }
        Ok(false)
    }
}

impl Read for Frames {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_inside {
                self.is_inside = self.next_frame()?;
                if !self.is_inside {
                    return Ok(0);
                }
            }
            if self.decoder.can_collect() > 0 {
                return self.decoder.read(buffer);
            }
            if self.decoder.is_finished() {
                self.is_inside = false;
            } else {
                self.decoder
                    .decode_blocks(&mut self.packed, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(|error| io::Error::other(error.to_string()))?;
            }
        }
    }
}
