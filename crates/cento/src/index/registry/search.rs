//! One document against a registry: what it shares with whom, and how rare that is.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::catalog::{Catalog, SegmentRow};
use super::ignore::{self, IgnoreList};
use super::tally::Room;
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::DocId;
use crate::index::segment::{self, Removed, Segment};
use crate::measure::{Measure, Overlap};
use crate::token::index32;

/// What is asked of a registry.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The fingerprint of the query.
    pub query: &'a Fingerprint,
    /// The set that the query belongs to: its standard text does not count.
    pub set: Option<&'a str>,
    /// What makes the score.
    pub measure: Measure,
    /// The lowest score of a document that is listed.
    pub at_least: f64,
    /// List at most so many documents.
    pub limit: usize,
    /// Documents that do not count.
    pub exclusions: &'a Exclusions,
}

/// Documents that do not count for a query: its own versions, those of its submitter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exclusions {
    /// Their numbers, ascending.
    pub(super) numbers: Vec<u32>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The documents at or above the wanted score, best first, then by number.
    pub alike: Vec<Alike>,
    /// How many there are, listed or not.
    pub at_least: u64,
    /// How many share something but score lower.
    pub below: u64,
    /// How many digests of the query count.
    pub digests: u32,
    /// How many of them some document has, by how rare they are.
    pub shared: Rarity,
}

/// A document that shares text with a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// Its number.
    pub number: u32,
    /// What the two share: the query is the left one.
    pub overlap: Overlap,
    /// The value of the measure.
    pub score: f64,
    /// How rare the shared digests are.
    pub rarity: Rarity,
}

/// Shared digests by how many documents of the registry have them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rarity {
    /// One to three documents: most likely written by somebody in particular.
    pub rare: u32,
    /// Four to a hundred.
    pub some: u32,
    /// More than a hundred: phrases that everybody uses.
    pub common: u32,
}

impl Found {
    /// The share of the query that is somewhere in the registry.
    pub fn global(&self) -> f64 {
        ratio(self.shared.all(), self.digests)
    }

    /// The same without what more than a hundred documents have, which then counts neither as
    /// shared nor as text.
    pub fn global_without_common(&self) -> f64 {
        ratio(
            self.shared.rare + self.shared.some,
            self.digests - self.shared.common,
        )
    }
}

impl Rarity {
    const RARE: u32 = 3;
    const SOME: u32 = 100;

    /// All shared digests.
    pub fn all(self) -> u32 {
        self.rare + self.some + self.common
    }

    pub(super) fn class(documents: u32) -> usize {
        usize::from(documents > Rarity::RARE) + usize::from(documents > Rarity::SOME)
    }

    fn of([rare, some, common]: [u32; 3]) -> Rarity {
        Rarity { rare, some, common }
    }
}

/// A segment of a registry.
#[derive(Clone)]
pub(super) struct Piece {
    pub(super) row: SegmentRow,
    pub(super) segment: Arc<Segment>,
}

/// All postings of a registry at one moment. A *unit* is a document of a segment, numbered through
/// all segments: a registered document, or a passage of one.
pub(super) struct Postings {
    pub(super) parts: Vec<Part>,
    /// The document that each unit is, or is a passage of.
    owners: Vec<u32>,
    /// How many digests of each unit count.
    pub(super) sizes: Vec<u32>,
    /// The same, for quick comparisons.
    pub(super) about_sizes: Vec<f32>,
    /// The units that are there, by the number of their document.
    by_number: Vec<(u32, u32)>,
    ignored: IgnoreList,
    set_lists: Vec<SetList>,
}

pub(super) struct Part {
    pub(super) segment: Arc<Segment>,
    /// The number of its first unit.
    pub(super) first: u32,
    removed: Removed,
}

/// Standard text of one set.
struct SetList {
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
            owners: Vec::new(),
            sizes: Vec::new(),
            about_sizes: Vec::new(),
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
        };
        for Piece { row, segment } in pieces {
            let first = index32(postings.owners.len());
            let mut removed = Removed::default();
            let mut of_sets = vec![Removed::default(); members.len()];
            for (unit, (&number, side)) in (0..).zip(row.documents.iter().zip(segment.sides())) {
                let found = live.binary_search_by_key(&number, |(number, _)| *number);
                let ignored = if let Ok(place) = found {
                    postings.by_number.push((number, first + unit));
                    live[place].1
                } else {
                    removed.insert(DocId(unit));
                    0
                };
                postings.owners.push(number);
                postings.sizes.push(side.digests.saturating_sub(ignored));
                for (of_set, members) in of_sets.iter_mut().zip(members) {
                    if members.binary_search(&number).is_ok() {
                        of_set.insert(DocId(unit));
                    }
                }
            }
            for (list, members) in postings.set_lists.iter_mut().zip(of_sets) {
                list.members.push(members);
            }
            postings.parts.push(Part {
                segment: Arc::clone(segment),
                first,
                removed,
            });
        }
        postings.by_number.sort_unstable();
        postings.about_sizes = postings.sizes.iter().map(|&size| size as f32).collect();
        postings
    }

    /// How many units there are.
    pub(super) fn live_units(&self) -> u32 {
        index32(self.by_number.len())
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

    /// The documents that share digests with a query.
    pub(super) fn search(&self, request: &Request<'_>, room: &mut Room) -> Result<Found, Error> {
        let digests = ignore::counted(request.query, request.set, &self.ignored);
        let looked = self.look_up(&digests, request.exclusions)?;
        let mut shared = [0; 3];
        for &documents in looked.documents_with.iter().filter(|count| **count > 0) {
            shared[Rarity::class(documents)] += 1;
        }
        let mut answer = Found {
            alike: Vec::new(),
            at_least: 0,
            below: 0,
            digests: index32(digests.len()),
            shared: Rarity::of(shared),
        };
        let mut alike: Vec<(u32, Alike)> = Vec::new();
        answer.below = self.tally(&looked, &digests, request.at_least, room, |unit, shared| {
            let overlap = Overlap {
                shared,
                left: answer.digests,
                right: self.sizes[unit as usize],
            };
            if overlap.shared > overlap.left.min(overlap.right) {
                return Err(self.impossible(unit));
            }
            let score = request.measure.score(overlap);
            if score >= request.at_least {
                let found = Alike {
                    number: self.owner(unit),
                    overlap,
                    score,
                    rarity: Rarity::default(),
                };
                alike.push((unit, found));
            }
            Ok(score >= request.at_least)
        })?;
        answer.at_least = alike.len() as u64;
        best(&mut alike, request.limit);
        self.set_rarity(&mut alike, &looked, &digests)?;
        answer.alike = alike.into_iter().map(|(_, alike)| alike).collect();
        Ok(answer)
    }

    /// Which of a query's digests that count each of some documents has, ascending.
    pub(super) fn shared_digests(
        &self,
        request: &Request<'_>,
        numbers: &[u32],
    ) -> Result<BTreeMap<u32, Vec<Digest>>, Error> {
        let digests = ignore::counted(request.query, request.set, &self.ignored);
        let mut shared: BTreeMap<u32, Vec<Digest>> =
            numbers.iter().map(|&number| (number, Vec::new())).collect();
        for (number, part) in self.parts.iter().enumerate() {
            let found = part.segment.find(&digests)?;
            self.visit(number, &found, &digests, &part.removed, |place, unit| {
                if let Some(shared) = shared.get_mut(&self.owner(unit)) {
                    shared.push(digests[place]);
                }
            })?;
        }
        for shared in shared.values_mut() {
            shared.sort_unstable();
            shared.dedup();
        }
        Ok(shared)
    }

    /// Where the digests of a query are in each segment, and how many documents have each.
    pub(super) fn look_up(
        &self,
        digests: &[Digest],
        exclusions: &Exclusions,
    ) -> Result<Looked<'_>, Error> {
        let mut looked = Looked {
            parts: Vec::with_capacity(self.parts.len()),
            documents_with: vec![0; digests.len()],
        };
        for (number, part) in self.parts.iter().enumerate() {
            let found = part.segment.find(digests)?;
            let gone = self.gone(part, exclusions);
            let with = &mut looked.documents_with;
            if gone.is_empty() && self.set_lists.is_empty() {
                for found in &found {
                    with[found.place as usize] += found.run.documents();
                }
            } else {
                self.visit(number, &found, digests, &gone, |place, _| with[place] += 1)?;
            }
            looked.parts.push((found, gone));
        }
        Ok(looked)
    }

    /// Visits the units that have digests of a query: the place of the digest, and the unit.
    #[inline]
    pub(super) fn visit(
        &self,
        number: usize,
        found: &[segment::Found],
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

    /// A document that shares more than it has: only damage can make that so.
    fn impossible(&self, unit: u32) -> Error {
        let part = self.parts.partition_point(|part| part.first <= unit) - 1;
        Error::Format {
            path: self.parts[part].segment.path().to_owned(),
            reason: "it is damaged: a document shares more digests than it has".to_owned(),
        }
    }

    fn gone<'a>(&self, part: &'a Part, exclusions: &Exclusions) -> Cow<'a, Removed> {
        if exclusions.numbers.is_empty() {
            return Cow::Borrowed(&part.removed);
        }
        let mut gone = part.removed.clone();
        let behind = part.first + part.segment.documents();
        for &number in &exclusions.numbers {
            let start = self.by_number.partition_point(|(other, _)| *other < number);
            let units = self.by_number[start..]
                .iter()
                .take_while(|(other, _)| *other == number)
                .filter(|(_, unit)| (part.first..behind).contains(unit));
            for (_, unit) in units {
                gone.insert(DocId(unit - part.first));
            }
        }
        Cow::Owned(gone)
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

    /// Whether a digest counts for a unit of a part.
    pub(super) fn counts_for(&self, part: usize, unit: DocId, digest: Digest) -> bool {
        let everywhere = self.ignored.everywhere();
        everywhere.binary_search(&digest).is_err()
            && !self
                .excused(digest, part)
                .any(|members| members.contains(unit))
    }
}

/// A query's digests in the segments.
pub(super) struct Looked<'a> {
    /// For each part what was found in it, and which units do not count.
    pub(super) parts: Vec<(Vec<segment::Found>, Cow<'a, Removed>)>,
    /// How many units have each digest.
    pub(super) documents_with: Vec<u32>,
}

/// Keeps the best, best first, then by number.
fn best(alike: &mut Vec<(u32, Alike)>, limit: usize) {
    let better = |(_, a): &(u32, Alike), (_, b): &(u32, Alike)| {
        b.score.total_cmp(&a.score).then(a.number.cmp(&b.number))
    };
    if limit < alike.len() {
        alike.select_nth_unstable_by(limit, better);
        alike.truncate(limit);
    }
    alike.sort_unstable_by(better);
}

fn ratio(part: u32, whole: u32) -> f64 {
    if whole == 0 {
        0.0
    } else {
        f64::from(part) / f64::from(whole)
    }
}
