//! What single documents have in common with all others, for a sample of them.

/// A sample of the documents, and all pairs in short: enough to tell what chance makes of them.
///
/// Only documents that have digests count here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// The sampled documents, in the order of their numbers. None of them is there only to be
    /// compared with.
    pub rows: Vec<Row>,
    /// With how many others each of them was compared.
    pub others: u64,
    /// How many pairs there are, with documents that are not in the sample.
    pub pairs: u64,
    /// How many of these pairs share nothing.
    pub zero: u64,
    /// The size of a small document: the lower quartile of how many distinct digests they have.
    pub small: u32,
}

/// What one document has in common with all others together.
///
/// Everything is a whole number, so that the order in which pairs are found makes no difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// How many digests it shares with each of the others, added up.
    pub shared: u64,
    /// The sum of its scores, in [`Row::UNIT`].
    sum: u64,
    /// The sum of their squares.
    squares: u64,
    /// The highest of them, in descending order.
    highest: [u32; Row::HIGHEST],
}

impl Row {
    /// How many of the highest scores stand apart: those of a small family.
    pub const HIGHEST: usize = 4;
    /// A hundred thousandth: the squares of as many scores as there can be documents still fit.
    const UNIT: f64 = 1e-5;

    /// One more document that it shares something with.
    pub fn add(&mut self, shared: u32, score: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "scores are from 0 to 1"
        )]
        let score = (score.clamp(0.0, 1.0) / Row::UNIT).round() as u32;
        self.shared += u64::from(shared);
        self.sum += u64::from(score);
        self.squares += u64::from(score).pow(2);
        self.place(score);
    }

    /// What two rows of one document say together.
    pub(super) fn join(&mut self, more: &Row) {
        self.shared += more.shared;
        self.sum += more.sum;
        self.squares += more.squares;
        for &score in &more.highest {
            self.place(score);
        }
    }

    /// Puts a score among the highest ones, if it belongs there.
    fn place(&mut self, mut score: u32) {
        for high in &mut self.highest {
            if score > *high {
                std::mem::swap(high, &mut score);
            }
        }
    }

    /// The highest scores, in descending order; 0 if it shares something with fewer documents.
    pub fn highest(&self) -> [f64; Row::HIGHEST] {
        self.highest.map(|score| f64::from(score) * Row::UNIT)
    }

    /// The sum of all other scores, and that of their squares.
    pub fn rest(&self) -> [f64; 2] {
        let highest = self.highest.map(u64::from);
        let sum = self.sum - highest.iter().sum::<u64>();
        let squares = self.squares - highest.iter().map(|score| score.pow(2)).sum::<u64>();
        [
            sum as f64 * Row::UNIT,
            squares as f64 * Row::UNIT * Row::UNIT,
        ]
    }
}

/// Which documents are sampled: every one whose number is a multiple of a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    shift: u32,
    /// Documents from this number on have no rows.
    end: u32,
}

impl Sample {
    /// How many documents are sampled at most: every thread has its own rows.
    const MOST: u32 = 1024;

    /// A sample of the documents below a number.
    pub(super) fn below(end: u32) -> Sample {
        let mut shift = 0;
        while end.div_ceil(1 << shift) > Sample::MOST {
            shift += 1;
        }
        Sample { shift, end }
    }

    /// How many documents are sampled.
    pub(super) fn len(self) -> usize {
        self.end.div_ceil(1 << self.shift) as usize
    }

    /// The place of a document in the sample, if it is there.
    pub(super) fn place(self, document: u32) -> Option<usize> {
        let is_sampled = document < self.end && document.trailing_zeros() >= self.shift;
        is_sampled.then_some((document >> self.shift) as usize)
    }

    /// The documents of the sample.
    fn documents(self) -> impl Iterator<Item = u32> {
        (0..self.end).step_by(1 << self.shift)
    }

    /// The rows of the sample with what is to be known of the pairs around them.
    pub(super) fn rows(self, rows: Vec<Row>, sizes: &[u32], sharing: u64) -> Rows {
        let with_digests = |sizes: &[u32]| sizes.iter().filter(|size| **size > 0).count() as u64;
        let (new, all) = (
            with_digests(&sizes[..self.end as usize]),
            with_digests(sizes),
        );
        let pairs = new * new.saturating_sub(1) / 2 + new * (all - new);
        let has_digests = |(document, _): &(u32, Row)| sizes[*document as usize] > 0;
        let rows = self.documents().zip(rows).filter(has_digests);
        let mut sizes: Vec<u32> = sizes.iter().copied().filter(|size| *size > 0).collect();
        sizes.sort_unstable();
        Rows {
            rows: rows.map(|(_, row)| row).collect(),
            others: all.saturating_sub(1),
            pairs,
            zero: pairs - sharing,
            small: sizes.get(sizes.len() / 4).copied().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_scores_stand_apart() {
        let row = |scores: &[f64]| {
            let mut row = Row::default();
            for &score in scores {
                row.add(1, score);
            }
            row
        };
        let all = row(&[0.1, 0.5, 0.2, 0.5, 0.3, 0.4]);
        assert_eq!(all.shared, 6);
        let close = |ours: &[f64], theirs: &[f64]| {
            (ours.iter().zip(theirs)).all(|(ours, theirs)| (ours - theirs).abs() < 1e-6)
        };
        assert!(close(&all.highest(), &[0.5, 0.5, 0.4, 0.3]));
        assert!(close(&all.rest(), &[0.3, 0.05]));
        let mut joined = row(&[0.1, 0.5, 0.4]);
        joined.join(&row(&[0.2, 0.5, 0.3]));
        assert_eq!(joined, all);
    }

    #[test]
    fn a_sample_is_a_part_of_the_documents() {
        let all = Sample::below(1000);
        assert_eq!((all.len(), all.place(999)), (1000, Some(999)));
        let some = Sample::below(5000);
        assert_eq!(some.len(), 625);
        assert_eq!((some.place(8), some.place(9)), (Some(1), None));
        assert_eq!((some.place(4992), some.place(5000)), (Some(624), None));
        assert_eq!(Sample::below(0).len(), 0);
    }

    #[test]
    fn empty_documents_do_not_count() {
        let rows = Sample::below(3).rows(vec![Row::default(); 3], &[9, 0, 7, 5], 1);
        let expected = Rows {
            rows: vec![Row::default(); 2],
            others: 2,
            pairs: 3,
            zero: 2,
            small: 5,
        };
        assert_eq!(rows, expected);
    }
}
