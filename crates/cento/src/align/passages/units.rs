//! Sequences → units: sentences as weighted bags of terms.
//!
//! A [`Term`] weighs the more the fewer units have it: only the two texts are at hand, and what both
//! keep repeating is their subject or their grammar, not a trace of copying.

use std::ops::Range;

use crate::align::{Sequence, Term, Vocabulary, Word};
use crate::number::index32;
use crate::word_map::WordMap;

/// Both texts, over one numbering of terms.
pub(super) struct Texts {
    pub(super) left: Text,
    pub(super) right: Text,
    /// By term: the logarithm of how many times more units there are than units that have it.
    pub(super) weights: Vec<f32>,
}

/// One text.
pub(super) struct Text {
    /// The term at each word.
    pub(super) terms: Vec<u32>,
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
    /// The terms that are numbers.
    figures: Vec<u32>,
}

/// A shorter sentence is joined with the next.
const SHORTEST: u32 = 3;

/// A longer one is cut, so that a text without full stops has units as well.
const LONGEST: u32 = 40;

/// Weights are as if there were at least so many units: in a text of two sentences, a word that
/// both have is no common word.
const FEWEST: usize = 30;

/// How much more a number weighs in the likeness of units: whoever rewords a text keeps its figures,
const FIGURE: f32 = 1.3;

/// and how much more a term that one unit of either text has: names are kept as well.
const ANCHOR: f32 = 1.2;

impl Texts {
    /// Long runs, by side, end units: what stands around them is judged without them.
    pub(super) fn new(
        [left, right]: [&Sequence; 2],
        vocabulary: &Vocabulary,
        long_runs: &[Vec<Range<u32>>; 2],
    ) -> Texts {
        let mut numbers = WordMap::default();
        let mut left = Text::new(left, vocabulary, &long_runs[0], &mut numbers);
        let mut right = Text::new(right, vocabulary, &long_runs[1], &mut numbers);
        let mut counts = vec![0u32; numbers.len()];
        for &(term, _) in left.entries.iter().chain(&right.entries) {
            counts[term as usize] += 1;
        }
        let units = (left.units.len() + right.units.len()).max(FEWEST) as f32;
        let weights: Vec<f32> = counts
            .iter()
            .map(|&count| (units / count as f32).ln())
            .collect();
        let anchored = anchored(&weights, [&left, &right]);
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

impl Text {
    fn new(
        sequence: &Sequence,
        vocabulary: &Vocabulary,
        long_runs: &[Range<u32>],
        numbers: &mut WordMap<Term, u32>,
    ) -> Text {
        let words = sequence.words();
        let terms: Vec<u32> = vocabulary
            .terms_of(words)
            .map(|term| {
                let number = index32(numbers.len());
                *numbers.entry(term).or_insert(number)
            })
            .collect();
        let lettered = |word: &Word| vocabulary.stem(*word).lettered;
        let both = words.iter().zip(&terms);
        let mut figures: Vec<u32> = both
            .filter(|(word, _)| !lettered(word))
            .map(|(_, &term)| term)
            .collect();
        figures.sort_unstable();
        figures.dedup();
        let units = cut(sequence, long_runs);
        let mut text = Text {
            entries: Vec::with_capacity(terms.len()),
            bags: Vec::with_capacity(units.len()),
            norms: Vec::new(),
            different: Vec::with_capacity(units.len()),
            figures,
            terms,
            units,
        };
        let mut bag: Vec<u32> = Vec::new();
        for unit in &text.units {
            bag.clear();
            bag.extend_from_slice(&text.terms[unit.start as usize..unit.end as usize]);
            bag.sort_unstable();
            let start = text.entries.len();
            for same in bag.chunk_by(|a, b| a == b) {
                text.entries.push((same[0], same.len() as f32));
            }
            bag.clear();
            let of_unit = &words[unit.start as usize..unit.end as usize];
            bag.extend(
                of_unit
                    .iter()
                    .filter(|word| lettered(word))
                    .map(|word| word.0),
            );
            bag.sort_unstable();
            bag.dedup();
            text.different.push(bag.len() as f64 / of_unit.len() as f64);
            text.bags.push(index32(start)..index32(text.entries.len()));
        }
        text
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

    /// The terms of a run of words.
    pub(super) fn run(&self, words: &Range<u32>) -> &[u32] {
        &self.terms[words.start as usize..words.end as usize]
    }
}

/// The weights with which units are compared. Evidence is counted with the plain ones.
fn anchored(weights: &[f32], sides: [&Text; 2]) -> Vec<f32> {
    let mut counts = [0, 1].map(|_| vec![0u32; weights.len()]);
    for (counts, text) in counts.iter_mut().zip(sides) {
        for &(term, _) in &text.entries {
            counts[term as usize] += 1;
        }
    }
    let [left, right] = counts;
    let mut anchored: Vec<f32> = weights.to_vec();
    for (term, weight) in anchored.iter_mut().enumerate() {
        if left[term] == 1 && right[term] == 1 {
            *weight *= ANCHOR;
        }
    }
    let mut figures: Vec<u32> = sides.iter().flat_map(|text| text.figures.clone()).collect();
    figures.sort_unstable();
    figures.dedup();
    for term in figures {
        anchored[term as usize] *= FIGURE;
    }
    anchored
}

/// Sentences, the very short ones joined with the next, the very long ones cut; a long run begins
/// and ends units.
fn cut(sequence: &Sequence, long_runs: &[Range<u32>]) -> Vec<Range<u32>> {
    let places = sequence.places();
    let mut borders: Vec<u32> = long_runs
        .iter()
        .flat_map(|run| [run.start, run.end])
        .collect();
    borders.sort_unstable();
    borders.dedup();
    let mut borders = borders.into_iter().peekable();
    let mut units: Vec<Range<u32>> = Vec::new();
    let mut start = 0;
    // Where the last run begins or ends: what follows is not joined with what is before.
    let mut border = 0;
    for (at, place) in places.iter().enumerate() {
        let end = index32(at + 1);
        let ends = places
            .get(at + 1)
            .is_none_or(|next| next.sentence != place.sentence);
        while borders.next_if(|&border| border < end).is_some() {}
        let at_border = borders.peek() == Some(&end);
        let length = end - start;
        if (ends && length >= SHORTEST) || length >= LONGEST || at_border {
            match units.last_mut() {
                Some(last) if length < SHORTEST && border < start => last.end = end,
                _ => units.push(start..end),
            }
            start = end;
            if at_border {
                border = end;
            }
        }
    }
    let end = index32(places.len());
    if start < end {
        match units.last_mut() {
            Some(last) if border < start => last.end = end,
            _ => units.push(start..end),
        }
    }
    units
}

/// Where tests have no long runs.
#[cfg(test)]
pub(super) const NO_RUNS: [Vec<Range<u32>>; 2] = [Vec::new(), Vec::new()];

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(left: &str, right: &str) -> Texts {
        let mut vocabulary = Vocabulary::default();
        let (left, right) = (vocabulary.read(left), vocabulary.read(right));
        Texts::new([&left, &right], &vocabulary, &NO_RUNS)
    }

    #[track_caller]
    fn check_units(text: &str, ends: &[u32]) {
        let units = texts(text, "").left.units;
        assert_eq!(units.iter().map(|unit| unit.end).collect::<Vec<_>>(), ends);
        let starts: Vec<u32> = units.iter().skip(1).map(|unit| unit.start).collect();
        assert!(ends.starts_with(&starts), "{text:?}");
    }

    #[test]
    fn units_are_sentences_of_bearable_length() {
        check_units("", &[]);
        check_units("Canal.", &[1]);
        check_units("One two three. Four five six.", &[3, 6]);
        check_units("No. One two three. Yes.", &[5]);
        check_units(&"word ".repeat(100), &[40, 80, 100]);
        check_units(&"word ".repeat(82), &[40, 82]);
    }

    #[track_caller]
    fn check_cuts(text: &str, long_run: Range<u32>, ends: &[u32]) {
        let sequence = Vocabulary::default().read(text);
        let units = cut(&sequence, &[long_run]);
        assert_eq!(units.iter().map(|unit| unit.end).collect::<Vec<_>>(), ends);
    }

    #[test]
    fn long_runs_end_units() {
        let text = "One two three four. Five six seven eight. Nine ten eleven twelve.";
        check_cuts(text, 4..8, &[4, 8, 12]);
        check_cuts(text, 3..9, &[3, 9, 12]);
        check_cuts(text, 5..12, &[5, 8, 12]);
        check_cuts(text, 0..11, &[4, 8, 11, 12]);
    }

    #[test]
    fn figures_have_few_different_words() {
        let text = "Sales 12 13 14 15 and 16 17 18. The canal is deep and old. No no no no no no.";
        let different = texts(text, "").left.different;
        let shares: Vec<String> = different
            .iter()
            .map(|share| format!("{share:.2}"))
            .collect();
        assert_eq!(shares, ["0.22", "1.00", "0.17"]);
    }

    #[test]
    fn numbers_and_what_both_have_once_weigh_more() {
        let left = "The canal is 1200 feet long. The bridge is old.";
        let texts = texts(
            left,
            "The canal is short. The mill made 1200 sacks in 1200 days.",
        );
        let weight = |unit: u32, word: usize| {
            let term = texts.left.terms[word];
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
        let texts = texts(left, "The mill is new. The road is long.");
        let weight = |word: usize| texts.weights[texts.left.terms[word] as usize];
        assert!(weight(0) < weight(1));
        assert!((texts.rare() - 15f64.ln()).abs() < 1e-9);
    }

    #[test]
    fn characters_of_a_script_without_spaces_go_in_twos() {
        let texts = texts("水手在港口。", "港水口");
        let shared = texts
            .right
            .terms
            .iter()
            .filter(|t| texts.left.terms.contains(t));
        assert_eq!(shared.count(), 1, "only the last, which has no neighbour");
    }
}
