//! One document against a registry: what it shares with whom, and how rare that is.

use std::collections::{BTreeMap, HashMap};

use super::broad::Broad;
use super::ignore;
use super::postings::Postings;
use super::tally::Scratch;
use crate::digest::Digest;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::DocId;
use crate::index::segment::Removed as UnitSet;
use crate::measure::{Measure, Overlap};
use crate::number::index32;

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
    /// Digests that count for no document, sorted: those of templates.
    pub base: &'a [Digest],
}

/// Documents that do not count for a query: its own versions, those of its submitter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exclusions {
    /// Their numbers, ascending.
    pub(super) numbers: Vec<u32>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The documents at or above the wanted score, best first, then by number.
    pub alike: Vec<Alike>,
    /// How many there are, listed or not.
    pub at_least: u64,
    /// How many share something but score lower.
    pub below: u64,
    /// What the query scores against itself as the registry would keep it, 1 unless it keeps less than
    /// was asked with; of a measure of sets, of which scores are shares.
    pub own: f64,
    /// How many digests of the query count.
    pub digests: u32,
    /// How many of them some document has, by how rare they are.
    pub shared: Rarity,
    /// Those, in order, with how many documents have each.
    pub known: Vec<(Digest, u32)>,
}

/// A document that shares text with a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alike {
    /// Its number.
    pub number: u32,
    /// What the two share: the query is the left one.
    pub overlap: Overlap,
    /// The value of the measure; of a ranking measure, and in a registry of passages, as a share of
    /// the query's own.
    pub score: f64,
    /// That value itself, or how many passages are alike.
    pub similarity: Option<f64>,
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

impl Findings {
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
    pub(super) const SOME: u32 = 100;

    /// All shared digests.
    pub fn all(self) -> u32 {
        self.rare + self.some + self.common
    }

    /// How rare some digests are; `known` has, in order, how many documents have each.
    pub(crate) fn of_digests(digests: &[Digest], known: &[(Digest, u32)]) -> Rarity {
        let mut classes = [0; 3];
        for digest in digests {
            let place = known.binary_search_by_key(digest, |(known, _)| *known);
            let documents = place.map_or(0, |place| known[place].1);
            classes[Rarity::class(documents)] += 1;
        }
        Rarity::of(classes)
    }

    pub(crate) fn class(documents: u32) -> usize {
        usize::from(documents > Rarity::RARE) + usize::from(documents > Rarity::SOME)
    }

    fn of([rare, some, common]: [u32; 3]) -> Rarity {
        Rarity { rare, some, common }
    }
}

impl Postings {
    /// The documents that share digests with a query.
    pub(super) fn search(
        &self,
        request: &Request<'_>,
        scratch: &mut Scratch,
    ) -> Result<Findings, Error> {
        let measure = request.measure.expect_sets()?;
        let digests = self.counted(request);
        let of_base = self.with_base(request, scratch)?;
        // What a document has of a template is not known before, so that any may be alike enough.
        let at_least = if request.base.is_empty() {
            request.at_least
        } else {
            0.0
        };
        let looked = self.look_up(&digests, request.exclusions)?;
        let with = digests.iter().zip(&looked.documents_with);
        let known: Vec<(Digest, u32)> = with
            .filter(|(_, documents)| **documents > 0)
            .map(|(digest, documents)| (*digest, *documents))
            .collect();
        let mut shared = [0; 3];
        for (_, documents) in &known {
            shared[Rarity::class(*documents)] += 1;
        }
        let mut answer = Findings {
            alike: Vec::new(),
            at_least: 0,
            below: 0,
            own: 1.0,
            digests: index32(digests.len()),
            shared: Rarity::of(shared),
            known,
        };
        let mut alike: Vec<(u32, Alike)> = Vec::new();
        answer.below = self.tally(&looked, &digests, at_least, scratch, |unit, shared| {
            let of_base = of_base.get(&unit).copied().unwrap_or(0);
            let overlap = Overlap {
                shared,
                left: answer.digests,
                right: self.sizes[unit as usize].saturating_sub(of_base),
            };
            if overlap.shared > overlap.left.min(overlap.right) {
                return Err(self.impossible(unit));
            }
            let score = measure.score_for_query(overlap);
            if score >= request.at_least {
                let found = Alike {
                    number: self.owner(unit),
                    overlap,
                    score,
                    similarity: None,
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
        let digests = self.counted(request);
        let looked = self.look_up(&digests, &Exclusions::default())?;
        let units = self.units_of(numbers);
        // Nearly always a unit is none of them, and a bit for each says so quickly.
        let asked: UnitSet = units.iter().map(|unit| DocId(*unit)).collect();
        let mut shared: BTreeMap<u32, Vec<Digest>> =
            numbers.iter().map(|&number| (number, Vec::new())).collect();
        let mut add = |unit: u32, digest: Digest| {
            if let Some(shared) = shared.get_mut(&self.owner(unit)) {
                shared.push(digest);
            }
        };
        for (number, part) in looked.parts.iter().enumerate() {
            let mut visit = |place: usize, unit: u32| {
                if asked.contains(DocId(unit)) {
                    add(unit, digests[place]);
                }
            };
            for &(place, unit) in &part.short {
                visit(place as usize, unit);
            }
            self.visit(number, &part.long, &digests, &part.gone, visit)?;
        }
        for Broad { place, row } in &looked.rows {
            for &unit in units.iter().filter(|unit| row.contains(**unit)) {
                add(unit, digests[*place as usize]);
            }
        }
        for shared in shared.values_mut() {
            shared.sort_unstable();
            shared.dedup();
        }
        Ok(shared)
    }

    /// The digests of a query that count.
    fn counted(&self, request: &Request<'_>) -> Vec<Digest> {
        let mut digests = ignore::counted(request.query, request.set, self.ignored());
        digests.retain(|digest| request.base.binary_search(digest).is_err());
        digests
    }

    /// How many digests of the templates each unit has that would count otherwise.
    fn with_base(
        &self,
        request: &Request<'_>,
        scratch: &mut Scratch,
    ) -> Result<HashMap<u32, u32>, Error> {
        let mut with = HashMap::new();
        if request.base.is_empty() {
            return Ok(with);
        }
        let mut base = request.base.to_vec();
        base.retain(|digest| !self.ignored().has(None, *digest));
        let looked = self.look_up(&base, request.exclusions)?;
        self.tally(&looked, &base, 0.0, scratch, |unit, digests| {
            with.insert(unit, digests);
            Ok(true)
        })?;
        Ok(with)
    }

    /// A document that shares more than it has: only damage can make that so.
    fn impossible(&self, unit: u32) -> Error {
        let part = self.parts.partition_point(|part| part.first <= unit) - 1;
        Error::Format {
            path: self.parts[part].segment.path().to_owned(),
            reason: "it is damaged: a document shares more digests than it has".to_owned(),
        }
    }
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
