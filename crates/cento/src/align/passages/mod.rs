//! Passages: what two texts share although one of them was edited, as a person would mark it.
//!
//! ```text
//!  words ─runs─▶ long runs ─────────────────────────────────────────────────┐
//!    │             │ what they have is taken                                ▼
//!    └─units─▶ sentences ─seeds─▶ alike pairs ─chain─▶ chains ─fragments─▶ join ─kind─▶ passages
//! ```
//!
//! 1. `runs`: equal words in a row. A long run is a copy whatever stands around it, so its borders
//!    are exact, units end there, and its sentences seed nothing else.
//! 2. `outline`, `units`, `seeds`: sentences that have much in common, whatever the order of their
//!    words; rows of figures have nothing, and neither has what is in a table of both texts. What does
//!    not depend on the other text is made once.
//! 3. `chain`, `fragments`: seeds that lie together on both sides, as long as the text between
//!    their borders is alike as a whole, and of those that overlap the best (`choose`); `summary`: wider ones where a short text sums up a long
//!    one.
//! 4. `join`, `kind`: neighbours become one passage, slight ones go, and the words say how the
//!    sides differ.
//! 5. `sentences`: where people will look at them, paraphrased passages are given sentence by
//!    sentence.
//!
//! docs/methods.md, section Passages, has the rules and how each was measured.

mod chain;
mod choose;
mod fragments;
mod join;
mod kind;
mod outline;
mod runs;
mod scale;
mod seeds;
mod sentences;
mod settings;
mod summary;
mod units;

use std::ops::Range;

pub(crate) use outline::Outline;
pub use settings::{Paraphrases, Settings};

use super::{Alignment, Kind, Passage, RUN, Sequence, Vocabulary, WordRuns};
#[cfg(test)]
use crate::number::index32;

/// Two units that resemble each other, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seed {
    left: u32,
    right: u32,
}

/// A text of a pair, with what was made of it once for all of its pairs.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) sequence: &'a Sequence,
    pub(crate) outline: &'a Outline,
    /// Where all runs of [`RUN`] words start that the other text has too, ascending; others among them
    /// do no harm.
    pub(crate) runs: &'a [u32],
}

pub(super) fn align(left: &Sequence, right: &Sequence, vocabulary: &Vocabulary) -> Alignment {
    align_with(left, right, vocabulary, &Settings::default())
}

/// The passages of two texts. Both sequences must come from `vocabulary`.
pub fn align_with(
    left: &Sequence,
    right: &Sequence,
    vocabulary: &Vocabulary,
    settings: &Settings,
) -> Alignment {
    let sequences = [left, right];
    let outlines = sequences.map(|sequence| Outline::of(sequence, vocabulary));
    let words = sequences.map(Sequence::words);
    let runs = words.map(|words| WordRuns::of(words, RUN));
    let shared = runs[0].shared(&runs[1], words);
    let sides = [0, 1].map(|side| Side {
        sequence: sequences[side],
        outline: &outlines[side],
        runs: &shared.starts[side],
    });
    align_sides(sides, vocabulary, settings)
}

/// The passages of two texts of `vocabulary`.
pub(crate) fn align_sides(
    sides: [Side<'_>; 2],
    vocabulary: &Vocabulary,
    settings: &Settings,
) -> Alignment {
    let [left, right] = sides.map(|side| side.sequence);
    if left.is_empty() || right.is_empty() {
        return Alignment::default();
    }
    if left.words() == right.words() {
        return Alignment {
            passages: vec![Passage {
                left: 0..left.len(),
                right: 0..right.len(),
                kind: Kind::Exact,
                similarity: 1.0,
            }],
            limited: false,
        };
    }
    let runs = runs::find(sides, vocabulary);
    let long = || runs.iter().filter(|run| run.is_long(settings));
    let long_runs = [
        long().map(|run| run.left.clone()).collect(),
        long().map(|run| run.right.clone()).collect(),
    ];
    let outlines = sides.map(|side| side.outline);
    let texts = units::Texts::new([left, right], outlines, vocabulary, &long_runs);
    let [left_runs, right_runs] = &long_runs;
    let closed = seeds::Closed {
        left: closed(&texts.left, left_runs, settings),
        right: closed(&texts.right, right_runs, settings),
    };
    let mut found = seeds::find(&texts, &closed, settings);
    let in_tables = [(&texts.left, left), (&texts.right, right)]
        .map(|(text, sequence)| join::inside(&text.units, sequence.tables().iter()));
    // What two tables or forms have in common is labels, and nobody took those from anybody.
    found.seeds.retain(|seed| {
        let [in_left, in_right] = &in_tables;
        !(in_left[seed.left as usize] && in_right[seed.right as usize])
    });
    let (fragments, limited) = fragments::find(&texts, &found.seeds, settings);
    let passages = join::pieces(&texts, &runs, fragments, settings)
        .into_iter()
        .map(|piece| kind::passage(left, right, &texts, &runs, piece.left, piece.right));
    let passages = match settings.paraphrases {
        Paraphrases::Whole => passages.collect(),
        Paraphrases::BySentence => {
            let by_sentence = |passage: Passage| match passage.kind {
                Kind::Exact | Kind::Edited => vec![passage],
                Kind::Paraphrased => {
                    let sides = [left, right];
                    sentences::parts(sides, &texts, &runs, &found.seeds, &passage, settings)
                }
            };
            passages.flat_map(by_sentence).collect()
        }
    };
    Alignment {
        passages,
        limited: found.limited || limited,
    }
}

/// Which units seed nothing: long runs have them, or they are figures.
fn closed(text: &units::Text<'_>, long_runs: &[Range<u32>], settings: &Settings) -> Vec<bool> {
    let in_runs = join::inside(&text.units, long_runs.iter());
    let both = in_runs.into_iter().zip(&text.different);
    both.map(|(in_run, &different)| in_run || different < settings.unit_different)
        .collect()
}

/// A number below another, which only the seed decides.
#[cfg(test)]
fn random(seed: &mut u64, below: u32) -> u32 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    index32(usize::try_from(*seed >> 33).expect("31 bits are left")) % below
}

/// How much two ranges have in common.
fn shared(a: &Range<u32>, b: &Range<u32>) -> u32 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
