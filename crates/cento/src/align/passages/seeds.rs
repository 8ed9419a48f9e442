//! Units → seeds: pairs of units that resemble each other.
//!
//! Two measures must agree: the cosine of the weighted terms, which rare terms lead, and Dice's
//! share of common terms, where all count alike. An inverted index over the right units finds the
//! pairs, so that units without a rare term in common are never looked at.

use super::units::{Text, Texts};
use super::{Seed, Settings};
use crate::number::index32;

/// The seeds, and whether a limit kept some from being found.
pub(super) struct FoundSeeds {
    pub(super) seeds: Vec<Seed>,
    pub(super) limited: bool,
}

/// A term that more right units have finds none of them,
const FREQUENT: usize = 64;

/// nor does one that more have than one of these, where what is left of a unit decides without it.
const CUTS: [usize; 5] = [4, 8, 16, 32, FREQUENT];

/// From this part of the cosine that is needed on, what a unit's terms could add does not count as
/// nothing; the rest is for what sums in another order differ by.
const SLIGHT: f32 = 0.9;

/// Units with fewer terms in common are not alike: of three words, one is a third.
const COMMON: u32 = 2;

/// How many entries of the index one alignment reads.
const READS: usize = 1 << 29;

/// How many seeds one alignment works with.
const SEEDS: usize = 1 << 21;

/// All pairs of units that are alike, but for those that `closed` units would be in.
pub(super) fn find(texts: &Texts<'_>, closed: &Closed, settings: &Settings) -> FoundSeeds {
    let index = Index::new(&texts.right, &closed.right, texts.weights.len());
    let mut found = FoundSeeds {
        seeds: Vec::new(),
        limited: false,
    };
    let mut scores = Scores::new(texts.right.units.len());
    // Sums in another order differ, and what is alike shall not be missed for it.
    let least = settings.unit_cosine * (1.0 - 1e-5);
    let mut reads = 0;
    let mut unseen = 0;
    for left in 0..index32(texts.left.units.len()) {
        if closed.left[left as usize] {
            continue;
        }
        if reads > READS || found.seeds.len() > SEEDS {
            found.limited = true;
            return found;
        }
        let bag = texts.left.bag(left);
        let norm = texts.left.norm(left);
        let usual = bag.iter().map(|entry| index.units(entry.0).len());
        let usual = usual.filter(|&units| units <= FREQUENT);
        unseen += usize::from(usual.clone().next().is_none());
        reads += usual.sum::<usize>();
        let frequent = index.frequent(bag);
        let slight = SLIGHT * settings.unit_cosine as f32 * norm;
        let cut = frequent.iter().position(|&norm| norm < slight);
        let cut = cut.unwrap_or(CUTS.len() - 1);
        for &(term, weight) in bag {
            let units = index.units(term);
            if units.len() <= CUTS[cut] {
                for &(right, other) in units {
                    scores.add(right, weight * other);
                }
            }
        }
        scores.take(|right, dot| {
            // With what the frequent terms could add at most.
            let most = dot + frequent[cut] * index.frequent[right as usize][cut];
            let bound = f64::from(most / (norm * texts.right.norm(right)));
            if bound >= least && alike(texts, left, right, settings) {
                found.seeds.push(Seed { left, right });
            }
        });
    }
    // Text that repeats itself all over has no rare terms, and no seeds.
    found.limited |= 10 * unseen > texts.left.units.len();
    found
}

fn alike(texts: &Texts<'_>, left: u32, right: u32, settings: &Settings) -> bool {
    let Likeness {
        cosine,
        dice,
        common,
    } = likeness(texts, left, right);
    cosine >= settings.unit_cosine && dice >= settings.unit_dice && common >= COMMON
}

/// The cosine of the weighted terms of two units.
pub(super) fn cosine(texts: &Texts<'_>, left: u32, right: u32) -> f64 {
    likeness(texts, left, right).cosine
}

struct Likeness {
    /// Of the weighted terms.
    cosine: f64,
    /// The share of common terms.
    dice: f64,
    /// How many terms are common.
    common: u32,
}

fn likeness(texts: &Texts<'_>, left: u32, right: u32) -> Likeness {
    let (a, b) = (texts.left.bag(left), texts.right.bag(right));
    let (mut dot, mut common) = (0.0, 0u32);
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                dot += a[i].1 * b[j].1;
                common += 1;
                i += 1;
                j += 1;
            }
        }
    }
    let cosine = f64::from(dot / (texts.left.norm(left) * texts.right.norm(right)));
    let dice = f64::from(2 * common) / (a.len() + b.len()) as f64;
    Likeness {
        cosine,
        dice,
        common,
    }
}

/// The units that long runs of equal words have already.
pub(super) struct Closed {
    pub(super) left: Vec<bool>,
    pub(super) right: Vec<bool>,
}

/// By term, the units that have it, with its weight in each.
struct Index {
    starts: Vec<u32>,
    units: Vec<(u32, f32)>,
    /// By unit, the length of what frequent terms have in its vector.
    frequent: Vec<Frequent>,
}

/// By cut, the length of what terms have in a vector that are in more right units.
type Frequent = [f32; CUTS.len()];

impl Index {
    fn new(text: &Text<'_>, closed: &[bool], terms: usize) -> Index {
        let open = || (0..index32(text.units.len())).filter(|&unit| !closed[unit as usize]);
        let mut starts = vec![0u32; terms + 1];
        for unit in open() {
            for &(term, _) in text.bag(unit) {
                starts[term as usize + 1] += 1;
            }
        }
        for term in 0..terms {
            starts[term + 1] += starts[term];
        }
        let mut next = starts.clone();
        let mut units = vec![(0, 0.0); starts[terms] as usize];
        for unit in open() {
            for &(term, weight) in text.bag(unit) {
                units[next[term as usize] as usize] = (unit, weight);
                next[term as usize] += 1;
            }
        }
        let mut index = Index {
            starts,
            units,
            frequent: Vec::new(),
        };
        index.frequent = (0..index32(text.units.len()))
            .map(|unit| index.frequent(text.bag(unit)))
            .collect();
        index
    }

    fn frequent(&self, bag: &[(u32, f32)]) -> Frequent {
        // Those that come above so many cuts.
        let mut squares = [0.0; CUTS.len() + 1];
        for &(term, weight) in bag {
            let units = self.units(term).len();
            let above = CUTS.iter().filter(|&&cut| units > cut).count();
            squares[above] += weight * weight;
        }
        let mut frequent = Frequent::default();
        let mut sum = 0.0;
        for cut in (0..CUTS.len()).rev() {
            sum += squares[cut + 1];
            frequent[cut] = sum.sqrt();
        }
        frequent
    }

    fn units(&self, term: u32) -> &[(u32, f32)] {
        let term = term as usize;
        &self.units[self.starts[term] as usize..self.starts[term + 1] as usize]
    }
}

/// Sums by right unit.
struct Scores {
    sums: Vec<f32>,
    touched: Vec<u32>,
}

impl Scores {
    fn new(units: usize) -> Scores {
        Scores {
            sums: vec![0.0; units],
            touched: Vec::new(),
        }
    }

    fn add(&mut self, unit: u32, value: f32) {
        let sum = &mut self.sums[unit as usize];
        if *sum == 0.0 && value > 0.0 {
            self.touched.push(unit);
        }
        *sum += value;
    }

    /// Gives every sum away, in the order of the first additions, and starts again.
    fn take(&mut self, mut each: impl FnMut(u32, f32)) {
        for unit in self.touched.drain(..) {
            each(unit, std::mem::take(&mut self.sums[unit as usize]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::units::texts_of;
    use super::*;

    fn find_in(left: &str, right: &str) -> FoundSeeds {
        let texts = texts_of(left, right);
        let closed = Closed {
            left: vec![false; texts.left.units.len()],
            right: vec![false; texts.right.units.len()],
        };
        find(&texts, &closed, &Settings::default())
    }

    #[track_caller]
    fn check(left: &str, right: &str, expected: &[(u32, u32)]) {
        let found = find_in(left, right);
        let seeds: Vec<(u32, u32)> = found.seeds.iter().map(|s| (s.left, s.right)).collect();
        assert_eq!(seeds, expected);
        assert!(!found.limited);
    }

    #[test]
    fn sentences_with_much_in_common_are_seeds() {
        check("", "", &[]);
        check(
            "Barges carried coal along the canal. Nobody answered the letter.",
            "It was a quiet year. Along canals the barges were carrying coal.",
            &[(0, 1)],
        );
        check(
            "The mayor of the town opened the bridge.",
            "The price of the bread doubled in the winter.",
            &[],
        );
    }

    #[test]
    fn text_without_rare_terms_is_a_limit() {
        let found = find_in(
            &"Round and round. ".repeat(700),
            &"Round and round. ".repeat(600),
        );
        assert!(found.seeds.is_empty() && found.limited);
    }
}
