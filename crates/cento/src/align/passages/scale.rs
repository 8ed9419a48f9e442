//! How alike runs of units are.

use std::ops::Range;

use super::units::Texts;

/// Compares runs of units; its cost goes with their length, not with the number of terms.
pub(super) struct Scale<'t> {
    texts: &'t Texts<'t>,
    left: Vec<f64>,
    right: Vec<f64>,
    read: usize,
}

/// How many entries of units one alignment compares; what comes later is not alike. Chains may
/// overlap, so that there can be more to compare than there is text.
const ENTRIES: usize = 1 << 28;

impl<'t> Scale<'t> {
    pub(super) fn new(texts: &'t Texts<'t>) -> Scale<'t> {
        let terms = texts.weights.len();
        Scale {
            texts,
            left: vec![0.0; terms],
            right: vec![0.0; terms],
            read: 0,
        }
    }

    /// Whether there was more to compare than there may be.
    pub(super) fn limited(&self) -> bool {
        self.read > ENTRIES
    }

    /// Counts a comparison so many times that is known to end as it did before.
    pub(super) fn skip(&mut self, left: &Range<u32>, right: &Range<u32>, times: u32) {
        let (left, right) = (
            self.texts.left.entries(left),
            self.texts.right.entries(right),
        );
        self.read += times as usize * (left.len() + right.len());
    }

    /// The cosine of the summed bags.
    pub(super) fn cosine(&mut self, left: &Range<u32>, right: &Range<u32>) -> f64 {
        let (left, right) = (
            self.texts.left.entries(left),
            self.texts.right.entries(right),
        );
        self.read += left.len() + right.len();
        if self.limited() {
            return 0.0;
        }
        for &(term, weight) in left {
            self.left[term as usize] += f64::from(weight);
        }
        for &(term, weight) in right {
            self.right[term as usize] += f64::from(weight);
        }
        // A term is cleared where it is counted, so that it counts once.
        let mut dot = 0.0;
        let mut left_squares = 0.0;
        for &(term, _) in left {
            let sum = std::mem::take(&mut self.left[term as usize]);
            left_squares += sum * sum;
            dot += sum * self.right[term as usize];
        }
        let mut right_squares = 0.0;
        for &(term, _) in right {
            let sum = std::mem::take(&mut self.right[term as usize]);
            right_squares += sum * sum;
        }
        let norms = f64::sqrt(left_squares * right_squares);
        if norms > 0.0 { dot / norms } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::units::texts_of;
    use super::*;

    #[test]
    fn a_cosine_leaves_nothing_behind() {
        let texts = texts_of(
            "Barges carried coal. Nobody answered letters.",
            "Nobody carried coal. Mills ground flour. Barges carried coal.",
        );
        let mut scale = Scale::new(&texts);
        let first = scale.cosine(&(0..1), &(0..1));
        assert!(first > 0.0 && first < 1.0);
        assert!((scale.cosine(&(0..1), &(2..3)) - 1.0).abs() < 1e-9);
        assert!(scale.cosine(&(1..2), &(1..2)) < 1e-9);
        assert!((scale.cosine(&(0..1), &(0..1)) - first).abs() < 1e-12);
    }
}
