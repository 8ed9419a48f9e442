//! Documents that meet at a digest, and how often two of them do.
//!
//! A digest that very many documents have must not cost the square of their number. So only the first
//! few of a group are held against all others, and who is not among them is *late*: whatever it has in
//! common with others that are late is found in a later round, in which more of them come first. A pair
//! of which one is late nowhere has met wherever it could.

use std::collections::HashMap;

use super::Parts;
use crate::digest::Digest;
use crate::error::Error;

/// A document at one of the digests at which others may meet it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// The digest.
    pub digest: Digest,
    /// The document.
    pub side: Side,
    /// It left the digest aside.
    pub is_aside: bool,
}

/// What is known of a document wherever it is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side {
    /// Its number in the order in which documents are preferred.
    pub number: u64,
    /// For components, a number that all documents have that are connected with it so far; for stars the
    /// number of the last document with the same digests.
    pub mark: u64,
    /// How many digests it has.
    pub size: u32,
    /// How many more of them it may share than it was met at.
    pub rest: u32,
    /// Whether it is still to be decided about.
    pub is_open: bool,
}

/// Which documents are held against each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// All of them.
    All,
    /// Those that may be kept with all others that come behind.
    Stars,
    /// Those that are not connected yet.
    Components,
}

/// What was found in groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Met {
    /// Two documents met so many times; the more preferred one is on the left. The same two may be
    /// reported again: all of it counts.
    Pair {
        /// The documents.
        sides: [Side; 2],
        /// How many digests they met at.
        times: u32,
    },
    /// A document that was not held against all others.
    Late(u64),
}

/// Entries by their digests, group by group.
pub struct Groups {
    /// Sorted.
    entries: Vec<Entry>,
    next: usize,
    meeting: Meeting,
    /// How many documents of a group come first.
    first: usize,
}

/// How many pairs are counted before some are reported.
const COUNTED: usize = 1 << 20;

impl Groups {
    /// Groups of all entries of their digests, in any order. The same document twice at a digest means
    /// that somebody has brought the same part of the data twice, and is an error.
    pub fn new(mut entries: Vec<Entry>, meeting: Meeting, first: usize) -> Result<Groups, Error> {
        entries.sort_unstable();
        let is_same = |pair: &[Entry]| {
            pair[0].digest == pair[1].digest && pair[0].side.number == pair[1].side.number
        };
        if let Some(pair) = entries.windows(2).find(|pair| is_same(pair)) {
            return Err(Error::Repeated {
                document: pair[0].side.number,
            });
        }
        Ok(Groups {
            entries,
            next: 0,
            meeting,
            first: first.max(1),
        })
    }

    /// What is found in the next groups, sorted; nothing if there are no more.
    pub fn meet(&mut self, parts: &Parts) -> Vec<Met> {
        let mut counts = HashMap::new();
        let mut late = Vec::new();
        while self.next < self.entries.len() && counts.len() + late.len() < COUNTED {
            let rest = &self.entries[self.next..];
            let size = rest.partition_point(|entry| entry.digest == rest[0].digest);
            let group = &rest[..size];
            self.next += size;
            if group.len() > 1 && self.is_of_interest(group) {
                self.meet_in(group, parts, &mut counts, &mut late);
            }
        }
        late.sort_unstable();
        late.dedup();
        let mut all: Vec<Met> = late.into_iter().map(Met::Late).collect();
        let pairs = counts
            .into_iter()
            .map(|(sides, times)| Met::Pair { sides, times });
        all.extend(pairs);
        all.sort_unstable();
        all
    }

    /// Whether all groups were looked at.
    pub fn is_done(&self) -> bool {
        self.next == self.entries.len()
    }

    fn is_of_interest(&self, group: &[Entry]) -> bool {
        let is_near = group.iter().any(|entry| !entry.is_aside);
        let is_open = group.iter().any(|entry| entry.side.is_open);
        let is_apart = self.meeting != Meeting::Components
            || group.iter().any(|one| one.side.mark != group[0].side.mark);
        is_near && is_open && is_apart
    }

    fn meet_in(
        &self,
        group: &[Entry],
        parts: &Parts,
        counts: &mut HashMap<[Side; 2], u32>,
        late: &mut Vec<u64>,
    ) {
        let near: Vec<usize> = (0..group.len())
            .filter(|place| !group[*place].is_aside)
            .collect();
        let all: Vec<usize> = (0..group.len()).collect();
        // With few that are near, everybody meets few.
        let first = if self.meeting == Meeting::All || near.len() <= self.first {
            usize::MAX
        } else {
            self.first
        };
        let mut open = 0;
        for (place, entry) in group.iter().enumerate() {
            if !entry.side.is_open {
                continue;
            }
            open += 1;
            if open > first {
                late.push(entry.side.number);
                continue;
            }
            let others = if entry.is_aside { &near } else { &all };
            for &other_place in others {
                let (other, is_behind) = (&group[other_place], other_place > place);
                let meets = if other.side.is_open {
                    is_behind
                } else {
                    // Somebody with the same digests as that one may come behind this one.
                    entry.side.number < other.side.mark
                };
                let is_apart =
                    self.meeting != Meeting::Components || entry.side.mark != other.side.mark;
                if !meets || !is_apart {
                    continue;
                }
                let sides = if is_behind {
                    [entry.side, other.side]
                } else {
                    [other.side, entry.side]
                };
                let digests = sides.map(|side| side.size);
                if parts.may_be_alike(digests[0].min(digests[1]), digests, [0, 0]) {
                    *counts.entry(sides).or_default() += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::ClusterQuery;
    use crate::measure::SetMeasure;

    fn parts() -> Parts {
        let query = ClusterQuery {
            measure: SetMeasure::Resemblance,
            at_least: 0.5,
            memory: u64::MAX,
            sketcher: None,
        };
        Parts::new(&query, Vec::new())
    }

    fn entry(digest: u64, number: u64) -> Entry {
        Entry {
            digest: Digest(digest),
            side: Side {
                number,
                mark: number,
                size: 10,
                rest: 5,
                is_open: true,
            },
            is_aside: false,
        }
    }

    fn met(
        entries: Vec<Entry>,
        meeting: Meeting,
        first: usize,
    ) -> (Vec<(u64, u64, u32)>, Vec<u64>) {
        let mut groups = Groups::new(entries, meeting, first).unwrap();
        let (mut pairs, mut late) = (Vec::new(), Vec::new());
        while !groups.is_done() {
            for met in groups.meet(&parts()) {
                match met {
                    Met::Pair { sides, times } => {
                        pairs.push((sides[0].number, sides[1].number, times));
                    }
                    Met::Late(number) => late.push(number),
                }
            }
        }
        (pairs, late)
    }

    #[test]
    fn the_order_of_entries_has_no_meaning() {
        let entries = vec![
            entry(7, 3),
            entry(5, 1),
            entry(7, 1),
            entry(5, 3),
            entry(9, 2),
        ];
        let (pairs, late) = met(entries, Meeting::Stars, 64);
        assert_eq!((pairs, late), (vec![(1, 3, 2)], vec![]));
        let twice = vec![entry(7, 3), entry(5, 1), entry(7, 3)];
        assert!(Groups::new(twice, Meeting::Stars, 64).is_err());
    }

    #[test]
    fn a_large_group_is_not_squared() {
        let entries = (0..1000).map(|number| entry(7, number)).collect();
        let (pairs, late) = met(entries, Meeting::Stars, 4);
        assert_eq!((pairs.len(), late.len()), (999 + 998 + 997 + 996, 996));
        let entries = (0..50).map(|number| entry(7, number)).collect();
        assert_eq!(met(entries, Meeting::All, 4).0.len(), 50 * 49 / 2);
    }

    #[test]
    fn what_is_left_aside_by_two_brings_them_together_nowhere() {
        let aside = |number| Entry {
            is_aside: true,
            ..entry(7, number)
        };
        let (pairs, _) = met(vec![aside(1), aside(2), aside(3)], Meeting::Stars, 64);
        assert_eq!(pairs, []);
        let (pairs, late) = met(vec![aside(1), entry(7, 2), aside(3)], Meeting::Stars, 1);
        assert_eq!((pairs, late), (vec![(1, 2, 1), (2, 3, 1)], vec![]));
    }

    #[test]
    fn documents_that_are_connected_or_settled_need_not_meet() {
        let marked = |number, mark| {
            let mut entry = entry(7, number);
            entry.side.mark = mark;
            entry
        };
        let entries = vec![marked(1, 1), marked(2, 1), marked(3, 3)];
        assert_eq!(
            met(entries, Meeting::Components, 64).0,
            [(1, 3, 1), (2, 3, 1)]
        );
        let settled = |number, last| {
            let mut entry = marked(number, last);
            entry.side.is_open = false;
            entry
        };
        // The last copy of 1 comes behind 4, and 2 has none.
        let entries = vec![settled(1, 9), settled(2, 2), entry(7, 4), settled(5, 5)];
        assert_eq!(met(entries, Meeting::Stars, 64).0, [(1, 4, 1), (4, 5, 1)]);
    }
}
