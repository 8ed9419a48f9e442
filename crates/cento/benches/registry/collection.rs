//! Documents with the shape of an archive of theses (Masaryk, section 3): 2,400 chunks on average,
//! three of four chunks distinct. They are made when they are asked for, always the same.

use cento::{Digest, Fingerprint, Recipe};

/// How many distinct chunks a document has on average.
pub(crate) const MEAN: u64 = 2400;
/// The fewest that a document has.
const LEAST: u64 = 200;
/// How many chunks a passage has on average that some documents have in common.
const PASSAGE: u64 = 96;

/// A collection of generated documents.
///
/// Of 100 chunks 65 are the document's own; 11 are phrases, the most common of which is in every
/// third document; and 24 stand in passages, which are in three documents on average and the most
/// common one in a thousand. One document in fifty is another one with a tenth of it rewritten.
pub(crate) struct Collection {
    pub(crate) documents: u64,
    phrases: u64,
    passages: u64,
}

impl Collection {
    pub(crate) fn new(postings: u64) -> Collection {
        Collection {
            documents: (postings / MEAN).max(1),
            phrases: postings / 36,
            passages: postings / 1200,
        }
    }

    /// The digests of a document, as long as documents are.
    pub(crate) fn digests(&self, document: u64) -> Vec<Digest> {
        let mut random = Random(document ^ 7 << 56);
        let uniform = random.uniform();
        let tail = -(uniform.max(1e-9)).ln() * (MEAN - LEAST) as f64;
        let length = LEAST + whole(tail);
        if document > 0 && random.below(50) == 0 {
            let base = random.below(document);
            let is_kept = |random: &mut Random| random.below(10) > 0;
            let mut digests = self.digests_of(base, length);
            for (place, digest) in (0..).zip(&mut digests) {
                if !is_kept(&mut random) {
                    *digest = own(document, place);
                }
            }
            return digests;
        }
        self.digests_of(document, length)
    }

    /// The digests of a document that has so many chunks.
    pub(crate) fn digests_of(&self, document: u64, length: u64) -> Vec<Digest> {
        let mut random = Random(document ^ 1 << 56);
        let mut digests = Vec::new();
        let mut number = 0;
        while number < length {
            match random.below(1000) {
                // A passage is 96 chunks long, so this is a quarter of the document.
                0..3 => {
                    let passage = whole(self.passages as f64 * random.uniform().powi(2));
                    let of_passage = PASSAGE / 3 + Random(passage).below(4 * PASSAGE / 3);
                    let end = length.min(number + of_passage);
                    let chunk = |place| hashed(1 << 62 | passage << 16 | place);
                    digests.extend((0..end - number).map(chunk));
                    number = end;
                }
                3..150 => {
                    let phrase = whole(self.phrases as f64 * random.uniform().powi(3));
                    digests.push(hashed(1 << 61 | phrase));
                    number += 1;
                }
                _ => {
                    digests.push(own(document, number));
                    number += 1;
                }
            }
        }
        digests
    }
}

/// A fingerprint of these digests under a recipe, which may keep fewer bits of them.
pub(crate) fn fingerprint(recipe: &Recipe, digests: &[Digest]) -> Fingerprint {
    let dropped = 64 - u32::from(recipe.digester.bits.min(64));
    let cut = digests.iter().map(|digest| Digest(digest.0 >> dropped));
    let tokens = u32::try_from(digests.len() + 4).expect("few");
    Fingerprint::from_digests(recipe.id(), tokens, cut.collect())
}

/// A chunk that no other document has.
fn own(document: u64, place: u64) -> Digest {
    hashed(document << 24 | place)
}

fn hashed(number: u64) -> Digest {
    Digest(Random(number).next())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small and not negative"
)]
fn whole(number: f64) -> u64 {
    number as u64
}

/// `SplitMix64`: different numbers give different first values.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn uniform(&mut self) -> f64 {
        self.next() as f64 / u64::MAX as f64
    }
}
