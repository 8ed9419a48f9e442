//! How many digests of a query each document has: the innermost loop of every search.
//!
//! Most of what a query finds are the postings of phrases that many documents have. They are counted
//! in single bytes, so that the counts of all documents stay near the processor, and then nearly all
//! documents are dismissed by one comparison. Where a byte overflows, that is noted and added later.

use super::dense::FoundPairs;
use std::sync::{Arc, PoisonError, RwLock};

use super::broad::{Broad, add_up};
use super::lookup::Looked;
use super::postings::Postings;
use super::search::{Alike, Rarity};
use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{self, Removed as UnitSet};
use crate::number::index32;

/// Memory for a search, to be used again for the next one.
#[derive(Default)]
pub struct Scratch {
    /// The lowest byte of the count of each unit, zero between queries.
    counts: Vec<u8>,
    /// Units whose count is not zero.
    touched: Vec<u32>,
    /// Units whose byte has overflowed, as often as it did.
    overflows: Vec<u32>,
    pub(super) sums: Vec<f64>,
    pub(super) pairs: FoundPairs,
}

/// What an overflow is worth.
const OVERFLOW: u32 = 1 << u8::BITS;
/// How many units are looked at together.
const TOGETHER: usize = 64;
/// With fewer postings than one for so many units, most units share nothing.
const SPARSE: usize = 16;

/// For each unit how many digests are a certain share of it, or as many as a byte can say. The last
/// ones are kept, because most queries ask for the same share.
#[derive(Default)]
pub(super) struct Needs(RwLock<Option<(u16, Arc<Vec<u8>>)>>);

impl Needs {
    fn of(&self, share: u16, sizes: &[u32]) -> Arc<Vec<u8>> {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, needs)) = known.as_ref().filter(|(known, _)| *known == share) {
            return Arc::clone(needs);
        }
        drop(known);
        let needs = sizes.iter().map(|size| need(*size, share)).collect();
        let needs = Arc::new(needs);
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *known = Some((share, Arc::clone(&needs)));
        needs
    }
}

/// A share of a size, in parts of 2^16, rounded down.
fn need(size: u32, share: u16) -> u8 {
    u8::try_from((u64::from(size) * u64::from(share)) >> 16).unwrap_or(u8::MAX)
}

impl Postings {
    /// Visits the units that may share enough with a query, each with how many digests it shares;
    /// `visit` says whether it is enough. Gives back how many share something, but less.
    pub(super) fn tally(
        &self,
        looked: &Looked<'_>,
        digests: &[Digest],
        at_least: f64,
        scratch: &mut Scratch,
        mut visit: impl FnMut(u32, u32) -> Result<bool, Error>,
    ) -> Result<u64, Error> {
        let units = self.units();
        scratch.counts.resize(scratch.counts.len().max(units), 0);
        let task = Task {
            postings: self,
            looked,
            digests,
        };
        let found = looked.documents_with.iter().map(|&count| count as usize);
        let is_sparse = looked.rows.is_empty() && found.sum::<usize>() < units / SPARSE;
        let counted = if is_sparse {
            task.count_listing(scratch)
        } else {
            task.count(scratch)
        };
        let many = scratch.take_many(&looked.excluded);
        let mut below = if is_sparse {
            0
        } else {
            task.candidates(at_least, scratch)
        };
        // The counts are left at zero even if something is damaged.
        let Scratch {
            counts, touched, ..
        } = scratch;
        let few = touched.drain(..).filter_map(|unit| {
            // Whose byte has overflowed may be listed twice, and is one of the many.
            let shared = std::mem::take(&mut counts[unit as usize]);
            (shared > 0).then_some((unit, u32::from(shared)))
        });
        let all: Vec<(u32, u32)> = few.chain(many).collect();
        counted?;
        for (unit, shared) in all {
            below += u64::from(!visit(unit, shared)?);
        }
        Ok(below)
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
        let units: Vec<u32> = places.iter().map(|(unit, _)| *unit).collect();
        let few = Rarity::SOME + 1;
        self.visit_few(&units, looked, digests, few, |at, documents| {
            let rarity = &mut alike[places[at].1].1.rarity;
            rarity.rare += u32::from(Rarity::class(documents) == 0);
            rarity.some += u32::from(Rarity::class(documents) == 1);
        })?;
        for (_, alike) in alike {
            alike.rarity.common = alike.overlap.shared - alike.rarity.rare - alike.rarity.some;
        }
        Ok(())
    }

    /// Visits what some units, ascending, have of the digests that fewer than `many` documents have:
    /// the place of the unit among them, and how many documents have the digest.
    pub(super) fn visit_few(
        &self,
        units: &[u32],
        looked: &Looked<'_>,
        digests: &[Digest],
        many: u32,
        mut visit: impl FnMut(usize, u32),
    ) -> Result<(), Error> {
        // Nearly always the answer is no, and a bit for each unit gives it quickly.
        let asked: UnitSet = units.iter().map(|unit| DocId(*unit)).collect();
        let with = |place: u32| looked.documents_with[place as usize];
        let mut add = |place: u32, unit: u32| {
            let documents = with(place);
            if documents < many
                && let Ok(at) = units.binary_search(&unit)
            {
                visit(at, documents);
            }
        };
        for (number, part) in looked.parts.iter().enumerate() {
            for &(place, unit) in &part.short {
                if asked.contains(DocId(unit)) {
                    add(place, unit);
                }
            }
            // Of a long list nearly everything may be removed.
            let few = part.long.iter().filter(|list| with(list.place) < many);
            let few: Vec<segment::FoundDigest> = few.copied().collect();
            self.visit(number, &few, digests, &part.gone, |place, unit| {
                if asked.contains(DocId(unit)) {
                    add(index32(place), unit);
                }
            })?;
        }
        for Broad { place, row } in looked.rows.iter().filter(|row| with(row.place) < many) {
            for unit in units.iter().filter(|unit| row.contains(**unit)) {
                add(*place, *unit);
            }
        }
        Ok(())
    }
}

/// Counts one more.
#[inline]
fn add_one(unit: u32, counts: &mut [u8], overflows: &mut Vec<u32>) {
    let count = &mut counts[unit as usize];
    *count = count.wrapping_add(1);
    if *count == 0 {
        overflows.push(unit);
    }
}

impl Scratch {
    /// Takes out the units whose byte has overflowed, each with its whole count.
    fn take_many(&mut self, excluded: &[u32]) -> Vec<(u32, u32)> {
        self.overflows.sort_unstable();
        let mut many = Vec::new();
        for times in self.overflows.chunk_by(|one, other| one == other) {
            let unit = times[0];
            let rest = std::mem::take(&mut self.counts[unit as usize]);
            if excluded.binary_search(&unit).is_err() {
                many.push((unit, OVERFLOW * index32(times.len()) + u32::from(rest)));
            }
        }
        self.overflows.clear();
        many
    }
}

/// A query that is being counted.
struct Task<'a> {
    postings: &'a Postings,
    looked: &'a Looked<'a>,
    digests: &'a [Digest],
}

impl Task<'_> {
    /// Counts the digests that each unit shares.
    fn count(&self, scratch: &mut Scratch) -> Result<(), Error> {
        let Scratch {
            counts, overflows, ..
        } = scratch;
        let counts = counts.as_mut_slice();
        self.each(|unit| add_one(unit, counts, overflows))?;
        let Looked { rows, excluded, .. } = self.looked;
        add_up(rows, self.postings.units(), |first, sums| {
            let chunks = counts[first..]
                .chunks_mut(TOGETHER)
                .zip(sums.chunks(TOGETHER));
            for (chunk, (counts, sums)) in chunks.enumerate() {
                let mut overflowed = false;
                for (count, sum) in counts.iter_mut().zip(sums) {
                    *count = count.wrapping_add(*sum);
                    overflowed |= *count < *sum;
                }
                if overflowed {
                    let units = index32(first + chunk * TOGETHER)..;
                    let with_sums = units.zip(counts.iter().zip(sums));
                    let over = with_sums.filter(|(_, (count, sum))| count < sum);
                    overflows.extend(over.map(|(unit, _)| unit));
                }
            }
        });
        for &unit in excluded {
            counts[unit as usize] = 0;
        }
        Ok(())
    }

    /// Counts the digests that each unit shares, and lists the units that share any.
    fn count_listing(&self, scratch: &mut Scratch) -> Result<(), Error> {
        let Scratch {
            counts,
            touched,
            overflows,
            ..
        } = scratch;
        self.each(|unit| {
            if counts[unit as usize] == 0 {
                touched.push(unit);
            }
            add_one(unit, counts, overflows);
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
    fn candidates(&self, at_least: f64, scratch: &mut Scratch) -> u64 {
        let share = share_of(at_least);
        let of_query = need(index32(self.digests.len()), share);
        // Never 0: something is shared.
        let is_enough = |count: u8, need: u8| count >= need.min(of_query).max(1);
        let needs = self.postings.needs.of(share, &self.postings.sizes);
        let mut below = 0;
        let chunks = scratch
            .counts
            .chunks_mut(TOGETHER)
            .zip(needs.chunks(TOGETHER));
        for (chunk, (counts, needs)) in chunks.enumerate() {
            let both = counts.iter().zip(needs);
            let candidates: u8 = both
                .map(|(count, need)| u8::from(is_enough(*count, *need)))
                .sum();
            let sharing: u8 = counts.iter().map(|count| u8::from(*count > 0)).sum();
            below += u64::from(sharing - candidates);
            if candidates == 0 {
                counts.fill(0);
                continue;
            }
            let units = (index32(chunk * TOGETHER)..).zip(counts.iter_mut().zip(needs));
            for (unit, (count, need)) in units {
                if is_enough(*count, *need) {
                    scratch.touched.push(unit);
                } else {
                    *count = 0;
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
