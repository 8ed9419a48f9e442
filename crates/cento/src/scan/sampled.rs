//! Fingerprints that are samples of a bounded size are compared at one rate.

use super::{Document, Found, ScanSettings, fingerprints, report};
use crate::error::Error;
use crate::evidence::Texts;
use crate::fingerprint::Fingerprint;
use crate::index::{AllPairs, Index, Pair, PairQuery, Similarities};
use crate::measure::Overlap;
use crate::message;
use crate::recipe::Recipe;
use crate::report::Report;
use crate::select::Selector;
use crate::watch::Watch;

/// Whether the fingerprints of a recipe are samples: of a long text fewer digests are kept than of a
/// short one that it contains, so plain counts would say that they are not alike.
pub(super) fn is_sampled(recipe: &Recipe) -> bool {
    matches!(recipe.selector, Selector::Sample(_))
}

/// What two fingerprints of a recipe share, at the coarser of their rates if they are samples.
pub(super) fn overlap(recipe: &Recipe, left: &Fingerprint, right: &Fingerprint) -> Overlap {
    if is_sampled(recipe) {
        message::overlap(left.digests(), right.digests())
    } else {
        left.overlap(right)
    }
}

/// All pairs of documents whose fingerprints are samples.
pub(super) fn scan(
    documents: &[Document],
    settings: &ScanSettings,
    query: &PairQuery,
    texts: Option<&Texts<'_>>,
    watch: Watch<'_>,
) -> Result<Report, Error> {
    let fingerprints = fingerprints(documents);
    let index = Index::build(&fingerprints, watch.silent())?;
    // The scores need both fingerprints, so every pair that shares anything is looked at.
    let every = PairQuery {
        at_least: 0.0,
        ..*query
    };
    let counted = index.pairs(&every, watch.silent())?;
    let found = Found {
        pairs: at_one_rate(counted, &fingerprints, query),
        similarities: Similarities::default(),
        without: None,
    };
    let index = Some(&index);
    report("scan", documents, index, found, settings, texts, watch)
}

/// Scores pairs anew, each at one rate, and leaves those that are wanted.
fn at_one_rate(mut found: AllPairs, fingerprints: &[&Fingerprint], query: &PairQuery) -> AllPairs {
    let mut listed = Vec::new();
    let mut below = 0;
    for pair in found.pairs {
        let both = [pair.left, pair.right];
        let [left, right] = both.map(|document| fingerprints[document.0 as usize].digests());
        let overlap = message::overlap(left, right);
        let score = query.measure.score(overlap);
        found.scores.change(pair.score, score);
        if score >= query.at_least {
            listed.push(Pair {
                overlap,
                score,
                ..pair
            });
        } else {
            below += 1;
        }
    }
    found.pairs = listed;
    found.below = Some(below);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Key, NoCollection, scan};

    /// Words that no other seed makes.
    fn words(seed: u64, count: u64) -> String {
        let word = |at: u64| {
            let mut bits = (seed << 32 | at).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let mut word = String::new();
            while bits > 0 {
                word.push(char::from(b'a' + u8::try_from(bits % 26).unwrap()));
                bits /= 26 * 26;
            }
            word
        };
        (0..count).map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_message_inside_a_much_longer_one_is_all_there() {
        let recipe = Recipe::named("mail").unwrap();
        let message = words(1, 60);
        let texts = [
            ("a", message.clone()),
            ("b", format!("{message} {}", words(2, 500))),
            ("c", words(3, 300)),
        ];
        let document = |(id, text): &(&str, String)| {
            let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
            Document::new(*id, 100, fingerprint)
        };
        let documents: Vec<Document> = texts.iter().map(document).collect();
        let settings = ScanSettings {
            recipe: recipe.clone(),
            threshold: 0.5,
            ..ScanSettings::default()
        };
        let compared = [documents[0].clone(), documents[1].clone()];
        let report = scan(documents, &settings, None, Watch::NOBODY).unwrap();
        assert_eq!(report.pairs.len(), 1);
        assert!(report.pairs[0].score > 0.95, "{}", report.pairs[0].score);
        let compared = crate::compare(&compared, &[], &settings, None, Watch::NOBODY).unwrap();
        assert!((compared.pairs[0].score - report.pairs[0].score).abs() < 1e-12);
    }
}
