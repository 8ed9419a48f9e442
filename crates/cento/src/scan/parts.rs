//! What each part of a fingerprint has to do with the score of a pair.

use std::collections::{BTreeMap, BTreeSet};

use super::Document;
use crate::digest::{Digest, Key};
use crate::fingerprint::Fingerprint;
use crate::measure::Measure;
use crate::number::index32;
use crate::recipe::Recipe;
use crate::report::ScorePart;
use crate::select::Frequencies;
use crate::token::{Content, Tokenizer, View, is_letter};

/// How many digests of two programs are shared, and what they weigh, for each view and each length of
/// chunks by itself. Empty if the recipe has one of each, or is not for programs.
///
/// The others are the collection that says how rare a digest is, as for [`compare`](super::compare). By
/// [`Measure::RareContainment`], the weights of all parts together are what the score is made of.
pub fn score_parts(
    recipe: &Recipe,
    measure: Measure,
    sides: [(&Document, &Content); 2],
    others: &[Document],
    key: &Key,
    seen: &dyn Frequencies,
) -> Vec<ScorePart> {
    let Tokenizer::Code(view) = &recipe.tokenizer else {
        return Vec::new();
    };
    let [left, right] = sides.map(|(document, content)| {
        let (tokens, kept) = recipe.minutiae(content, key, seen);
        let digests = document.fingerprint.digests();
        let mut parts: BTreeMap<Digest, Part> = BTreeMap::new();
        for minutia in kept {
            let first = minutia.chunk.indices().next();
            let is_letters = first.is_some_and(|first| is_letter(tokens.term(first)));
            let part = Part {
                is_letters: is_letters || *view == View::Letters,
                tokens: minutia.chunk.len(),
            };
            // What was handed out to everybody is not in the fingerprint.
            if digests.binary_search(&minutia.digest).is_ok() {
                let kept = parts.entry(minutia.digest).or_insert(part);
                *kept = part.min(*kept);
            }
        }
        parts
    });
    let all: BTreeSet<Part> = left.values().chain(right.values()).copied().collect();
    if all.len() < 2 {
        return Vec::new();
    }
    let collection: Vec<&Fingerprint> = sides
        .iter()
        .map(|(document, _)| &document.fingerprint)
        .chain(others.iter().map(|document| &document.fingerprint))
        .collect();
    let weight = |digest: &Digest| {
        let has = |one: &&&Fingerprint| one.digests().binary_search(digest).is_ok();
        let with = collection.iter().filter(has).count();
        measure.weight(index32(with), index32(collection.len()))
    };
    let sum = |digests: &[&Digest]| digests.iter().map(|digest| weight(digest)).sum();
    all.into_iter()
        .map(|part| {
            // A digest of both is in one part, the same for both.
            let part_of = |digest: &Digest| {
                let both = [left.get(digest), right.get(digest)];
                both.into_iter().flatten().min().copied()
            };
            let [of_left, of_right] = [&left, &right].map(|digests| {
                let digests = digests.keys();
                let digests = digests.filter(|digest| part_of(digest) == Some(part));
                digests.collect::<Vec<_>>()
            });
            let mut shared = of_left.clone();
            shared.retain(|digest| right.contains_key(digest));
            ScorePart {
                name: part.name(),
                digests: [&of_left, &of_right].map(|digests| index32(digests.len())),
                shared: index32(shared.len()),
                weight: [sum(&of_left), sum(&of_right)],
                shared_weight: sum(&shared),
            }
        })
        .collect()
}

/// A view of programs in chunks of one length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    is_letters: bool,
    tokens: usize,
}

impl Part {
    fn name(self) -> String {
        let view = if self.is_letters {
            "letters"
        } else {
            "structure"
        };
        format!("{view}, {} tokens", self.tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NoCollection, ScanSettings, Watch, compare};

    const ONE: &str =
        "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i * i; } return s; }";
    const TWO: &str = "int all(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i * 2; } print(s); return s; }";
    const THREE: &str = "int most(int n) { int s = 0; while (n > 0) { s = n > s ? n : s; n = next(n); } return s; }";

    #[test]
    fn the_weights_of_all_parts_are_the_score() {
        let recipe = Recipe::named("code").unwrap();
        let document = |id: &str, text: &str| {
            let fingerprint = recipe.fingerprint(text, &Key::PUBLIC, &NoCollection);
            Document::new(id, 10, fingerprint)
        };
        let documents = [document("one", ONE), document("two", TWO)];
        let contents = [ONE, TWO].map(|text| Content::from(text.to_owned()));
        let measure = Measure::RareContainment;
        let settings = ScanSettings {
            recipe: recipe.clone(),
            measure,
            ..ScanSettings::default()
        };
        for others in [vec![], vec![document("three", THREE)]] {
            let report = compare(&documents, &others, &settings, None, Watch::NOBODY).unwrap();
            let [one, two] = &documents;
            let sides = [(one, &contents[0]), (two, &contents[1])];
            let parts = score_parts(
                &recipe,
                measure,
                sides,
                &others,
                &Key::PUBLIC,
                &NoCollection,
            );
            assert!(parts.len() >= 4);
            assert_eq!(parts[0].name, "structure, 8 tokens");
            let shared: f64 = parts.iter().map(|part| part.shared_weight).sum();
            let side = |side: usize| parts.iter().map(|part| part.weight[side]).sum::<f64>();
            let score = shared / side(0).min(side(1));
            assert!((score - report.pairs[0].score).abs() < 1e-9, "{score}");
            let digests: u32 = parts.iter().map(|part| part.digests[0]).sum();
            assert_eq!(digests as usize, one.fingerprint.digests().len());
            let shared: u32 = parts.iter().map(|part| part.shared).sum();
            assert_eq!(shared, report.pairs[0].shared);
        }
    }

    #[test]
    fn texts_have_no_parts() {
        let recipe = Recipe::default();
        let fingerprint = recipe.fingerprint(ONE, &Key::PUBLIC, &NoCollection);
        let document = Document::new("one", 10, fingerprint);
        let content = Content::from(ONE.to_owned());
        let sides = [(&document, &content); 2];
        let measure = Measure::MaxContainment;
        let parts = score_parts(&recipe, measure, sides, &[], &Key::PUBLIC, &NoCollection);
        assert_eq!(parts, []);
    }
}
