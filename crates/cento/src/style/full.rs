//! The fuller set: what studies of authorship measure.

use std::collections::HashMap;

use super::shares;
use crate::number::index32;
use crate::token::Tokens;

/// How many measurements there are.
pub(super) const DIMENSIONS: usize = FUNCTION_WORDS.len() + SHAPE_SPREADS.len();

/// Measurements of a text, each in units of how much unrelated texts differ in it.
///
/// Without units the lengths, which are numbers of words, would drown the shares, which are
/// hundredths. The units are constants rather than those of the collection at hand, so that the
/// distance of two documents does not depend on what else there is, and documents can be added.
pub(super) fn components(tokens: &Tokens) -> Vec<f64> {
    let words: Vec<&str> = FUNCTION_WORDS.iter().map(|&(word, _)| word).collect();
    let spreads = FUNCTION_WORDS.iter().map(|&(_, spread)| spread);
    let measured = shares(tokens, &words).into_iter().chain(shape(tokens));
    measured
        .zip(spreads.chain(SHAPE_SPREADS))
        .map(|(value, spread)| value / spread)
        .collect()
}

/// Mean and spread of the sentences' lengths in words, the same of the words' lengths in characters,
/// and the vocabulary.
///
/// Of the sentences it is the logarithms: a table or a list is a sentence of hundreds of words, and
/// one of them would outweigh all others.
fn shape(tokens: &Tokens) -> [f64; 5] {
    let mut sentences: Vec<f64> = Vec::new();
    let mut current = None;
    for index in 0..index32(tokens.len()) {
        let sentence = Some(tokens.get(index).sentence);
        match sentences.last_mut() {
            Some(length) if current == sentence => *length += 1.0,
            _ => sentences.push(1.0),
        }
        current = sentence;
    }
    let words: Vec<f64> = tokens
        .terms()
        .map(|term| term.chars().count() as f64)
        .collect();
    let logarithms: Vec<f64> = sentences.iter().map(|length| length.ln()).collect();
    let (sentence_mean, sentence_spread) = mean_and_spread(&logarithms);
    let (word_mean, word_spread) = mean_and_spread(&words);
    [
        sentence_mean,
        sentence_spread,
        word_mean,
        word_spread,
        vocabulary(tokens),
    ]
}

fn mean_and_spread(numbers: &[f64]) -> (f64, f64) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares = numbers.iter().map(|number| (number - mean).powi(2));
    (mean, (squares.sum::<f64>() / count).sqrt())
}

/// The share of different words among 100 in a row, on average over the text.
///
/// The share in the whole text would fall with its length and say little else.
fn vocabulary(tokens: &Tokens) -> f64 {
    const WINDOW: usize = 100;
    let window = WINDOW.min(tokens.len());
    let mut counts: HashMap<&str, u32> = HashMap::new();
    let mut different_words = 0;
    let mut windows = 0;
    for (index, term) in tokens.terms().enumerate() {
        *counts.entry(term).or_default() += 1;
        if index >= window {
            let gone = tokens.term(index32(index - window));
            if let Some(count) = counts.get_mut(gone) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(gone);
                }
            }
        }
        if index + 1 >= window {
            different_words += counts.len();
            windows += 1;
        }
    }
    different_words as f64 / (windows * window) as f64
}

/// English function words, and the standard deviation of their shares in unrelated texts.
///
/// Measured once on 369 English texts of at least 300 words: news, web pages and technical
/// documents. They are part of what `style-full` means and do not change.
pub(super) const FUNCTION_WORDS: [(&str, f64); 60] = [
    ("a", 0.0083),
    ("all", 0.0021),
    ("an", 0.0031),
    ("and", 0.0115),
    ("are", 0.0047),
    ("as", 0.0037),
    ("at", 0.0036),
    ("be", 0.0052),
    ("been", 0.0018),
    ("but", 0.0026),
    ("by", 0.0034),
    ("can", 0.0030),
    ("for", 0.0056),
    ("from", 0.0035),
    ("had", 0.0024),
    ("has", 0.0026),
    ("have", 0.0032),
    ("he", 0.0043),
    ("his", 0.0031),
    ("i", 0.0044),
    ("if", 0.0032),
    ("in", 0.0083),
    ("into", 0.0018),
    ("is", 0.0068),
    ("it", 0.0048),
    ("its", 0.0026),
    ("more", 0.0022),
    ("no", 0.0015),
    ("not", 0.0035),
    ("of", 0.0110),
    ("on", 0.0050),
    ("one", 0.0023),
    ("only", 0.0018),
    ("or", 0.0047),
    ("so", 0.0014),
    ("some", 0.0019),
    ("such", 0.0017),
    ("than", 0.0016),
    ("that", 0.0055),
    ("the", 0.0185),
    ("their", 0.0025),
    ("them", 0.0016),
    ("then", 0.0013),
    ("there", 0.0019),
    ("these", 0.0019),
    ("they", 0.0033),
    ("this", 0.0045),
    ("to", 0.0094),
    ("up", 0.0017),
    ("was", 0.0045),
    ("we", 0.0038),
    ("were", 0.0028),
    ("what", 0.0014),
    ("when", 0.0019),
    ("which", 0.0025),
    ("who", 0.0016),
    ("will", 0.0044),
    ("with", 0.0038),
    ("would", 0.0031),
    ("you", 0.0083),
];

/// The spread of a word that is not among them: their median.
pub(super) const WORD_SPREAD: f64 = 0.003_15;

/// The same for the five numbers of [`shape`].
const SHAPE_SPREADS: [f64; 5] = [0.514, 0.248, 0.381, 0.365, 0.055];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Tokenizer, Words};

    fn tokens(text: &str) -> Tokens {
        Tokenizer::Words(Words::default()).tokens(text)
    }

    #[test]
    fn the_shape_of_a_text() {
        let [sentences, spread, words, word_spread, vocabulary] = shape(&tokens(
            "Ab abcd ab abcd. Ab abcd ab abcd! Ab abcd ab abcd?",
        ));
        assert!((sentences - 4_f64.ln()).abs() < 1e-12);
        let rest = [spread, words - 3.0, word_spread - 1.0];
        assert!(rest.iter().all(|number| number.abs() < 1e-12));
        assert!((vocabulary - 3.0 / 12.0).abs() < 1e-12);
    }

    #[test]
    fn vocabulary_does_not_fall_with_length() {
        let cycle: Vec<String> = (0..400)
            .map(|number| format!("w{}", number % 150))
            .collect();
        let [short, long] = [200, 400].map(|count| vocabulary(&tokens(&cycle[..count].join(" "))));
        assert!((short - 1.0).abs() < 1e-12 && (long - 1.0).abs() < 1e-12);
    }

    #[test]
    fn every_component_is_a_finite_number() {
        for text in ["x", "the", "漢", "a. b! c?"] {
            let components = components(&tokens(text));
            assert_eq!(components.len(), FUNCTION_WORDS.len() + SHAPE_SPREADS.len());
            assert!(components.iter().all(|number| number.is_finite()), "{text}");
        }
    }
}
