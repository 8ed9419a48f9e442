//! Digests that many documents have, as a bit for each unit.
//!
//! The postings of phrases that a good part of all documents have are most of what a query would have
//! to read, and they are the same for every query. So such a list is read once, and from then on it
//! is a row of bits: the rows of a query are added up sixty-four units at a time, at a fraction of
//! what walking the lists takes.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The units that have one digest.
pub(super) struct Row {
    /// The unit of the first bit divided by 64.
    first: usize,
    words: Vec<u64>,
    units: u32,
}

/// The rows that were made, by part and first posting.
pub(super) struct Rows {
    known: RwLock<HashMap<(usize, u64), Arc<Row>>>,
    most_bytes: usize,
}

/// A digest of a query that many units have.
pub(super) struct Broad {
    /// Its place in the query.
    pub(super) place: u32,
    pub(super) row: Arc<Row>,
}

/// How many bytes all rows may take together. The most common phrases are in most queries, so the
/// first rows that are made are about the ones that are worth it.
pub(super) const MOST_BYTES: usize = 1 << 26;

impl Row {
    /// A row for units from `first` to before `behind`, without any.
    pub(super) fn new(first: u32, behind: u32) -> Row {
        let first = first as usize / 64;
        Row {
            first,
            words: vec![0; (behind as usize).div_ceil(64).saturating_sub(first)],
            units: 0,
        }
    }

    /// Adds a unit that is not there yet.
    pub(super) fn insert(&mut self, unit: u32) {
        if let Some(word) = self.words.get_mut(unit as usize / 64 - self.first) {
            *word |= 1 << (unit % 64);
            self.units += 1;
        }
    }

    /// How many units have the digest.
    pub(super) fn units(&self) -> u32 {
        self.units
    }

    /// Whether a unit has the digest.
    pub(super) fn contains(&self, unit: u32) -> bool {
        let place = (unit as usize / 64).checked_sub(self.first);
        let word = place.and_then(|place| self.words.get(place));
        word.is_some_and(|word| word >> (unit % 64) & 1 == 1)
    }

    /// The words from `first` on; zero where the row has none.
    fn tile(&self, first: usize) -> Tile {
        let mut tile = [0; TILE];
        let start = self.first.max(first);
        let end = (self.first + self.words.len()).min(first + TILE);
        if start < end {
            let own = &self.words[start - self.first..end - self.first];
            tile[start - first..end - first].copy_from_slice(own);
        }
        tile
    }
}

impl Rows {
    /// Rows that may take so many bytes.
    pub(super) fn within(most_bytes: usize) -> Rows {
        Rows {
            known: RwLock::default(),
            most_bytes,
        }
    }

    /// The row of a list, if it was made.
    pub(super) fn get(&self, part: usize, first_posting: u64) -> Option<Arc<Row>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(&(part, first_posting)).cloned()
    }

    /// Whether there is room for one more row of so many units.
    pub(super) fn has_room(&self, units: usize) -> bool {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        (known.len() + 1).saturating_mul(units.div_ceil(8)) <= self.most_bytes
    }

    /// Keeps a row.
    pub(super) fn insert(&self, part: usize, first_posting: u64, row: Row) -> Arc<Row> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let row = known
            .entry((part, first_posting))
            .or_insert_with(|| Arc::new(row));
        Arc::clone(row)
    }
}

/// How many words are added up together, so that everything stays in the nearest cache.
const TILE: usize = 64;
/// So many rows have sums of eight bits.
const MOST_TOGETHER: usize = 255;
/// As many levels as there are bits in such a sum.
const LEVELS: usize = 8;

/// Adds up rows; visits the sums of some thousand units after the other, with the number of the first
/// of them. The last ones may be more than there are units.
pub(super) fn add_up(rows: &[Broad], units: usize, mut visit: impl FnMut(usize, &[u8])) {
    let mut adder = Adder::default();
    let mut sums = [0; 64 * TILE];
    for rows in rows.chunks(MOST_TOGETHER) {
        for first in (0..units.div_ceil(64)).step_by(TILE) {
            adder.clear();
            for Broad { row, .. } in rows {
                adder.add(row.tile(first));
            }
            spread(adder.finish(), &mut sums);
            visit(64 * first, &sums);
        }
    }
}

/// The sums of all units of a tile, from their bits.
fn spread(levels: &[Tile], sums: &mut [u8; 64 * TILE]) {
    let (eights, _) = sums.as_chunks_mut::<8>();
    for (word, eights) in eights.chunks_exact_mut(8).enumerate() {
        for (byte, eight) in eights.iter_mut().enumerate() {
            let mut sums = 0;
            for (level, bits) in levels.iter().enumerate() {
                sums += SPREAD[usize::from(bits[word].to_le_bytes()[byte])] << level;
            }
            *eight = sums.to_le_bytes();
        }
    }
}

type Tile = [u64; TILE];

/// Adds numbers of one bit, one number for each bit of a tile, a tile after the other.
///
/// A level has the bits of one weight: those of the sum, and perhaps some that wait for others of
/// the same weight, so that two are added at once.
struct Adder {
    sums: [Tile; LEVELS],
    waiting: [Option<Tile>; LEVELS],
    /// How many levels are in use.
    used: usize,
}

impl Default for Adder {
    fn default() -> Adder {
        Adder {
            sums: [[0; TILE]; LEVELS],
            waiting: [None; LEVELS],
            used: 0,
        }
    }
}

impl Adder {
    fn clear(&mut self) {
        self.sums[..self.used].fill([0; TILE]);
        self.waiting[..self.used].fill(None);
        self.used = 0;
    }

    fn add(&mut self, mut bits: Tile) {
        for (level, (sum, waiting)) in self.sums.iter_mut().zip(&mut self.waiting).enumerate() {
            self.used = self.used.max(level + 1);
            match waiting.take() {
                None => {
                    *waiting = Some(bits);
                    return;
                }
                Some(others) => add_both(sum, &mut bits, &others),
            }
        }
    }

    /// The bits of the sums, those of the lowest weight first.
    fn finish(&mut self) -> &[Tile] {
        let mut carries = [0; TILE];
        let levels = self.sums.iter_mut().zip(&self.waiting);
        for (sum, waiting) in levels.take(self.used) {
            let others = waiting.as_ref().unwrap_or(&[0; TILE]);
            add_both(sum, &mut carries, others);
        }
        if carries != [0; TILE] {
            self.sums[self.used] = carries;
            self.used += 1;
        }
        &self.sums[..self.used]
    }
}

/// Adds two bits to each bit of a sum; what is carried takes the place of the one.
fn add_both(sum: &mut Tile, one: &mut Tile, other: &Tile) {
    for ((sum, one), other) in sum.iter_mut().zip(one).zip(other) {
        let either = *one ^ other;
        *one = *one & other | *sum & either;
        *sum ^= either;
    }
}

/// The bits of a byte as the bytes of a number.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= ((byte as u64) >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_rows() {
        for (units, count) in [(1, 1), (64, 2), (100, 3), (5000, 7), (9000, 40), (300, 600)] {
            let is_in = |row: u32, unit: u32| (unit * 7 + row * 13).is_multiple_of(2 + row % 5);
            let mut rows = Vec::new();
            for number in 0..count {
                // Some rows have units of a part only.
                let range = if number % 3 == 1 {
                    units / 3..units / 2
                } else {
                    0..units
                };
                let mut row = Row::new(range.start, range.end);
                for unit in range.filter(|unit| is_in(number, *unit)) {
                    row.insert(unit);
                    assert!(row.contains(unit));
                }
                rows.push(Broad {
                    place: number,
                    row: Arc::new(row),
                });
            }
            let mut sums = vec![0u32; units as usize];
            add_up(&rows, units as usize, |first, more| {
                for (total, sum) in sums[first..].iter_mut().zip(more) {
                    *total += u32::from(*sum);
                }
            });
            for (unit, sum) in (0..).zip(sums) {
                let having = rows.iter().filter(|broad| broad.row.contains(unit)).count();
                assert_eq!(sum as usize, having, "{units} {count} {unit}");
            }
            let total: u32 = rows.iter().map(|broad| broad.row.units()).sum();
            let bits = rows.iter().flat_map(|broad| &broad.row.words);
            assert_eq!(total, bits.map(|word| word.count_ones()).sum::<u32>());
        }
    }
}
