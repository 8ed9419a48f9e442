//! Maximal common runs.
use super::{Alignment, Sequence, Shortest, Vocabulary};

pub(super) fn align(
    _left: &Sequence,
    _right: &Sequence,
    _vocabulary: &Vocabulary,
    _shortest: Shortest,
) -> Alignment {
    Alignment::default()
}
