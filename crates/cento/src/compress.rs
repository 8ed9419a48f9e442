//! How alike two texts are, from how well they compress together (Finkel et al., section 4.3).
//!
//! A compressor that has seen one text needs little room for another that is like it. Nothing is
//! tokenized and nothing is found: the answer is one number for the pair. Which one?
//!
//! * [`Compressor::Xz`], [`Compressor::Zstd`]: look back over both texts, whatever their length.
//! * [`Compressor::Ppm`]: the best model of short texts; slow, and hungry for memory.
//! * [`Compressor::Gzip`], [`Compressor::Bzip2`]: for comparison with the paper. They forget what
//!   lies further back than their window, and [`Similarity::notes`] says so where it happens.

mod pairs;

use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;

pub use pairs::scan;

use crate::error::Error;
use crate::report::{Compression, Note, Report};
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

/// How alike two texts are.
#[derive(Clone, Debug, PartialEq)]
pub struct Similarity {
    /// From 0, nothing in common, to 1, the same text.
    pub value: f64,
    /// Why the value may be wrong.
    pub notes: Vec<Note>,
}

/// How alike two texts are, whichever comes first:
/// 2 − (|c(FG)| + |c(GF)|) / (|c(F)| + |c(G)|).
///
/// The paper compresses the two in one order only, so that its symmetric similarity is not quite
/// symmetric; the mean of both orders is, and comes closer to the paper's table. Compressing is not
/// perfect: a text against itself reads a little less than 1 (docs/methods.md says how much less).
pub fn similarity(
    left: &[u8],
    right: &[u8],
    by: Compressor,
    watch: Watch<'_>,
) -> Result<Similarity, Error> {
    let length = |parts: &[&[u8]]| by.compressed_length(parts, watch);
    let alone = length(&[left])? + length(&[right])?;
    let value = value_of([left, right], alone, by, watch)?;
    let bytes = left.len() as u64 + right.len() as u64;
    let mut notes = Vec::new();
    if bytes > by.window() {
        notes.push(forgets(by, bytes));
    }
    if alone < 2 * FRAMES * length(&[])? {
        notes.push(Note::TooShortToCompress {
            compressor: by.to_string(),
        });
    }
    Ok(Similarity { value, notes })
}

/// The similarity of two texts that take so many bytes when each is compressed alone.
fn value_of(
    [left, right]: [&[u8]; 2],
    alone: u64,
    by: Compressor,
    watch: Watch<'_>,
) -> Result<f64, Error> {
    let length = |parts: &[&[u8]]| by.compressed_length(parts, watch);
    let together = length(&[left, right])? + length(&[right, left])?;
    Ok((2.0 - together as f64 / alone as f64).clamp(0.0, 1.0))
}

/// Makes the similarity of two texts the score of their report.
pub fn judge(
    report: &mut Report,
    texts: [&str; 2],
    by: Compressor,
    threshold: f64,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let [left, right] = texts.map(str::as_bytes);
    let Similarity { value, notes } = similarity(left, right, by, watch)?;
    let found = value >= threshold;
    report.measure = format!("compression:{by}");
    report.at_threshold = u64::from(found);
    report.below_threshold = Some(u64::from(!found));
    report.families.clear();
    for pair in &mut report.pairs {
        pair.score = value;
        pair.compression = Some(Compression {
            by: by.to_string(),
            similarity: value,
        });
        if found {
            report
                .families
                .push(vec![pair.left.clone(), pair.right.clone()]);
        }
    }
    report.notes.extend(notes);
    Ok(())
}

/// A compressed text of fewer bytes than so many empty ones is short.
const FRAMES: u64 = 10;

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
    fn compressed_length(self, parts: &[&[u8]], watch: Watch<'_>) -> Result<u64, Error> {
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

/// What to say of texts that do not fit the window.
fn forgets(by: Compressor, bytes: u64) -> Note {
    let others = Compressor::ALL.into_iter();
    Note::Forgets {
        compressor: by.to_string(),
        window: by.window(),
        bytes,
        others: others
            .filter(|other| other.window() >= bytes)
            .map(Compressor::name)
            .collect(),
    }
}

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
    use super::*;

    /// Words that all differ, so that only what is copied repeats.
    fn text(seed: u64, words: u64) -> String {
        let word = |number: u64| {
            let mixed = (seed * 1_000_003 + number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (0..3 + mixed % 6)
                .map(|place| {
                    char::from(b'a' + u8::try_from((mixed >> (5 * place + 8)) % 26).unwrap())
                })
                .chain([' '])
                .collect::<String>()
        };
        (0..words).map(word).collect()
    }

    fn value(left: &str, right: &str, by: Compressor) -> f64 {
        similarity(left.as_bytes(), right.as_bytes(), by, Watch::NOBODY)
            .unwrap()
            .value
    }

    #[test]
    fn a_text_against_itself_is_close_to_one() {
        // What "close" is depends on the compressor; docs/methods.md has the same numbers.
        let close = [0.95, 0.6, 0.95, 0.95, 0.95];
        let text = text(1, 1000);
        for (by, least) in Compressor::ALL.into_iter().zip(close) {
            let value = value(&text, &text, by);
            assert!((least..=1.0).contains(&value), "{by}: {value}");
        }
    }

    #[test]
    fn what_is_shared_counts_and_the_order_does_not() {
        let (left, right) = (text(1, 2000), text(2, 2000));
        let mixed = left[..left.len() / 2].to_owned() + &right[..right.len() / 2];
        for by in Compressor::ALL {
            let [apart, half] = [&right, &mixed].map(|other| value(&left, other, by));
            assert!(
                apart < 0.2 && apart + 0.2 < half && half < 0.7,
                "{by}: {apart}, {half}"
            );
            for other in [&right, &mixed] {
                assert_eq!(
                    similarity(left.as_bytes(), other.as_bytes(), by, Watch::NOBODY).unwrap(),
                    similarity(other.as_bytes(), left.as_bytes(), by, Watch::NOBODY).unwrap()
                );
            }
        }
    }

    #[test]
    fn texts_of_no_length_are_noted() {
        for by in Compressor::ALL {
            for (left, right) in [("", ""), ("", "a"), ("a", "a"), ("a", "b"), ("", "ab cd")] {
                let found =
                    similarity(left.as_bytes(), right.as_bytes(), by, Watch::NOBODY).unwrap();
                assert!((0.0..=1.0).contains(&found.value), "{by}: {found:?}");
                assert!(
                    matches!(found.notes[0], Note::TooShortToCompress { .. }),
                    "{by}: {found:?}"
                );
            }
            assert!(value("", "", by) > 0.999, "{by}");
        }
    }

    #[test]
    fn a_window_that_forgets_is_noted() {
        let long = text(1, 8_000);
        for by in Compressor::ALL {
            let found = similarity(long.as_bytes(), long.as_bytes(), by, Watch::NOBODY).unwrap();
            if by == Compressor::Gzip {
                assert!(found.value < 0.1);
                let said = found.notes[0].to_string();
                assert!(
                    said.ends_with("use bzip2 or ppm or xz or zstd instead"),
                    "{said}"
                );
            } else {
                assert!(found.value > 0.6, "{by}: {found:?}");
                assert!(found.notes.is_empty(), "{by}");
            }
        }
        let notes = |by, bytes| forgets(by, bytes).to_string();
        assert!(notes(Compressor::Bzip2, 1_000_000).ends_with("ppm or xz or zstd instead"));
        assert!(notes(Compressor::Ppm, 100 << 20).ends_with("use zstd instead"));
        assert!(notes(Compressor::Zstd, 1 << 30).ends_with("fingerprints have no window"));
    }

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
