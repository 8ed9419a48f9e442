//! Documents with so few digests, and pairs that rest on them, that nothing can be said.

use std::collections::HashSet;

use super::{Note, PairReport, Report};
use crate::chunk::Chunker;
use crate::recipe::Recipe;

/// From so many digests on, a share of them says something about the text.
///
/// Digests that a selector keeps are draws from a text. If half of the text is in another document,
/// all n draws are from that half with a chance of 2⁻ⁿ: 1 in 8 for three digests, and less than
/// 1 in 20 from five on.
pub const ENOUGH: u32 = 5;

impl Recipe {
    /// Whether a document has too few digests for a share of them to say anything, or, where one
    /// digest is made of a whole document, too few words for that digest.
    ///
    /// A document without digests is no case of it: it has no pairs.
    pub(crate) fn is_thin(&self, digests: u32, words: u64) -> bool {
        let is_few = match &self.chunker {
            Chunker::Top { count, .. } => words < u64::from(count.get()),
            Chunker::Band { .. } => words < u64::from(ENOUGH),
            Chunker::Window { .. }
            | Chunker::Breakpoint(_)
            | Chunker::Sentence(_)
            | Chunker::Paragraph
            | Chunker::Skip(_)
            | Chunker::Partition { .. }
            | Chunker::Bytes(_)
            | Chunker::Union(_) => digests < ENOUGH,
        };
        digests > 0 && is_few
    }
}

impl Report {
    /// Marks the pairs that rest on the digests of a thin document alone, lists them last, and says
    /// so. To be called when all else is known.
    pub(crate) fn mark_thin(&mut self) {
        let thin = self.documents.iter().filter(|document| document.thin);
        let thin: HashSet<String> = thin.map(|document| document.id.clone()).collect();
        if thin.is_empty() {
            return;
        }
        for pair in self.pairs_mut() {
            let is_thin = thin.contains(&pair.left) || thin.contains(&pair.right);
            pair.thin = is_thin && !pair.is_borne_out_by_texts();
        }
        self.pairs.sort_by_key(|pair| pair.thin);
        let pairs = self.pairs.iter().filter(|pair| pair.thin).count() as u64;
        if let Some(first) = self.pairs.iter().find(|pair| pair.thin) {
            let shared = first.shared;
            let of = self.fewest_digests(first);
            self.notes.push(Note::Thin { pairs, shared, of });
        }
    }

    /// The digests of that document of a pair that has fewer.
    fn fewest_digests(&self, pair: &PairReport) -> u32 {
        let documents = self.documents.iter();
        let both = documents.filter(|document| [&pair.left, &pair.right].contains(&&document.id));
        both.map(|document| document.digests).min().unwrap_or(0)
    }
}

impl PairReport {
    /// Whether the texts bear out what the digests say: they are equal, or at least half as much of
    /// one is shared as the score would have it.
    ///
    /// A passage alone is not enough: two messages may have a footer in common, and no digests but
    /// those of the footer.
    fn is_borne_out_by_texts(&self) -> bool {
        self.evidence.as_ref().is_some_and(|evidence| {
            let are_equal = evidence.overlap.iter().all(|share| *share >= 1.0);
            let [left, right] = self.shares();
            are_equal || 2.0 * left.max(right) >= self.score
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_thin() {
        let check = |recipe: &str, digests: u32, words: u64, expected: bool| {
            let recipe = Recipe::named(recipe).unwrap();
            assert_eq!(
                recipe.is_thin(digests, words),
                expected,
                "{recipe} {digests}"
            );
        };
        for recipe in ["default", "se", "winnow", "mail", "sift"] {
            check(recipe, 0, 0, false);
            check(recipe, 1, 500, true);
            check(recipe, 4, 500, true);
            check(recipe, 5, 500, false);
        }
        // One digest of the five longest words is all that there is, if there are five.
        check("plagiarex", 1, 4, true);
        check("plagiarex", 1, 5, false);
    }
}
