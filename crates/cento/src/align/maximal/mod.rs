//! Common runs of text, exactly: MDR of Finkel et al. and their `overlap`.
//!
//! The normalised text of a document is its words joined by one space. A common run is text that
//! two normalised texts have, and it may start and end inside a word; what runs of a minimal length
//! cover is the overlap. The runs of one pair become passages ([`super::Aligner::Maximal`]); the
//! overlap can be had of many documents at once ([`overlaps()`]).

mod borders;
mod narrow;
mod overlaps;
mod runs;
mod suffixes;
mod symbols;
mod windows;

use std::collections::VecDeque;
use std::ops::Range;

pub use overlaps::{Overlaps, PairOverlap, Wanted, overlaps};

use super::{Alignment, Kind, Passage, Sequence, Shortest, Vocabulary};
use crate::error::Error;
use crate::watch::Watch;
use borders::Borders;
use narrow::Narrow;
use runs::{Other, Run};
use suffixes::Suffixes;
use symbols::Symbols;

/// How much of the left text is in the right one, and the other way round, from 0 to 1.
///
/// It is the share of the characters that common runs of at least `shortest` cover, or of the words
/// where `shortest` counts words. Fails at 2^31 characters in both texts together.
pub fn overlap(
    left: &Sequence,
    right: &Sequence,
    vocabulary: &Vocabulary,
    shortest: Shortest,
    watch: Watch<'_>,
) -> Result<[f64; 2], Error> {
    let both = overlaps(
        &[left, right],
        vocabulary,
        shortest,
        Wanted::Pairs(&[[0, 1]]),
        watch,
    )?;
    Ok(both.pairs[0].overlap)
}

/// The common runs of two texts, cut down to whole words.
///
/// A text that repeats has more runs than anybody can read, so each word of either text is shown in
/// one passage, the longest that it is part of: no more passages than the two texts have words, and
/// all that the overlap counts except for words that a run has only in part. Where the other text
/// has a run more than once, the place is taken that is nearest to where the run before leads.
///
/// Nothing is found, and the result is marked as limited, at 2^31 characters in both texts together,
/// and where suffixes cannot be sorted.
pub(super) fn align(
    left: &Sequence,
    right: &Sequence,
    vocabulary: &Vocabulary,
    shortest: Shortest,
) -> Alignment {
    let limited = || Alignment {
        passages: Vec::new(),
        limited: true,
    };
    let Ok(mut symbols) = Symbols::read(&[left, right], vocabulary, shortest) else {
        return limited();
    };
    let places = [symbols.document(0), symbols.document(1)];
    let mut narrow = Narrow::of(&symbols, shortest.length());
    let suffixes = Suffixes::of(match &mut narrow {
        Some(narrow) => &mut narrow.text,
        None => &mut symbols.text,
    });
    let Ok(suffixes) = suffixes else {
        return limited();
    };
    let (documents, origins) = match &narrow {
        Some(narrow) => (&narrow.documents, Some(&narrow.origins)),
        None => (&places, None),
    };
    let borders = [(left, &places[0]), (right, &places[1])]
        .map(|(document, place)| Borders::of(document, vocabulary, shortest, place.start));
    let mut flags = vec![0; symbols.text.len() + 1];
    for borders in &borders {
        borders.mark(&mut flags);
    }

    let mut passages = Vec::new();
    for [own, other] in [[0, 1], [1, 0]] {
        let [own_place, other_place] = [&documents[own], &documents[other]];
        let (mut runs, mut found) =
            runs::longest(&suffixes, own_place, other_place, shortest.length());
        if let Some(origins) = origins {
            for run in &mut runs {
                run.move_to(origins);
            }
            found.move_to(origins);
        }
        let matches = matches(&runs, &found, [&borders[own], &borders[other]], &flags);
        passages.extend(longest_of_each_word(&matches).into_iter().map(|chosen| {
            let words = [matches[chosen].own.clone(), matches[chosen].other.clone()];
            [words[own].clone(), words[other].clone()]
        }));
    }
    passages.sort_unstable_by_key(|[left, right]| (left.start, left.end, right.start));
    passages.dedup();
    Alignment {
        passages: passages.into_iter().map(exact).collect(),
        limited: false,
    }
}

fn exact([left, right]: [Range<u32>; 2]) -> Passage {
    Passage {
        left,
        right,
        kind: Kind::Exact,
        similarity: 1.0,
    }
}

/// Words of one text and the equal words of the other.
struct Match {
    own: Range<u32>,
    other: Range<u32>,
}

/// A place for each run in the other text, and the words that are whole in both.
fn matches(runs: &[Run], found: &Other, borders: [&Borders; 2], flags: &[u8]) -> Vec<Match> {
    let mut matches = Vec::new();
    let ahead = |place: u32, start: u32| i64::from(place) - i64::from(start);
    let mut usual = ahead(borders[1].start(), borders[0].start());
    for run in runs {
        let is_lost = |own: u32, other: u32, border: u8| {
            flags[own as usize] & !flags[other as usize] & border != 0
        };
        let lost_words = |place: u32| {
            u8::from(is_lost(run.start, place, borders::BEGINS))
                + u8::from(is_lost(run.end(), place + run.length, borders::ENDS))
        };
        let distance = |place: u32| (ahead(place, run.start) - usual).abs();
        let best = found
            .places(run)
            .min_by_key(|&place| (lost_words(place), distance(place), place));
        if let Some(place) = best {
            usual = ahead(place, run.start);
            matches.extend(whole_words(run, place, borders));
        }
    }
    matches
}

fn whole_words(run: &Run, place: u32, borders: [&Borders; 2]) -> Option<Match> {
    let [own, other] = [(run.start, borders[0]), (place, borders[1])].map(|(start, borders)| {
        let whole = borders.whole(&(start..start + run.length));
        whole.start - start..whole.end - start
    });
    let whole = own.start.max(other.start)..own.end.min(other.end);
    let words =
        |borders: &Borders, start: u32| borders.words(&(start + whole.start..start + whole.end));
    let found = Match {
        own: words(borders[0], run.start),
        other: words(borders[1], place),
    };
    (!whole.is_empty()).then_some(found)
}

/// Chooses matches so that each word which is part of any is part of a chosen one that is as long
/// as the longest. Starts and ends of the matches must not go back.
fn longest_of_each_word(matches: &[Match]) -> Vec<usize> {
    let length = |number: usize| matches[number].own.len();
    let end = |number: usize| matches[number].own.end;
    let last_word = matches.last().map_or(0, |last| last.own.end);
    let mut chosen: Vec<usize> = Vec::new();
    // Those that have the word, the longest first; of equally long ones only the last.
    let mut having: VecDeque<usize> = VecDeque::new();
    let mut next = 0;
    for word in 0..last_word {
        while next < matches.len() && matches[next].own.start <= word {
            while having
                .back()
                .is_some_and(|&back| length(back) <= length(next))
            {
                having.pop_back();
            }
            having.push_back(next);
            next += 1;
        }
        while having.front().is_some_and(|&front| end(front) <= word) {
            having.pop_front();
        }
        let Some(&longest) = having.front() else {
            continue;
        };
        let is_shown = |&last: &usize| end(last) > word && length(last) >= length(longest);
        if !chosen.last().is_some_and(is_shown) {
            chosen.push(longest);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::Aligner;

    fn check(aligner: &str, left: &str, right: &str, expected: &[(Range<u32>, Range<u32>)]) {
        let mut vocabulary = Vocabulary::default();
        let [left, right] = [left, right].map(|text| vocabulary.read(text));
        let aligner: Aligner = aligner.parse().unwrap();
        let found = aligner.align(&left, &right, &vocabulary);
        let ranges: Vec<_> = found
            .passages
            .into_iter()
            .map(|passage| (passage.left, passage.right))
            .collect();
        assert_eq!(ranges, expected);
    }

    #[test]
    fn runs_are_cut_to_whole_words() {
        let right = "the concatenation of words";
        check(
            "maximal:10",
            "a cat of words",
            "no cat of wordings",
            &[(1..3, 1..3)],
        );
        check("maximal:8", "nation of word", right, &[(1..2, 2..3)]);
        check("maximal:15", "nation of word", right, &[]);
        check("maximal:5", "nationality", right, &[]);
    }

    #[test]
    fn words_that_are_whole_are_preferred() {
        let right = "xx bathe cat sat yy the cat sat zz";
        check(
            "maximal:9",
            "the cat sat",
            right,
            &[(0..3, 5..8), (1..3, 2..4)],
        );
    }

    #[test]
    fn every_word_is_shown_with_its_longest_run() {
        let left = "one two three four five";
        let right = "three four five and one two three";
        check("maximal:2words", left, right, &[(0..3, 4..7), (2..5, 0..3)]);
        // `two three` is part of a longer run of the left text, but not of the right one.
        let right = "two three and one two three";
        check("maximal:2words", left, right, &[(0..3, 3..6), (1..3, 0..2)]);
    }

    #[test]
    fn repeated_runs_keep_their_order() {
        let lines = |marks: [&str; 3]| marks.map(|mark| format!("{mark} same old story")).join(" ");
        let [left, right] = [lines(["a", "b", "c"]), lines(["x", "y", "z"])];
        let each = [(1..4, 1..4), (5..8, 5..8), (9..12, 9..12)];
        check("maximal:3words", &left, &right, &each);
    }

    #[test]
    #[allow(clippy::float_cmp, reason = "nothing is exactly 0")]
    fn nothing_has_nothing() {
        let mut vocabulary = Vocabulary::default();
        let [empty, text] = ["", "some text"].map(|text| vocabulary.read(text));
        for (left, right) in [(&empty, &empty), (&empty, &text), (&text, &empty)] {
            let shortest = Shortest::DEFAULT;
            assert_eq!(
                overlap(left, right, &vocabulary, shortest, Watch::NOBODY).unwrap(),
                [0.0; 2]
            );
            assert_eq!(
                align(left, right, &vocabulary, shortest),
                Alignment::default()
            );
        }
        let wanted = Wanted::AtLeast(0.0);
        let none = overlaps(&[], &vocabulary, Shortest::DEFAULT, wanted, Watch::NOBODY);
        assert_eq!(none.unwrap(), Overlaps::default());
    }
}
