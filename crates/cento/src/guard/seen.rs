//! What was seen on a host, in a fixed number of bytes: what has not been seen for long is forgotten.

/// Numbers that were seen, each with the parts of the host where that was.
///
/// Two tables of equal size: a number goes into the newer one, and when that is full it becomes the
/// older one, whose numbers are forgotten. A number that is seen again goes into the newer one, so
/// what all pages have stays.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    newer: Vec<u32>,
    older: Vec<u32>,
    count: usize,
}

/// How many places a table has.
const SLOTS: usize = 1 << 13;
/// How many of them are used, so that searches end soon.
const FULL: usize = SLOTS / 8 * 5;
/// The lower bits of a slot say where a number was seen, the upper ones tell it from others.
pub(super) const PARTS: u32 = 12;
const WHERE: u32 = (1 << PARTS) - 1;

impl Seen {
    /// Bytes of memory, whatever is in it.
    pub(super) const BYTES: usize = 2 * SLOTS * size_of::<u32>();

    pub(super) fn new() -> Seen {
        Seen {
            newer: vec![0; SLOTS],
            older: vec![0; SLOTS],
            count: 0,
        }
    }

    /// Where a number was seen, as bits; 0 if it was not.
    pub(super) fn places(&self, number: u64) -> u32 {
        [&self.newer, &self.older]
            .map(|table| table[slot(table, number)] & WHERE)
            .into_iter()
            .fold(0, |all, places| all | places)
    }

    pub(super) fn has(&self, number: u64) -> bool {
        self.places(number) != 0
    }

    /// Notes that a number was seen in a part of the host, which is below [`PARTS`].
    pub(super) fn add(&mut self, number: u64, part: u32) {
        let places = self.places(number) | 1 << part;
        let slot = slot(&self.newer, number);
        if self.newer[slot] == 0 {
            self.count += 1;
        }
        self.newer[slot] = tag(number) | places;
        if self.count == FULL {
            std::mem::swap(&mut self.newer, &mut self.older);
            self.newer.fill(0);
            self.count = 0;
        }
    }
}

/// What tells a number from others that are looked for at the same place: never 0.
fn tag(number: u64) -> u32 {
    let bits = u32::try_from(number >> 32).unwrap_or(0) & !WHERE;
    if bits == 0 { 1 << PARTS } else { bits }
}

/// Where a number is, or would be.
fn slot(table: &[u32], number: u64) -> usize {
    let tag = tag(number);
    let mut at = usize::try_from(number >> 20 & 0xffff_ffff).unwrap_or(0) % SLOTS;
    while table[at] != 0 && table[at] & !WHERE != tag {
        at = (at + 1) % SLOTS;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::word_hash;

    fn number(at: u32) -> u64 {
        word_hash(&at.to_le_bytes())
    }

    #[test]
    fn what_is_seen_again_stays_and_the_rest_is_forgotten() {
        let mut seen = Seen::new();
        for at in 0..50_000 {
            seen.add(number(at), at % PARTS);
            if at % 100 == 0 {
                seen.add(number(7), 3);
            }
        }
        assert!(seen.has(number(7)) && seen.has(number(49_999)));
        assert!(!seen.has(number(8)));
        let remembered = (0..50_000).filter(|&at| seen.has(number(at))).count();
        assert!(
            (FULL..=2 * FULL + 200).contains(&remembered),
            "{remembered}"
        );
        assert_eq!((seen.newer.len() + seen.older.len()) * 4, Seen::BYTES);
    }

    #[test]
    fn hardly_anything_is_taken_for_another() {
        let mut seen = Seen::new();
        (0..8_000).for_each(|at| seen.add(number(at), 0));
        let wrong = (1_000_000..1_100_000)
            .filter(|&at| seen.has(number(at)))
            .count();
        assert!(wrong < 10, "{wrong}");
    }

    #[test]
    fn where_a_number_was_seen() {
        let mut seen = Seen::new();
        seen.add(number(1), 0);
        seen.add(number(1), 5);
        assert_eq!(seen.places(number(1)), 0b10_0001);
    }
}
