//! Which families have a digest: a table in memory, eight bytes an entry.
//!
//! An entry has 32 bits of its digest and the place of its family; a family that is found is compared
//! digest by digest, so that a chance agreement of these bits costs time and nothing else. The table is
//! cut into parts that grow one by one, so that no question waits for all of it.

use crate::digest::Digest;

/// A digest that more families have says little, and families beyond these are not listed under it.
pub(super) const MOST_FAMILIES: usize = 128;

const PARTS: usize = 256;
/// The least entries of a part.
const LEAST: usize = 8;

/// Digests → families.
pub(super) struct Postings {
    parts: Vec<Part>,
}

/// A table with open addressing: the entries of a tag follow its place without a gap.
#[derive(Clone, Default)]
struct Part {
    entries: Vec<Entry>,
    used: usize,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Entry {
    tag: u32,
    /// The place of the family, from 1 on; 0 is a free entry.
    family: u32,
}

impl Postings {
    pub(super) fn new() -> Postings {
        Postings {
            parts: vec![Part::default(); PARTS],
        }
    }

    /// Lists a family under a digest.
    pub(super) fn insert(&mut self, digest: Digest, family: u32) {
        let (part, tag) = place(digest);
        let part = &mut self.parts[part];
        if part.count(tag) < MOST_FAMILIES {
            part.insert(Entry {
                tag,
                family: family + 1,
            });
        }
    }

    /// Takes a family off the list of a digest, if it is there.
    pub(super) fn remove(&mut self, digest: Digest, family: u32) {
        let (part, tag) = place(digest);
        self.parts[part].remove(Entry {
            tag,
            family: family + 1,
        });
    }

    /// Adds the families of a digest to a list.
    pub(super) fn find(&self, digest: Digest, families: &mut Vec<u32>) {
        let (part, tag) = place(digest);
        let found = self.parts[part].entries_with(tag);
        families.extend(found.map(|entry| entry.family - 1));
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> u64 {
        let entries: usize = self.parts.iter().map(|part| part.entries.capacity()).sum();
        (entries * size_of::<Entry>()) as u64
    }
}

impl Part {
    /// Where the entries of a tag begin.
    fn home(&self, tag: u32) -> usize {
        let length = self.entries.len() as u64;
        usize::try_from((u64::from(tag) * length) >> 32).unwrap_or(0)
    }

    fn next(&self, place: usize) -> usize {
        let next = place + 1;
        if next == self.entries.len() { 0 } else { next }
    }

    fn entries_with(&self, tag: u32) -> impl Iterator<Item = Entry> {
        let mut place = self.home(tag);
        let run = std::iter::from_fn(move || {
            let entry = *self.entries.get(place)?;
            place = self.next(place);
            (entry.family > 0).then_some(entry)
        });
        run.filter(move |entry| entry.tag == tag)
    }

    fn count(&self, tag: u32) -> usize {
        self.entries_with(tag).take(MOST_FAMILIES).count()
    }

    fn insert(&mut self, entry: Entry) {
        // There is always a free entry, which ends every search.
        if (self.used + 1) * 8 > self.entries.len() * 7 {
            self.grow();
        }
        self.put(entry);
        self.used += 1;
    }

    fn put(&mut self, entry: Entry) {
        let mut place = self.home(entry.tag);
        while self.entries[place].family > 0 {
            place = self.next(place);
        }
        self.entries[place] = entry;
    }

    fn grow(&mut self) {
        let length = (self.entries.len() * 3 / 2).max(LEAST);
        let old = std::mem::replace(&mut self.entries, vec![Entry::default(); length]);
        for entry in old.into_iter().filter(|entry| entry.family > 0) {
            self.put(entry);
        }
    }

    fn remove(&mut self, entry: Entry) {
        if self.entries.is_empty() {
            return;
        }
        let mut place = self.home(entry.tag);
        loop {
            let here = self.entries[place];
            if here.family == 0 {
                return;
            }
            if here == entry {
                break;
            }
            place = self.next(place);
        }
        // What follows moves up, unless it would get before its own place.
        let length = self.entries.len();
        let distance = |from: usize, to: usize| (to + length - from) % length;
        let mut free = place;
        let mut follower = self.next(place);
        while self.entries[follower].family > 0 {
            let home = self.home(self.entries[follower].tag);
            if distance(home, follower) >= distance(free, follower) {
                self.entries[free] = self.entries[follower];
                free = follower;
            }
            follower = self.next(follower);
        }
        self.entries[free] = Entry::default();
        self.used -= 1;
    }
}

/// The part of a digest and what is kept of it. Selectors may leave digests that have some bits in common,
/// so all bits are mixed first.
fn place(Digest(digest): Digest) -> (usize, u32) {
    let mut mixed = digest;
    for factor in [0xff51_afd7_ed55_8ccd_u64, 0xc4ce_b9fe_1a85_ec53] {
        mixed = (mixed ^ (mixed >> 33)).wrapping_mul(factor);
    }
    mixed ^= mixed >> 33;
    let bytes = mixed.to_le_bytes();
    let tag = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    (usize::from(bytes[7]), tag)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The table is what a map of sets is, whatever comes and goes.
        #[test]
        fn a_map_of_sets(steps in prop::collection::vec((any::<bool>(), 0u64..40, 0u32..20), 0..600)) {
            let mut postings = Postings::new();
            let mut expected: BTreeMap<Digest, BTreeSet<u32>> = BTreeMap::new();
            for (is_new, digest, family) in steps {
                let families = expected.entry(Digest(digest << 40)).or_default();
                if is_new && families.insert(family) {
                    postings.insert(Digest(digest << 40), family);
                } else if !is_new {
                    families.remove(&family);
                    postings.remove(Digest(digest << 40), family);
                }
            }
            for (digest, families) in expected {
                let mut found = Vec::new();
                postings.find(digest, &mut found);
                found.sort_unstable();
                prop_assert_eq!(found, families.into_iter().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn parts_of_the_table_fill_up_and_empty_again() {
        let mut part = Part::default();
        let entries = (0..5000u32).map(|number| Entry {
            tag: number.wrapping_mul(0x9e37_79b9),
            family: number + 1,
        });
        for entry in entries.clone() {
            part.insert(entry);
        }
        for entry in entries.clone().step_by(2) {
            part.remove(entry);
        }
        for (number, entry) in entries.enumerate() {
            let is_there = part.entries_with(entry.tag).any(|found| found == entry);
            assert_eq!(is_there, number % 2 == 1);
        }
        assert_eq!(part.used, 2500);
    }

    #[test]
    fn what_everybody_has_is_listed_for_some() {
        let mut postings = Postings::new();
        for family in 0..1000 {
            postings.insert(Digest(7), family);
        }
        let mut found = Vec::new();
        postings.find(Digest(7), &mut found);
        assert_eq!(found.len(), MOST_FAMILIES);
    }
}
