//! Where the digests of a query are, and how many documents have each.

use std::borrow::Cow;
use std::sync::Arc;

use super::broad::{Broad, Row};
use super::postings::{Part, Postings};
use super::search::{Exclusions, Rarity};
use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{self, Removed};
use crate::number::index32;

/// A query's digests in the segments.
pub(super) struct Looked<'a> {
    pub(super) parts: Vec<LookedPart<'a>>,
    /// The digests that many units have, in some part; those that do not count are not left out.
    pub(super) rows: Vec<Broad>,
    /// How many units have each digest.
    pub(super) documents_with: Vec<u32>,
    /// Units that do not count for this query, ascending.
    pub(super) excluded: Vec<u32>,
}

/// A query's digests in one segment.
pub(super) struct LookedPart<'a> {
    pub(super) found: Vec<segment::FoundDigest>,
    /// The postings of those that few units have: the place of the digest, and the unit.
    pub(super) short: Vec<(u32, u32)>,
    /// Those that more units have and that are not in a row.
    pub(super) long: Vec<segment::FoundDigest>,
    /// Units of the segment that do not count.
    pub(super) gone: Cow<'a, Removed>,
}

/// A digest that one unit in so many has is in a row: walking its list would take longer.
const BROAD: usize = 64;
/// Lists of up to so many units are read when they are found: as many as digests that are not common
/// have.
const SHORT: u32 = Rarity::SOME;

impl Postings {
    /// Where the digests of a query are in each segment, and how many documents have each.
    pub(super) fn look_up(
        &self,
        digests: &[Digest],
        exclusions: &Exclusions,
    ) -> Result<Looked<'_>, Error> {
        let excluded = self.units_of(&exclusions.numbers);
        let mut looked = Looked {
            parts: Vec::with_capacity(self.parts.len()),
            rows: Vec::new(),
            documents_with: vec![0; digests.len()],
            excluded,
        };
        for (number, part) in self.parts.iter().enumerate() {
            let gone = part.gone(&looked.excluded);
            let with = &mut looked.documents_with;
            let mut short = Vec::with_capacity(digests.len());
            let mut long = Vec::new();
            let found = part
                .segment
                .find_within(digests, part.within(digests), |found| {
                    let is_short = |list: &&segment::FoundDigest| list.run.documents() <= SHORT;
                    let lists = found.iter().filter(is_short);
                    self.visit(number, lists, digests, &gone, |place, unit| {
                        with[place] += 1;
                        short.push((index32(place), unit));
                    })?;
                    for list in found.iter().filter(|list| !is_short(list)) {
                        if let Some(row) = self.row(number, list, digests)? {
                            let excluded = looked.excluded.iter();
                            let excluded = excluded.filter(|unit| row.contains(**unit)).count();
                            with[list.place as usize] += row.units() - index32(excluded);
                            let place = list.place;
                            looked.rows.push(Broad { place, row });
                        } else {
                            long.push(*list);
                        }
                    }
                    Ok(())
                })?;
            if gone.is_empty() && self.set_lists.is_empty() {
                for list in &long {
                    with[list.place as usize] += list.run.documents();
                }
            } else {
                self.visit(number, &long, digests, &gone, |place, _| with[place] += 1)?;
            }
            looked.parts.push(LookedPart {
                found,
                short,
                long,
                gone,
            });
        }
        Ok(looked)
    }

    /// The row of a list that so many units have that it is worth one: without those that are
    /// removed, and those for which the digest does not count.
    fn row(
        &self,
        number: usize,
        found: &segment::FoundDigest,
        digests: &[Digest],
    ) -> Result<Option<Arc<Row>>, Error> {
        if (found.run.documents() as usize) < self.units() / BROAD {
            return Ok(None);
        }
        let known = self.rows.get(number, found.run.first());
        if known.is_some() || !self.rows.has_room(self.units()) {
            return Ok(known);
        }
        let part = &self.parts[number];
        let mut row = Row::new(part.first, part.behind());
        self.visit(number, &[*found], digests, &part.removed, |_, unit| {
            row.insert(unit);
        })?;
        Ok(Some(self.rows.insert(number, found.run.first(), row)))
    }

    /// The units of some documents, ascending.
    pub(super) fn units_of(&self, numbers: &[u32]) -> Vec<u32> {
        let mut units = Vec::new();
        for &number in numbers {
            let start = self.by_number.partition_point(|(other, _)| *other < number);
            let of_number = self.by_number[start..].iter();
            let of_number = of_number.take_while(|(other, _)| *other == number);
            units.extend(of_number.map(|(_, unit)| *unit));
        }
        units.sort_unstable();
        units
    }
}

impl Part {
    /// The first unit behind its own.
    fn behind(&self) -> u32 {
        self.first + self.segment.documents()
    }

    /// Its units that are removed or do not count for a query.
    fn gone(&self, excluded: &[u32]) -> Cow<'_, Removed> {
        let start = excluded.partition_point(|unit| *unit < self.first);
        let end = excluded.partition_point(|unit| *unit < self.behind());
        if start == end {
            return Cow::Borrowed(&self.removed);
        }
        let mut gone = self.removed.clone();
        for unit in &excluded[start..end] {
            gone.insert(DocId(unit - self.first));
        }
        Cow::Owned(gone)
    }
}
