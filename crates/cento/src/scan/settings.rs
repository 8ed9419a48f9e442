//! What a scan is to find.

use super::Listing;
use crate::discount::{Discount, Discounts, common_from};
use crate::measure::Measure;
use crate::number::index32;
use crate::recipe::Recipe;
use crate::report::{Evidence, Top};

/// What a scan is to find.
#[derive(Clone, Debug)]
pub struct ScanSettings {
    /// How the fingerprints were made.
    pub recipe: Recipe,
    /// What makes the score.
    pub measure: Measure,
    /// What decides which pairs are listed, and in which order. By evidence it takes texts.
    pub listing: Listing,
    /// The lowest score of a listed pair; by evidence, the lowest share.
    pub threshold: f64,
    /// From which share of its own score on a passage is like another, if the recipe cuts documents
    /// into passages.
    pub passage_threshold: f64,
    /// List at most so many pairs.
    pub top: Option<usize>,
    /// List only pairs of so many documents: those that come first in the list.
    pub top_documents: Option<usize>,
    /// Digests that more documents have than this do not count.
    pub max_documents: Option<u32>,
    /// What the percentages leave out of the texts.
    pub left_out: Discounts,
    /// Whether pairs below the threshold are counted too, for a histogram of all scores.
    pub count_below: bool,
}

impl Default for ScanSettings {
    fn default() -> ScanSettings {
        ScanSettings {
            recipe: Recipe::default(),
            measure: Measure::default(),
            listing: Listing::default(),
            threshold: THRESHOLD,
            passage_threshold: PASSAGE_THRESHOLD,
            top: None,
            top_documents: None,
            max_documents: None,
            left_out: Discounts::USUAL,
            count_below: true,
        }
    }
}

/// The lowest score of a listed pair, unless somebody wants it otherwise.
pub(crate) const THRESHOLD: f64 = 0.1;

/// The share of its own score from which on a passage is like another, unless somebody wants it
/// otherwise.
pub const PASSAGE_THRESHOLD: f64 = 0.5;

impl ScanSettings {
    /// How much of the list there is to be.
    pub(crate) fn top(&self) -> Top {
        Top {
            pairs: self.top,
            documents: self.top_documents,
        }
    }

    /// The most documents that a digest may have to count.
    pub(super) fn most_documents(&self, documents: usize) -> Option<u32> {
        let common = self
            .left_out
            .has(Discount::Common)
            .then(|| common_from(index32(documents)) - 1);
        self.max_documents.into_iter().chain(common).min()
    }

    /// How many words the longest passage has that counts for a list: text that many documents have
    /// does not.
    pub(super) fn longest_passage(&self, evidence: &Evidence) -> u32 {
        evidence.longest_passage(self.left_out.with(Discount::Common))
    }
}
