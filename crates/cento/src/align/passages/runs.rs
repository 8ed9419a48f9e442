//! Words → runs: equal words in a row.

use std::ops::Range;

use super::{Settings, Side};
use crate::align::{RUN, Vocabulary, Word};
use crate::number::index32;

/// Equal words on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) left: Range<u32>,
    pub(super) right: Range<u32>,
    /// How many different words with a letter it has: a ruler of digits has none.
    pub(super) different: u32,
}

impl Run {
    /// A passage by itself, whatever stands around it.
    pub(super) fn is_long(&self, settings: &Settings) -> bool {
        self.reaches(settings.long_run, settings)
    }

    /// Whether it has so many words, and enough of them are different and have letters.
    pub(super) fn reaches(&self, words: u32, settings: &Settings) -> bool {
        self.length() >= words
            && f64::from(self.different) >= settings.run_different * f64::from(words)
    }

    pub(super) fn length(&self) -> u32 {
        self.left.end - self.left.start
    }
}

/// A shorter run is of no use to the steps that follow.
const SHORTEST: usize = 10;
const _: () = assert!(SHORTEST >= RUN, "shared runs of words lead to them");

/// How many places of the right text are tried for one place of the left.
const CANDIDATES: usize = 32;

/// From left to right, the longest run that starts at each word not yet in one.
pub(super) fn find(sides: [Side<'_>; 2], vocabulary: &Vocabulary) -> Vec<Run> {
    let [left, right] = sides.map(|side| side.sequence.words());
    let hash = |words: &[Word], at: usize| hash(&words[at..at + SHORTEST]);
    let mut windows: Vec<(u64, u32)> = starts(sides[1].runs)
        .map(|at| (hash(right, at), index32(at)))
        .collect();
    windows.sort_unstable();
    let mut runs = Vec::new();
    let mut next = 0;
    for at in starts(sides[0].runs) {
        if at < next {
            continue;
        }
        let hash = hash(left, at);
        let first = windows.partition_point(|window| window.0 < hash);
        let best = windows[first..]
            .iter()
            .take_while(|window| window.0 == hash)
            .take(CANDIDATES)
            .map(|window| (equal(&left[at..], &right[window.1 as usize..]), window.1))
            .max_by_key(|&(length, place)| (length, std::cmp::Reverse(place)));
        if let Some((length, place)) = best
            && length >= SHORTEST
        {
            let end = at + length;
            runs.push(Run {
                left: index32(at)..index32(end),
                right: place..place + index32(length),
                different: different(&left[at..end], vocabulary),
            });
            next = end;
        }
    }
    runs
}

/// How many different words with a letter there are.
fn different(words: &[Word], vocabulary: &Vocabulary) -> u32 {
    let lettered = words.iter().filter(|&&word| vocabulary.stem(word).lettered);
    let mut words: Vec<Word> = lettered.copied().collect();
    words.sort_unstable();
    words.dedup();
    index32(words.len())
}

fn equal(left: &[Word], right: &[Word]) -> usize {
    left.iter().zip(right).take_while(|(a, b)| a == b).count()
}

/// Where runs of [`SHORTEST`] words may start, given where shared ones of [`RUN`] words do.
fn starts(shared: &[u32]) -> impl Iterator<Item = usize> {
    const MORE: usize = SHORTEST - RUN;
    let in_a_row = |places: &&[u32]| places[MORE] - places[0] == index32(MORE);
    let places = shared.windows(MORE + 1).filter(in_a_row);
    places.map(|places| places[0] as usize)
}

fn hash(words: &[Word]) -> u64 {
    words.iter().fold(0, |hash: u64, word| {
        (hash.rotate_left(23) ^ u64::from(word.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

#[cfg(test)]
mod tests {
    use super::super::random;
    use super::*;
    use crate::align::{Outline, Sequence, WordRuns};

    fn find_in(left: &Sequence, right: &Sequence, vocabulary: &Vocabulary) -> Vec<Run> {
        let sequences = [left, right];
        let words = sequences.map(Sequence::words);
        let runs = words.map(|words| WordRuns::of(words, RUN));
        let shared = runs[0].shared(&runs[1], words);
        let outline = Outline::default();
        let sides = [0, 1].map(|side| Side {
            sequence: sequences[side],
            outline: &outline,
            runs: &shared.starts[side],
        });
        find(sides, vocabulary)
    }

    #[track_caller]
    fn check(left: &str, right: &str, expected: &[(Range<u32>, Range<u32>)]) {
        let mut vocabulary = Vocabulary::default();
        let (left, right) = (vocabulary.read(left), vocabulary.read(right));
        let found: Vec<(Range<u32>, Range<u32>)> = find_in(&left, &right, &vocabulary)
            .into_iter()
            .map(|run| (run.left, run.right))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn runs_from_ten_words_on() {
        let ten = "a b c d e f g h i j";
        check("", ten, &[]);
        check(ten, ten, &[(0..10, 0..10)]);
        check("a b c d e f g h i", ten, &[]);
        check(
            &format!("x {ten} y"),
            &format!("u v {ten} w"),
            &[(1..11, 2..12)],
        );
        check(
            &format!("{ten} x {ten}"),
            ten,
            &[(0..10, 0..10), (11..21, 0..10)],
        );
    }

    #[test]
    fn the_longest_of_several_places() {
        let ten = "a b c d e f g h i j";
        check(
            &format!("{ten} k l"),
            &format!("{ten} x {ten} k y {ten} k l"),
            &[(0..12, 23..35)],
        );
        check(
            &"a ".repeat(30),
            &"a ".repeat(20),
            &[(0..20, 0..20), (20..30, 0..10)],
        );
    }

    /// The same from all runs of ten words, without any that are known to be shared.
    fn find_everywhere(left: &[Word], right: &[Word]) -> Vec<(Range<u32>, Range<u32>)> {
        let mut runs = Vec::new();
        let mut at = 0;
        while at + SHORTEST <= left.len() {
            let places = (0..(right.len() + 1).saturating_sub(SHORTEST))
                .filter(|&place| equal(&left[at..], &right[place..]) >= SHORTEST)
                .take(CANDIDATES);
            let best = places
                .map(|place| (equal(&left[at..], &right[place..]), place))
                .max_by_key(|&(length, place)| (length, std::cmp::Reverse(place)));
            if let Some((length, place)) = best {
                let (start, other) = (index32(at), index32(place));
                let length32 = index32(length);
                runs.push((start..start + length32, other..other + length32));
                at += length;
            } else {
                at += 1;
            }
        }
        runs
    }

    #[test]
    fn shared_runs_of_eight_lead_to_all_of_ten() {
        let (mut number, mut all) = (1, 0);
        let mut random = |below: u32| random(&mut number, below);
        for _ in 0..300 {
            // Phrases of seven to twelve words, so that runs end and begin everywhere.
            let [left, right] = [0, 1].map(|_| {
                let phrases = random(40);
                let mut phrase = || {
                    let (phrase, words) = (random(4), 7 + random(6));
                    (0..words).map(move |word| format!("p{phrase}x{word} "))
                };
                (0..phrases).flat_map(|_| phrase()).collect::<String>()
            });
            let mut vocabulary = Vocabulary::default();
            let (left, right) = (vocabulary.read(&left), vocabulary.read(&right));
            let found: Vec<(Range<u32>, Range<u32>)> = find_in(&left, &right, &vocabulary)
                .into_iter()
                .map(|run| (run.left, run.right))
                .collect();
            assert_eq!(found, find_everywhere(left.words(), right.words()));
            all += found.len();
        }
        assert!(all > 1000, "{all}");
    }

    #[test]
    fn digits_and_repetition_make_no_passage() {
        let run = |text: &str| {
            let mut vocabulary = Vocabulary::default();
            let sequence = vocabulary.read(text);
            find_in(&sequence, &sequence.clone(), &vocabulary).remove(0)
        };
        let settings = Settings::default();
        assert!(!run(&"0 1 2 3 4 5 6 7 8 9 ".repeat(8)).reaches(15, &settings));
        assert!(!run(&"yes no ".repeat(30)).reaches(15, &settings));
        let row = "sales of barges and boats in thousands 12 000 13 500 14 250 15 900";
        assert!(run(row).reaches(15, &settings) && !run(row).is_long(&settings));
    }
}
