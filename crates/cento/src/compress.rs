//! How alike two texts are, from how well they compress together (Finkel et al., section 4.3).
//!
//! A compressor that has seen one text needs little room for another that is like it. Nothing is
//! tokenized and nothing is found: the answer is one number for the pair. Which one?
//!
//! * [`Compressor::Xz`], [`Compressor::Zstd`]: look back over both texts, whatever their length.
//! * [`Compressor::Ppm`]: the best model of short texts; slow, and hungry for memory.
//! * [`Compressor::Gzip`], [`Compressor::Bzip2`]: for comparison with the paper. They forget what
//!   lies further back than their window, and [`Similarity::notes`] says so where it happens.

mod compressor;
mod pairs;

pub use compressor::Compressor;
pub use pairs::scan;

use crate::error::Error;
use crate::report::{Compression, Note, Report};
use crate::watch::Watch;

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that all differ, so that only what is copied repeats.
    pub(super) fn text(seed: u64, words: u64) -> String {
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
}
