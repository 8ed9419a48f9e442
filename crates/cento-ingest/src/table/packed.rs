//! Tables are written compressed as they were read.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use crate::Error;
use crate::archive::Packing;

/// A file that is being written, compressed or not.
pub struct PackedWriter(Kind);

enum Kind {
    Plain(BufWriter<File>),
    Gzip(flate2::write::GzEncoder<BufWriter<File>>),
    Bzip2(bzip2::write::BzEncoder<BufWriter<File>>),
    Zstd(zstd::Encoder<'static, BufWriter<File>>),
}

impl PackedWriter {
    /// A file that is not compressed.
    pub fn plain(file: File) -> PackedWriter {
        PackedWriter(Kind::Plain(BufWriter::with_capacity(1 << 18, file)))
    }

    pub(super) fn new(file: File, packing: Option<Packing>) -> Result<PackedWriter, Error> {
        let Some(packing) = packing else {
            return Ok(PackedWriter::plain(file));
        };
        let file = BufWriter::with_capacity(1 << 18, file);
        Ok(PackedWriter(match packing {
            Packing::Gzip => Kind::Gzip(flate2::write::GzEncoder::new(
                file,
                flate2::Compression::default(),
            )),
            Packing::Bzip2 => Kind::Bzip2(bzip2::write::BzEncoder::new(
                file,
                bzip2::Compression::default(),
            )),
            Packing::Zstd => {
                let level = zstd::DEFAULT_COMPRESSION_LEVEL;
                let encoder = zstd::Encoder::new(file, level);
                Kind::Zstd(encoder.map_err(|error| Error::Io(error.to_string()))?)
            }
            Packing::Xz => {
                return Err(Error::Unsupported(
                    "tables cannot be written as xz; unpack the input, or pack it as .gz or .zst"
                        .to_owned(),
                ));
            }
        }))
    }

    /// Writes what is still to be written.
    pub fn finish(self) -> io::Result<()> {
        let mut file = match self.0 {
            Kind::Plain(file) => file,
            Kind::Gzip(packed) => packed.finish()?,
            Kind::Bzip2(packed) => packed.finish()?,
            Kind::Zstd(packed) => packed.finish()?,
        };
        file.flush()
    }
}

impl Write for PackedWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Kind::Plain(file) => file.write(bytes),
            Kind::Gzip(packed) => packed.write(bytes),
            Kind::Bzip2(packed) => packed.write(bytes),
            Kind::Zstd(packed) => packed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Kind::Plain(file) => file.flush(),
            Kind::Gzip(packed) => packed.flush(),
            Kind::Bzip2(packed) => packed.flush(),
            Kind::Zstd(packed) => packed.flush(),
        }
    }
}
