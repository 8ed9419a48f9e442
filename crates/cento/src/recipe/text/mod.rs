//! The one-line text form: `tokenizer+option | chunker:args | hash:bits+option | selector:args`.

mod chunker;
mod digester;
mod selector;
mod tokenizer;

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::{Passages, Recipe};
use crate::token::{Tokenizer, WordList};

/// Why a text is not a recipe: the stage, the word, what is wrong with it, what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{stage} `{word}` {problem}")]
pub struct ParseError {
    /// The stage that did not parse; "text" if there are not four of them.
    pub stage: &'static str,
    /// The offending word.
    pub word: String,
    /// What is wrong, and what the choices are.
    pub problem: String,
}

const PASSAGES: Stage = Stage("passages");

impl FromStr for Recipe {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Recipe, ParseError> {
        Recipe::parse_with(text, &[])
    }
}

impl Recipe {
    /// The recipe of a text form that may refer to these dictionaries by their names.
    pub fn parse_with(text: &str, lists: &[WordList]) -> Result<Recipe, ParseError> {
        let stages: Vec<&str> = text.split('|').map(str::trim).collect();
        let (stages, passages) = match stages[..] {
            [tokenizer, chunker, digester, selector] => {
                ([tokenizer, chunker, digester, selector], None)
            }
            [tokenizer, chunker, digester, selector, passages] => (
                [tokenizer, chunker, digester, selector],
                Some(parse_passages(passages)?),
            ),
            _ => {
                let problem = format!(
                    "has {} stages instead of four: tokenizer | chunker | digester | selector",
                    stages.len()
                );
                return Err(ParseError {
                    stage: "text",
                    word: text.to_owned(),
                    problem,
                });
            }
        };
        let [tokenizer, chunker, digester, selector] = stages;
        Ok(Recipe {
            tokenizer: tokenizer::parse(tokenizer, lists)?,
            chunker: chunker::parse(chunker)?,
            digester: digester::parse(digester)?,
            selector: selector::parse(selector)?,
            passages,
        })
    }

    /// The dictionary that the text form names, if the recipe has one.
    pub fn word_list(&self) -> Option<&WordList> {
        match &self.tokenizer {
            Tokenizer::Words(words) => words.keep.as_ref(),
            _ => None,
        }
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {}", without_selector(self), self.selector)?;
        match self.passages {
            Some(Passages { words, step }) => write!(f, " | passages:{words},{step}"),
            None => Ok(()),
        }
    }
}

pub(super) fn without_selector(recipe: &Recipe) -> String {
    format!(
        "{} | {} | {}",
        recipe.tokenizer, recipe.chunker, recipe.digester
    )
}

fn parse_passages(text: &str) -> Result<Passages, ParseError> {
    match head(text) {
        ("passages", args) => match PASSAGES.list(text, args)?[..] {
            [words, step] => Ok(Passages {
                words: PASSAGES.count(text, words)?,
                step: PASSAGES.count(text, step)?,
            }),
            _ => Err(PASSAGES.error(text, "needs two numbers, as in passages:50,25")),
        },
        (name, _) => Err(PASSAGES.unknown("", name, "passages")),
    }
}

/// `name:args` → name and args.
fn head(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((name, args)) => (name.trim(), Some(args.trim())),
        None => (text, None),
    }
}

/// Makes the errors of one stage.
struct Stage(&'static str);

impl Stage {
    fn error(&self, word: &str, problem: impl Into<String>) -> ParseError {
        ParseError {
            stage: self.0,
            word: word.to_owned(),
            problem: problem.into(),
        }
    }

    fn unknown(&self, what: &str, word: &str, choices: &str) -> ParseError {
        let what = if what.is_empty() {
            String::new()
        } else {
            format!(" as {what}")
        };
        self.error(word, format!("is not known{what}; choose one of {choices}"))
    }

    fn args<'a>(&self, word: &str, args: Option<&'a str>) -> Result<&'a str, ParseError> {
        args.ok_or_else(|| self.error(word, format!("needs a number, as in {word}:10")))
    }

    fn list<'a>(&self, word: &str, args: Option<&'a str>) -> Result<Vec<&'a str>, ParseError> {
        Ok(self.args(word, args)?.split(',').map(str::trim).collect())
    }

    fn no_args(&self, word: &str, args: Option<&str>) -> Result<(), ParseError> {
        args.map_or(Ok(()), |args| {
            Err(self.error(word, format!("takes no `:{args}`")))
        })
    }

    fn count(&self, word: &str, number: &str) -> Result<NonZeroU32, ParseError> {
        number.parse().map_err(|_| {
            self.error(
                word,
                format!("needs a whole number of at least 1, not `{number}`"),
            )
        })
    }

    fn number(&self, word: &str, number: &str) -> Result<f64, ParseError> {
        let parsed: Option<f64> = number.parse().ok().filter(|value: &f64| value.is_finite());
        parsed.ok_or_else(|| self.error(word, format!("needs a number, not `{number}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_hex_digits_are_forgiven() {
        let recipe: Recipe = " words + fold|window : 5 | md5:10hex | all "
            .parse()
            .unwrap();
        assert_eq!(recipe.to_string(), "words+fold | window:5 | md5:40 | all");
    }

    #[test]
    fn a_dictionary_goes_by_its_name() {
        let list = WordList::new(["canal", "town"]);
        let text = format!(
            "words+fold+keep:{} | window:5 | md5:64+sorted | all",
            list.name()
        );
        let recipe = Recipe::parse_with(&text, std::slice::from_ref(&list)).unwrap();
        assert_eq!(recipe.to_string(), text);
        assert_eq!(recipe.word_list(), Some(&list));
        let error = text.parse::<Recipe>().unwrap_err().to_string();
        assert!(error.contains("a dictionary that was not given"), "{error}");
    }

    #[test]
    fn partitions_that_would_never_end_are_refused() {
        refuses(
            "words | partition:1001,window:5 | md5:64 | all",
            "chunker `partition:1001,window:5` needs a number from 2 to 1000, a comma, and `window:LEN` or `skip:LEN,SHARE`, as in partition:2,skip:10,0.3",
        );
        let nested = format!(
            "words | {}window:5 | md5:64 | all",
            "partition:2,".repeat(100_000)
        );
        assert!(nested.parse::<Recipe>().is_err());
    }

    #[track_caller]
    fn refuses(text: &str, expected: &str) {
        assert_eq!(text.parse::<Recipe>().unwrap_err().to_string(), expected);
    }

    #[test]
    fn errors_name_stage_word_and_choices() {
        refuses(
            "words | window:5 | md5:64",
            "text `words | window:5 | md5:64` has 3 stages instead of four: tokenizer | chunker | digester | selector",
        );
        refuses(
            "wrods | window:5 | md5:64 | all",
            "tokenizer `wrods` is not known; choose one of words, lowercase, letters, hanzi, kanji, scripts, chars, code, structure",
        );
        refuses(
            "words+flod | window:5 | md5:64 | all",
            "tokenizer `flod` is not known as option; choose one of ascii, raw, fold, stop[:LANGUAGE], stem[:LANGUAGE], keep:DICTIONARY",
        );
        refuses(
            "words | window:0 | md5:64 | all",
            "chunker `window:0` needs a whole number of at least 1, not `0`",
        );
        refuses(
            "words | window | md5:64 | all",
            "chunker `window` needs a number, as in window:10",
        );
        refuses(
            "words | window:5 | md5:200 | all",
            "digester `md5:200` takes from 8 to 128 bits, as in md5:128",
        );
        refuses(
            "words | window:5 | fast:64+comma | all",
            "digester `comma` is not known as option; choose one of sorted, base64",
        );
        refuses(
            "words | window:5 | md5:64 | modulo:x",
            "selector `modulo:x` needs a whole number of at least 1, not `x`",
        );
        refuses(
            "lowercase+fold | top:5 | md5:64 | all",
            "tokenizer `fold` is not an option of `lowercase`, which has none",
        );
    }
}
