//! Fingerprints → index: gather the postings of a range of digests, sort them, cut them into lists.
//!
//! Digests are spread evenly, so sorting is mostly scattering: a range of digests goes into cells by
//! its next bits, and only the few thousand postings of a cell are compared with each other.

use std::borrow::Cow;

use rayon::prelude::*;

use super::slice::{Slices, slice};
use super::{DocId, Index, Range};
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::measure::Side;
use crate::number::index32;
use crate::watch::Watch;

/// About how many postings a range has: as many as stay in a core's cache while they are scattered.
const RANGE: u64 = 1 << 18;
/// There may be so many ranges, however short the documents are;
const FEW: u64 = 64;
/// and more only if so many digests of a usual document are in each.
const SLICE: u64 = 16;
/// About how many postings a cell has.
const CELL: usize = 1 << 10;

/// Which digests an index has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// Those that several documents have; only their lists are kept, not the digests themselves.
    Shared,
}

/// An index of these fingerprints. Those that are given away are freed on the way.
pub(super) fn build(
    fingerprints: Vec<Cow<'_, Fingerprint>>,
    which: Which,
    watch: Watch<'_>,
) -> Result<Index, Error> {
    assert!(
        fingerprints.len() < 1 << 31,
        "an index holds fewer than 2^31 documents"
    );
    let sides: Vec<Side> = fingerprints
        .par_iter()
        .map(|fingerprint| Side::of(fingerprint))
        .collect();
    let ranges = Ranges::of(&fingerprints);
    let mut found = Vec::new();
    ranges.each(fingerprints, which, watch, |range| {
        found.push(range);
        Ok(())
    })?;
    Ok(Index {
        ranges: found,
        shift: ranges.shift,
        sides,
    })
}

/// A digest that occurs more than once in a document. The order is that of the lists.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Repeated {
    pub(super) digest: Digest,
    pub(super) document: DocId,
    pub(super) count: u32,
}

impl Repeated {
    /// No document has this number.
    const NONE: Repeated = Repeated {
        digest: Digest(u64::MAX),
        document: DocId(u32::MAX),
        count: 0,
    };
}

/// The ranges that the digests of some documents are divided into.
pub(super) struct Ranges {
    /// How many there are.
    pub(super) count: u64,
    /// How far to shift a digest to the right to get the number of its range.
    pub(super) shift: u32,
}

impl Ranges {
    pub(super) fn of(fingerprints: &[Cow<'_, Fingerprint>]) -> Ranges {
        let largest = fingerprints.iter().filter_map(|f| f.digests().last()).max();
        let total: u64 = fingerprints.iter().map(|f| f.digests().len() as u64).sum();
        let bits = 64 - largest.map_or(0, |digest| digest.0.leading_zeros());
        let usual = total / (fingerprints.len() as u64).max(1) / SLICE;
        let wanted = (total / RANGE).min(usual.max(FEW));
        let shift = bits.saturating_sub(wanted.next_power_of_two().trailing_zeros());
        Ranges {
            count: largest.map_or(0, |digest| shifted(digest.0, shift) + 1),
            shift,
        }
    }

    /// The number of the range that a digest is in.
    pub(super) fn number(&self, digest: Digest) -> u64 {
        shifted(digest.0, self.shift)
    }

    /// The first and the last digest that are in a range.
    pub(super) fn digests(&self, number: u64) -> (Digest, Digest) {
        let first = number.checked_shl(self.shift).unwrap_or(0);
        (Digest(first), Digest(first | low_bits(self.shift)))
    }

    /// Gathers the postings of all ranges, a few at a time, and hands them over in the order of the
    /// ranges. Fingerprints that are only lent are sliced a few ranges at a time, too, so that little
    /// memory is needed beside them.
    pub(super) fn each(
        &self,
        mut fingerprints: Vec<Cow<'_, Fingerprint>>,
        which: Which,
        watch: Watch<'_>,
        mut take: impl FnMut(Range) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let few = rayon::current_num_threads() * 4;
        let is_lent = |f: &Cow<'_, Fingerprint>| matches!(f, Cow::Borrowed(_));
        let at_once = if fingerprints.iter().any(is_lent) {
            few as u64
        } else {
            self.count
        };
        let mut first = 0;
        while first < self.count {
            let behind = self.count.min(first.saturating_add(at_once));
            let given = if behind == self.count {
                std::mem::take(&mut fingerprints)
            } else {
                let lent = fingerprints.iter().map(|f| Cow::Borrowed(f.as_ref()));
                lent.collect()
            };
            let mut slices = (first..).zip(slice(given, self, first..behind, which, watch)?);
            loop {
                let some: Vec<(u64, Vec<Slices>)> = slices.by_ref().take(few).collect();
                if some.is_empty() {
                    break;
                }
                let gathered: Vec<Range> = some
                    .into_par_iter()
                    .map(|(number, parts)| {
                        watch.go_on()?;
                        let (first, _) = self.digests(number);
                        Ok(gather(parts, first, self.shift, which))
                    })
                    .collect::<Result<_, Error>>()?;
                for range in gathered {
                    take(range)?;
                }
            }
            first = behind;
        }
        Ok(())
    }
}

/// The postings of one range, whose digests differ in their lowest `bits` bits.
fn gather(parts: Vec<Slices>, first: Digest, bits: u32, which: Which) -> Range {
    let total = parts.iter().map(Slices::len).sum::<usize>();
    let cell_bits = bits.saturating_sub((total / CELL).next_power_of_two().trailing_zeros());
    let cells = scatter(&parts, first.0, bits, cell_bits, total);
    let mut repeated: Vec<Repeated> = Vec::new();
    for part in parts {
        repeated.extend(part.repeated);
    }
    repeated.sort_unstable();
    let mut lists = ListWriter::new(total, &repeated, which);
    let mut packed = Vec::new();
    for cell in cells.ends.windows(2) {
        let (digests, documents) = (
            &cells.digests[cell[0]..cell[1]],
            &cells.documents[cell[0]..cell[1]],
        );
        write_cell(digests, documents, cell_bits, &mut packed, &mut lists);
    }
    lists.finish()
}

/// Postings by cell: within a cell in the order of documents.
struct Cells {
    digests: Vec<u64>,
    documents: Vec<u32>,
    /// Where each cell starts; one more for the end.
    ends: Vec<usize>,
}

/// Puts the postings of a range into cells by the bits above the lowest `cell_bits`.
fn scatter(parts: &[Slices], first: u64, bits: u32, cell_bits: u32, total: usize) -> Cells {
    let cell = |digest: &Digest| {
        usize::try_from(shifted(digest.0 - first, cell_bits)).expect("a range has few cells")
    };
    let mut ends = vec![0; (1 << (bits - cell_bits)) + 1];
    for digest in parts.iter().flat_map(Slices::digests) {
        ends[cell(digest) + 1] += 1;
    }
    for number in 1..ends.len() {
        ends[number] += ends[number - 1];
    }
    let mut next = ends.clone();
    let mut digests = vec![0; total];
    let mut documents = vec![0; total];
    for (document, slice) in parts.iter().flat_map(Slices::of_documents) {
        for digest in slice {
            let place = &mut next[cell(digest)];
            digests[*place] = digest.0;
            documents[*place] = document;
            *place += 1;
        }
    }
    Cells {
        digests,
        documents,
        ends,
    }
}

/// Writes the lists of one cell, whose digests differ in their lowest `bits` bits.
///
/// Those bits and the place in the cell nearly always fit into one number, which sorts fastest; the
/// place keeps the order of documents among equal digests.
fn write_cell(
    digests: &[u64],
    documents: &[u32],
    bits: u32,
    packed: &mut Vec<u64>,
    lists: &mut ListWriter<'_>,
) {
    let Some(&any) = digests.first() else { return };
    let place_bits = usize::BITS - (digests.len() - 1).leading_zeros();
    if bits + place_bits <= 64 {
        let common = any & !low_bits(bits);
        packed.clear();
        packed.extend((0..).zip(digests).map(|(place, digest): (u64, _)| {
            (digest & low_bits(bits))
                .checked_shl(place_bits)
                .unwrap_or(0)
                | place
        }));
        packed.sort_unstable();
        for number in packed {
            let digest = Digest(common | shifted(*number, place_bits));
            let place = usize::try_from(*number & low_bits(place_bits)).expect("a place in a cell");
            lists.push(digest, DocId(documents[place]));
        }
    } else {
        let mut order: Vec<usize> = (0..digests.len()).collect();
        order.sort_by_key(|&place| digests[place]);
        for place in order {
            lists.push(Digest(digests[place]), DocId(documents[place]));
        }
    }
}

/// Turns sorted postings into lists.
struct ListWriter<'a> {
    range: Range,
    which: Which,
    last: Option<Digest>,
    /// Postings that occur more than once, in the order of the lists.
    repeated: &'a [Repeated],
    /// The first of them, or one that there cannot be.
    next_repeated: Repeated,
}

impl<'a> ListWriter<'a> {
    fn new(total: usize, repeated: &'a [Repeated], which: Which) -> ListWriter<'a> {
        let mut range = Range::default();
        if which == Which::All {
            range.digests.reserve(total);
            range.ends.reserve(total);
            range.documents.reserve_exact(total);
        }
        let mut writer = ListWriter {
            range,
            which,
            last: None,
            repeated,
            next_repeated: Repeated::NONE,
        };
        writer.look_at_repeated();
        writer
    }

    fn push(&mut self, digest: Digest, document: DocId) {
        if self.last != Some(digest) {
            self.end_list();
            if self.which == Which::All {
                self.range.digests.push(digest);
            }
            self.last = Some(digest);
        }
        let place = index32(self.range.documents.len());
        let repeated = &self.next_repeated;
        if repeated.digest == digest && repeated.document == document {
            self.range.repeats.push((place, repeated.count));
            self.repeated = &self.repeated[1..];
            self.look_at_repeated();
        }
        self.range.documents.push(document);
    }

    fn look_at_repeated(&mut self) {
        self.next_repeated = self.repeated.first().copied().unwrap_or(Repeated::NONE);
    }

    /// Ends the list of the last digest; takes it back if it is not wanted.
    fn end_list(&mut self) {
        if self.last.is_none() {
            return;
        }
        let Range {
            ends, documents, ..
        } = &mut self.range;
        let start = ends.last().map_or(0, |end| *end);
        if self.which == Which::Shared && documents.len() == start as usize + 1 {
            documents.pop();
        } else {
            ends.push(index32(documents.len()));
        }
    }

    fn finish(mut self) -> Range {
        self.end_list();
        self.range.digests.shrink_to_fit();
        self.range.ends.shrink_to_fit();
        self.range.documents.shrink_to_fit();
        self.range
    }
}

fn shifted(digest: u64, shift: u32) -> u64 {
    digest.checked_shr(shift).unwrap_or(0)
}

/// A number with its lowest `bits` bits set.
fn low_bits(bits: u32) -> u64 {
    !u64::MAX.checked_shl(bits).unwrap_or(0)
}
