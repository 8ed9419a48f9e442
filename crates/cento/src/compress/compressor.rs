//! The compressors themselves: how many bytes they make of texts, one after the other.

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

use crate::error::Error;
use crate::text_form::serde_as_text;
use crate::watch::Watch;

/// What compresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressor {
    /// Deflate at level 6, as the program of this name has it.
    Gzip,
    /// Burrows and Wheeler's transformation in blocks of 900 kB.
    Bzip2,
    /// Prediction by partial matching (`PPMd7`, variant H) with contexts of up to 32 bytes.
    Ppm,
    /// LZMA2 at level 6, with a window over both texts.
    Xz,
    /// Zstandard at level 19, with a window over both texts.
    Zstd,
}

impl Compressor {
    /// All of them.
    pub const ALL: [Compressor; 5] = [
        Compressor::Gzip,
        Compressor::Bzip2,
        Compressor::Ppm,
        Compressor::Xz,
        Compressor::Zstd,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Compressor::Gzip => "gzip",
            Compressor::Bzip2 => "bzip2",
            Compressor::Ppm => "ppm",
            Compressor::Xz => "xz",
            Compressor::Zstd => "zstd",
        }
    }

    /// How many bytes it sees at a time; of two texts that have more together, it forgets some
    /// before they could help.
    pub fn window(self) -> u64 {
        match self {
            Compressor::Gzip => 32 << 10,
            Compressor::Bzip2 => 900_000,
            Compressor::Ppm => LARGEST_MODEL / MODEL_PER_BYTE,
            Compressor::Xz => 1 << XZ_WINDOW,
            Compressor::Zstd => 1 << ZSTD_WINDOW,
        }
    }

    /// How many bytes the parts take together, one after the other.
    pub(super) fn compressed_length(self, parts: &[&[u8]], watch: Watch<'_>) -> Result<u64, Error> {
        let input = Input { parts, watch };
        let length = match self {
            Compressor::Gzip => gzip(input),
            Compressor::Bzip2 => bzip2(input),
            Compressor::Ppm => ppm(input),
            Compressor::Xz => xz(input),
            Compressor::Zstd => zstd(input),
        };
        length.map_err(|source| match source.downcast() {
            Ok(stopped) => stopped,
            Err(source) => Error::Compress {
                by: self.name(),
                source,
            },
        })
    }
}

impl fmt::Display for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Compressor {
    type Err = Error;

    fn from_str(name: &str) -> Result<Compressor, Error> {
        let known = Compressor::ALL.into_iter().find(|by| by.name() == name);
        known.ok_or_else(|| Error::UnknownCompressor {
            name: name.to_owned(),
            choices: Compressor::ALL.map(Compressor::name).join(", "),
        })
    }
}

serde_as_text!(Compressor);

/// The order of the contexts of `Ppm`: the paper's PPM* has no limit, and 32 bytes are enough to
/// follow a copy.
const CONTEXT: u32 = 32;
/// What `Ppm` may need for each byte of text: a record of 12 bytes for every context it stands in.
const MODEL_PER_BYTE: u64 = 12 * (CONTEXT as u64 + 1);
/// The most that `Ppm` may take; with less than it needs, it would start again from nothing.
const LARGEST_MODEL: u64 = 512 << 20;

/// What the compressors look back over at most, as powers of two: 64 and 128 MiB.
const XZ_WINDOW: u32 = 26;
const ZSTD_WINDOW: u32 = 27;

/// Counts what is written and keeps nothing.
#[derive(Default)]
struct Counter(u64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Texts that are compressed one after the other.
#[derive(Clone, Copy)]
struct Input<'a> {
    parts: &'a [&'a [u8]],
    watch: Watch<'a>,
}

/// How many bytes are compressed before it is asked whether to go on.
const TOGETHER: usize = 1 << 16;

impl Input<'_> {
    fn bytes(self) -> u64 {
        self.parts.iter().map(|part| part.len() as u64).sum()
    }

    fn write_to(self, mut encoder: impl Write) -> io::Result<()> {
        for bytes in self.parts.iter().flat_map(|part| part.chunks(TOGETHER)) {
            self.watch.go_on().map_err(io::Error::other)?;
            encoder.write_all(bytes)?;
        }
        Ok(())
    }
}

fn gzip(input: Input<'_>) -> io::Result<u64> {
    let level = flate2::Compression::new(6);
    let mut encoder = flate2::write::GzEncoder::new(Counter::default(), level);
    input.write_to(&mut encoder)?;
    Ok(encoder.finish()?.0)
}

fn bzip2(input: Input<'_>) -> io::Result<u64> {
    let level = bzip2::Compression::best();
    let mut encoder = bzip2::write::BzEncoder::new(Counter::default(), level);
    input.write_to(&mut encoder)?;
    Ok(encoder.finish()?.0)
}

fn ppm(input: Input<'_>) -> io::Result<u64> {
    ppm_with_room(input, input.bytes())
}

/// The same with a model that has room for so many bytes of text.
fn ppm_with_room(input: Input<'_>, bytes: u64) -> io::Result<u64> {
    let memory = (bytes * MODEL_PER_BYTE).clamp(1 << 20, LARGEST_MODEL);
    let memory = u32::try_from(memory).unwrap_or(u32::MAX);
    let encoder = ppmd_rust::Ppmd7Encoder::new(Counter::default(), CONTEXT, memory);
    let mut encoder = encoder.map_err(io::Error::other)?;
    input.write_to(&mut encoder)?;
    Ok(encoder.finish(true)?.0)
}

fn xz(input: Input<'_>) -> io::Result<u64> {
    let mut options = lzma_rust2::XzOptions::with_preset(6);
    options.lzma_options.dict_size = 1 << window_log(input.bytes(), XZ_WINDOW);
    let mut encoder = lzma_rust2::XzWriter::new(Counter::default(), options)?;
    input.write_to(&mut encoder)?;
    Ok(encoder.finish()?.0)
}

fn zstd(input: Input<'_>) -> io::Result<u64> {
    let mut encoder = zstd::Encoder::new(Counter::default(), 19)?;
    encoder.window_log(window_log(input.bytes(), ZSTD_WINDOW))?;
    encoder.long_distance_matching(true)?;
    encoder.set_pledged_src_size(Some(input.bytes()))?;
    input.write_to(&mut encoder)?;
    Ok(encoder.finish()?.0)
}

/// The window that holds so many bytes, as a power of two; at least 64 KiB, and at most the largest.
fn window_log(bytes: u64, largest: u32) -> u32 {
    bytes
        .max(1 << 16)
        .next_power_of_two()
        .trailing_zeros()
        .min(largest)
}

#[cfg(test)]
mod tests {
    use super::super::tests::text;
    use super::*;

    #[test]
    fn a_model_has_room_for_a_text_and_its_copy() {
        // Copies need the most: every context grows to its full length.
        let text = text(3, 5_000);
        let input = Input {
            parts: &[text.as_bytes(), text.as_bytes()],
            watch: Watch::NOBODY,
        };
        let roomy = ppm_with_room(input, 2 * input.bytes()).unwrap();
        assert_eq!(ppm(input).unwrap(), roomy);
    }

    #[test]
    fn names_and_back() {
        for by in Compressor::ALL {
            assert_eq!(by.to_string().parse::<Compressor>().unwrap(), by);
        }
        let error = "rar".parse::<Compressor>().unwrap_err().to_string();
        assert!(error.ends_with("choose one of gzip, bzip2, ppm, xz, zstd"));
    }
}
