//! The pairs of documents that are alike (Masaryk, section 3.1), counted when somebody asks.
//!
//! Two documents are a pair by text that few documents have: what everybody has would make a pair of
//! any two, and as many pairs as the square of the documents. How many have a text changes with every
//! document that comes or goes, and with it pairs of documents that were there long before. So pairs
//! are not stored. They follow from the postings that are there, in whatever order those came, and
//! computing everything is the same as adding everything (section 4.4).

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::broad::Broad;
use super::ignore;
use super::postings::Postings;
use super::search::{Exclusions, Rarity};
use super::shared_lists::SharedLists;
use super::{Entry, Snapshot, Which};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::DocId;
use crate::index::segment::Removed as UnitSet;
use crate::measure::{Overlap, SetMeasure};
use crate::number::index32;
use crate::watch::Watch;

/// Two documents are a pair if at least this share of one is in the other, in text that at most a
/// hundred documents have.
pub const PAIRS_FROM: f64 = 0.01;

/// Two registered documents that are alike.
#[derive(Clone, Debug, PartialEq)]
pub struct AlikePair {
    /// The one that was registered first.
    pub earlier: Entry,
    /// The other one.
    pub later: Entry,
    /// What they share: the earlier one is the left one.
    pub overlap: Overlap,
}

impl AlikePair {
    /// Whether both are versions of one document. The same id alone may be chance.
    pub fn is_same_document(&self) -> bool {
        let (earlier, later) = (&self.earlier.facts, &self.later.facts);
        earlier.id == later.id && earlier.submitter == later.submitter
    }

    /// Whether both are of one submitter.
    pub fn is_same_submitter(&self) -> bool {
        let submitter = &self.earlier.facts.submitter;
        submitter.is_some() && *submitter == self.later.facts.submitter
    }
}

impl Snapshot {
    /// The pairs of which one document is at least so much in the other, most alike first, then by
    /// ids; all, or those of one document. What two share is all of it, whoever else has it.
    ///
    /// Reads all postings. Those of text that several documents have are in memory, about 8 bytes
    /// each.
    pub fn pairs(
        &self,
        at_least: f64,
        id: Option<&str>,
        watch: Watch<'_>,
    ) -> Result<Vec<AlikePair>, Error> {
        if !self.settings().pairs {
            return Ok(Vec::new());
        }
        let postings = self.postings();
        let of = match id {
            None => None,
            Some(id) => {
                let numbers = self.catalog().numbers(&Which::Id(id.to_owned()))?;
                Some(postings.units_of(&numbers))
            }
        };
        let mut found = alike(postings, of.as_deref(), watch)?;
        found.retain(|pair| score(pair.overlap) >= at_least);
        let entries = self.entries_of(&found)?;
        let entry = |unit: u32| entries[&postings.owner(unit)].clone();
        let mut pairs: Vec<AlikePair> = found
            .iter()
            .map(|pair| AlikePair {
                earlier: entry(pair.earlier),
                later: entry(pair.later),
                overlap: pair.overlap,
            })
            .collect();
        pairs.sort_by(|a, b| {
            let names = |pair| {
                let AlikePair { earlier, later, .. }: &AlikePair = pair;
                [earlier, later].map(|entry| (entry.facts.id.clone(), entry.version))
            };
            (score(b.overlap).total_cmp(&score(a.overlap))).then_with(|| names(a).cmp(&names(b)))
        });
        Ok(pairs)
    }

    /// How many pairs there are.
    pub fn pair_count(&self, watch: Watch<'_>) -> Result<u64, Error> {
        if !self.settings().pairs {
            return Ok(0);
        }
        Ok(alike(self.postings(), None, watch)?.len() as u64)
    }

    /// The documents of some pairs, by number.
    fn entries_of(&self, pairs: &[UnitPair]) -> Result<BTreeMap<u32, Entry>, Error> {
        let catalog = self.catalog();
        let units = pairs.iter().flat_map(|pair| [pair.earlier, pair.later]);
        let numbers: BTreeSet<u32> = units.map(|unit| self.postings().owner(unit)).collect();
        let entry = |number: u32| {
            let missing = || catalog.damaged(&format!("document {number} is not there"));
            Ok((number, catalog.entry(number)?.ok_or_else(missing)?))
        };
        numbers.into_iter().map(entry).collect()
    }
}

/// Two units that are alike.
struct UnitPair {
    /// The one of the document that was registered first.
    earlier: u32,
    later: u32,
    /// The earlier one is the left one.
    overlap: Overlap,
}

impl UnitPair {
    fn of(postings: &Postings, units: [u32; 2], shared: u32) -> UnitPair {
        let [mut earlier, mut later] = units;
        if postings.owner(earlier) > postings.owner(later) {
            std::mem::swap(&mut earlier, &mut later);
        }
        UnitPair {
            earlier,
            later,
            overlap: Overlap {
                shared,
                left: postings.sizes[earlier as usize],
                right: postings.sizes[later as usize],
            },
        }
    }

    fn is_alike(&self) -> bool {
        score(self.overlap) >= PAIRS_FROM
    }
}

fn score(overlap: Overlap) -> f64 {
    SetMeasure::MaxContainment.score(overlap)
}

/// The pairs of some units with all others, or all pairs.
fn alike(
    postings: &Postings,
    of: Option<&[u32]>,
    watch: Watch<'_>,
) -> Result<Vec<UnitPair>, Error> {
    let units = postings.units();
    let asked: Option<UnitSet> = of.map(|of| of.iter().map(|unit| DocId(*unit)).collect());
    let SharedLists { rare, common } = SharedLists::read(postings, asked.as_ref(), watch)?;
    let (rare_of, common_of) = (rare.turned(units), common.turned(units));
    // Two units that are both asked about meet twice.
    let is_asked = |unit: u32| (asked.as_ref()).is_none_or(|asked| asked.contains(DocId(unit)));
    let is_counted = |left: u32, right: u32| left < right || left > right && !is_asked(right);
    let of_left = |counter: &mut Counter, left: u32| {
        watch.go_on()?;
        for &list in rare_of.get(left) {
            let others = rare.get(list).iter();
            others
                .filter(|right| is_counted(left, **right))
                .for_each(|right| counter.add(*right));
        }
        let mut pairs = Vec::new();
        for (right, shared) in counter.take() {
            if UnitPair::of(postings, [left, right], shared).is_alike() {
                let shared = shared + in_both(common_of.get(left), common_of.get(right));
                pairs.push(UnitPair::of(postings, [left, right], shared));
            }
        }
        Ok(pairs)
    };
    let pairs: Vec<Vec<UnitPair>> = (0..index32(units))
        .into_par_iter()
        .filter(|left| is_asked(*left))
        .map_init(|| Counter::new(units), of_left)
        .collect::<Result<_, Error>>()?;
    Ok(pairs.into_iter().flatten().collect())
}

/// How many pairs each of some new documents makes with documents before it.
pub(super) fn with_earlier(
    postings: &Postings,
    queries: &[(&Entry, &Fingerprint)],
) -> Result<Vec<u64>, Error> {
    let units = postings.units();
    let of_query = |counter: &mut Counter, (entry, query): &(&Entry, &Fingerprint)| {
        let set = entry.facts.set.as_deref();
        let digests = ignore::counted(query, set, postings.ignored());
        let looked = postings.look_up(&digests, &Exclusions::default())?;
        let is_rare = |place: u32| looked.documents_with[place as usize] <= Rarity::SOME;
        for (number, part) in looked.parts.iter().enumerate() {
            for (_, unit) in part.short.iter().filter(|(place, _)| is_rare(*place)) {
                counter.add(*unit);
            }
            // Of a long list nearly everything may be removed.
            let long = part.long.iter().filter(|list| is_rare(list.place));
            postings.visit(number, long, &digests, &part.gone, |_, unit| {
                counter.add(unit);
            })?;
        }
        for Broad { row, .. } in looked.rows.iter().filter(|row| is_rare(row.place)) {
            let having = (0..index32(units)).filter(|unit| row.contains(*unit));
            having.for_each(|unit| counter.add(unit));
        }
        let is_alike = |(unit, shared): &(u32, u32)| {
            let overlap = Overlap {
                shared: *shared,
                left: index32(digests.len()),
                right: postings.sizes[*unit as usize],
            };
            postings.owner(*unit) < entry.number && score(overlap) >= PAIRS_FROM
        };
        Ok(counter
            .take()
            .iter()
            .filter(|found| is_alike(found))
            .count() as u64)
    };
    queries
        .par_iter()
        .map_init(|| Counter::new(units), of_query)
        .collect()
}

/// How many digests each unit shares with one.
struct Counter {
    counts: Vec<u32>,
    touched: Vec<u32>,
}

impl Counter {
    fn new(units: usize) -> Counter {
        Counter {
            counts: vec![0; units],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, unit: u32) {
        let count = &mut self.counts[unit as usize];
        if *count == 0 {
            self.touched.push(unit);
        }
        *count += 1;
    }

    /// The units that share something and how much, ascending; nothing is counted any more.
    fn take(&mut self) -> Vec<(u32, u32)> {
        self.touched.sort_unstable();
        let Counter { counts, touched } = self;
        let count = |unit: u32| (unit, std::mem::take(&mut counts[unit as usize]));
        touched.drain(..).map(count).collect()
    }
}

/// How many numbers two ascending lists both have.
fn in_both(one: &[u32], other: &[u32]) -> u32 {
    let mut others = other.iter().peekable();
    let is_there = |number: &&u32| {
        while others.next_if(|other| other < number).is_some() {}
        others.peek() == Some(number)
    };
    index32(one.iter().filter(is_there).count())
}
