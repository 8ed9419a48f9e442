//! The postings of all segments together, and which of them count.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::broad::{MOST_BYTES, Rows};
use super::catalog::{Catalog, SegmentRow};
use super::ignore::IgnoreList;
use super::tally::Needs;
use super::vectors::Vectors;
use crate::digest::Digest;
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{self, DigestRange, Removed, Segment, add_side};
use crate::measure::Side;
use crate::number::index32;

/// A segment of a registry.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) row: SegmentRow,
    /// The postings of its documents: in one file, or in the files of shards.
    pub(super) digests: Vec<Slice>,
    /// The stretches of the same documents, if they are kept.
    pub(super) stretches: Vec<Slice>,
    /// Their vectors, if they are kept.
    pub(super) vectors: Option<Arc<Vectors>>,
}

/// A file with the postings of some documents of a piece, or with those of a range of digests.
#[derive(Clone)]
pub(super) struct Slice {
    pub(super) segment: Arc<Segment>,
    /// Which document of the piece is its first.
    pub(super) first: u32,
    pub(super) range: DigestRange,
}

impl Slice {
    /// A file that has everything.
    pub(super) fn whole(segment: Arc<Segment>) -> Slice {
        Slice {
            segment,
            first: 0,
            range: DigestRange::ALL,
        }
    }

    /// Which documents of the piece it has.
    pub(super) fn units(&self) -> Range<usize> {
        self.first as usize..(self.first + self.segment.documents()) as usize
    }
}

impl Piece {
    /// Each document as a whole, by number.
    pub(super) fn sides(&self) -> Cow<'_, [Side]> {
        match &self.digests[..] {
            [whole] => Cow::Borrowed(whole.segment.sides()),
            slices => Cow::Owned(sides_of(slices, self.row.documents.len())),
        }
    }

    /// How many bytes its files have.
    pub(super) fn bytes(&self) -> u64 {
        let segments = self.segments().map(|segment| segment.bytes());
        segments.sum::<u64>() + self.vectors.as_ref().map_or(0, |vectors| vectors.bytes())
    }

    /// Its files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        let segments = self.segments().map(|segment| segment.path());
        segments.chain(self.vectors.iter().map(|vectors| vectors.path()))
    }

    /// Its segments.
    pub(super) fn segments(&self) -> impl Iterator<Item = &Arc<Segment>> {
        let slices = self.digests.iter().chain(&self.stretches);
        slices.map(|slice| &slice.segment)
    }
}

/// The sides of so many documents, from those in slices.
fn sides_of(slices: &[Slice], documents: usize) -> Vec<Side> {
    let mut sides = vec![None; documents];
    for slice in slices {
        let schema = slice.segment.schema();
        for (side, of_slice) in sides[slice.units()].iter_mut().zip(slice.segment.sides()) {
            match side {
                Some(side) => {
                    // Slices of other documents are refused when they are opened.
                    let _ = add_side(side, *of_slice, schema);
                }
                None => *side = Some(*of_slice),
            }
        }
    }
    let nothing = Side::of_each_once(0);
    sides
        .into_iter()
        .map(|side| side.unwrap_or(nothing))
        .collect()
}

/// All postings of a registry at one moment. A *unit* is a document of a segment, numbered through
/// all segments: a registered document, or a passage of one.
pub(super) struct Postings {
    pub(super) parts: Vec<Part>,
    wholes: Vec<Whole>,
    /// The document that each unit is, or is a passage of.
    owners: Vec<u32>,
    /// How many digests of each unit count.
    pub(super) sizes: Vec<u32>,
    /// The units that are there, by the number of their document.
    pub(super) by_number: Vec<(u32, u32)>,
    ignored: IgnoreList,
    pub(super) set_lists: Vec<SetList>,
    /// The lists of digests that many units have.
    pub(super) rows: Rows,
    /// How many digests a share of each unit is.
    pub(super) needs: Needs,
}

pub(super) struct Part {
    pub(super) segment: Arc<Segment>,
    /// The number of its first unit.
    pub(super) first: u32,
    pub(super) removed: Removed,
    /// Which digests it may have.
    range: DigestRange,
}

impl Part {
    /// Where in ascending digests those are that it may have.
    pub(super) fn within(&self, digests: &[Digest]) -> Range<usize> {
        self.range.within(self.segment.schema(), digests)
    }
}

/// The parts that a segment was cut into; nearly always it is one.
struct Whole {
    parts: Range<usize>,
    units: Range<u32>,
    /// The sides of its units, if it is in more than one part.
    sides: Option<Vec<Side>>,
}

/// Standard text of one set.
pub(super) struct SetList {
    digests: Vec<Digest>,
    /// The units of its documents, part by part.
    members: Vec<Removed>,
}

impl Postings {
    /// What the catalogue says about these segments.
    pub(super) fn of(catalog: &Catalog, pieces: &[Piece], now: &str) -> Result<Postings, Error> {
        let live = catalog.live(now)?;
        let ignored = IgnoreList::of(&catalog.ignored()?);
        let mut members = Vec::new();
        for set in ignored.sets().keys() {
            members.push(catalog.set_members(set)?);
        }
        Ok(Postings::new(pieces, &live, ignored, &members))
    }

    /// The postings of documents that are live: their numbers, ascending, each with how many of its
    /// digests do not count. `members` are the documents of each set that has a list of its own.
    pub(super) fn new(
        pieces: &[Piece],
        live: &[(u32, u32)],
        ignored: IgnoreList,
        members: &[Vec<u32>],
    ) -> Postings {
        let mut postings = Postings {
            parts: Vec::with_capacity(pieces.len()),
            wholes: Vec::with_capacity(pieces.len()),
            owners: Vec::new(),
            sizes: Vec::new(),
            by_number: Vec::new(),
            set_lists: ignored
                .sets()
                .values()
                .map(|digests| SetList {
                    digests: digests.clone(),
                    members: Vec::new(),
                })
                .collect(),
            ignored,
            rows: Rows::within(MOST_BYTES),
            needs: Needs::default(),
        };
        for piece in pieces {
            postings.add_piece(piece, live, members);
        }
        postings.by_number.sort_unstable();
        postings
    }

    fn add_piece(&mut self, piece: &Piece, live: &[(u32, u32)], members: &[Vec<u32>]) {
        let first = index32(self.owners.len());
        let documents = &piece.row.documents;
        let sides = piece.sides();
        let mut is_removed = vec![false; documents.len()];
        for (unit, (&number, side)) in documents.iter().zip(&*sides).enumerate() {
            let found = live.binary_search_by_key(&number, |(number, _)| *number);
            let ignored = if let Ok(place) = found {
                self.by_number.push((number, first + index32(unit)));
                live[place].1
            } else {
                is_removed[unit] = true;
                0
            };
            self.owners.push(number);
            self.sizes.push(side.digests.saturating_sub(ignored));
        }
        let first_part = self.parts.len();
        for slice in &piece.digests {
            let units = slice.units();
            let removed = (0..).zip(&is_removed[units.clone()]);
            let removed = removed.filter(|(_, is_removed)| **is_removed);
            let removed = removed.map(|(unit, _)| DocId(unit)).collect();
            for (list, members) in self.set_lists.iter_mut().zip(members) {
                let of_set = (0..).zip(&documents[units.clone()]);
                let of_set = of_set.filter(|(_, number)| members.binary_search(number).is_ok());
                let of_set = of_set.map(|(unit, _)| DocId(unit)).collect();
                list.members.push(of_set);
            }
            self.parts.push(Part {
                segment: Arc::clone(&slice.segment),
                first: first + slice.first,
                removed,
                range: slice.range,
            });
        }
        self.wholes.push(Whole {
            parts: first_part..self.parts.len(),
            units: first..index32(self.owners.len()),
            sides: (piece.digests.len() != 1).then(|| sides.into_owned()),
        });
    }

    /// How many units there are.
    pub(super) fn live_units(&self) -> u32 {
        index32(self.by_number.len())
    }

    /// Whether a document is there.
    pub(super) fn has_document(&self, number: u32) -> bool {
        let found = self
            .by_number
            .binary_search_by_key(&number, |(number, _)| *number);
        found.is_ok()
    }

    pub(super) fn owner(&self, unit: u32) -> u32 {
        self.owners[unit as usize]
    }

    pub(super) fn units(&self) -> usize {
        self.owners.len()
    }

    pub(super) fn ignored(&self) -> &IgnoreList {
        &self.ignored
    }

    /// How many postings are those of removed documents.
    pub(super) fn removed_postings(&self) -> u64 {
        let of_part = |part: &Part| {
            let sides = part.segment.sides();
            let removed = part
                .removed
                .iter()
                .filter_map(|unit| sides.get(unit.0 as usize));
            removed.map(|side| u64::from(side.digests)).sum::<u64>()
        };
        self.parts.iter().map(of_part).sum()
    }

    /// How many documents have a digest.
    pub(super) fn documents_with(&self, digest: Digest) -> Result<u32, Error> {
        let mut count = 0;
        let query = [digest];
        for (part, number) in self.parts.iter().zip(0..) {
            let found = part.segment.find(&query)?;
            self.visit(number, &found, &query, &part.removed, |_, _| count += 1)?;
        }
        Ok(count)
    }

    /// Visits the units that have digests of a query: the place of the digest, and the unit.
    #[inline]
    pub(super) fn visit<'f>(
        &self,
        number: usize,
        found: impl IntoIterator<Item = &'f segment::FoundDigest>,
        digests: &[Digest],
        gone: &Removed,
        mut visit: impl FnMut(usize, u32),
    ) -> Result<(), Error> {
        let Part { segment, first, .. } = &self.parts[number];
        if gone.is_empty() && self.set_lists.is_empty() {
            return segment.visit_documents(found, |found, unit| {
                visit(found.place as usize, first + unit.0);
            });
        }
        let mut last = u32::MAX;
        let mut excused: Vec<&Removed> = Vec::new();
        segment.visit_documents(found, |found, unit| {
            if found.place != last {
                last = found.place;
                excused.clear();
                excused.extend(self.excused(digests[last as usize], number));
            }
            if !gone.contains(unit) && !excused.iter().any(|members| members.contains(unit)) {
                visit(found.place as usize, first + unit.0);
            }
        })
    }

    /// The units of a part for which a digest is standard text of their set.
    fn excused(&self, digest: Digest, part: usize) -> impl Iterator<Item = &Removed> {
        let with = move |list: &&SetList| list.digests.binary_search(&digest).is_ok();
        self.set_lists
            .iter()
            .filter(with)
            .map(move |list| &list.members[part])
    }

    /// How many digests of each document are those of standard text; the documents without any are
    /// not listed.
    pub(super) fn ignored_counts(&self) -> Result<BTreeMap<u32, u32>, Error> {
        let mut counts = vec![0u32; self.units()];
        let everywhere = self.ignored.everywhere();
        for part in &self.parts {
            let found = part.segment.find(everywhere)?;
            part.segment.visit_documents(&found, |_, unit| {
                counts[(part.first + unit.0) as usize] += 1;
            })?;
        }
        for list in &self.set_lists {
            for (part, members) in self.parts.iter().zip(&list.members) {
                let found = part.segment.find(&list.digests)?;
                part.segment.visit_documents(&found, |found, unit| {
                    let digest = list.digests[found.place as usize];
                    if members.contains(unit) && everywhere.binary_search(&digest).is_err() {
                        counts[(part.first + unit.0) as usize] += 1;
                    }
                })?;
            }
        }
        let mut of_documents: BTreeMap<u32, u32> = BTreeMap::new();
        for (&owner, count) in self
            .owners
            .iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
        {
            *of_documents.entry(owner).or_default() += count;
        }
        Ok(of_documents)
    }

    /// The segments, each with the number of its first unit and the units that are removed.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&Segment, u32, &Removed)> {
        self.parts
            .iter()
            .map(|part| (part.segment.as_ref(), part.first, &part.removed))
    }

    /// The segments as they are without being cut: their parts, their first unit, and the sides of
    /// their units.
    pub(super) fn wholes(&self) -> impl Iterator<Item = (Range<usize>, u32, &[Side])> {
        self.wholes.iter().map(|whole| {
            let sides = match &whole.sides {
                Some(sides) => sides,
                None => self.parts[whole.parts.start].segment.sides(),
            };
            debug_assert_eq!(sides.len(), whole.units.len());
            (whole.parts.clone(), whole.units.start, sides)
        })
    }

    /// Whether a digest counts for a unit of a part.
    pub(super) fn counts_for(&self, part: usize, unit: DocId, digest: Digest) -> bool {
        let everywhere = self.ignored.everywhere();
        everywhere.binary_search(&digest).is_err()
            && !self
                .excused(digest, part)
                .any(|members| members.contains(unit))
    }
}
