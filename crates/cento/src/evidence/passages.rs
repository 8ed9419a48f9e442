//! The passages of a pair and the sums over their words.

use std::ops::Range;

use super::reading::Reading;
use crate::align::{Alignment, Kind, Passage, longest_run};
use crate::discount::{Discount, Discounts, Marks};
use crate::report::{Chunks, Evidence, PassageReport, Place, Tally};
use crate::token::Span;

/// What an alignment says about a pair.
pub(super) fn evidence(
    left: &Reading,
    right: &Reading,
    alignment: &Alignment,
    overlap: [f64; 2],
    left_out: Discounts,
) -> Evidence {
    let sides = [left, right];
    let covered = [0, 1].map(|side| Covered::of(sides[side].sequence.len(), side, alignment));
    let tally = [0, 1].map(|side| tally(&covered[side], &sides[side].marks, left_out));
    Evidence {
        overlap,
        longest: longest_run(&left.sequence, &right.sequence, &alignment.passages),
        aligned: tally.map(Tally::aligned),
        net: tally.map(Tally::net),
        paraphrased: tally.map(Tally::paraphrased),
        tally,
        passages: alignment
            .passages
            .iter()
            .map(|passage| passage_report(left, right, passage))
            .collect(),
    }
}

/// Which words of one side are in passages.
struct Covered {
    shared: Vec<bool>,
    paraphrased: Vec<bool>,
}

impl Covered {
    fn of(words: u32, side: usize, alignment: &Alignment) -> Covered {
        let mut covered = Covered {
            shared: vec![false; words as usize],
            paraphrased: vec![false; words as usize],
        };
        for passage in &alignment.passages {
            let run = [&passage.left, &passage.right][side];
            let words = match passage.kind {
                Kind::Exact | Kind::Edited => &mut covered.shared,
                Kind::Paraphrased => &mut covered.paraphrased,
            };
            words[run.start as usize..run.end as usize].fill(true);
        }
        covered
    }
}

fn tally(covered: &Covered, marks: &Marks, left_out: Discounts) -> Tally {
    let mut tally = Tally::default();
    let words = covered.shared.iter().zip(&covered.paraphrased);
    for ((&shared, &paraphrased), mark) in words.zip(marks.all()) {
        let out = mark.meets(left_out);
        tally.words += 1;
        tally.shared += u32::from(shared);
        tally.left_out += u32::from(out);
        tally.shared_left_out += u32::from(shared && out);
        tally.paraphrased += u32::from(paraphrased && !shared && !out);
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
fn discount(left: &Reading, right: &Reading, passage: &Passage) -> Option<Discount> {
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
        let mut marks = Marks::none(10);
        marks.mark(0..4, Discount::Template);
        marks.mark(3..5, Discount::Quotation);
        let passage = |left: Range<u32>, kind: Kind| Passage {
            right: left.clone(),
            left,
            kind,
            similarity: 0.5,
        };
        let alignment = Alignment {
            passages: vec![
                passage(2..6, Kind::Exact),
                passage(4..7, Kind::Edited),
                passage(6..9, Kind::Paraphrased),
            ],
            limited: false,
        };
        let covered = Covered::of(10, 0, &alignment);
        assert_eq!(tally(&covered, &marks, Discounts::USUAL).paraphrased, 2);
        let shares = [
            (Discounts::default(), 0.5),
            (Discounts::default().with(Discount::Template), 0.5),
            (Discounts::USUAL, 0.4),
        ];
        for (left_out, expected) in shares {
            let found = tally(&covered, &marks, left_out).net();
            assert!((found - expected).abs() < 1e-12, "{left_out:?}: {found}");
        }
        let mut all = Marks::none(10);
        all.mark(0..10, Discount::Template);
        assert!(tally(&covered, &all, Discounts::USUAL).net().abs() < 1e-12);
    }
}
