//! Passages: what two texts share although one of them was edited, as a person would mark it.
//!
//! ```text
//!  words ─runs─▶ long runs ─────────────────────────────────────────────────┐
//!    │             │ what they have is taken                                ▼
//!    └─units─▶ sentences ─seeds─▶ alike pairs ─chain─▶ chains ─fragments─▶ join ─kind─▶ passages
//! ```
//!
//! 1. `runs`: equal words in a row. A long run is a copy whatever stands around it, so its borders
//!    are exact and its sentences seed nothing else.
//! 2. `units`, `seeds`: sentences that have much in common, whatever the order of their words.
//! 3. `chain`, `fragments`: seeds that lie together on both sides, as long as the text between
//!    their borders is alike as a whole; `summary`: wider ones where a short text sums up a long
//!    one.
//! 4. `join`, `kind`: neighbours become one passage, slight ones go, and the words say how the
//!    sides differ.
//! 5. `sentences`: where people will look at them, paraphrased passages are given sentence by
//!    sentence.
//!
//! docs/methods.md, section Passages, has the rules and how each was measured.

mod chain;
mod fragments;
mod join;
mod kind;
mod runs;
mod scale;
mod seeds;
mod sentences;
mod settings;
mod summary;
mod units;

use std::ops::Range;

pub use settings::{Paraphrases, Settings};

use super::{Alignment, Kind, Passage, Sequence, Vocabulary};

/// Two units that resemble each other, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seed {
    left: u32,
    right: u32,
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
    let runs = runs::find(left, right);
    let texts = units::Texts::new(left, right, vocabulary);
    let long = || runs.iter().filter(|run| run.length() >= settings.long_run);
    let taken = seeds::Taken {
        left: join::inside(&texts.left.units, long().map(|run| &run.left)),
        right: join::inside(&texts.right.units, long().map(|run| &run.right)),
    };
    let found = seeds::find(&texts, &taken, settings);
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

/// How much two ranges have in common.
fn shared(a: &Range<u32>, b: &Range<u32>) -> u32 {
    a.end.min(b.end).saturating_sub(a.start.max(b.start))
}
