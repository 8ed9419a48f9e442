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

/// What terms could add at most is too slight to make units alike below this part of the cosine that is
/// needed. The rest of it is more than sums differ by in another order.
const SLIGHT: f64 = 0.9;

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
    let mut laid_out = LaidOut::new(texts.weights.len());
    // Sums in another order differ, and what is alike shall not be missed for it.
    let least = settings.unit_cosine * (1.0 - 1e-5);
    let slight = settings.unit_cosine * SLIGHT;
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
        let is_slight = |&length: &f32| f64::from(length / norm) < slight;
        let cut = frequent.iter().position(is_slight);
        let cut = cut.unwrap_or(CUTS.len() - 1);
        for &(term, weight) in bag {
            let units = index.units(term);
            if units.len() <= CUTS[cut] {
                for &(right, other) in units {
                    scores.add(right, weight * other);
                }
            }
        }
        laid_out.put(bag);
        scores.take(|right, dot| {
            // With what the frequent terms could add at most.
            let most = dot + frequent[cut] * index.frequent[right as usize][cut];
            let bound = f64::from(most / (norm * texts.right.norm(right)));
            if bound >= least {
                let (dot, common) = laid_out.dot(texts.right.bag(right));
                if likeness(texts, left, right, dot, common).suffices(settings) {
                    found.seeds.push(Seed { left, right });
                }
            }
        });
        laid_out.clear(bag);
    }
    // Text that repeats itself all over has no rare terms, and no seeds.
    found.limited |= 10 * unseen > texts.left.units.len();
    found
}

/// The cosine of the weighted terms of two units.
pub(super) fn cosine(texts: &Texts<'_>, left: u32, right: u32) -> f64 {
    let (dot, common) = dot(texts.left.bag(left), texts.right.bag(right));
    likeness(texts, left, right, dot, common).cosine
}

struct Likeness {
    /// Of the weighted terms.
    cosine: f64,
    /// The share of common terms.
    dice: f64,
    /// How many terms are common.
    common: u32,
}

impl Likeness {
    /// Whether the two units are a seed.
    fn suffices(&self, settings: &Settings) -> bool {
        self.cosine >= settings.unit_cosine
            && self.dice >= settings.unit_dice
            && self.common >= COMMON
    }
}

/// What the product of two units' weights and the number of their common terms say.
fn likeness(texts: &Texts<'_>, left: u32, right: u32, dot: f32, common: u32) -> Likeness {
    let terms = texts.left.bag(left).len() + texts.right.bag(right).len();
    Likeness {
        cosine: f64::from(dot / (texts.left.norm(left) * texts.right.norm(right))),
        dice: f64::from(2 * common) / terms as f64,
        common,
    }
}

/// The product of the weights of two bags, and how many terms they have in common.
fn dot(a: &[(u32, f32)], b: &[(u32, f32)]) -> (f32, u32) {
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
    (dot, common)
}

/// The weights of one bag by term, so that many others can be held against it.
struct LaidOut(Vec<f32>);

impl LaidOut {
    /// No weight is negative.
    const ABSENT: f32 = -1.0;

    fn new(terms: usize) -> LaidOut {
        LaidOut(vec![LaidOut::ABSENT; terms])
    }

    fn put(&mut self, bag: &[(u32, f32)]) {
        for &(term, weight) in bag {
            self.0[term as usize] = weight;
        }
    }

    /// The same as [`dot`] with the bag that was put here, to the last bit.
    fn dot(&self, other: &[(u32, f32)]) -> (f32, u32) {
        let (mut dot, mut common) = (0.0, 0);
        for &(term, weight) in other {
            let this = self.0[term as usize];
            dot += this.max(0.0) * weight;
            common += u32::from(this >= 0.0);
        }
        (dot, common)
    }

    fn clear(&mut self, bag: &[(u32, f32)]) {
        for &(term, _) in bag {
            self.0[term as usize] = LaidOut::ABSENT;
        }
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
    use super::super::random;
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

    /// Sentences of words of which some are frequent, and closed ones among them.
    fn random_case(seed: &mut u64) -> ([String; 2], [Vec<bool>; 2]) {
        let mut random = |below: u32| random(seed, below);
        let sentences = 1 + random(150);
        let texts = [0, 1].map(|_| {
            let mut word = || {
                let range = [3, 40, 900][random(3) as usize];
                format!("w{range}x{}", random(range))
            };
            let mut sentence = |length: u32| -> String {
                let words: Vec<String> = (0..length).map(|_| word()).collect();
                format!("W{}. ", words.join(" "))
            };
            let lengths: Vec<u32> = (0..sentences).map(|n| 3 + n % 9).collect();
            lengths.into_iter().map(&mut sentence).collect::<String>()
        });
        let closed = [0, 1].map(|_| (0..sentences).map(|_| random(8) == 0).collect());
        (texts, closed)
    }

    #[test]
    fn what_the_index_finds_is_what_comparing_all_units_would() {
        let (mut seed, mut all) = (1, 0);
        for round in 0..60 {
            let ([left, right], [left_closed, right_closed]) = random_case(&mut seed);
            let texts = texts_of(&left, &right);
            let closed = Closed {
                left: left_closed,
                right: right_closed,
            };
            assert_eq!(texts.left.units.len(), closed.left.len(), "{left}");
            let settings = Settings::default();
            let index = Index::new(&texts.right, &closed.right, texts.weights.len());
            let mut expected = Vec::new();
            for left in (0..index32(closed.left.len())).filter(|&n| !closed.left[n as usize]) {
                for right in (0..index32(closed.right.len())).filter(|&n| !closed.right[n as usize])
                {
                    let (a, b) = (texts.left.bag(left), texts.right.bag(right));
                    let is_found = a.iter().any(|&(term, _)| {
                        index.units(term).len() <= FREQUENT
                            && b.iter()
                                .any(|&(other, weight)| other == term && weight > 0.0)
                    });
                    let (dot, common) = dot(a, b);
                    let likeness = likeness(&texts, left, right, dot, common);
                    if is_found && likeness.suffices(&settings) {
                        expected.push((left, right));
                    }
                }
            }
            let found = find(&texts, &closed, &settings).seeds;
            let mut found: Vec<(u32, u32)> = found.iter().map(|s| (s.left, s.right)).collect();
            found.sort_unstable();
            assert_eq!(found, expected, "{round}");
            all += found.len();
        }
        assert!(all > 1000, "{all}");
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
