//! What a registry remembers of a document if it is told to: where the chunks stand, or the text.

use std::io::Read as _;

use super::prepare::Prepare;
use crate::digest::Digest;
use crate::select::NoCollection;
use crate::token::{Source, Span};

/// What was remembered of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retained {
    /// Where each digest stands, by digest.
    Spans(Vec<SpanOf>),
    /// The text.
    Text(String),
}

/// Where a digest stands in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpanOf {
    /// The digest, as the registry knows it.
    pub digest: Digest,
    /// The first byte of its chunk.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

const SPANS: u8 = 1;
const TEXT: u8 = 2;
/// Three is zstd's own choice: fast, and close to the best.
const LEVEL: i32 = 3;

impl Retained {
    /// Where the chunks of a text stand.
    pub(super) fn spans_of(source: Source<'_>, prepare: &Prepare) -> Retained {
        Retained::Spans(spans(source, prepare))
    }

    /// As the catalogue keeps it: what it is, how long, and the rest packed.
    pub(super) fn pack(&self) -> Vec<u8> {
        let (kind, bytes) = match self {
            Retained::Spans(spans) => {
                // Column by column packs better.
                let digests = spans.iter().flat_map(|span| span.digest.0.to_le_bytes());
                let starts = spans.iter().flat_map(|span| span.start.to_le_bytes());
                let lengths = spans
                    .iter()
                    .flat_map(|span| (span.end - span.start).to_le_bytes());
                (SPANS, digests.chain(starts).chain(lengths).collect())
            }
            Retained::Text(text) => (TEXT, text.as_bytes().to_vec()),
        };
        let mut packed = vec![kind];
        packed.extend((bytes.len() as u64).to_le_bytes());
        packed.extend(zstd::bulk::compress(&bytes, LEVEL).expect("memory is written to"));
        packed
    }

    /// The packed bytes, if they are such.
    pub(super) fn unpack(packed: &[u8]) -> Option<Retained> {
        let (&kind, rest) = packed.split_first()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let length = u64::from_le_bytes(*length);
        // What the bytes say about their length is a limit, not a size to ask for.
        let mut bytes = Vec::new();
        let decoder = zstd::stream::read::Decoder::new(rest).ok()?;
        decoder
            .take(length.saturating_add(1))
            .read_to_end(&mut bytes)
            .ok()?;
        if bytes.len() as u64 != length {
            return None;
        }
        match kind {
            SPANS => unpack_spans(&bytes).map(Retained::Spans),
            TEXT => String::from_utf8(bytes).ok().map(Retained::Text),
            _ => None,
        }
    }
}

/// Where the chunks of a text stand, by digest.
pub(super) fn spans(source: Source<'_>, prepare: &Prepare) -> Vec<SpanOf> {
    let recipe = &prepare.settings().recipe;
    let (tokens, minutiae) = recipe.minutiae(source, prepare.key(), &NoCollection);
    let mut spans: Vec<SpanOf> = Vec::with_capacity(minutiae.len());
    for minutia in &minutiae {
        let (Some(first), Some(last)) =
            (minutia.chunk.indices().min(), minutia.chunk.indices().max())
        else {
            continue;
        };
        let Span { start, end } = tokens.source(first..last + 1);
        spans.push(SpanOf {
            digest: prepare.schema().cut_digest(minutia.digest),
            start,
            end,
        });
    }
    spans.sort_unstable();
    spans
}

fn unpack_spans(bytes: &[u8]) -> Option<Vec<SpanOf>> {
    let count = bytes.len() / 16;
    let (digests, rest) = bytes.split_at_checked(8 * count)?;
    let (starts, lengths) = rest.split_at_checked(4 * count)?;
    let digests = digests.as_chunks::<8>().0.iter();
    let starts = starts.as_chunks::<4>().0.iter();
    let lengths = lengths.as_chunks::<4>().0.iter();
    digests
        .zip(starts.zip(lengths))
        .map(|(digest, (start, length))| {
            let start = u32::from_le_bytes(*start);
            Some(SpanOf {
                digest: Digest(u64::from_le_bytes(*digest)),
                start,
                end: start.checked_add(u32::from_le_bytes(*length))?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_and_unpacked() {
        let spans = vec![
            SpanOf {
                digest: Digest(7),
                start: 3,
                end: 9,
            },
            SpanOf {
                digest: Digest(u64::MAX),
                start: 0,
                end: u32::MAX,
            },
        ];
        for retained in [
            Retained::Spans(spans),
            Retained::Spans(Vec::new()),
            Retained::Text("Žluťoučký kůň".to_owned()),
        ] {
            let packed = retained.pack();
            assert_eq!(Retained::unpack(&packed), Some(retained));
            for cut in 0..packed.len() {
                assert_eq!(Retained::unpack(&packed[..cut]), None);
            }
        }
    }

    #[test]
    fn a_false_length_asks_for_no_memory() {
        let mut packed = Retained::Text("canal".repeat(100)).pack();
        packed[1..9].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(Retained::unpack(&packed), None);
    }
}
