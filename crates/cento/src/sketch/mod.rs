//! Sketches: which documents are probably alike, from a few numbers of each.
//!
//! A sketch has `bands × rows` min-hash values: two documents agree in each of them with a
//! probability that is their resemblance. The rows of a band become one key, so two documents of
//! resemblance s have the same key in a band with probability s^rows, and in some band with
//! 1 - (1 - s^rows)^bands ([`Bands::chance`], the S-curve). Documents that have a key in common are
//! candidates; what they really share is then counted on their fingerprints. So a pair may be
//! missed, with a known probability, but none is listed that should not be.

mod bands;
mod pairs;

pub use bands::{Bands, resemblance_at};
pub use pairs::SketchedPairs;

use crate::digest::Digest;
use crate::index::DocId;
use crate::number::index32;

/// Makes sketches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketcher {
    /// How the values are grouped.
    pub bands: Bands,
    /// What the values follow from besides the digests.
    pub seed: u64,
}

/// What is kept of a document: a key for each band, or none if it has no digests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sketch {
    keys: Box<[u64]>,
}

/// The sketches of a collection.
#[derive(Clone, Debug)]
pub struct Sketches {
    bands: usize,
    sketches: Vec<Sketch>,
}

impl Sketcher {
    /// The sketch of a document with these digests; their order has no say.
    pub fn sketch(&self, digests: &[Digest]) -> Sketch {
        if digests.is_empty() {
            return Sketch { keys: Box::new([]) };
        }
        let values = self.values(digests);
        let key = |(band, rows): (u64, &[u64])| {
            rows.iter()
                .fold(scramble(band), |key, value| scramble(key ^ value))
        };
        let rows = values.chunks(self.bands.rows as usize);
        Sketch {
            keys: (0..).zip(rows).map(key).collect(),
        }
    }

    /// The min-hash values: the smaller of what the digests give for each of them.
    ///
    /// A digest gives something to one value in each round, and rounds are made until every value
    /// has something; later rounds give more than earlier ones. A document with many digests needs
    /// one round, in which each digest is looked at once, not once for every value; one with few
    /// digests needs more rounds, and its values are as independent as those of a long one
    /// (Dahlgaard, Knudsen and Thorup, Fast Similarity Sketching, 2017).
    pub fn values(&self, digests: &[Digest]) -> Vec<u64> {
        let count = self.bands.values();
        let mut values = vec![u64::MAX; count as usize];
        if digests.is_empty() {
            return values;
        }
        for round in 0..count {
            let salt = self.salt(round);
            for digest in digests {
                let place = u128::from(scramble(digest.0 ^ salt)) * u128::from(count);
                let value = &mut values[high(place)];
                *value = (*value).min(given(round, low(place)));
            }
            if !values.contains(&u64::MAX) {
                return values;
            }
        }
        // Values that all rounds left out get something from every digest.
        for round in count..2 * count {
            let value = &mut values[(round - count) as usize];
            if *value == u64::MAX {
                let salt = self.salt(round);
                let all = digests.iter().map(|digest| scramble(digest.0 ^ salt));
                *value = all
                    .map(|place| given(round, place))
                    .min()
                    .unwrap_or(u64::MAX);
            }
        }
        values
    }

    fn salt(&self, round: u32) -> u64 {
        scramble(self.seed ^ scramble(u64::from(round) + 1))
    }
}

impl Sketch {
    /// Its keys, as digests that nothing else has.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Digest> {
        self.keys.iter().map(|key| Digest(*key))
    }
}

impl Sketches {
    /// The sketches of all documents, the first of which is document 0.
    pub fn new(bands: Bands, sketches: Vec<Sketch>) -> Sketches {
        Sketches {
            bands: bands.bands as usize,
            sketches,
        }
    }

    /// Which documents have any candidate: only their fingerprints will be asked for.
    pub fn has_candidate(&self) -> Vec<bool> {
        let mut has = vec![false; self.sketches.len()];
        for band in 0..self.bands {
            for group in self.sorted(band).chunk_by(|a, b| a.0 == b.0) {
                for (_, document) in group.iter().filter(|_| group.len() > 1) {
                    has[document.0 as usize] = true;
                }
            }
        }
        has
    }

    /// The documents with their keys in a band, by key and then by number.
    fn sorted(&self, band: usize) -> Vec<(u64, DocId)> {
        let numbered = self.sketches.iter().enumerate();
        let key = |(number, sketch): (usize, &Sketch)| {
            Some((*sketch.keys.get(band)?, DocId(index32(number))))
        };
        let mut keys: Vec<(u64, DocId)> = numbered.filter_map(key).collect();
        keys.sort_unstable();
        keys
    }

    /// The first band in which two documents have the same key.
    fn first_common(&self, left: DocId, right: DocId) -> Option<usize> {
        let keys = |document: DocId| self.sketches[document.0 as usize].keys.iter();
        keys(left)
            .zip(keys(right))
            .position(|(one, other)| one == other)
    }
}

/// What a place in a round gives: more than anything of an earlier round.
fn given(round: u32, place: u64) -> u64 {
    u64::from(round) << 48 | place >> 16
}

/// A number that looks unrelated to the one that it follows from.
fn scramble(number: u64) -> u64 {
    let product = u128::from(number ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
    let folded = low(product) ^ u64::try_from(product >> 64).unwrap_or(0);
    folded ^ folded >> 29
}

/// The upper half of a product, which is a place in a slice.
fn high(product: u128) -> usize {
    usize::try_from(product >> 64).expect("a place below 2^16")
}

fn low(product: u128) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is wanted")]
    let low = product as u64;
    low
}
