//! The words of a pair → classes. Every word is in exactly one; what counts and what does not is
//! decided afterwards.
//!
//! Where a word stands says little: whoever moves paragraphs about changes no class. So runs are
//! looked for in the whole texts, and inside a passage words are paired whatever their order.

use std::collections::HashSet;
use std::ops::Range;

use crate::align::{Alignment, Kind, Sequence, Word};
use crate::number::index32;
use crate::report::{WordClass as Class, WordMark};
use crate::word_map::WordMap;

/// A run of so many words that both texts have is no accident; docs/methods.md has the measurement.
pub(super) const RUN: usize = 8;
/// Inside a passage, where the text corresponds anyway, so many are enough.
pub(super) const RUN_IN_PASSAGE: usize = 4;

/// All runs of [`RUN`] words of a text, to be found by those of another.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs(Windows);

impl Runs {
    pub(super) fn of(sequence: &Sequence) -> Runs {
        Runs(Windows::of(sequence.words(), RUN))
    }
}

/// The class of each word of either side.
pub(super) fn classes(
    sides: [&Sequence; 2],
    runs: [&Runs; 2],
    alignment: &Alignment,
) -> [Vec<Class>; 2] {
    let words = sides.map(Sequence::words);
    let mut classes = words.map(|words| vec![Class::Own; words.len()]);
    runs[0].0.common(&runs[1].0, words, |side, start| {
        classes[side][start..start + RUN].fill(Class::Verbatim);
    });
    for passage in &alignment.passages {
        let ranges = [&passage.left, &passage.right].map(usize_range);
        let texts = [0, 1].map(|side| &words[side][ranges[side].clone()]);
        let [left, right] = &mut classes;
        let inside = [&mut left[ranges[0].clone()], &mut right[ranges[1].clone()]];
        of_passage(texts, inside, passage.kind);
    }
    classes
}

/// The longest run of equal words, each of which counts on one side at least, if it has [`RUN`] of
/// them.
pub(super) fn longest(
    sides: [&Sequence; 2],
    runs: [&Runs; 2],
    counts: [&dyn Fn(usize) -> bool; 2],
) -> u32 {
    let words = sides.map(Sequence::words);
    let equal = |left: usize, right: usize| {
        left < words[0].len()
            && right < words[1].len()
            && words[0][left] == words[1][right]
            && (counts[0](left) || counts[1](right))
    };
    // By diagonal, so that the windows of one run come in a row.
    let mut places: Vec<(usize, usize)> = Vec::new();
    runs[0].0.common_places(&runs[1].0, words, |left, right| {
        places.push((words[1].len() + left - right, left));
    });
    places.sort_unstable();
    let mut longest = 0;
    let mut reached = (0, 0);
    for (diagonal, left) in places {
        if reached.0 == diagonal && left < reached.1 {
            continue;
        }
        let right = words[1].len() + left - diagonal;
        // The run may begin earlier, with a window that has too many places to be looked at.
        let before = (1..=left.min(right))
            .take_while(|step| equal(left - step, right - step))
            .count();
        let behind = (0..words[0].len() - left)
            .take_while(|step| equal(left + step, right + step))
            .count();
        // A word that does not count ends a run, and the window may hold another behind it.
        reached = (diagonal, left + behind.max(1));
        longest = longest.max(before * usize::from(behind > 0) + behind);
    }
    index32(longest)
}

/// Where the words are that are not the document's own, by their bytes in its text.
pub(super) fn marks(sequence: &Sequence, classes: &[Class]) -> Vec<WordMark> {
    let mut marks: Vec<WordMark> = Vec::new();
    let mut before = Class::Own;
    for (place, &class) in sequence.places().iter().zip(classes) {
        match marks.last_mut() {
            Some(mark) if before == class && class != Class::Own => mark.end = place.source.end,
            _ if class == Class::Own => {}
            _ => marks.push(WordMark {
                start: place.source.start,
                end: place.source.end,
                class,
            }),
        }
        before = class;
    }
    marks
}

fn of_passage(texts: [&[Word]; 2], classes: [&mut [Class]; 2], kind: Kind) {
    let [left, right] = classes;
    if kind == Kind::Paraphrased {
        for class in left.iter_mut().chain(right.iter_mut()) {
            *class = (*class).max(Class::Reworded);
        }
    }
    let windows = texts.map(|words| Windows::of(words, RUN_IN_PASSAGE));
    windows[0].common(&windows[1], texts, |side, start| {
        let class = if side == 0 { &mut *left } else { &mut *right };
        class[start..start + RUN_IN_PASSAGE].fill(Class::Verbatim);
    });
    let mut open: WordMap<Word, Vec<usize>> = WordMap::default();
    for (place, word) in texts[1].iter().enumerate().rev() {
        if right[place] < Class::Edited {
            open.entry(*word).or_default().push(place);
        }
    }
    for (place, word) in texts[0].iter().enumerate() {
        if left[place] < Class::Edited
            && let Some(partner) = open.get_mut(word).and_then(Vec::pop)
        {
            left[place] = Class::Edited;
            right[partner] = Class::Edited;
        }
    }
}

fn usize_range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The windows of a text: the hash of each above its place, ascending.
#[derive(Clone, Debug, Default)]
struct Windows {
    length: usize,
    hashed: Vec<u64>,
}

/// How many places of one window are tried against those of another.
const PLACES: usize = 8;

impl Windows {
    fn of(words: &[Word], length: usize) -> Windows {
        let mut hashed: Vec<u64> = words
            .windows(length)
            .enumerate()
            .map(|(place, window)| hash(window) << 32 | place as u64)
            .collect();
        hashed.sort_unstable();
        Windows { length, hashed }
    }

    /// Calls `found` with each side and place of a window that the other side has too.
    fn common(&self, other: &Windows, words: [&[Word]; 2], mut found: impl FnMut(usize, usize)) {
        let window = |side: usize, place: usize| &words[side][place..place + self.length];
        self.meet(other, |lefts, rights| {
            // The windows of one hash are nearly always one and the same.
            let first = window(0, place(lefts[0]));
            let left_is_one = lefts.iter().all(|&entry| window(0, place(entry)) == first);
            let right_is_one = rights.iter().all(|&entry| window(1, place(entry)) == first);
            if left_is_one && right_is_one {
                for &entry in lefts {
                    found(0, place(entry));
                }
                for &entry in rights {
                    found(1, place(entry));
                }
                return;
            }
            let sides = [lefts, rights];
            for side in [0, 1] {
                let others = sides[1 - side].iter();
                let others: HashSet<&[Word]> = others
                    .map(|&entry| window(1 - side, place(entry)))
                    .collect();
                for &entry in sides[side] {
                    if others.contains(window(side, place(entry))) {
                        found(side, place(entry));
                    }
                }
            }
        });
    }

    /// Calls `found` with the places of equal windows, not all of them where there are very many.
    fn common_places(
        &self,
        other: &Windows,
        words: [&[Word]; 2],
        mut found: impl FnMut(usize, usize),
    ) {
        let window = |side: usize, place: usize| &words[side][place..place + self.length];
        self.meet(other, |lefts, rights| {
            for &left in lefts.iter().take(PLACES) {
                for &right in rights.iter().take(PLACES) {
                    let (left, right) = (place(left), place(right));
                    if window(0, left) == window(1, right) {
                        found(left, right);
                    }
                }
            }
        });
    }

    /// Calls `found` with the entries of either side that have a hash which both have.
    fn meet(&self, other: &Windows, mut found: impl FnMut(&[u64], &[u64])) {
        let (mut left, mut right) = (self.hashed.as_slice(), other.hashed.as_slice());
        while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
            match (a >> 32).cmp(&(b >> 32)) {
                std::cmp::Ordering::Less => left = &left[1..],
                std::cmp::Ordering::Greater => right = &right[1..],
                std::cmp::Ordering::Equal => {
                    let same = |entries: &[u64]| {
                        let others = entries.iter().position(|entry| entry >> 32 != a >> 32);
                        others.unwrap_or(entries.len())
                    };
                    let (in_left, after_left) = left.split_at(same(left));
                    let (in_right, after_right) = right.split_at(same(right));
                    found(in_left, in_right);
                    (left, right) = (after_left, after_right);
                }
            }
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the lower half is what is wanted"
)]
fn place(entry: u64) -> usize {
    entry as u32 as usize
}

/// 32 bits of a window; what they say is checked.
fn hash(window: &[Word]) -> u64 {
    let mixed = window.iter().fold(0_u64, |hash, word| {
        (hash.rotate_left(23) ^ u64::from(word.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::{Passage, Vocabulary};

    fn letters(classes: &[Class]) -> String {
        let letter = |class: &Class| match class {
            Class::Own => 'o',
            Class::Reworded => 'r',
            Class::Edited => 'e',
            Class::Verbatim => 'v',
        };
        classes.iter().map(letter).collect()
    }

    /// The classes of two texts of one-letter words with one passage, or without.
    #[track_caller]
    fn check(
        texts: [&str; 2],
        passage: Option<(Range<u32>, Range<u32>, Kind)>,
        expected: [&str; 2],
    ) {
        let mut vocabulary = Vocabulary::default();
        let mut read = |text: &str| {
            let words: Vec<String> = text.chars().map(|letter| format!("x{letter}")).collect();
            vocabulary.read(&words.join(" "))
        };
        let sequences = texts.map(&mut read);
        let passage = passage.map(|(left, right, kind)| Passage {
            left,
            right,
            kind,
            similarity: 0.5,
        });
        let alignment = Alignment {
            passages: passage.into_iter().collect(),
            limited: false,
        };
        let runs = [0, 1].map(|side| Runs::of(&sequences[side]));
        let found = classes(
            [&sequences[0], &sequences[1]],
            [&runs[0], &runs[1]],
            &alignment,
        );
        assert_eq!(found.map(|classes| letters(&classes)), expected);
    }

    #[test]
    fn runs_anywhere_are_verbatim() {
        check(
            ["abcdefghxyz", "uvabcdefgh"],
            None,
            ["vvvvvvvvooo", "oovvvvvvvv"],
        );
        check(
            ["abcdefgxyz", "uvabcdefg"],
            None,
            ["oooooooooo", "ooooooooo"],
        );
        check(
            ["abcdefghijklmnop", "ijklmnopabcdefgh"],
            None,
            ["vvvvvvvvvvvvvvvv", "vvvvvvvvvvvvvvvv"],
        );
    }

    #[test]
    fn inside_a_passage_words_are_paired_whatever_their_order() {
        check(
            ["abcd1e2f", "fabcdye"],
            Some((0..8, 0..7, Kind::Edited)),
            ["vvvvoeoe", "evvvvoe"],
        );
        check(
            ["ab1b", "xbay"],
            Some((0..4, 0..4, Kind::Paraphrased)),
            ["eerr", "reer"],
        );
    }

    #[test]
    fn a_word_has_one_partner() {
        check(
            ["aaaa", "xaxy"],
            Some((0..4, 0..4, Kind::Edited)),
            ["eooo", "oeoo"],
        );
    }

    #[test]
    fn marks_are_runs_of_one_class() {
        let mut vocabulary = Vocabulary::default();
        let text = vocabulary.read("one two, three four five");
        let classes = [
            Class::Verbatim,
            Class::Verbatim,
            Class::Own,
            Class::Edited,
            Class::Verbatim,
        ];
        let found: Vec<(u32, u32)> = marks(&text, &classes)
            .iter()
            .map(|mark| (mark.start, mark.end))
            .collect();
        assert_eq!(found, [(0, 7), (15, 19), (20, 24)]);
    }

    #[test]
    fn the_longest_run_is_of_words_that_count() {
        let mut vocabulary = Vocabulary::default();
        let words: Vec<String> = (0..30).map(|n| format!("w{n}")).collect();
        let text = vocabulary.read(&words.join(" "));
        let runs = Runs::of(&text);
        let all = |_: usize| true;
        let some = |place: usize| place != 20;
        let found = |counts: &dyn Fn(usize) -> bool| {
            longest([&text, &text], [&runs, &runs], [counts, counts])
        };
        assert_eq!(found(&all), 30);
        assert_eq!(found(&some), 20);
        // However often the words occur with which it begins.
        let phrase = words[..8].join(" ");
        let mut often: Vec<String> = (0..40).map(|n| format!("{phrase} y{n}")).collect();
        often.push(words.join(" "));
        let many = vocabulary.read(&often.join(" "));
        let in_many = Runs::of(&many);
        let begun = longest([&many, &many], [&in_many, &in_many], [&all, &all]);
        assert_eq!(begun, many.len());
        let found_late = longest([&many, &text], [&in_many, &runs], [&all, &all]);
        assert_eq!(found_late, 30);
        // What one text quotes is a part of the other.
        let on_one_side = longest([&text, &text], [&runs, &runs], [&some, &all]);
        assert_eq!(on_one_side, 30);
    }
}
