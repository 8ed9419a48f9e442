//! Text that so many registered documents have that sharing it says nothing about two of them.

use super::VerifySettings;
use crate::measure::Overlap;
use crate::select::Frequencies;

/// Text in more documents than this is standard text in a registry of any size.
const MANY: u32 = 100;
/// In a smaller registry, text that most documents have, and at least so many.
const FEWEST: u32 = 10;

/// From how many documents on text is standard text.
///
/// It takes more than a common source: what five of forty have copied from one is not standard text,
/// however large a part of the forty five are.
pub fn standard_from(registry: &dyn Frequencies) -> u32 {
    (registry.documents() / 2 + 1).clamp(FEWEST, MANY + 1)
}

/// Of a document that consists of standard text, as a bulk mail does, those that share it are listed:
/// from this share of it on.
const MUCH: f64 = 0.5;

/// Whether a document is alike only by text that many have: by the digests that not so many have it
/// would not be listed, and what is shared is not much of the query. `others` is how many of the shared
/// digests are these, and `own` what the query scores against itself.
pub(super) fn is_only_standard(
    overlap: Overlap,
    others: u32,
    settings: &VerifySettings,
    own: f64,
) -> bool {
    let Some(measure) = settings.measure.of_sets() else {
        return false;
    };
    let [of_query, _] = overlap.containment();
    let without = Overlap {
        shared: others,
        ..overlap
    };
    of_query < MUCH && measure.score_for_query(without) / own < settings.threshold
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    struct Documents(u32);

    impl Frequencies for Documents {
        fn documents(&self) -> u32 {
            self.0
        }

        fn documents_with(&self, _: Digest) -> u32 {
            0
        }
    }

    #[test]
    fn most_of_a_small_registry_or_a_hundred_of_a_large_one() {
        for (documents, from) in [(0, 10), (12, 10), (60, 31), (200, 101), (1_000_000, 101)] {
            assert_eq!(standard_from(&Documents(documents)), from, "{documents}");
        }
    }
}
