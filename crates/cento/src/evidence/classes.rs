//! The words of a pair → classes. Every word is in exactly one; what counts and what does not is
//! decided afterwards.
//!
//! Where a word stands says little: whoever moves paragraphs about changes no class. So runs are
//! looked for in the whole texts, and inside a passage words are paired whatever their order.

use std::ops::Range;

use crate::align::{Alignment, EqualRuns, Kind, RUN, Sequence, SharedRuns, Word, WordRuns};
use crate::number::index32;
use crate::report::{WordClass as Class, WordMark};
use crate::word_map::WordMap;

/// Inside a passage, where the text corresponds anyway, a run of so many words is enough.
pub(super) const RUN_IN_PASSAGE: usize = 4;

/// The class of each word of either side.
pub(super) fn classes(
    sides: [&Sequence; 2],
    runs: &SharedRuns,
    alignment: &Alignment,
) -> [Vec<Class>; 2] {
    let words = sides.map(Sequence::words);
    let mut classes = words.map(|words| vec![Class::Own; words.len()]);
    for (classes, starts) in classes.iter_mut().zip(&runs.starts) {
        let mut end = 0;
        for &start in starts {
            let start = start as usize;
            classes[start.max(end)..start + RUN].fill(Class::Verbatim);
            end = start + RUN;
        }
    }
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
    runs: &SharedRuns,
    counts: &[impl Fn(usize) -> bool; 2],
) -> u32 {
    let words = sides.map(Sequence::words);
    let equal = |left: usize, right: usize| {
        left < words[0].len()
            && right < words[1].len()
            && words[0][left] == words[1][right]
            && (counts[0](left) || counts[1](right))
    };
    let mut longest = 0;
    let mut reached = (0, 0);
    for &EqualRuns { diagonal, left } in &runs.equal {
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
    let runs = texts.map(|words| WordRuns::of(words, RUN_IN_PASSAGE));
    runs[0].common(&runs[1], texts, |side, start| {
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

    fn shared(sides: [&Sequence; 2]) -> SharedRuns {
        let words = sides.map(Sequence::words);
        let runs = words.map(|words| WordRuns::of(words, RUN));
        runs[0].shared(&runs[1], words)
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
        let sides = [&sequences[0], &sequences[1]];
        let found = classes(sides, &shared(sides), &alignment);
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
        let all = |_: usize| true;
        let some = |place: usize| place != 20;
        let found = |sides: [&Sequence; 2], counts: [&dyn Fn(usize) -> bool; 2]| {
            longest(sides, &shared(sides), &counts)
        };
        assert_eq!(found([&text, &text], [&all, &all]), 30);
        assert_eq!(found([&text, &text], [&some, &some]), 20);
        // However often the words occur with which it begins.
        let phrase = words[..8].join(" ");
        let mut often: Vec<String> = (0..40).map(|n| format!("{phrase} y{n}")).collect();
        often.push(words.join(" "));
        let many = vocabulary.read(&often.join(" "));
        assert_eq!(found([&many, &many], [&all, &all]), many.len());
        assert_eq!(found([&many, &text], [&all, &all]), 30);
        // What one text quotes is a part of the other.
        let on_one_side = found([&text, &text], [&some, &all]);
        assert_eq!(on_one_side, 30);
    }
}
