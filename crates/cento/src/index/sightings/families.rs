//! What a store knows: families of messages that are nearly the same, and how often each was seen.
//!
//! Everything here is made by applying records one after the other, when a message comes and when a store
//! is opened, so that both give the same.

use std::collections::{BTreeSet, HashMap};

use super::Mark;
use super::postings::Postings;
use super::record::{Record, Totals, Whole, Why};
use super::windows::Minute;
use crate::digest::Digest;
use crate::message::{Likeness, Sameness};
use crate::number::index32;

/// Of the families that share most digests with a message so many are compared in full.
const MOST_COMPARED: usize = 256;

/// All families.
pub(super) struct Families {
    slots: Vec<Option<Family>>,
    /// Slots that are free.
    free: Vec<u32>,
    by_number: HashMap<u64, u32>,
    postings: Postings,
    /// Those without a mark and those with one, the longest unseen first.
    by_last: [BTreeSet<(Minute, u64)>; 2],
    pub(super) totals: Totals,
    /// Bytes of memory, as [`Family::cost`] has it.
    pub(super) cost: u64,
    /// Bytes that the records of all families would take.
    pub(super) live: u64,
}

/// Messages that are nearly the same: the first of them, and when the others were seen.
pub(super) struct Family {
    pub(super) whole: Whole,
    /// The segment that has its last whole record.
    segment: u64,
}

/// The family that is most like a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// Its number, which no other family ever has.
    pub family: u64,
    /// How similar its first message is, from 0 to 1.
    pub similarity: f64,
    /// How many digests both have.
    pub shared: u32,
    /// Whether that makes them the same.
    pub is_same: bool,
}

impl Nearest {
    fn is_better_than(&self, other: &Nearest) -> bool {
        let by_value = |near: &Nearest| (near.is_same, near.similarity, near.shared);
        let (own, others) = (by_value(self), by_value(other));
        own > others || own == others && self.family < other.family
    }
}

impl Family {
    /// Bytes of memory: its digests, here and in the table, its moments, and the rest.
    fn cost(&self) -> u64 {
        const REST: u64 = 200;
        let digests = self.whole.digests.len() as u64;
        let buckets = self.whole.moments.buckets().len() as u64;
        REST + 20 * digests + 8 * buckets.max(4)
    }

    /// Bytes of its whole record in the log.
    fn length(&self) -> u64 {
        let whole = &self.whole;
        34 + 8 * (whole.digests.len() + whole.moments.buckets().len()) as u64
    }

    fn key(&self) -> (Minute, u64) {
        (self.whole.last, self.whole.family)
    }
}

impl Families {
    pub(super) fn new() -> Families {
        Families {
            slots: Vec::new(),
            free: Vec::new(),
            by_number: HashMap::new(),
            postings: Postings::new(),
            by_last: [BTreeSet::new(), BTreeSet::new()],
            totals: Totals::default(),
            cost: 0,
            live: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.by_number.len()
    }

    /// How many have a mark.
    pub(super) fn marked(&self, mark: Mark) -> usize {
        let numbers = self.by_last[1].iter().map(|(_, number)| *number);
        let marks = numbers.filter_map(|number| self.get(number)?.whole.mark);
        marks.filter(|other| *other == mark).count()
    }

    pub(super) fn table_bytes(&self) -> u64 {
        self.postings.bytes()
    }

    pub(super) fn get(&self, number: u64) -> Option<&Family> {
        let slot = self.by_number.get(&number)?;
        self.slots[*slot as usize].as_ref()
    }

    /// Does what a record says, which is in this segment of the log. It may be about a family that is long
    /// gone: then the segment with all about it is gone, too.
    pub(super) fn apply(&mut self, record: Record, segment: u64) {
        match record {
            Record::Whole(whole) => self.put(whole, segment),
            Record::Again { family, minute } => {
                self.totals.counted += 1;
                self.change(family, |whole| {
                    whole.moments.add(minute);
                    whole.last = whole.last.max(minute);
                });
            }
            Record::Marked {
                family,
                mark,
                minute,
            } => self.change(family, |whole| {
                whole.mark = mark;
                whole.last = whole.last.max(minute);
            }),
            Record::Gone { family, why, last } => {
                self.take(family);
                match why {
                    Why::Expired => self.totals.expired += 1,
                    Why::Evicted => {
                        self.totals.evicted += 1;
                        self.totals.since = self.totals.since.max(last.saturating_add(1));
                    }
                }
            }
            Record::Totals(totals) => self.totals = totals,
            Record::Oldest(segment) => self.totals.oldest = segment,
        }
    }

    fn put(&mut self, whole: Whole, segment: u64) {
        let number = whole.family;
        let is_new = number >= self.totals.next;
        if is_new {
            self.totals.next = number + 1;
            self.totals.counted += u64::from(!whole.moments.buckets().is_empty());
        }
        if self.by_number.contains_key(&number) {
            self.take(number);
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            index32(self.slots.len() - 1)
        });
        for digest in &whole.digests {
            self.postings.insert(*digest, slot);
        }
        let family = Family { whole, segment };
        self.cost += family.cost();
        self.live += family.length();
        self.by_last[usize::from(family.whole.mark.is_some())].insert(family.key());
        self.slots[slot as usize] = Some(family);
        self.by_number.insert(number, slot);
    }

    /// Takes a family away, wherever it is mentioned.
    fn take(&mut self, number: u64) -> Option<Family> {
        let slot = self.by_number.remove(&number)?;
        let family = self.slots[slot as usize].take()?;
        for digest in &family.whole.digests {
            self.postings.remove(*digest, slot);
        }
        self.cost -= family.cost();
        self.live -= family.length();
        self.by_last[usize::from(family.whole.mark.is_some())].remove(&family.key());
        self.free.push(slot);
        Some(family)
    }

    fn change(&mut self, number: u64, change: impl FnOnce(&mut Whole)) {
        let slot = self.by_number.get(&number);
        let family = slot.and_then(|slot| self.slots[*slot as usize].as_mut());
        let Some(family) = family else {
            return;
        };
        self.cost -= family.cost();
        self.live -= family.length();
        self.by_last[usize::from(family.whole.mark.is_some())].remove(&family.key());
        change(&mut family.whole);
        self.cost += family.cost();
        self.live += family.length();
        self.by_last[usize::from(family.whole.mark.is_some())].insert(family.key());
    }

    /// The family without a mark that was not seen for longest, and when that was; or the one with a mark.
    pub(super) fn longest_unseen(&self, is_marked: bool) -> Option<(Minute, u64)> {
        self.by_last[usize::from(is_marked)].first().copied()
    }

    /// When any family was seen last.
    pub(super) fn latest(&self) -> Minute {
        let last = self.by_last.iter().filter_map(BTreeSet::last);
        last.map(|(minute, _)| *minute).max().unwrap_or(0)
    }

    /// The families whose whole record is in a segment, by number.
    pub(super) fn of_segment(&self, segment: u64) -> Vec<u64> {
        let families = self.slots.iter().flatten();
        let there = families.filter(|family| family.segment == segment);
        let mut numbers: Vec<u64> = there.map(|family| family.whole.family).collect();
        numbers.sort_unstable();
        numbers
    }

    /// A whole record of this family was written to a segment.
    pub(super) fn moved(&mut self, number: u64, segment: u64) {
        let slot = self.by_number.get(&number).copied();
        if let Some(family) = slot.and_then(|slot| self.slots[slot as usize].as_mut()) {
            family.segment = segment;
        }
    }

    /// The family that is most similar to a message. One that is the same comes before any that is not; of
    /// equals it is the oldest.
    pub(super) fn nearest(&self, digests: &[Digest], sameness: Sameness) -> Option<Nearest> {
        let mut slots = Vec::new();
        for digest in digests {
            self.postings.find(*digest, &mut slots);
        }
        slots.sort_unstable();
        let mut candidates: Vec<(usize, &Family)> = slots
            .chunk_by(|left, right| left == right)
            .filter_map(|run| Some((run.len(), self.slots[run[0] as usize].as_ref()?)))
            .collect();
        candidates.sort_by_key(|(count, family)| (usize::MAX - count, family.whole.family));
        let fewest = sameness.fewest_shared();
        let mut best: Option<Nearest> = None;
        for (_, family) in candidates.iter().take(MOST_COMPARED) {
            let likeness = Likeness::of(digests, &family.whole.digests);
            if likeness.shared < fewest {
                continue;
            }
            let near = Nearest {
                family: family.whole.family,
                similarity: likeness.similarity(),
                shared: likeness.shared,
                is_same: sameness.holds(likeness),
            };
            if best.as_ref().is_none_or(|best| near.is_better_than(best)) {
                best = Some(near);
            }
        }
        best
    }
}
