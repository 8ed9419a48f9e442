//! A document as a point: how its author writes, not what (Finkel et al., section 4.2).
//!
//! ```text
//!  text ─Style─▶ Vector ─▶ Neighbours (k-d trees) ─▶ the nearest neighbour of each document
//! ```
//!
//! A registry keeps the same trees on disk.
//!
//! A style makes no fingerprint and finds no passage: the nearest neighbour of a document is only
//! the best candidate for a closer look. A quotation is not noticed unless it is most of the text.

mod english;
mod full;
mod measured;
mod neighbours;
mod report;
mod subject;
pub(crate) mod tree;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

pub use measured::Component;
pub use neighbours::{Neighbour, Neighbours};
pub use report::{MEASURE, Settings, Styled, compare, scan};
pub use subject::Subject;

use crate::error::Error;
use crate::recipe::{FINKEL, Preset, preset};
use crate::token::{Alphabet, Tokenizer, Tokens, Words};

/// What is measured of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The share that each of these words has of all; `style:the,and,but,so`.
    Words(Vec<String>),
    /// Any of the measurements that the paper names, with words among them;
    /// `style:the,@syllables,@law`.
    Measured(Vec<Component>),
    /// Function words, lengths of sentences and words, vocabulary; `style-full`.
    #[default]
    Full,
}

/// A document as a style sees it. Only vectors of one style can be compared.
///
/// A dimension that has no meaning for the document is not a number; a distance does without it.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector(pub(crate) Vec<f64>);

/// The most numbers that a vector has: with more, no tree leaves anything out.
const MOST: usize = 1000;

/// What the tables of Finkel et al. multiply the squared distance with.
const PAPER_SCALE: f64 = 1e8;

/// The styles that have a name.
pub static PRESETS: [Preset; 3] = [
    preset(
        "style",
        "style:the,and,but,so",
        FINKEL,
        "4.2",
        "How often four common words occur: the nearest neighbour by style.",
    )
    .by(None),
    preset(
        "style-english",
        "style:the,and,but,so,@syllables,@passives,@clauses,@computing,@economics,@law,@medicine",
        FINKEL,
        "4.2, with rules of ours",
        "Four common words, syllables, passives, subordinate clauses and subjects of an English text.",
    )
    .by(None),
    preset(
        "style-full",
        "style-full",
        FINKEL,
        "4.2, with measurements of ours",
        "Function words, lengths of sentences and words, vocabulary: the nearest neighbour by style.",
    )
    .by(None),
];

impl Style {
    /// Whether this is meant as a style, well formed or not.
    pub fn is_named(text: &str) -> bool {
        let text = text.trim();
        text.starts_with("style:") || PRESETS.iter().any(|preset| preset.name == text)
    }

    /// How many numbers a vector has.
    pub fn dimensions(&self) -> usize {
        match self {
            Style::Words(words) => words.len(),
            Style::Measured(components) => components.len(),
            Style::Full => full::DIMENSIONS,
        }
    }

    /// Where a text stands; `None` if it has nothing that this style could measure.
    pub fn vector(&self, text: &str) -> Option<Vector> {
        let tokens = self.tokenizer().tokens(text);
        if tokens.is_empty() {
            return None;
        }
        let numbers = match self {
            Style::Words(words) => shares(&tokens, words),
            Style::Measured(components) => measured::components(&tokens, components),
            Style::Full => full::components(&tokens),
        };
        let is_somewhere = numbers.iter().any(|number| !number.is_nan());
        is_somewhere.then_some(Vector(numbers))
    }

    /// How far two documents are apart; `None` if they have no dimension in common.
    ///
    /// For words it is the number of the paper's table 3: the squared Euclidean distance times
    /// 10^8. For all other styles it is the root of the mean square over the dimensions that both
    /// have, so that 1 means that the measurements differ by as much as those of unrelated texts
    /// usually spread.
    pub fn distance(&self, left: &Vector, right: &Vector) -> Option<f64> {
        let [left, right] = [left, right].map(|vector| vector.0.iter().copied());
        let (square, shared) = tree::square_of_distance(left, right);
        (shared > 0).then(|| self.distance_of_square(square, shared))
    }

    pub(crate) fn distance_of_square(&self, square: f64, shared: u32) -> f64 {
        match self {
            Style::Words(_) => square * PAPER_SCALE,
            Style::Measured(_) | Style::Full => (square / f64::from(shared)).sqrt(),
        }
    }

    fn tokenizer(&self) -> Tokenizer {
        // The paper's table comes out with case counted and words of [A-Za-z0-9] only.
        let (alphabet, fold) = match self {
            Style::Words(_) => (Alphabet::Ascii, false),
            Style::Measured(_) | Style::Full => (Alphabet::Unicode, true),
        };
        Tokenizer::Words(Words {
            alphabet,
            fold,
            ..Words::default()
        })
    }
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
            Style::Measured(components) => {
                let components: Vec<String> = components.iter().map(ToString::to_string).collect();
                write!(f, "style:{}", components.join(","))
            }
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
            wrong(
                "is not known; choose style, style-english, style-full or style:WORD,WORD,..."
                    .to_owned(),
            )
        })?;
        // Words alone are what the paper has tried, case counted; beside measurements it is not.
        let has_measurements = list.contains('@');
        let mut components: Vec<Component> = Vec::new();
        for text in list.split(',').map(str::trim) {
            let component = match component(text).map_err(&wrong)? {
                Component::Word(word) if has_measurements => Component::Word(word.to_lowercase()),
                component => component,
            };
            if components.contains(&component) {
                return Err(wrong(format!("has `{text}` twice")));
            }
            components.push(component);
        }
        if components.len() > MOST {
            return Err(wrong(format!("has more than {MOST} numbers")));
        }
        let word = |component: &Component| match component {
            Component::Word(word) => Some(word.clone()),
            _ => None,
        };
        let words: Option<Vec<String>> = components.iter().map(word).collect();
        Ok(words.map_or(Style::Measured(components), Style::Words))
    }
}

/// A word, `@` and the name of a measurement, or `@NAME=WORD+WORD`; otherwise what is wrong.
fn component(text: &str) -> Result<Component, String> {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let Some(name) = text.strip_prefix('@') else {
        return if is_word(text) {
            Ok(Component::Word(text.to_owned()))
        } else {
            Err(format!(
                "has `{text}`, which is no word of the letters a to z and digits; write \
                 style:the,and,but,so"
            ))
        };
    };
    let Some((name, words)) = name.split_once('=') else {
        return Component::named(name).ok_or_else(|| {
            format!(
                "has `{text}`, which is not known; choose {}, or list words of your own as \
                 @NAME=WORD+WORD",
                Component::NAMES.join(", ")
            )
        });
    };
    if !is_word(name) || Component::named(name).is_some() {
        return Err(format!(
            "has `{text}`: `{name}` is {}; write @NAME=WORD+WORD",
            if is_word(name) {
                "a measurement already"
            } else {
                "no name of the letters a to z and digits"
            }
        ));
    }
    let words: Vec<String> = words.split('+').map(str::to_lowercase).collect();
    if let Some(wrong) = words
        .iter()
        .find(|word| !word.chars().all(char::is_alphanumeric) || word.is_empty())
    {
        return Err(format!(
            "has `{text}` with `{wrong}`, which is no word; write @NAME=WORD+WORD"
        ));
    }
    Ok(Component::Subject(Subject::Own {
        name: name.to_owned(),
        words,
    }))
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
        let own = "style:und,@clauses,@wein=faß+reben,@law";
        assert_eq!(style(own).to_string(), own);
        assert_eq!(style(own).dimensions(), 4);
        assert_eq!(style("style:Und,@law").to_string(), "style:und,@law");
        let many: Vec<String> = (0..1001).map(|number| number.to_string()).collect();
        let many = format!("style:{}", many.join(","));
        assert!(many.parse::<Style>().is_err());
        for wrong in [
            "style:",
            "style:a,,b",
            "style:don't",
            "style:a,b,a",
            "style:a,@passive",
            "style:@law,@law",
            "style:@law=tort",
            "style:@wine",
            "style:@wine=",
            "style:@wine=cask+",
            "style:@=cask",
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
        let distance = style("style").distance(&vector, &other).unwrap();
        assert!((distance - 1e8 * (4.0 + 121.0 + 1.0 + 4.0) / 144.0).abs() < 1e-6);
    }

    const ENGLISH: &str = "The court heard that the patient was treated by a doctor. If it is in \
        the law, then they will be paid for it, and the judge who was asked said so.";

    #[test]
    fn what_has_no_meaning_for_a_text_is_left_out() {
        let english = style("style-english");
        let vector = english.vector(ENGLISH).unwrap();
        assert!(
            vector.0.iter().all(|number| number.is_finite()),
            "{vector:?}"
        );
        let german = "Die Mühle steht seit vielen Jahren am Kanal, den man im Winter baute.";
        let other = english.vector(german).unwrap();
        let is_there: Vec<bool> = other.0.iter().map(|number| number.is_finite()).collect();
        assert_eq!(is_there, [[true; 4].as_slice(), &[false; 7]].concat());
        // Only the four words count.
        let four = style("style:the,and,but,so,@any=x");
        let [left, right] = [ENGLISH, german].map(|text| four.vector(text).unwrap());
        let of_five = four.distance(&left, &right).unwrap();
        let of_four = english.distance(&vector, &other).unwrap();
        assert!((of_five * 5_f64.sqrt() - of_four * 2.0).abs() < 1e-12);
        assert!(style("style:@law").vector(german).is_none());
        let law = style("style:@law,@wein=mühle");
        let [left, right] = [ENGLISH, german].map(|text| law.vector(text).unwrap());
        assert!(law.distance(&left, &right).is_some());
        assert_eq!(
            law.distance(&Vector(vec![1.0, f64::NAN]), &Vector(vec![f64::NAN, 1.0])),
            None
        );
    }

    #[test]
    fn subjects_count_their_words_with_and_without_s() {
        let vector = style("style:@wine=cask+grape,@law").vector("Casks of grapes, a CASK, cast.");
        let [wine, _] = vector.unwrap().0[..] else {
            panic!()
        };
        assert!((wine - 0.5 / 0.01).abs() < 1e-9);
    }

    #[test]
    fn a_text_without_words_is_nowhere() {
        assert!(style("style").vector("… 漢字 !").is_none());
        assert!(style("style-full").vector("… !").is_none());
        assert!(style("style-full").vector("漢字").is_some());
    }
}
