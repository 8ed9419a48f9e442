//! Which documents have which windows.
//!
//! The common runs of two texts that are at least L long cover exactly what the windows of length L
//! cover that both have: a run is made of such windows, and each window is in a run. So nothing
//! needs to be known of a run but its windows, and of a window but the set of documents that have
//! it. In the order of the suffixes, equal windows stand together.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::suffixes::Suffixes;
use super::symbols::Symbols;
use crate::error::Error;
use crate::number::index32;
use crate::watch::Watch;

/// For each place of each document, the documents that have the window which starts there.
pub(super) struct Windows {
    /// The number of the set of each place; [`ALONE`] if no other document has the window.
    sets: Vec<u32>,
    documents: Sets,
    /// Where each document stands among the places.
    places: Vec<Range<u32>>,
    length: u32,
}

/// A stretch of a document that the same documents have, window after window.
pub(super) struct Stretch<'w> {
    /// Which symbols of the document.
    pub(super) symbols: Range<u32>,
    /// Ascending numbers of all documents that have it, the document itself included.
    pub(super) documents: &'w [u32],
}

/// No other document has the window, or there is none.
const ALONE: u32 = 0;
/// The window is not equal to the one before it in the order of the suffixes.
const FIRST: u32 = 1;
/// The window is equal to the one before it.
const EQUAL: u32 = 2;

impl Windows {
    /// The windows of so many symbols.
    pub(super) fn of(
        mut symbols: Symbols,
        length: u32,
        watch: Watch<'_>,
    ) -> Result<Windows, Error> {
        let places: Vec<Range<u32>> = (0..symbols.documents())
            .map(|number| symbols.document(number))
            .collect();
        let Suffixes { order, shared } = Suffixes::of(&mut symbols.text)?;
        drop(symbols);
        watch.go_on()?;
        let mut windows = Windows {
            sets: shared,
            documents: Sets::default(),
            places,
            length,
        };
        windows.compare();
        windows.number(&order, watch)?;
        Ok(windows)
    }

    /// How many symbols a document has.
    pub(super) fn symbols(&self, document: u32) -> u32 {
        let place = &self.places[document as usize];
        place.end - place.start
    }

    /// Whether a document is long enough for a window.
    pub(super) fn has_any(&self, document: u32) -> bool {
        self.symbols(document) >= self.length
    }

    /// What other documents have of a document, in order. Stretches overlap where the sets change.
    pub(super) fn stretches(&self, document: u32) -> impl Iterator<Item = Stretch<'_>> {
        let place = self.places[document as usize].clone();
        let sets = &self.sets[place.start as usize..place.end as usize];
        let runs = sets.chunk_by(|one, next| one == next);
        runs.scan(0, |at, run| {
            let start = *at;
            *at += index32(run.len());
            Some((start, *at, run[0]))
        })
        .filter(|&(_, _, set)| set != ALONE)
        .map(|(start, end, set)| Stretch {
            symbols: start..end - 1 + self.length,
            documents: self.documents.get(set),
        })
    }

    /// Replaces what suffixes have in common by whether their windows are equal.
    fn compare(&mut self) {
        let mut done = 0;
        for place in &self.places {
            let windows = (place.end - place.start + 1).saturating_sub(self.length);
            let last = place.start + windows;
            self.sets[done..place.start as usize].fill(ALONE);
            for shared in &mut self.sets[place.start as usize..last as usize] {
                *shared = if *shared < self.length { FIRST } else { EQUAL };
            }
            done = last as usize;
        }
        self.sets[done..].fill(ALONE);
    }

    /// Replaces that by the numbers of sets.
    fn number(&mut self, order: &[u32], watch: Watch<'_>) -> Result<(), Error> {
        let mut steps = watch.silent().steps(order.len() as u64);
        let finder = Finder::new(&self.places, self.sets.len());
        let mut have: Vec<u32> = Vec::new();
        let mut start = 0;
        while start < order.len() {
            let is_equal = |&&place: &&u32| self.sets[place as usize] == EQUAL;
            let end = start + 1 + order[start + 1..].iter().take_while(is_equal).count();
            let class = &order[start..end];
            start = end;
            steps.advance(class.len() as u64)?;
            if let [place] = class {
                self.sets[*place as usize] = ALONE;
                continue;
            }
            have.clear();
            for &place in class {
                let document = finder.document(&self.places, place);
                if have.last() != Some(&document) {
                    have.push(document);
                }
            }
            have.sort_unstable();
            have.dedup();
            let set = self.documents.number(&have);
            for &place in class {
                self.sets[place as usize] = set;
            }
        }
        Ok(())
    }
}

/// Sets of documents, each kept once.
#[derive(Default)]
struct Sets {
    documents: Vec<u32>,
    ends: Vec<usize>,
    /// A set that has this hash. Another set with the same hash is kept as often as it comes, which
    /// costs memory and nothing else.
    known: HashMap<u64, u32>,
}

impl Sets {
    /// The number of a set, [`ALONE`] if it has but one document.
    fn number(&mut self, set: &[u32]) -> u32 {
        if set.len() < 2 {
            return ALONE;
        }
        let mut hasher = DefaultHasher::new();
        set.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(&number) = self.known.get(&hash)
            && self.get(number) == set
        {
            return number;
        }
        self.documents.extend_from_slice(set);
        self.ends.push(self.documents.len());
        let number = index32(self.ends.len());
        self.known.entry(hash).or_insert(number);
        number
    }

    fn get(&self, number: u32) -> &[u32] {
        let index = number as usize - 1;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.documents[start..self.ends[index]]
    }
}

/// Which document a place belongs to.
struct Finder {
    /// The first document that ends in or behind each block of places.
    blocks: Vec<u32>,
}

const BLOCK_BITS: u32 = 8;

impl Finder {
    fn new(places: &[Range<u32>], length: usize) -> Finder {
        let mut document = 0;
        let block = |number| {
            while places
                .get(document)
                .is_some_and(|place| place.end < number << BLOCK_BITS)
            {
                document += 1;
            }
            index32(document)
        };
        Finder {
            blocks: (0..index32(length.div_ceil(1 << BLOCK_BITS)))
                .map(block)
                .collect(),
        }
    }

    fn document(&self, places: &[Range<u32>], place: u32) -> u32 {
        let mut document = self.blocks[(place >> BLOCK_BITS) as usize];
        while places[document as usize].end <= place {
            document += 1;
        }
        document
    }
}
