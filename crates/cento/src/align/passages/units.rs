//! Outlines → units: sentences as weighted bags of terms.
//!
//! A term weighs the more the fewer units have it: only the two texts are at hand, and what both keep
//! repeating is their subject or their grammar, not a trace of copying.

use std::ops::Range;

use super::outline::Outline;
use crate::align::{Sequence, Vocabulary};
use crate::number::index32;

/// Both texts, over one numbering of terms.
pub(super) struct Texts<'t> {
    pub(super) left: Text<'t>,
    pub(super) right: Text<'t>,
    /// By term: the logarithm of how many times more units there are than units that have it.
    pub(super) weights: Vec<f32>,
}

/// One text.
pub(super) struct Text<'t> {
    outline: &'t Outline,
    /// By term of the outline, its number in the pair; none for the left text, which numbers first.
    numbers: Option<Vec<u32>>,
    /// The words of each unit.
    pub(super) units: Vec<Range<u32>>,
    /// The distinct terms of all units, one unit after another, with their weights.
    entries: Vec<(u32, f32)>,
    /// Where the entries of each unit are.
    bags: Vec<Range<u32>>,
    norms: Vec<f32>,
    /// By unit, the share of its words that are different and have letters: little in a row of
    /// figures.
    pub(super) different: Vec<f64>,
}

/// Weights are as if there were at least so many units: in a text of two sentences, a word that
/// both have is no common word.
const FEWEST: usize = 30;

/// How much more a number weighs in the likeness of units: whoever rewords a text keeps its figures,
const FIGURE: f32 = 1.3;

/// and how much more a term that one unit of either text has: names are kept as well.
const ANCHOR: f32 = 1.2;

impl<'t> Texts<'t> {
    /// Long runs, by side, end units: what stands around them is judged without them.
    pub(super) fn new(
        sequences: [&Sequence; 2],
        outlines: [&'t Outline; 2],
        vocabulary: &Vocabulary,
        long_runs: &[Vec<Range<u32>>; 2],
    ) -> Texts<'t> {
        let numbers = outlines[1].numbers_beside(outlines[0]);
        let terms = numbers.iter().map(|&number| number + 1).max().unwrap_or(0);
        let terms = terms.max(outlines[0].len()) as usize;
        let known = outlines[0].len();
        let text = |side: usize, numbers| {
            let outline = (outlines[side], numbers);
            Text::new(
                sequences[side],
                outline,
                known,
                vocabulary,
                &long_runs[side],
            )
        };
        let (mut left, mut right) = (text(0, None), text(1, Some(numbers)));
        let counts = [&left, &right].map(|text| text.counts(terms));
        let units = (left.units.len() + right.units.len()).max(FEWEST) as f32;
        let weights = weights(&counts, units);
        let anchored = anchored(&weights, &counts, [&left, &right]);
        left.weigh(&anchored);
        right.weigh(&anchored);
        Texts {
            left,
            right,
            weights,
        }
    }

    /// The weight of a term that occurs once on either side.
    pub(super) fn rare(&self) -> f64 {
        let units = (self.left.units.len() + self.right.units.len()).max(FEWEST);
        (units as f64 / 2.0).ln()
    }
}

impl<'t> Text<'t> {
    /// The numbers are those of a right text, whose left one knows so many terms.
    fn new(
        sequence: &Sequence,
        (outline, numbers): (&'t Outline, Option<Vec<u32>>),
        known: u32,
        vocabulary: &Vocabulary,
        long_runs: &[Range<u32>],
    ) -> Text<'t> {
        let units = outline.units(long_runs);
        let mut entries = Vec::with_capacity(outline.terms.len());
        let mut bags = Vec::with_capacity(units.len());
        let mut different = Vec::with_capacity(units.len());
        outline.bags(&units, sequence.words(), vocabulary, |bag, share| {
            let start = entries.len();
            match &numbers {
                None => entries.extend_from_slice(bag),
                Some(numbers) => renumber(bag, numbers, known, &mut entries),
            }
            bags.push(index32(start)..index32(entries.len()));
            different.push(share);
        });
        Text {
            outline,
            numbers,
            units,
            entries,
            bags,
            norms: Vec::new(),
            different,
        }
    }

    /// By term, how many units have it.
    fn counts(&self, terms: usize) -> Vec<u32> {
        let mut counts = vec![0; terms];
        for &(term, _) in &self.entries {
            counts[term as usize] += 1;
        }
        counts
    }

    fn weigh(&mut self, weights: &[f32]) {
        for (term, weight) in &mut self.entries {
            *weight *= weights[*term as usize];
        }
        self.norms = (0..index32(self.units.len()))
            .map(|unit| {
                let squares = self.bag(unit).iter().map(|(_, weight)| weight * weight);
                squares.sum::<f32>().sqrt()
            })
            .collect();
    }

    /// The distinct terms of a unit, ascending, with their weights.
    pub(super) fn bag(&self, unit: u32) -> &[(u32, f32)] {
        let bag = &self.bags[unit as usize];
        &self.entries[bag.start as usize..bag.end as usize]
    }

    /// The terms of a run of units, unit after unit, with their weights.
    pub(super) fn entries(&self, units: &Range<u32>) -> &[(u32, f32)] {
        let (first, last) = (units.start as usize, units.end as usize - 1);
        &self.entries[self.bags[first].start as usize..self.bags[last].end as usize]
    }

    /// The length of a unit's vector of weights.
    pub(super) fn norm(&self, unit: u32) -> f32 {
        self.norms[unit as usize]
    }

    /// The words of a run of units.
    pub(super) fn words(&self, units: &Range<u32>) -> Range<u32> {
        self.units[units.start as usize].start..self.units[units.end as usize - 1].end
    }

    /// How many words there are.
    pub(super) fn length(&self) -> usize {
        self.outline.terms.len()
    }

    /// The terms of a run of words, ascending.
    pub(super) fn sorted_terms(&self, words: &Range<u32>) -> Vec<u32> {
        let mut terms = self.outline.terms[words.start as usize..words.end as usize].to_vec();
        if let Some(numbers) = &self.numbers {
            for term in &mut terms {
                *term = numbers[*term as usize];
            }
        }
        terms.sort_unstable();
        terms
    }

    /// The terms that are numbers.
    fn figures(&self) -> impl Iterator<Item = u32> {
        let number = |&term: &u32| match &self.numbers {
            Some(numbers) => numbers[term as usize],
            None => term,
        };
        self.outline.figures.iter().map(number)
    }
}

/// Adds a bag with the numbers of the pair, ascending. Those that the left text does not know come
/// last, in the order that they have.
fn renumber(bag: &[(u32, f32)], numbers: &[u32], known: u32, entries: &mut Vec<(u32, f32)>) {
    let renumbered = || {
        bag.iter()
            .map(|&(term, count)| (numbers[term as usize], count))
    };
    let start = entries.len();
    entries.extend(renumbered().filter(|entry| entry.0 < known));
    entries[start..].sort_unstable_by_key(|entry| entry.0);
    entries.extend(renumbered().filter(|entry| entry.0 >= known));
}

/// By term, the logarithm of how many times more units there are than units that have it.
fn weights([left, right]: &[Vec<u32>; 2], units: f32) -> Vec<f32> {
    // Most terms are in few units, and logarithms take long.
    const FEW: u32 = 64;
    let weight = |count: u32| (units / count as f32).ln();
    let of_few: Vec<f32> = (0..FEW).map(weight).collect();
    let both = left.iter().zip(right).map(|(left, right)| left + right);
    both.map(|count| match of_few.get(count as usize) {
        Some(&known) => known,
        None => weight(count),
    })
    .collect()
}

/// The weights with which units are compared. Evidence is counted with the plain ones.
fn anchored(weights: &[f32], counts: &[Vec<u32>; 2], [left, right]: [&Text<'_>; 2]) -> Vec<f32> {
    let both = counts[0].iter().zip(&counts[1]).zip(weights);
    let mut anchored: Vec<f32> = both
        .map(|(counts, &weight)| match counts {
            (1, 1) => weight * ANCHOR,
            _ => weight,
        })
        .collect();
    let is_of_left = |term: u32| left.outline.figures.binary_search(&term).is_ok();
    let of_right = right.figures().filter(|&term| !is_of_left(term));
    for term in left.figures().chain(of_right) {
        anchored[term as usize] *= FIGURE;
    }
    anchored
}

/// Texts without long runs. Their outlines stay in memory, which tests have enough of.
#[cfg(test)]
pub(super) fn texts_of(left: &str, right: &str) -> Texts<'static> {
    let mut vocabulary = Vocabulary::default();
    let sequences = [left, right].map(|text| vocabulary.read(text));
    let outlines = [0, 1].map(|side| Outline::of(&sequences[side], &vocabulary));
    let [left, right] = Box::leak(Box::new(outlines));
    let no_runs = [Vec::new(), Vec::new()];
    Texts::new(
        [&sequences[0], &sequences[1]],
        [left, right],
        &vocabulary,
        &no_runs,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_what_both_have_once_weigh_more() {
        let left = "The canal is 1200 feet long. The bridge is old.";
        let texts = texts_of(
            left,
            "The canal is short. The mill made 1200 sacks in 1200 days.",
        );
        let weight = |unit: u32, word: usize| {
            let term = texts.left.outline.terms[word];
            let entry = texts.left.bag(unit).iter().find(|entry| entry.0 == term);
            entry.unwrap().1 / texts.weights[term as usize]
        };
        let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
        assert!(close(weight(0, 0), 1.0) && close(weight(0, 1), ANCHOR));
        assert!(close(weight(0, 3), ANCHOR * FIGURE) && close(weight(0, 4), 1.0));
    }

    #[test]
    fn what_is_everywhere_weighs_little() {
        let left = "The canal is deep. The bridge is old. The town is small.";
        let texts = texts_of(left, "The mill is new. The road is long.");
        let weight = |word: usize| texts.weights[texts.left.outline.terms[word] as usize];
        assert!(weight(0) < weight(1));
        assert!((texts.rare() - 15f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn characters_of_a_script_without_spaces_go_in_twos() {
        let texts = texts_of("水手在港口。", "港水口");
        let left = texts.left.sorted_terms(&(0..5));
        let right = texts.right.sorted_terms(&(0..3));
        let shared = right.iter().filter(|term| left.contains(term));
        assert_eq!(shared.count(), 1, "only the last, which has no neighbour");
    }
}
