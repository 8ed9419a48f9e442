//! What the shards of a registry have said about a question → what is listed, by the score.

use super::standard::is_only_standard;
use super::{VerifySettings, rarity, report_id};
use crate::index::registry::{Answered, Shared};
use crate::report::{PairReport, RegistryPair, SHORT};

/// Whether a document is listed that shares this with a question.
pub fn is_listed(shared: &Shared, settings: &VerifySettings) -> bool {
    let others = shared.overlap.shared.saturating_sub(shared.standard);
    let is_standard = || is_only_standard(shared.overlap, others, settings, 1.0);
    shared.score >= settings.threshold && (settings.include_standard || !is_standard())
}

/// A document that is listed for a question, as a report has it: without passages and places in texts.
pub fn listed_pair(question: &str, answered: &Answered) -> PairReport {
    let right = report_id(&answered.entry);
    PairReport {
        registry: Some(RegistryPair {
            rarity: rarity(answered.rarity),
            same_submitter: false,
            same_document: false,
            shared: [Vec::new(), Vec::new()],
            stretch: None,
        }),
        ..PairReport::of(question, &right, answered.overlap, answered.score)
    }
}

/// Whether a pair comes behind all others in a report: one of its documents is short.
pub fn is_late(question_words: u64, answered: &Answered) -> bool {
    question_words < SHORT || answered.entry.words < SHORT
}
