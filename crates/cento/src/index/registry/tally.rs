//! How many digests of a query each document has: the innermost loop of every search.
//!
//! Most of what a query finds are the postings of phrases that many documents have. They are counted
//! in numbers as small as the query allows, so that the counts of all documents stay in the cache,
//! and then nearly all documents are dismissed by one comparison.

use std::ops::AddAssign;

use super::broad::{Broad, add_up};
use super::lookup::Looked;
use super::postings::Postings;
use super::search::{Alike, Rarity};
use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{self, Removed as UnitSet};
use crate::token::index32;

/// Room for counting, to be used again for the next query.
#[derive(Default)]
pub struct Room {
    /// A count for each unit, zero between queries.
    small: Vec<u16>,
    /// The same for queries with many digests.
    large: Vec<u32>,
    /// Units whose count is not zero.
    touched: Vec<u32>,
    pub(super) sums: Vec<f64>,
}

/// What digests are counted in.
trait Count: Copy + Default + Ord + AddAssign + From<u8> + Into<u32> {
    /// How many digests of each unit count, or as many as this can count.
    fn sizes(postings: &Postings) -> &[Self];

    /// The number that is nearest to this one.
    fn nearest(number: usize) -> Self;

    /// A share of it, in parts of 2^16, rounded down.
    fn share(self, share: u16) -> Self;
}

impl Count for u16 {
    fn sizes(postings: &Postings) -> &[u16] {
        &postings.small_sizes
    }

    fn nearest(number: usize) -> u16 {
        u16::try_from(number).unwrap_or(u16::MAX)
    }

    #[inline]
    fn share(self, share: u16) -> u16 {
        let [_, _, low, high] = (u32::from(self) * u32::from(share)).to_le_bytes();
        u16::from_le_bytes([low, high])
    }
}

impl Count for u32 {
    fn sizes(postings: &Postings) -> &[u32] {
        &postings.sizes
    }

    fn nearest(number: usize) -> u32 {
        u32::try_from(number).unwrap_or(u32::MAX)
    }

    #[inline]
    fn share(self, share: u16) -> u32 {
        let [_, _, bytes @ .., _, _] = (u64::from(self) * u64::from(share)).to_le_bytes();
        u32::from_le_bytes(bytes)
    }
}

/// How many units are looked at together.
const TOGETHER: usize = 64;
/// With fewer postings than one for so many units, most units share nothing.
const SPARSE: usize = 16;

impl Postings {
    /// Visits the units that may share enough with a query, each with how many digests it shares;
    /// `visit` says whether it is enough. Gives back how many share something, but less.
    pub(super) fn tally(
        &self,
        looked: &Looked<'_>,
        digests: &[Digest],
        at_least: f64,
        room: &mut Room,
        visit: impl FnMut(u32, u32) -> Result<bool, Error>,
    ) -> Result<u64, Error> {
        let Room {
            small,
            large,
            touched,
            ..
        } = room;
        let task = Task {
            postings: self,
            looked,
            digests,
            at_least,
        };
        if u16::try_from(digests.len()).is_ok() {
            task.run(small, touched, visit)
        } else {
            task.run(large, touched, visit)
        }
    }

    /// Tells apart how rare the digests are that these units share.
    ///
    /// The postings of digests that many documents have need not be read again, because what is
    /// neither rare nor in between is common.
    pub(super) fn set_rarity(
        &self,
        alike: &mut [(u32, Alike)],
        looked: &Looked<'_>,
        digests: &[Digest],
    ) -> Result<(), Error> {
        if alike.is_empty() {
            return Ok(());
        }
        let mut places: Vec<(u32, usize)> = Vec::with_capacity(alike.len());
        places.extend((0..).zip(&*alike).map(|(place, (unit, _))| (*unit, place)));
        places.sort_unstable();
        // Nearly always the answer is no, and a bit for each unit gives it quickly.
        let asked: UnitSet = places.iter().map(|(unit, _)| DocId(*unit)).collect();
        let class = |place: u32| Rarity::class(looked.documents_with[place as usize]);
        let mut add = |place: u32, unit: u32| {
            if let Ok(at) = places.binary_search_by_key(&unit, |(unit, _)| *unit) {
                let rarity = &mut alike[places[at].1].1.rarity;
                rarity.rare += u32::from(class(place) == 0);
                rarity.some += u32::from(class(place) == 1);
            }
        };
        for (number, part) in looked.parts.iter().enumerate() {
            for &(place, unit) in &part.short {
                if asked.contains(DocId(unit)) {
                    add(place, unit);
                }
            }
            // Of a long list nearly everything may be removed.
            let few = part.long.iter().filter(|list| class(list.place) < 2);
            let few: Vec<segment::Found> = few.copied().collect();
            self.visit(number, &few, digests, &part.gone, |place, unit| {
                if asked.contains(DocId(unit)) {
                    add(index32(place), unit);
                }
            })?;
        }
        for Broad { place, row } in looked.rows.iter().filter(|row| class(row.place) < 2) {
            let units = places.iter().map(|(unit, _)| *unit);
            for unit in units.filter(|unit| row.contains(*unit)) {
                add(*place, unit);
            }
        }
        for (_, alike) in alike {
            alike.rarity.common = alike.overlap.shared - alike.rarity.rare - alike.rarity.some;
        }
        Ok(())
    }
}

/// A query that is being counted.
struct Task<'a> {
    postings: &'a Postings,
    looked: &'a Looked<'a>,
    digests: &'a [Digest],
    at_least: f64,
}

impl Task<'_> {
    fn run<C: Count>(
        &self,
        counts: &mut Vec<C>,
        touched: &mut Vec<u32>,
        mut visit: impl FnMut(u32, u32) -> Result<bool, Error>,
    ) -> Result<u64, Error> {
        let units = self.postings.units();
        counts.resize(counts.len().max(units), C::default());
        let found = self
            .looked
            .documents_with
            .iter()
            .map(|&count| count as usize);
        let is_sparse = self.looked.rows.is_empty() && found.sum::<usize>() < units / SPARSE;
        let (mut result, mut below) = if is_sparse {
            (self.count_listing(counts, touched), 0)
        } else {
            let counted = self.count(counts);
            (counted, self.candidates(&mut counts[..units], touched))
        };
        // The room is left empty even if something is damaged.
        for unit in touched.drain(..) {
            let shared = std::mem::take(&mut counts[unit as usize]).into();
            if result.is_ok() {
                result = visit(unit, shared).map(|is_enough| below += u64::from(!is_enough));
            }
        }
        result.map(|()| below)
    }

    /// Counts the digests that each unit shares.
    fn count<C: Count>(&self, counts: &mut [C]) -> Result<(), Error> {
        self.each(|unit| counts[unit as usize] += C::from(1))?;
        let Looked { rows, excluded, .. } = self.looked;
        add_up(rows, self.postings.units(), |first, sums| {
            for (count, sum) in counts[first..].iter_mut().zip(sums) {
                *count += C::from(*sum);
            }
        });
        for &unit in excluded {
            counts[unit as usize] = C::default();
        }
        Ok(())
    }

    /// Counts the digests that each unit shares, and lists the units that share any.
    fn count_listing<C: Count>(
        &self,
        counts: &mut [C],
        touched: &mut Vec<u32>,
    ) -> Result<(), Error> {
        self.each(|unit| {
            let count = &mut counts[unit as usize];
            if *count == C::default() {
                touched.push(unit);
            }
            *count += C::from(1);
        })
    }

    #[inline]
    fn each(&self, mut visit: impl FnMut(u32)) -> Result<(), Error> {
        for (number, part) in self.looked.parts.iter().enumerate() {
            for (_, unit) in &part.short {
                visit(*unit);
            }
            let (long, gone) = (&part.long, &part.gone);
            self.postings
                .visit(number, long, self.digests, gone, |_, unit| visit(unit))?;
        }
        Ok(())
    }

    /// Lists the units that may share enough. The counts of the others are taken back; says how
    /// many of them share something.
    ///
    /// The loops are written so that the compiler compares several units at once.
    fn candidates<C: Count>(&self, counts: &mut [C], touched: &mut Vec<u32>) -> u64 {
        let share = share_of(self.at_least);
        let query = C::nearest(self.digests.len());
        let is_enough = |count: C, size: C| {
            // Never 0: something is shared.
            let need = size.min(query).share(share).max(C::from(1));
            count >= need
        };
        let mut below = 0;
        let sizes = C::sizes(self.postings).chunks(TOGETHER);
        for (chunk, (counts, sizes)) in counts.chunks_mut(TOGETHER).zip(sizes).enumerate() {
            let both = counts.iter().zip(sizes);
            let candidates = both.map(|(count, size)| u16::from(is_enough(*count, *size)));
            let candidates: u16 = candidates.sum();
            let sharing = counts.iter().map(|count| u16::from(*count != C::default()));
            below += u64::from(sharing.sum::<u16>()) - u64::from(candidates);
            if candidates == 0 {
                counts.fill(C::default());
                continue;
            }
            let units = (index32(chunk * TOGETHER)..).zip(counts.iter_mut().zip(sizes));
            for (unit, (count, size)) in units {
                if is_enough(*count, *size) {
                    touched.push(unit);
                } else {
                    *count = C::default();
                }
            }
        }
        below
    }
}

/// The share of its digests, or the query's if it has fewer, that a unit has to share to be looked
/// at more closely, in parts of 2^16.
///
/// No measure of sets is above what is shared of the smaller one. A little less than that leaves
/// rounding to whoever computes the score.
fn share_of(at_least: f64) -> u16 {
    let parts = at_least.clamp(0.0, 1.0) * 0.999_99 * 65536.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded down, between 0 and 65535"
    )]
    let parts = parts as u16;
    parts
}
