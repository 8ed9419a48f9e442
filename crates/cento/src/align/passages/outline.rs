//! A text → its outline: what alignments need of it whatever the other text is. It is made once for
//! all the pairs that the text is in.
//!
//! A term is a stem, or two neighbours in a script that writes without spaces, where one character
//! says little. A unit is a sentence, or what is left of one beside a long run.

use std::ops::Range;

use crate::align::{Sequence, Vocabulary, Word};
use crate::number::index32;
use crate::word_map::WordMap;

/// What alignments need of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outline {
    /// The term at each word, numbered in the order in which they come.
    pub(super) terms: Vec<u32>,
    /// What each term is, ascending, with its number: texts of one vocabulary meet by it.
    keys: Vec<(u64, u32)>,
    /// The terms that are numbers, ascending.
    pub(super) figures: Vec<u32>,
    /// Where sentences end.
    ends: Vec<u32>,
    /// The words of each unit where there is no long run,
    units: Vec<Range<u32>>,
    /// and the bags of these units.
    bags: Bags,
}

/// Units as bags of terms.
#[derive(Clone, Debug, Default)]
struct Bags {
    /// The distinct terms of all units, one unit after another, each ascending, with their counts.
    entries: Vec<(u32, f32)>,
    /// Where the entries of each unit end.
    ends: Vec<u32>,
    /// By unit, the share of its words that are different and have letters.
    different: Vec<f64>,
}

/// A shorter sentence is joined with the next.
const SHORTEST: u32 = 3;

/// A longer one is cut, so that a text without full stops has units as well.
const LONGEST: u32 = 40;

impl Outline {
    pub(crate) fn of(sequence: &Sequence, vocabulary: &Vocabulary) -> Outline {
        let words = sequence.words();
        let mut numbers: WordMap<u64, u32> = WordMap::default();
        let terms: Vec<u32> = vocabulary
            .terms_of(words)
            .map(|(this, next)| {
                let next = next.map_or(0, |next| u64::from(next.0) + 1);
                let number = index32(numbers.len());
                *numbers
                    .entry(next << 32 | u64::from(this.0))
                    .or_insert(number)
            })
            .collect();
        let mut keys: Vec<(u64, u32)> = numbers.into_iter().collect();
        keys.sort_unstable();
        let both = words.iter().zip(&terms);
        let mut figures: Vec<u32> = both
            .filter(|(word, _)| !vocabulary.stem(**word).lettered)
            .map(|(_, &term)| term)
            .collect();
        figures.sort_unstable();
        figures.dedup();
        figures.shrink_to_fit();
        let ends = sentence_ends(sequence);
        let units = cut(&ends, &[]);
        let mut outline = Outline {
            terms,
            keys,
            figures,
            ends,
            units,
            bags: Bags::default(),
        };
        let mut bags = Bags::default();
        for unit in &outline.units {
            outline.fill(unit, words, vocabulary, &mut bags);
        }
        bags.entries.shrink_to_fit();
        outline.bags = bags;
        outline
    }

    /// How many different terms there are.
    pub(super) fn len(&self) -> u32 {
        index32(self.keys.len())
    }

    /// By term of this text, the number that it has in a pair whose left text is another: that of the
    /// left text, or the next after all of those.
    pub(super) fn numbers_beside(&self, left: &Outline) -> Vec<u32> {
        const NEW: u32 = u32::MAX;
        let mut numbers = vec![NEW; self.keys.len()];
        let mut others = left.keys.iter().peekable();
        for &(key, number) in &self.keys {
            while others.next_if(|other| other.0 < key).is_some() {}
            if let Some(&(_, other)) = others.next_if(|other| other.0 == key) {
                numbers[number as usize] = other;
            }
        }
        let mut next = left.len();
        for number in &mut numbers {
            if *number == NEW {
                *number = next;
                next += 1;
            }
        }
        numbers
    }

    /// The units of the text where these are long runs: what stands around those is judged without them.
    pub(super) fn units(&self, long_runs: &[Range<u32>]) -> Vec<Range<u32>> {
        if long_runs.is_empty() {
            self.units.clone()
        } else {
            cut(&self.ends, long_runs)
        }
    }

    /// Calls `found` with the bag of each unit, and its share of words that are different and have
    /// letters. Only units that long runs have changed are counted anew.
    pub(super) fn bags(
        &self,
        units: &[Range<u32>],
        words: &[Word],
        vocabulary: &Vocabulary,
        mut found: impl FnMut(&[(u32, f32)], f64),
    ) {
        let mut fresh = Bags::default();
        let mut known = 0;
        for unit in units {
            while self
                .units
                .get(known)
                .is_some_and(|one| one.start < unit.start)
            {
                known += 1;
            }
            if self.units.get(known) == Some(unit) {
                let first = if known == 0 {
                    0
                } else {
                    self.bags.ends[known - 1]
                };
                let bag = first as usize..self.bags.ends[known] as usize;
                found(&self.bags.entries[bag], self.bags.different[known]);
            } else {
                fresh.clear();
                self.fill(unit, words, vocabulary, &mut fresh);
                found(&fresh.entries, fresh.different[0]);
            }
        }
    }

    /// Adds the bag of a unit.
    fn fill(&self, unit: &Range<u32>, words: &[Word], vocabulary: &Vocabulary, bags: &mut Bags) {
        let of_unit = unit.start as usize..unit.end as usize;
        let mut bag = self.terms[of_unit.clone()].to_vec();
        bag.sort_unstable();
        for same in bag.chunk_by(|a, b| a == b) {
            bags.entries.push((same[0], same.len() as f32));
        }
        bags.ends.push(index32(bags.entries.len()));
        let words = &words[of_unit];
        let lettered = |word: &&Word| vocabulary.stem(**word).lettered;
        bag.clear();
        bag.extend(words.iter().filter(lettered).map(|word| word.0));
        bag.sort_unstable();
        bag.dedup();
        bags.different.push(bag.len() as f64 / words.len() as f64);
    }
}

impl Bags {
    fn clear(&mut self) {
        self.entries.clear();
        self.ends.clear();
        self.different.clear();
    }
}

/// After which words sentences end; the last is the last word.
fn sentence_ends(sequence: &Sequence) -> Vec<u32> {
    let mut ends = Vec::new();
    for sentence in sequence.places().chunk_by(|a, b| a.sentence == b.sentence) {
        ends.push(ends.last().copied().unwrap_or(0) + index32(sentence.len()));
    }
    ends
}

/// Sentences, the very short ones joined with the next, the very long ones cut; a long run begins
/// and ends units.
fn cut(ends: &[u32], long_runs: &[Range<u32>]) -> Vec<Range<u32>> {
    let words = ends.last().copied().unwrap_or(0);
    let mut borders: Vec<u32> = long_runs
        .iter()
        .flat_map(|run| [run.start, run.end])
        .collect();
    borders.sort_unstable();
    borders.dedup();
    let mut borders = borders.into_iter().peekable();
    let mut ends = ends.iter().copied().peekable();
    let mut units: Vec<Range<u32>> = Vec::with_capacity(ends.len());
    let mut start = 0;
    // Where the last run begins or ends: what follows is not joined with what is before.
    let mut border = 0;
    loop {
        while ends.next_if(|&end| end < start + SHORTEST).is_some() {}
        while borders.next_if(|&border| border <= start).is_some() {}
        let sentence = ends.peek().copied().unwrap_or(u32::MAX);
        let next_border = borders.peek().copied().unwrap_or(u32::MAX);
        let end = sentence.min(next_border).min(start + LONGEST);
        if end > words {
            break;
        }
        match units.last_mut() {
            Some(last) if end - start < SHORTEST && border < start => last.end = end,
            _ => units.push(start..end),
        }
        start = end;
        if end == next_border {
            border = end;
        }
    }
    if start < words {
        match units.last_mut() {
            Some(last) if border < start => last.end = words,
            _ => units.push(start..words),
        }
    }
    units
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;

    fn outline(text: &str) -> (Outline, Sequence, Vocabulary) {
        let mut vocabulary = Vocabulary::default();
        let sequence = vocabulary.read(text);
        (Outline::of(&sequence, &vocabulary), sequence, vocabulary)
    }

    #[track_caller]
    fn check(units: &[Range<u32>], ends: &[u32]) {
        assert_eq!(units.iter().map(|unit| unit.end).collect::<Vec<_>>(), ends);
        let starts: Vec<u32> = units.iter().skip(1).map(|unit| unit.start).collect();
        assert!(ends.starts_with(&starts), "{starts:?}");
    }

    #[test]
    fn units_are_sentences_of_bearable_length() {
        let check_units = |text: &str, ends: &[u32]| check(&outline(text).0.units(&[]), ends);
        check_units("", &[]);
        check_units("Canal.", &[1]);
        check_units("One two three. Four five six.", &[3, 6]);
        check_units("No. One two three. Yes.", &[5]);
        check_units(&"word ".repeat(100), &[40, 80, 100]);
        check_units(&"word ".repeat(82), &[40, 82]);
    }

    #[test]
    fn long_runs_end_units() {
        let text = "One two three four. Five six seven eight. Nine ten eleven twelve.";
        let outline = outline(text).0;
        let check_cuts = |run: Range<u32>, ends: &[u32]| check(&outline.units(&[run]), ends);
        check_cuts(4..8, &[4, 8, 12]);
        check_cuts(3..9, &[3, 9, 12]);
        check_cuts(5..12, &[5, 8, 12]);
        check_cuts(0..11, &[4, 8, 11, 12]);
    }

    #[test]
    fn figures_have_few_different_words() {
        let text = "Sales 12 13 14 15 and 16 17 18. The canal is deep and old. No no no no no no.";
        let shares = |share: &f64| format!("{share:.2}");
        let different: Vec<String> = outline(text).0.bags.different.iter().map(shares).collect();
        assert_eq!(different, ["0.22", "1.00", "0.17"]);
    }

    fn random_text(seed: &mut u64, words: u32) -> String {
        let mut word = || {
            let stop = ["", "", "", "", "."][random(seed, 5) as usize];
            format!("W{}{stop} ", random(seed, 30))
        };
        (0..words).map(|_| word()).collect()
    }

    fn random_runs(seed: &mut u64, words: u32) -> Vec<Range<u32>> {
        let run = |seed: &mut u64| {
            let start = random(seed, words);
            start..start + 1 + random(seed, words - start)
        };
        (0..random(seed, 4)).map(|_| run(seed)).collect()
    }

    /// Units as the rule has them, word by word.
    fn cut_by_word(sequence: &Sequence, long_runs: &[Range<u32>]) -> Vec<Range<u32>> {
        let is_border = |end: u32| {
            let mut runs = long_runs.iter();
            runs.any(|run| run.start == end || run.end == end)
        };
        let (places, mut units) = (sequence.places(), Vec::<Range<u32>>::new());
        let (mut start, mut border) = (0, 0);
        for at in 0..places.len() {
            let (end, next) = (index32(at + 1), places.get(at + 1));
            let ends = next.is_none_or(|next| next.sentence != places[at].sentence);
            let length = end - start;
            if (ends && length >= SHORTEST) || length >= LONGEST || is_border(end) {
                match units.last_mut() {
                    Some(last) if length < SHORTEST && border < start => last.end = end,
                    _ => units.push(start..end),
                }
                start = end;
                border = if is_border(end) { end } else { border };
            }
        }
        match units.last_mut() {
            _ if start == sequence.len() => {}
            Some(last) if border < start => last.end = sequence.len(),
            _ => units.push(start..sequence.len()),
        }
        units
    }

    #[test]
    fn known_units_and_new_ones_are_those_of_the_rule() {
        let mut seed = 1;
        for round in 0..300 {
            let words = 1 + random(&mut seed, 200);
            let text = random_text(&mut seed, words);
            let (outline, sequence, vocabulary) = outline(&text);
            let runs = random_runs(&mut seed, words);
            let units = outline.units(&runs);
            assert_eq!(
                units,
                cut_by_word(&sequence, &runs),
                "{round}: {text} {runs:?}"
            );
            let mut bags = Vec::new();
            outline.bags(&units, sequence.words(), &vocabulary, |bag, different| {
                bags.push((bag.to_vec(), different));
            });
            let anew = units.iter().map(|unit| {
                let mut bags = Bags::default();
                outline.fill(unit, sequence.words(), &vocabulary, &mut bags);
                (bags.entries, bags.different[0])
            });
            assert_eq!(bags, anew.collect::<Vec<_>>(), "{round}: {text} {runs:?}");
        }
    }

    #[test]
    fn terms_are_numbered_as_if_both_texts_were_one() {
        let mut vocabulary = Vocabulary::default();
        let [left, right, both] = ["b c a b", "d a e c d", "b c a b d a e c d"]
            .map(|text| vocabulary.read(text))
            .map(|sequence| Outline::of(&sequence, &vocabulary));
        let numbers = right.numbers_beside(&left);
        let of_right = right.terms.iter().map(|&term| numbers[term as usize]);
        let all: Vec<u32> = left.terms.iter().copied().chain(of_right).collect();
        assert_eq!(all, both.terms);
    }
}
