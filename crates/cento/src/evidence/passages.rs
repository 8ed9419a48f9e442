//! The passages of a pair and the sums over their words.

use std::ops::Range;

use super::reading::Reading;
use super::{classes, place, program};
use crate::align::tiling::{GAP, merged};
use crate::align::{Alignment, Passage, SharedRuns};
use crate::discount::{Discount, Discounts, Marks};
use crate::report::{Chunks, Evidence, PassageReport, Place, Tally, WordClass as Class, WordMark};
use crate::token::Span;

/// An aligned pair, with the class of every word.
pub(super) struct Aligned<'a> {
    sides: [&'a Reading; 2],
    runs: &'a SharedRuns,
    alignment: &'a Alignment,
    classes: [Vec<Class>; 2],
}

impl<'a> Aligned<'a> {
    pub(super) fn new(
        sides: [&'a Reading; 2],
        runs: &'a SharedRuns,
        alignment: &'a Alignment,
    ) -> Aligned<'a> {
        let classes = match sides.map(|side| side.spelling.as_ref()) {
            [Some(left), Some(right)] => program::classes([left, right], alignment),
            _ => classes::classes(sides.map(|side| &side.sequence), runs, alignment),
        };
        Aligned {
            sides,
            runs,
            alignment,
            classes,
        }
    }

    /// The words of both, and how many the longest run has.
    pub(super) fn sums(&self, left_out: Discounts) -> ([Tally; 2], u32) {
        let tally =
            [0, 1].map(|side| tally(&self.classes[side], &self.sides[side].marks, left_out));
        let longest = longest(self.sides, self.runs, &self.classes, left_out);
        (tally, longest)
    }

    /// What the alignment says about the pair.
    pub(super) fn evidence(
        &self,
        overlap: [f64; 2],
        left_out: Discounts,
        is_marked: bool,
    ) -> Evidence {
        let (tally, longest) = self.sums(left_out);
        let [left, right] = self.sides;
        let mut passages = self.alignment.passages.clone();
        passages.sort_by_key(place);
        if left.spelling.is_some() {
            // What comes from a template stays by itself.
            let is_template =
                |passage: &Passage| discount(left, right, passage) == Some(Discount::Template);
            passages = passages
                .chunk_by(|one, next| is_template(one) == is_template(next))
                .flat_map(|tiles| merged(tiles, GAP))
                .collect();
        }
        Evidence {
            overlap,
            longest,
            aligned: tally.map(Tally::aligned),
            net: tally.map(Tally::net),
            share: tally.map(Tally::net),
            classes: tally.map(Tally::classes),
            paraphrased: tally.map(Tally::paraphrased),
            tally,
            marks: [0, 1].map(|side| {
                if is_marked {
                    self.marks(side, &passages)
                } else {
                    Vec::new()
                }
            }),
            passages: passages
                .iter()
                .map(|passage| passage_report(left, right, passage))
                .collect(),
        }
    }

    fn marks(&self, side: usize, passages: &[Passage]) -> Vec<WordMark> {
        let (reading, classes) = (self.sides[side], &self.classes[side]);
        let Some(spelling) = &reading.spelling else {
            return classes::marks(&reading.sequence, classes);
        };
        let places = passages.iter().map(|passage| match side {
            0 => passage.left.clone(),
            _ => passage.right.clone(),
        });
        program::marks(&reading.sequence, spelling, classes, places)
    }
}

/// How many words the longest run of equal words has that count.
fn longest(
    sides: [&Reading; 2],
    runs: &SharedRuns,
    classes: &[Vec<Class>; 2],
    left_out: Discounts,
) -> u32 {
    let counts = sides.map(|side| |word: usize| !side.marks.all()[word].meets(left_out));
    let found = classes::longest(sides.map(|side| &side.sequence), runs, &counts);
    if found > 0 {
        return found;
    }
    // Only passages have shorter runs, and programs have no others.
    let least = match sides[0].spelling {
        Some(_) => Class::Edited,
        None => Class::Verbatim,
    };
    let in_a_row = |side: usize| {
        let verbatim =
            (0..classes[side].len()).map(|word| classes[side][word] >= least && counts[side](word));
        let mut longest = 0;
        verbatim.fold(0, |length, is_verbatim| {
            let length = if is_verbatim { length + 1 } else { 0 };
            longest = longest.max(length);
            length
        });
        longest
    };
    in_a_row(0).max(in_a_row(1))
}

fn tally(classes: &[Class], marks: &Marks, left_out: Discounts) -> Tally {
    let mut tally = Tally::default();
    for (&class, mark) in classes.iter().zip(marks.all()) {
        let out = mark.meets(left_out);
        let shared = class >= Class::Edited;
        tally.words += 1;
        tally.shared += u32::from(shared);
        tally.left_out += u32::from(out);
        tally.shared_left_out += u32::from(shared && out);
        tally.verbatim += u32::from(class == Class::Verbatim && !out);
        tally.paraphrased += u32::from(class == Class::Reworded && !out);
    }
    tally
}

fn passage_report(left: &Reading, right: &Reading, passage: &Passage) -> PassageReport {
    let place = |reading: &Reading, run: &Range<u32>| {
        let Span { start, end } = reading.sequence.source(run);
        Place {
            start,
            end,
            words: run.end - run.start,
        }
    };
    let (left_place, right_place) = (place(left, &passage.left), place(right, &passage.right));
    let bytes = |place: &Place| Span {
        start: place.start,
        end: place.end,
    };
    let documents = left
        .rarity
        .documents(bytes(&left_place))
        .max(right.rarity.documents(bytes(&right_place)));
    PassageReport {
        left: left_place,
        right: right_place,
        kind: passage.kind,
        similarity: passage.similarity,
        documents: documents.filter(|&count| count > 0),
        chunks: chunks(&left.rarity.within(bytes(&left_place))),
        discount: discount(left, right, passage),
    }
}

fn chunks(documents: &[u32]) -> Chunks {
    let mut chunks = Chunks::default();
    for &count in documents {
        let group = match count {
            // Chunks of a template are in no document's fingerprint.
            0 => continue,
            1 => &mut chunks.one,
            2 => &mut chunks.two,
            3..=10 => &mut chunks.few,
            _ => &mut chunks.many,
        };
        *group += 1;
    }
    chunks
}

/// The discount that more than half of a passage's words have, both sides taken together.
pub(super) fn discount(left: &Reading, right: &Reading, passage: &Passage) -> Option<Discount> {
    let marks = [left.marks.of(&passage.left), right.marks.of(&passage.right)];
    let words = marks[0].len() + marks[1].len();
    let count = |discount: Discount| {
        let marked = marks.iter().flat_map(|side| side.iter());
        marked.filter(|mark| mark.has(discount)).count()
    };
    Discount::ALL
        .into_iter()
        .find(|&discount| 2 * count(discount) > words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_leaves_both_sides_of_the_fraction() {
        use Class::{Edited, Own, Reworded, Verbatim};
        let mut marks = Marks::none(10);
        marks.mark(0..4, Discount::Template);
        marks.mark(3..5, Discount::Quotation);
        let classes = [
            Own, Own, Verbatim, Verbatim, Verbatim, Verbatim, Edited, Reworded, Reworded, Own,
        ];
        let usual = tally(&classes, &marks, Discounts::USUAL);
        assert_eq!((usual.verbatim, usual.paraphrased), (1, 2));
        let shares = [
            (Discounts::default(), 0.5),
            (Discounts::default().with(Discount::Template), 0.5),
            (Discounts::USUAL, 0.4),
        ];
        for (left_out, expected) in shares {
            let found = tally(&classes, &marks, left_out).net();
            assert!((found - expected).abs() < 1e-12, "{left_out:?}: {found}");
        }
        let mut all = Marks::none(10);
        all.mark(0..10, Discount::Template);
        assert!(tally(&classes, &all, Discounts::USUAL).net().abs() < 1e-12);
    }
}
