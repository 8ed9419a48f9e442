//! Which documents have the digests that several have, from all segments together.

use super::postings::Postings;
use super::search::Rarity;
use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{self, Removed as UnitSet};
use crate::number::index32;
use crate::watch::Watch;

/// The units that have each digest, for the digests that at least two units have.
#[derive(Default)]
pub(super) struct SharedLists {
    /// Those that at most a hundred have.
    pub(super) rare: Lists,
    /// Those that more have.
    pub(super) common: Lists,
}

/// Ascending numbers under consecutive numbers.
#[derive(Default)]
pub(super) struct Lists {
    numbers: Vec<u32>,
    ends: Vec<usize>,
}

impl SharedLists {
    /// Reads the lists of all digests, or of those that one of some units has.
    pub(super) fn read(
        postings: &Postings,
        of: Option<&UnitSet>,
        watch: Watch<'_>,
    ) -> Result<SharedLists, Error> {
        let parts = postings.parts();
        let mut steps = watch.steps(parts.map(|(segment, ..)| segment.postings()).sum());
        let mut readers = Vec::new();
        for (part, (segment, ..)) in postings.parts().enumerate() {
            let mut reader = Reader {
                postings,
                part,
                lists: segment.lists(),
                digest: None,
                read: 0,
                units: Vec::new(),
            };
            reader.next()?;
            readers.push(reader);
        }
        let mut shared = SharedLists::default();
        let mut units: Vec<u32> = Vec::new();
        while let Some(digest) = readers.iter().filter_map(|reader| reader.digest).min() {
            units.clear();
            for reader in &mut readers {
                if reader.digest == Some(digest) {
                    units.extend(&reader.units);
                    steps.advance(reader.read)?;
                    reader.next()?;
                }
            }
            let is_asked = |of: &UnitSet| units.iter().any(|unit| of.contains(DocId(*unit)));
            if units.len() > 1 && of.is_none_or(is_asked) {
                let is_rare = units.len() <= Rarity::SOME as usize;
                let lists = if is_rare {
                    &mut shared.rare
                } else {
                    &mut shared.common
                };
                lists.push(&units);
            }
        }
        Ok(shared)
    }
}

impl Lists {
    fn push(&mut self, numbers: &[u32]) {
        self.numbers.extend(numbers);
        self.ends.push(self.numbers.len());
    }

    /// The numbers under a number.
    pub(super) fn get(&self, place: u32) -> &[u32] {
        let place = place as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.numbers[start..self.ends[place]]
    }

    /// The lists that each of so many numbers is in.
    pub(super) fn turned(&self, count: usize) -> Lists {
        let mut ends = vec![0; count];
        for &number in &self.numbers {
            ends[number as usize] += 1;
        }
        let mut next = Vec::with_capacity(count);
        let mut end = 0;
        for of_number in &mut ends {
            next.push(end);
            end += *of_number;
            *of_number = end;
        }
        let mut numbers = vec![0; self.numbers.len()];
        for list in 0..index32(self.ends.len()) {
            for &number in self.get(list) {
                let place = &mut next[number as usize];
                numbers[*place] = list;
                *place += 1;
            }
        }
        Lists { numbers, ends }
    }
}

/// Reads a segment, a list after the other.
struct Reader<'a> {
    postings: &'a Postings,
    part: usize,
    lists: segment::Lists<'a>,
    /// The digest of the list that was read last; none at the end.
    digest: Option<Digest>,
    /// How many postings it has.
    read: u64,
    /// The units of it that count, ascending.
    units: Vec<u32>,
}

impl Reader<'_> {
    fn next(&mut self) -> Result<(), Error> {
        self.units.clear();
        let list = self.lists.next_list()?;
        self.digest = list.as_ref().map(|list| list.digest);
        let Some(list) = list else {
            return Ok(());
        };
        self.read = list.postings.len() as u64;
        let part = &self.postings.parts[self.part];
        for posting in list.postings {
            let unit = posting.document;
            if !part.removed.contains(unit)
                && self.postings.counts_for(self.part, unit, list.digest)
            {
                self.units.push(part.first + unit.0);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_turned_around() {
        let mut lists = Lists::default();
        lists.push(&[0, 2, 3]);
        lists.push(&[]);
        lists.push(&[2]);
        assert_eq!(lists.get(0), [0, 2, 3]);
        assert_eq!(lists.get(2), [2]);
        let turned = lists.turned(5);
        let of = |number| turned.get(number);
        assert_eq!(
            [of(0), of(1), of(2), of(3), of(4)],
            [&[0][..], &[], &[0, 2], &[0], &[]]
        );
        assert_eq!(turned.turned(3).get(0), lists.get(0));
    }
}
