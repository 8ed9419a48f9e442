//! A document as a point: how its author writes, not what (Finkel et al., section 4.2).
//!
//! ```text
//!  text ─Style─▶ Vector ─▶ Neighbours (a k-d tree) ─▶ the nearest neighbour of each document
//! ```
//!
//! A style makes no fingerprint and finds no passage: the nearest neighbour of a document is only
//! the best candidate for a closer look. A quotation is not noticed unless it is most of the text.

mod full;
mod neighbours;
mod report;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

pub use neighbours::{Neighbour, Neighbours};
pub use report::{MEASURE, Settings, Styled, compare, scan};

use crate::error::Error;
use crate::recipe::{FINKEL, Preset, preset};
use crate::token::{Alphabet, Tokenizer, Tokens, Words};

/// What is measured of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The share that each of these words has of all; `style:the,and,but,so`.
    Words(Vec<String>),
    /// Function words, lengths of sentences and words, vocabulary; `style-full`.
    #[default]
    Full,
}

/// A document as a style sees it. Only vectors of one style can be compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector(Vec<f64>);

/// What the tables of Finkel et al. multiply the squared distance with.
const PAPER_SCALE: f64 = 1e8;

/// The styles that have a name.
pub static PRESETS: [Preset; 2] = [
    preset(
        "style",
        "style:the,and,but,so",
        FINKEL,
        "4.2",
        "How often four common words occur: the nearest neighbour by style.",
    ),
    preset(
        "style-full",
        "style-full",
        FINKEL,
        "4.2, with measurements of ours",
        "Function words, lengths of sentences and words, vocabulary: the nearest neighbour by style.",
    ),
];

impl Style {
    /// Whether this is meant as a style, well formed or not.
    pub fn is_named(text: &str) -> bool {
        let text = text.trim();
        text.starts_with("style:") || PRESETS.iter().any(|preset| preset.name == text)
    }

    /// Where a text stands; `None` if it has no word that this style could count.
    pub fn vector(&self, text: &str) -> Option<Vector> {
        let tokens = self.tokenizer().tokens(text);
        if tokens.is_empty() {
            return None;
        }
        Some(Vector(match self {
            Style::Words(words) => shares(&tokens, words),
            Style::Full => full::components(&tokens),
        }))
    }

    /// How far two documents are apart.
    ///
    /// For words it is the number of the paper's table 3: the squared Euclidean distance times
    /// 10^8. For the full set it is the root of the mean square, so that 1 means that the
    /// measurements differ by as much as those of unrelated texts usually spread.
    pub fn distance(&self, left: &Vector, right: &Vector) -> f64 {
        self.distance_of_square(left.square_of_distance(right), left.0.len())
    }

    fn distance_of_square(&self, square: f64, dimensions: usize) -> f64 {
        match self {
            Style::Words(_) => square * PAPER_SCALE,
            Style::Full => (square / dimensions as f64).sqrt(),
        }
    }

    fn tokenizer(&self) -> Tokenizer {
        // The paper's table comes out with case counted and words of [A-Za-z0-9] only.
        let (alphabet, fold) = match self {
            Style::Words(_) => (Alphabet::Ascii, false),
            Style::Full => (Alphabet::Unicode, true),
        };
        Tokenizer::Words(Words {
            alphabet,
            fold,
            ..Words::default()
        })
    }
}

impl Vector {
    fn square_of_distance(&self, other: &Vector) -> f64 {
        square_of_distance(&self.0, &other.0)
    }
}

fn square_of_distance(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(l, r)| (l - r) * (l - r)).sum()
}

/// The share of all tokens that each word has.
fn shares<S: AsRef<str>>(tokens: &Tokens, words: &[S]) -> Vec<f64> {
    let places: HashMap<&str, usize> = words.iter().map(AsRef::as_ref).zip(0..).collect();
    let mut counts = vec![0_u32; words.len()];
    for term in tokens.terms() {
        if let Some(&place) = places.get(term) {
            counts[place] += 1;
        }
    }
    let all = tokens.len() as f64;
    counts
        .into_iter()
        .map(|count| f64::from(count) / all)
        .collect()
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Style::Words(words) => write!(f, "style:{}", words.join(",")),
            Style::Full => f.write_str("style-full"),
        }
    }
}

impl FromStr for Style {
    type Err = Error;

    /// The style of a preset's name or of a text form.
    fn from_str(text: &str) -> Result<Style, Error> {
        let text = text.trim();
        let wrong = |problem: String| Error::Style {
            text: text.to_owned(),
            problem,
        };
        let preset = PRESETS.iter().find(|preset| preset.name == text);
        let form = preset.map_or(text, |preset| &preset.text);
        if form == "style-full" {
            return Ok(Style::Full);
        }
        let list = form.strip_prefix("style:").ok_or_else(|| {
            wrong("is not known; choose style, style-full or style:WORD,WORD,...".to_owned())
        })?;
        let mut words: Vec<String> = Vec::new();
        for word in list.split(',').map(str::trim) {
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                return Err(wrong(format!(
                    "has `{word}`, which is no word of the letters a to z and digits; write style:the,and,but,so"
                )));
            }
            if words.iter().any(|known| known == word) {
                return Err(wrong(format!("has `{word}` twice")));
            }
            words.push(word.to_owned());
        }
        Ok(Style::Words(words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(text: &str) -> Style {
        text.parse().unwrap()
    }

    #[test]
    fn names_and_back() {
        for preset in &PRESETS {
            assert!(Style::is_named(&preset.name));
            assert_eq!(style(&preset.name).to_string(), preset.text);
            assert_eq!(style(&preset.text), style(&preset.name));
        }
        assert_eq!(style("style: und, so").to_string(), "style:und,so");
        for wrong in [
            "style:",
            "style:a,,b",
            "style:don't",
            "style:a,b,a",
            "stylish",
        ] {
            assert!(wrong.parse::<Style>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_are_counted_as_the_paper_does() {
        let text = "The cat and the dog, but so? And so on: the-end.";
        let vector = style("style").vector(text).unwrap();
        assert_eq!(vector.0, [2.0, 1.0, 1.0, 2.0].map(|count| count / 12.0));
        let other = style("style").vector("and").unwrap();
        let distance = style("style").distance(&vector, &other);
        assert!((distance - 1e8 * (4.0 + 121.0 + 1.0 + 4.0) / 144.0).abs() < 1e-6);
    }

    #[test]
    fn a_text_without_words_is_nowhere() {
        assert!(style("style").vector("… 漢字 !").is_none());
        assert!(style("style-full").vector("… !").is_none());
        assert!(style("style-full").vector("漢字").is_some());
    }
}
