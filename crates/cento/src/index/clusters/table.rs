//! Which kept documents have a digest: a hash table that only grows.
//!
//! An entry remembers 32 bits of its digest beside its place. Two digests that look the same by that
//! cost a comparison of two documents and change nothing, because every match is checked.

use crate::digest::Digest;
use crate::number::index32;

/// Entries by digest.
pub(super) struct Table {
    /// The last entry of each place, counted from 1; 0 if there is none.
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// How many entries it may have.
    capacity: usize,
}

#[derive(Clone, Copy)]
struct Entry {
    check: u32,
    kept: u32,
    /// The entry before in the same place, counted from 1.
    before: u32,
}

impl Table {
    /// About how many bytes an entry takes, its share of the places included.
    pub(super) const ENTRY: u64 = 16;

    /// A table for so many entries. What is not used yet takes no memory.
    pub(super) fn new(capacity: usize) -> Table {
        let places = (capacity / 2).next_power_of_two().clamp(1, 1 << 30);
        Table {
            heads: vec![0; places],
            entries: Vec::with_capacity(capacity),
            capacity,
        }
    }

    /// Whether so many more entries would be too many.
    pub(super) fn is_full(&self, more: usize) -> bool {
        self.entries.len() + more > self.capacity
    }

    pub(super) fn insert(&mut self, digest: Digest, kept: u32) {
        let (place, check) = self.place(digest);
        let before = self.heads[place];
        self.entries.push(Entry {
            check,
            kept,
            before,
        });
        self.heads[place] = index32(self.entries.len());
    }

    /// Visits all entries of some digests. `buffer` is there to be used again.
    pub(super) fn visit(
        &self,
        digests: impl Iterator<Item = Digest>,
        buffer: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(u32),
    ) {
        // First all places, so that waiting for memory overlaps.
        buffer.clear();
        for digest in digests {
            let (place, check) = self.place(digest);
            buffer.push((self.heads[place], check));
        }
        for &(head, check) in &*buffer {
            let mut next = head;
            while let Some(entry) = next.checked_sub(1) {
                let entry = self.entries[entry as usize];
                if entry.check == check {
                    visit(entry.kept);
                }
                next = entry.before;
            }
        }
    }

    fn place(&self, digest: Digest) -> (usize, u32) {
        let mixed = digest.0.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = mixed ^ (mixed >> 32);
        let check = u32::try_from(mixed & 0xffff_ffff).expect("32 bits");
        let high = usize::try_from(mixed >> 32).expect("32 bits");
        (high & (self.heads.len() - 1), check)
    }
}

/// A digest that is left aside, as another one: those chains are walked only by documents that have
/// the digest near.
pub(super) fn aside(digest: Digest) -> Digest {
    Digest(digest.0.rotate_left(32) ^ 0x5bd1_e995_9b97_f4a7)
}
