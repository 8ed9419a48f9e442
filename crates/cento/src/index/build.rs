//! Fingerprints → index: gather the postings of a range of digests, sort them, cut them into lists.
//!
//! Digests are spread evenly, so sorting is mostly scattering: a range of digests goes into cells by
//! its next bits, and only the few thousand postings of a cell are compared with each other.

use rayon::prelude::*;

use super::{DocId, Index, Range};
use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::measure::Side;
use crate::token::index32;

/// About how many postings a range has: as many as stay in a core's cache while they are scattered.
const RANGE: u64 = 1 << 18;
/// About how many postings a cell has.
const CELL: usize = 1 << 10;

/// Which digests an index has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    All,
    /// Those that several documents have; only their lists are kept, not the digests themselves.
    Shared,
}

pub(super) fn build(fingerprints: &[&Fingerprint], which: Which) -> Index {
    assert!(
        fingerprints.len() < 1 << 31,
        "an index holds fewer than 2^31 documents"
    );
    let Ranges { count, shift } = Ranges::of(fingerprints);
    let ranges = (0..count)
        .into_par_iter()
        .map(|number| gather(fingerprints, number, shift, which))
        .collect();
    let sides = fingerprints
        .par_iter()
        .map(|fingerprint| Side::of(fingerprint))
        .collect();
    Index {
        ranges,
        shift,
        sides,
    }
}

/// The ranges that the digests of some documents are divided into.
pub(super) struct Ranges {
    /// How many there are.
    pub(super) count: u64,
    /// How far to shift a digest to the right to get the number of its range.
    pub(super) shift: u32,
}

impl Ranges {
    pub(super) fn of(fingerprints: &[&Fingerprint]) -> Ranges {
        let largest = fingerprints.iter().filter_map(|f| f.digests().last()).max();
        let total: u64 = fingerprints.iter().map(|f| f.digests().len() as u64).sum();
        let bits = 64 - largest.map_or(0, |digest| digest.0.leading_zeros());
        let shift = bits.saturating_sub((total / RANGE).next_power_of_two().trailing_zeros());
        Ranges {
            count: largest.map_or(0, |digest| shifted(digest.0, shift) + 1),
            shift,
        }
    }
}

/// The postings of all documents for the digests of one range, which differ in their lowest `bits`
/// bits.
pub(super) fn gather(fingerprints: &[&Fingerprint], number: u64, bits: u32, which: Which) -> Range {
    let first = number.checked_shl(bits).unwrap_or(0);
    let last = first | low_bits(bits);
    let mut slices: Vec<(u32, &[Digest])> = Vec::new();
    let mut repeated: Vec<(u128, u32)> = Vec::new();
    for (document, fingerprint) in (0..).zip(fingerprints) {
        let (start, digests) = fingerprint.between(Digest(first), Digest(last));
        for (place, count) in fingerprint.repeats_in(start..start + digests.len()) {
            repeated.push((key(digests[place - start], DocId(document)), count));
        }
        if !digests.is_empty() {
            slices.push((document, digests));
        }
    }
    repeated.sort_unstable();
    let total = slices
        .iter()
        .map(|(_, digests)| digests.len())
        .sum::<usize>();
    let cell_bits = bits.saturating_sub((total / CELL).next_power_of_two().trailing_zeros());
    let cells = scatter(&slices, first, cell_bits, total);
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
fn scatter(slices: &[(u32, &[Digest])], first: u64, cell_bits: u32, total: usize) -> Cells {
    let cell = |digest: &Digest| {
        usize::try_from(shifted(digest.0 - first, cell_bits)).expect("a range has few cells")
    };
    let count = slices
        .iter()
        .filter_map(|(_, digests)| digests.last())
        .map(cell)
        .max();
    let mut ends = vec![0; count.map_or(1, |last| last + 2)];
    for digest in slices.iter().flat_map(|(_, digests)| *digests) {
        ends[cell(digest) + 1] += 1;
    }
    for number in 1..ends.len() {
        ends[number] += ends[number - 1];
    }
    let mut next = ends.clone();
    let mut digests = vec![0; total];
    let mut documents = vec![0; total];
    for (document, slice) in slices {
        for digest in *slice {
            let place = &mut next[cell(digest)];
            digests[*place] = digest.0;
            documents[*place] = *document;
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
    repeated: &'a [(u128, u32)],
    /// The first of them, or a number that no posting has.
    next_repeated: u128,
}

impl<'a> ListWriter<'a> {
    fn new(total: usize, repeated: &'a [(u128, u32)], which: Which) -> ListWriter<'a> {
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
            next_repeated: 0,
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
        if self.which == Which::All && key(digest, document) == self.next_repeated {
            self.range.repeats.push((place, self.repeated[0].1));
            self.repeated = &self.repeated[1..];
            self.look_at_repeated();
        }
        self.range.documents.push(document);
    }

    fn look_at_repeated(&mut self) {
        self.next_repeated = self.repeated.first().map_or(u128::MAX, |(key, _)| *key);
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

/// Digest and document as one number, in the order of the lists.
fn key(digest: Digest, document: DocId) -> u128 {
    u128::from(digest.0) << 32 | u128::from(document.0)
}

fn shifted(digest: u64, shift: u32) -> u64 {
    digest.checked_shr(shift).unwrap_or(0)
}

/// A number with its lowest `bits` bits set.
fn low_bits(bits: u32) -> u64 {
    !u64::MAX.checked_shl(bits).unwrap_or(0)
}
