//! Fingerprints → slices: the digests of each range, document after document.
//!
//! The postings of a range are then read in one go. Looking them up in one fingerprint after the
//! other would wait for memory most of the time.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;

use super::DocId;
use super::build::{Ranges, Repeated, Which};
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::number::index32;
use crate::watch::Watch;

/// The digests of some consecutive documents that are in one range.
#[derive(Default)]
pub(super) struct Slices {
    /// The digests; no slice goes over the end of a block.
    blocks: Vec<Vec<Digest>>,
    /// Whose the slices are. One document may have several in a row.
    owners: Vec<u32>,
    lengths: Vec<u8>,
    /// Those that occur more than once, if all digests are wanted.
    pub(super) repeated: Vec<Repeated>,
}

/// The digests of some ranges, in the order of the ranges; for each range in the order of documents.
///
/// The memory of fingerprints that are given away is used for their slices.
pub(super) fn slice(
    fingerprints: Vec<Cow<'_, Fingerprint>>,
    ranges: &Ranges,
    numbers: Range<u64>,
    which: Which,
    watch: Watch<'_>,
) -> Result<Vec<Vec<Slices>>, Error> {
    let together = fingerprints
        .len()
        .div_ceil(rayon::current_num_threads())
        .max(1);
    let parts: Vec<Vec<Slices>> = fingerprints
        .into_par_iter()
        .chunks(together)
        .enumerate()
        .map(|(part, fingerprints)| {
            let first = index32(part * together);
            slice_part(fingerprints, first, ranges, numbers.clone(), which, watch)
        })
        .collect::<Result<_, Error>>()?;
    let mut by_range: Vec<Vec<Slices>> = numbers.map(|_| Vec::new()).collect();
    for part in parts {
        for (range, slices) in by_range.iter_mut().zip(part) {
            range.push(slices);
        }
    }
    Ok(by_range)
}

fn slice_part(
    fingerprints: Vec<Cow<'_, Fingerprint>>,
    first: u32,
    ranges: &Ranges,
    numbers: Range<u64>,
    which: Which,
    watch: Watch<'_>,
) -> Result<Vec<Slices>, Error> {
    let mut parts: Vec<Slices> = numbers.clone().map(|_| Slices::default()).collect();
    let mut spare = Vec::new();
    let (start, _) = ranges.digests(numbers.start);
    let (_, end) = ranges.digests(numbers.end - 1);
    for (document, fingerprint) in (first..).zip(fingerprints) {
        watch.go_on()?;
        let (place, mut rest) = fingerprint.between(start, end);
        if which == Which::All {
            for (at, count) in fingerprint.repeats_in(place..place + rest.len()) {
                let digest = fingerprint.digests()[at];
                let part = ranges.number(digest) - numbers.start;
                let part = usize::try_from(part).expect("a range of the window");
                parts[part].repeated.push(Repeated {
                    digest,
                    document: DocId(document),
                    count,
                });
            }
        }
        for (part, number) in parts.iter_mut().zip(numbers.clone()) {
            let (_, last) = ranges.digests(number);
            let length = rest.iter().take_while(|digest| **digest <= last).count();
            let (slice, behind) = rest.split_at(length);
            part.push(document, slice, &mut spare);
            rest = behind;
        }
        if let Cow::Owned(fingerprint) = fingerprint {
            spare.push(fingerprint.into_digests());
        }
    }
    Ok(parts)
}

impl Slices {
    /// How many digests there are.
    pub(super) fn len(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    pub(super) fn digests(&self) -> impl Iterator<Item = &Digest> {
        self.blocks.iter().flatten()
    }

    /// The digests of one document after the other.
    pub(super) fn of_documents(&self) -> impl Iterator<Item = (u32, &[Digest])> {
        let mut blocks = self.blocks.iter();
        let mut rest: &[Digest] = &[];
        self.owners
            .iter()
            .zip(&self.lengths)
            .map(move |(&owner, &length)| {
                if rest.is_empty() {
                    rest = blocks.next().expect("a block for every slice");
                }
                let (slice, behind) = rest.split_at(length.into());
                rest = behind;
                (owner, slice)
            })
    }

    fn push(&mut self, document: u32, mut digests: &[Digest], spare: &mut Vec<Vec<Digest>>) {
        while !digests.is_empty() {
            let room = self
                .blocks
                .last()
                .map_or(0, |block| block.capacity() - block.len());
            if room == 0 {
                self.blocks.push(new_block(spare));
                continue;
            }
            let length = u8::try_from(digests.len().min(room)).unwrap_or(u8::MAX);
            let (slice, behind) = digests.split_at(length.into());
            let block = self.blocks.last_mut().expect("a block with room");
            block.extend_from_slice(slice);
            self.owners.push(document);
            self.lengths.push(length);
            digests = behind;
        }
    }
}

/// An empty block, made of what is not needed any more if there is something of use.
fn new_block(spare: &mut Vec<Vec<Digest>>) -> Vec<Digest> {
    const LEAST: usize = 128;
    const USUAL: usize = 1024;
    while let Some(mut block) = spare.pop() {
        if block.capacity() >= LEAST {
            block.clear();
            return block;
        }
    }
    Vec::with_capacity(USUAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::RecipeId;

    #[test]
    fn every_digest_is_in_its_range_with_its_document() {
        let digests = |document: u64| {
            (0..700 * (document % 4))
                .map(move |n| Digest((n * n + document).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 3))
        };
        let fingerprints: Vec<Fingerprint> = (0..9)
            .map(|document| {
                Fingerprint::from_digests(RecipeId("test".into()), 9, digests(document).collect())
            })
            .collect();
        let ranges = Ranges {
            count: 8,
            shift: 58,
        };
        let owned = fingerprints.iter().cloned().map(Cow::Owned).collect();
        let whole = slice(owned, &ranges, 0..8, Which::Shared, Watch::NOBODY).unwrap();
        for (number, parts) in (0..).zip(&whole) {
            let (first, last) = ranges.digests(number);
            let expected: Vec<(u32, Digest)> = (0..)
                .zip(&fingerprints)
                .flat_map(|(document, fingerprint)| {
                    fingerprint
                        .between(first, last)
                        .1
                        .iter()
                        .map(move |&digest| (document, digest))
                })
                .collect();
            let found: Vec<(u32, Digest)> = parts
                .iter()
                .flat_map(Slices::of_documents)
                .flat_map(|(document, slice)| slice.iter().map(move |&digest| (document, digest)))
                .collect();
            assert_eq!(found, expected);
            assert_eq!(parts.iter().map(Slices::len).sum::<usize>(), expected.len());
        }
        let borrowed = fingerprints.iter().map(Cow::Borrowed).collect();
        let window = slice(borrowed, &ranges, 3..5, Which::Shared, Watch::NOBODY).unwrap();
        for (window, whole) in window.iter().zip(&whole[3..5]) {
            let all = |parts: &[Slices]| -> Vec<Digest> {
                parts.iter().flat_map(Slices::digests).copied().collect()
            };
            assert_eq!(all(window), all(whole));
        }
    }
}
