//! Which pairs are looked at: those whose fingerprints reach the threshold, with or without text that
//! many documents have, and those that have a dense stretch in common.

use std::collections::BTreeMap;

use super::Found;
use super::common::in_both;
use crate::index::{DocId, Index, Pair};
use crate::measure::{Overlap, SetMeasure};

/// A pair to look at.
pub(super) struct Candidate {
    pub(super) pair: Pair,
    /// It would be looked at without text that many documents have, too.
    pub(super) also_without: bool,
}

/// The pairs to look at, by document numbers.
pub(super) fn candidates(
    index: &Index,
    found: &Found,
    dense: &[(DocId, DocId)],
    measure: SetMeasure,
    max_documents: Option<u32>,
) -> Vec<Candidate> {
    let ends = |pair: &Pair| (pair.left, pair.right);
    let mut pairs: BTreeMap<(DocId, DocId), (Option<Pair>, bool)> =
        dense.iter().map(|&ends| (ends, (None, true))).collect();
    if let Some(without) = &found.without {
        pairs.extend(
            without
                .pairs()
                .iter()
                .map(|pair| (ends(pair), (None, true))),
        );
    }
    for pair in &found.pairs.pairs {
        pairs.entry(ends(pair)).or_default().0 = Some(*pair);
    }
    let is_known = pairs.values().all(|(known, _)| known.is_some());
    let shared = if is_known {
        Vec::new()
    } else {
        index.common(2..=max_documents.unwrap_or(u32::MAX))
    };
    let sizes = &found.pairs.sizes;
    let pair = |(left, right): (DocId, DocId)| {
        let [one, other] = [left.0 as usize, right.0 as usize];
        let overlap = Overlap {
            shared: in_both(&shared[one], &shared[other]),
            left: sizes[one],
            right: sizes[other],
        };
        Pair {
            left,
            right,
            overlap,
            score: measure.score(overlap),
        }
    };
    let candidate = |(ends, (known, also_without)): (_, (Option<Pair>, bool))| Candidate {
        pair: known.unwrap_or_else(|| pair(ends)),
        also_without,
    };
    pairs.into_iter().map(candidate).collect()
}
