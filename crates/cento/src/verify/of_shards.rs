//! What the shards of a registry have said about a question → what is listed, by the score.

use super::standard::is_only_standard;
use super::{VerifySettings, rarity, report_id};
use crate::index::registry::{Answered, Shared};
use crate::recipe::Recipe;
use crate::report::{PairReport, RegistryPair, SHORT};

/// Whether a document is listed that shares this with a question.
pub fn is_listed(shared: &Shared, settings: &VerifySettings) -> bool {
    let others = shared.overlap.shared.saturating_sub(shared.standard);
    let is_standard = || is_only_standard(shared.overlap, others, settings, 1.0);
    shared.score >= settings.threshold && (settings.include_standard || !is_standard())
}

/// A pair that is listed.
#[derive(Clone, Debug)]
pub struct ListedPair {
    /// As a report has it, without passages and places in texts.
    pub pair: PairReport,
    /// Pairs of a lower rank come first in a report: those with a short document come late, and those
    /// with too few digests last.
    pub rank: u8,
}

impl ListedPair {
    /// A document that is listed for a question of so many words.
    pub fn new(question: &str, words: u64, answered: &Answered, recipe: &Recipe) -> ListedPair {
        let Answered { entry, overlap, .. } = answered;
        let is_short = words < SHORT || entry.words < SHORT;
        let thin = recipe.is_thin(overlap.left, words)
            || recipe.is_thin(entry.digests - entry.ignored, entry.words);
        ListedPair {
            pair: PairReport {
                thin,
                registry: Some(RegistryPair {
                    rarity: rarity(answered.rarity),
                    same_submitter: false,
                    same_document: false,
                    shared: [Vec::new(), Vec::new()],
                    stretch: None,
                }),
                ..PairReport::of(question, report_id(entry), *overlap, answered.score)
            },
            rank: 2 * u8::from(thin) + u8::from(is_short),
        }
    }
}
