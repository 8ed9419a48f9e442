//! What is different about programs: tokens instead of words, and tiles instead of runs.
//!
//! Equal tokens in a row say less than equal words, because all programs are made of a few kinds of
//! them. So only what an aligner found is shared, token by token.

use crate::align::{Alignment, Kind};
use crate::digest::word_hash;
use crate::report::WordClass as Class;
use crate::token::{Source, Tokens};

/// How each token is written, as a number; none for prose.
#[derive(Default)]
pub(super) struct Spelling(Vec<u64>);

impl Spelling {
    pub(super) fn of(source: Source<'_>, tokens: &Tokens) -> Spelling {
        let places = (0..).map(|number| tokens.get(number).source);
        let written = places
            .take(tokens.len())
            .map(|span| &source.text[span.start as usize..span.end as usize]);
        Spelling(written.map(|word| word_hash(word.as_bytes())).collect())
    }

    fn is_equal(&self, place: u32, other: &Spelling, other_place: u32) -> bool {
        self.0[place as usize] == other.0[other_place as usize]
    }
}

/// The class of each token of either side: in a tile it is verbatim if it is written the same, and
/// edited if only what it is is the same.
pub(super) fn classes(sides: [&Spelling; 2], alignment: &Alignment) -> [Vec<Class>; 2] {
    let [left, right] = sides;
    let mut classes = sides.map(|side| vec![Class::Own; side.0.len()]);
    for passage in &alignment.passages {
        for (at, other) in passage.left.clone().zip(passage.right.clone()) {
            let class = match passage.kind {
                Kind::Exact if left.is_equal(at, right, other) => Class::Verbatim,
                Kind::Exact | Kind::Edited => Class::Edited,
                Kind::Paraphrased => Class::Reworded,
            };
            let [own, others] = &mut classes;
            for class_of in [&mut own[at as usize], &mut others[other as usize]] {
                *class_of = (*class_of).max(class);
            }
        }
    }
    classes
}
