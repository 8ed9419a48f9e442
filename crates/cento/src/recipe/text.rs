//! The one-line text form: `tokenizer+option | chunker:args | hash:bits+option | selector:args`.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use super::{Passages, Recipe};
use crate::chunk::{Chunker, Inner, Rank, Skip};
use crate::digest::{Digester, Hash, Joiner, Print};
use crate::select::{DEFAULT_ANCHORS, Modulus, Selector, Size};
use crate::token::{Alphabet, Language, LetterForm, Letters, Tokenizer, WordList, Words};

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

const TOKENIZER: Stage = Stage("tokenizer");
const CHUNKER: Stage = Stage("chunker");
const DIGESTER: Stage = Stage("digester");
const SELECTOR: Stage = Stage("selector");
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
            tokenizer: parse_tokenizer(tokenizer, lists)?,
            chunker: parse_chunker(chunker)?,
            digester: parse_digester(digester)?,
            selector: parse_selector(selector)?,
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

// ---- tokenizer ----

fn parse_tokenizer(text: &str, lists: &[WordList]) -> Result<Tokenizer, ParseError> {
    let mut parts = text.split('+').map(str::trim);
    let (name, args) = head(parts.next().unwrap_or_default());
    match name {
        "words" => {
            TOKENIZER.no_args(name, args)?;
            let mut words = Words::default();
            for option in parts {
                words_option(&mut words, option, lists)?;
            }
            Ok(Tokenizer::Words(words))
        }
        "letters" => {
            let group = args.map_or(Ok(NonZeroU32::MIN), |args| TOKENIZER.count(name, args))?;
            let mut form = LetterForm::Plain;
            for option in parts {
                form = match option {
                    "canonical" => LetterForm::Canonical,
                    "consonants" => LetterForm::Consonants,
                    _ => return Err(TOKENIZER.unknown("option", option, "canonical, consonants")),
                };
            }
            Ok(Tokenizer::Letters(Letters { form, group }))
        }
        _ => {
            let tokenizer = match name {
                "lowercase" => Tokenizer::Lowercase,
                "hanzi" => Tokenizer::Hanzi,
                "chars" => Tokenizer::Chars,
                "code" => Tokenizer::Code,
                _ => {
                    let choices = "words, lowercase, letters, hanzi, chars, code";
                    return Err(TOKENIZER.unknown("", name, choices));
                }
            };
            TOKENIZER.no_args(name, args)?;
            match parts.next() {
                Some(option) => Err(TOKENIZER.error(
                    option,
                    format!("is not an option of `{name}`, which has none"),
                )),
                None => Ok(tokenizer),
            }
        }
    }
}

fn words_option(words: &mut Words, option: &str, lists: &[WordList]) -> Result<(), ParseError> {
    let (name, args) = head(option);
    match (name, args) {
        ("fold", None) => words.fold = true,
        ("raw", None) => words.alphabet = Alphabet::Raw,
        ("ascii", None) => words.alphabet = Alphabet::Ascii,
        ("stop", code) => words.stop = Some(language(option, code)?),
        ("stem", code) => words.stem = Some(language(option, code)?),
        ("keep", Some(wanted)) => {
            let list = lists.iter().find(|list| list.name() == wanted);
            let missing = "names a dictionary that is not at hand; give its file with --dictionary";
            words.keep = Some(
                list.ok_or_else(|| TOKENIZER.error(option, missing))?
                    .clone(),
            );
        }
        _ => {
            let choices = "ascii, raw, fold, stop[:LANGUAGE], stem[:LANGUAGE], keep:DICTIONARY";
            return Err(TOKENIZER.unknown("option", option, choices));
        }
    }
    Ok(())
}

fn language(option: &str, code: Option<&str>) -> Result<Language, ParseError> {
    let Some(code) = code else {
        return Ok(Language::ENGLISH);
    };
    Language::from_code(code).ok_or_else(|| {
        let codes: Vec<&str> = Language::codes().collect();
        TOKENIZER.unknown("language of option", option, &codes.join(", "))
    })
}

impl fmt::Display for Tokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tokenizer::Words(words) => words.fmt(f),
            Tokenizer::Lowercase => f.write_str("lowercase"),
            Tokenizer::Letters(letters) => letters.fmt(f),
            Tokenizer::Hanzi => f.write_str("hanzi"),
            Tokenizer::Chars => f.write_str("chars"),
            Tokenizer::Code => f.write_str("code"),
        }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("words")?;
        match self.alphabet {
            Alphabet::Unicode => {}
            Alphabet::Raw => f.write_str("+raw")?,
            Alphabet::Ascii => f.write_str("+ascii")?,
        }
        if self.fold {
            f.write_str("+fold")?;
        }
        let mut with_language = |name, language: Option<Language>| match language {
            Some(Language::ENGLISH) => write!(f, "+{name}"),
            Some(language) => write!(f, "+{name}:{}", language.code()),
            None => Ok(()),
        };
        with_language("stop", self.stop)?;
        with_language("stem", self.stem)?;
        self.keep
            .as_ref()
            .map_or(Ok(()), |list| write!(f, "+keep:{}", list.name()))
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("letters")?;
        if self.group != NonZeroU32::MIN {
            write!(f, ":{}", self.group)?;
        }
        match self.form {
            LetterForm::Plain => Ok(()),
            LetterForm::Canonical => f.write_str("+canonical"),
            LetterForm::Consonants => f.write_str("+consonants"),
        }
    }
}

// ---- chunker ----

fn parse_chunker(text: &str) -> Result<Chunker, ParseError> {
    if text.contains('&') {
        let chunkers: Result<Vec<Chunker>, ParseError> = text
            .split('&')
            .map(|chunker| parse_chunker(chunker.trim()))
            .collect();
        return chunkers.map(Chunker::Union);
    }
    let (name, args) = head(text);
    let count = || CHUNKER.count(text, CHUNKER.args(text, args)?);
    match name {
        "window" => match CHUNKER.list(text, args)?[..] {
            [len] => Ok(Chunker::Window {
                len: CHUNKER.count(text, len)?,
                step: NonZeroU32::MIN,
            }),
            [len, step] => Ok(Chunker::Window {
                len: CHUNKER.count(text, len)?,
                step: CHUNKER.count(text, step)?,
            }),
            _ => Err(CHUNKER.error(
                text,
                "wants a length and perhaps a step: window:5, window:3,3",
            )),
        },
        "breakpoint" => count().map(Chunker::Breakpoint),
        "sentence" if args.is_none() => Ok(Chunker::Sentence(NonZeroU32::MIN)),
        "sentence" => count().map(Chunker::Sentence),
        "paragraph" => CHUNKER.no_args(text, args).map(|()| Chunker::Paragraph),
        "top" => match CHUNKER.list(text, args)?[..] {
            [words] => Ok(Chunker::Top {
                count: CHUNKER.count(text, words)?,
                by: Rank::Length,
            }),
            [words, "gb2312"] => Ok(Chunker::Top {
                count: CHUNKER.count(text, words)?,
                by: Rank::Gb2312,
            }),
            _ => Err(CHUNKER.error(text, "wants a number, and `gb2312` or nothing: top:5")),
        },
        "skip" => parse_skip(text, CHUNKER.args(text, args)?).map(Chunker::Skip),
        "partition" => {
            let example = "wants a number from 2 on, a comma and `window:LEN` or `skip:LEN,SHARE`: partition:2,skip:10,0.3";
            let (parts, inner) = CHUNKER
                .args(text, args)?
                .split_once(',')
                .ok_or_else(|| CHUNKER.error(text, example))?;
            let parts = CHUNKER.count(text, parts)?;
            if parts.get() < 2 {
                return Err(CHUNKER.error(text, example));
            }
            let inner = match parse_chunker(inner.trim())? {
                Chunker::Window { len, step } if step.get() == 1 => Inner::Window(len),
                Chunker::Skip(skip) => Inner::Skip(skip),
                _ => return Err(CHUNKER.error(text, example)),
            };
            Ok(Chunker::Partition { parts, inner })
        }
        "bytes" => count().map(Chunker::Bytes),
        "band" => {
            let [low, high] = CHUNKER.list(text, args)?[..] else {
                return Err(CHUNKER.error(text, "wants two shares from 0 to 1: band:0.1,0.9"));
            };
            let (low, high) = (CHUNKER.number(text, low)?, CHUNKER.number(text, high)?);
            if !(0.0 <= low && low <= high && high <= 1.0) {
                return Err(CHUNKER.error(text, "wants 0 ≤ low ≤ high ≤ 1"));
            }
            Ok(Chunker::Band { low, high })
        }
        _ => {
            let choices =
                "window, breakpoint, sentence, paragraph, top, skip, partition, bytes, band";
            Err(CHUNKER.unknown("", name, choices))
        }
    }
}

fn parse_skip(text: &str, args: &str) -> Result<Skip, ParseError> {
    let share = |word| {
        let share = CHUNKER.number(text, word)?;
        let valid = 0.0 < share && share <= 1.0;
        if valid {
            Ok(share)
        } else {
            Err(CHUNKER.error(text, "wants shares above 0, up to 1"))
        }
    };
    let args: Vec<&str> = args.split(',').map(str::trim).collect();
    match args[..] {
        ["any", add, stop] => {
            let (add, stop) = (share(add)?, share(stop)?);
            if add + stop > 1.0 {
                return Err(CHUNKER.error(text, "wants shares that do not exceed 1 together"));
            }
            Ok(Skip {
                len: None,
                add,
                stop,
            })
        }
        [len, accept] => {
            let accept = share(accept)?;
            Ok(Skip {
                len: Some(CHUNKER.count(text, len)?),
                add: accept,
                stop: accept,
            })
        }
        _ => {
            let problem = "wants a length and a share to accept, skip:10,0.3, or any length with the shares of A and S, skip:any,0.27,0.03";
            Err(CHUNKER.error(text, problem))
        }
    }
}

impl fmt::Display for Chunker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chunker::Window { len, step } if step.get() == 1 => write!(f, "window:{len}"),
            Chunker::Window { len, step } => write!(f, "window:{len},{step}"),
            Chunker::Breakpoint(modulus) => write!(f, "breakpoint:{modulus}"),
            Chunker::Sentence(modulus) if modulus.get() == 1 => f.write_str("sentence"),
            Chunker::Sentence(modulus) => write!(f, "sentence:{modulus}"),
            Chunker::Paragraph => f.write_str("paragraph"),
            Chunker::Top {
                count,
                by: Rank::Length,
            } => write!(f, "top:{count}"),
            Chunker::Top {
                count,
                by: Rank::Gb2312,
            } => write!(f, "top:{count},gb2312"),
            Chunker::Skip(skip) => skip.fmt(f),
            Chunker::Partition {
                parts,
                inner: Inner::Window(len),
            } => {
                write!(f, "partition:{parts},window:{len}")
            }
            Chunker::Partition {
                parts,
                inner: Inner::Skip(skip),
            } => {
                write!(f, "partition:{parts},{skip}")
            }
            Chunker::Bytes(bytes) => write!(f, "bytes:{bytes}"),
            Chunker::Band { low, high } => write!(f, "band:{low},{high}"),
            Chunker::Union(chunkers) => {
                let chunkers: Vec<String> = chunkers.iter().map(ToString::to_string).collect();
                f.write_str(&chunkers.join(" & "))
            }
        }
    }
}

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.len {
            Some(len) => write!(f, "skip:{len},{}", self.add),
            None => write!(f, "skip:any,{},{}", self.add, self.stop),
        }
    }
}

// ---- digester ----

fn parse_digester(text: &str) -> Result<Digester, ParseError> {
    let mut parts = text.split('+').map(str::trim);
    let first = parts.next().unwrap_or_default();
    let (name, args) = head(first);
    let (hash, most) = match name {
        "md5" => (Hash::Md5, 128),
        "shiftxor" => (Hash::ShiftXor, 32),
        "fast" => (Hash::Fast, 64),
        "keyed" => (Hash::Keyed, 64),
        _ => return Err(DIGESTER.unknown("", name, "md5, shiftxor, fast, keyed")),
    };
    let args = DIGESTER.args(first, args)?;
    let bits: Option<u32> = match args.strip_suffix("hex") {
        Some(digits) => digits
            .parse::<u32>()
            .ok()
            .and_then(|digits| digits.checked_mul(4)),
        None => args.parse().ok(),
    };
    let bits = bits
        .and_then(|bits| u8::try_from(bits).ok())
        .filter(|bits| (8..=most).contains(bits))
        .ok_or_else(|| {
            DIGESTER.error(first, format!("wants from 8 to {most} bits: {name}:{most}"))
        })?;
    let mut digester = Digester {
        hash,
        bits,
        sorted: false,
        joiner: Joiner::Space,
        print: Print::Hex,
    };
    let reads_text = matches!(hash, Hash::Md5 | Hash::ShiftXor);
    for option in parts {
        match option {
            "sorted" => digester.sorted = true,
            "comma" if reads_text => digester.joiner = Joiner::Comma,
            "concat" if reads_text => digester.joiner = Joiner::Nothing,
            "base64" => digester.print = Print::Base64,
            _ if reads_text => {
                return Err(DIGESTER.unknown("option", option, "sorted, comma, concat, base64"));
            }
            _ => return Err(DIGESTER.unknown("option", option, "sorted, base64")),
        }
    }
    Ok(digester)
}

impl fmt::Display for Digester {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.hash {
            Hash::Md5 => "md5",
            Hash::ShiftXor => "shiftxor",
            Hash::Fast => "fast",
            Hash::Keyed => "keyed",
        };
        write!(f, "{name}:{}", self.bits)?;
        if self.sorted {
            f.write_str("+sorted")?;
        }
        match self.joiner {
            Joiner::Space => {}
            Joiner::Comma => f.write_str("+comma")?,
            Joiner::Nothing => f.write_str("+concat")?,
        }
        match self.print {
            Print::Hex => Ok(()),
            Print::Base64 => f.write_str("+base64"),
        }
    }
}

// ---- selector ----

fn parse_selector(text: &str) -> Result<Selector, ParseError> {
    let (name, args) = head(text);
    let count = || SELECTOR.count(text, SELECTOR.args(text, args)?);
    match name {
        "all" => SELECTOR.no_args(text, args).map(|()| Selector::All),
        "first" => count().map(Selector::First),
        "random" => match SELECTOR.list(text, args)?[..] {
            [keep] => Ok(Selector::Random {
                keep: SELECTOR.count(text, keep)?,
                seed: 0,
            }),
            [keep, seed] => Ok(Selector::Random {
                keep: SELECTOR.count(text, keep)?,
                seed: seed
                    .parse()
                    .map_err(|_| SELECTOR.error(text, "wants a whole number as its seed"))?,
            }),
            _ => Err(SELECTOR.error(text, "wants a number and perhaps a seed: random:15")),
        },
        "modulo" if args == Some("auto") => Ok(Selector::Modulo(Modulus::Auto)),
        "modulo" => count().map(|modulus| Selector::Modulo(Modulus::Fixed(modulus))),
        "smallest" => match args {
            Some("sqrt") => Ok(Selector::Smallest(Size::Sqrt)),
            Some("linear") => Ok(Selector::Smallest(Size::Linear)),
            _ => count().map(|size| Selector::Smallest(Size::Fixed(size))),
        },
        "winnow" => count().map(Selector::Winnow),
        "sqrt" => SELECTOR.no_args(text, args).map(|()| Selector::SqrtLength),
        "variance" => {
            let start = SELECTOR.number(text, SELECTOR.args(text, args)?)?;
            // A smaller start would only take more rounds to get anywhere.
            if (0.001..=100.0).contains(&start) {
                Ok(Selector::VarianceLength(start))
            } else {
                Err(SELECTOR.error(text, "wants a start from 0.001 to 100: variance:0.1"))
            }
        }
        "anchors" => parse_anchors(text, args).map(Selector::Anchors),
        "kth-in-sentence" => count().map(Selector::KthInSentence),
        "kth-sentence" => count().map(Selector::KthSentence),
        "kth-in-paragraph" => count().map(Selector::KthInParagraph),
        "rarest-in-document" => count().map(Selector::RarestInDocument),
        "rarest-in-collection" => count().map(Selector::RarestInCollection),
        "rarest-prefix" => match SELECTOR.list(text, args)?[..] {
            [chars, keep] => Ok(Selector::RarestPrefix {
                chars: SELECTOR.count(text, chars)?,
                keep: SELECTOR.count(text, keep)?,
            }),
            _ => Err(SELECTOR.error(text, "wants characters and a number: rarest-prefix:3,15")),
        },
        _ => {
            let choices = "all, first, random, modulo, smallest, winnow, sqrt, variance, anchors, kth-in-sentence, kth-sentence, kth-in-paragraph, rarest-in-document, rarest-in-collection, rarest-prefix";
            Err(SELECTOR.unknown("", name, choices))
        }
    }
}

fn parse_anchors(text: &str, args: Option<&str>) -> Result<Vec<String>, ParseError> {
    let Some(args) = args else {
        return Ok(DEFAULT_ANCHORS.map(str::to_owned).to_vec());
    };
    let anchors: Vec<String> = args
        .split(',')
        .map(|anchor| anchor.trim().to_owned())
        .collect();
    if anchors.iter().any(String::is_empty) {
        return Err(SELECTOR.error(text, "wants strings between commas: anchors:ante,orm"));
    }
    Ok(anchors)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::All => f.write_str("all"),
            Selector::First(count) => write!(f, "first:{count}"),
            Selector::Random { keep, seed: 0 } => write!(f, "random:{keep}"),
            Selector::Random { keep, seed } => write!(f, "random:{keep},{seed}"),
            Selector::Modulo(Modulus::Fixed(modulus)) => write!(f, "modulo:{modulus}"),
            Selector::Modulo(Modulus::Auto) => f.write_str("modulo:auto"),
            Selector::Smallest(Size::Fixed(size)) => write!(f, "smallest:{size}"),
            Selector::Smallest(Size::Sqrt) => f.write_str("smallest:sqrt"),
            Selector::Smallest(Size::Linear) => f.write_str("smallest:linear"),
            Selector::Winnow(window) => write!(f, "winnow:{window}"),
            Selector::SqrtLength => f.write_str("sqrt"),
            Selector::VarianceLength(start) => write!(f, "variance:{start}"),
            Selector::Anchors(anchors) if *anchors == DEFAULT_ANCHORS => f.write_str("anchors"),
            Selector::Anchors(anchors) => write!(f, "anchors:{}", anchors.join(",")),
            Selector::KthInSentence(k) => write!(f, "kth-in-sentence:{k}"),
            Selector::KthSentence(k) => write!(f, "kth-sentence:{k}"),
            Selector::KthInParagraph(k) => write!(f, "kth-in-paragraph:{k}"),
            Selector::RarestInDocument(keep) => write!(f, "rarest-in-document:{keep}"),
            Selector::RarestInCollection(keep) => write!(f, "rarest-in-collection:{keep}"),
            Selector::RarestPrefix { chars, keep } => write!(f, "rarest-prefix:{chars},{keep}"),
        }
    }
}

// ---- passages ----

fn parse_passages(text: &str) -> Result<Passages, ParseError> {
    match head(text) {
        ("passages", args) => match PASSAGES.list(text, args)?[..] {
            [words, step] => Ok(Passages {
                words: PASSAGES.count(text, words)?,
                step: PASSAGES.count(text, step)?,
            }),
            _ => Err(PASSAGES.error(text, "wants two numbers: passages:50,25")),
        },
        (name, _) => Err(PASSAGES.unknown("", name, "passages")),
    }
}

// ---- words ----

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
        args.ok_or_else(|| self.error(word, format!("wants a number: {word}:10")))
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
                format!("wants a whole number from 1 on, not `{number}`"),
            )
        })
    }

    fn number(&self, word: &str, number: &str) -> Result<f64, ParseError> {
        let parsed: Option<f64> = number.parse().ok().filter(|value: &f64| value.is_finite());
        parsed.ok_or_else(|| self.error(word, format!("wants a number, not `{number}`")))
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
        assert!(error.contains("--dictionary"), "{error}");
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
            "tokenizer `wrods` is not known; choose one of words, lowercase, letters, hanzi, chars, code",
        );
        refuses(
            "words+flod | window:5 | md5:64 | all",
            "tokenizer `flod` is not known as option; choose one of ascii, raw, fold, stop[:LANGUAGE], stem[:LANGUAGE], keep:DICTIONARY",
        );
        refuses(
            "words | window:0 | md5:64 | all",
            "chunker `window:0` wants a whole number from 1 on, not `0`",
        );
        refuses(
            "words | window | md5:64 | all",
            "chunker `window` wants a number: window:10",
        );
        refuses(
            "words | window:5 | md5:200 | all",
            "digester `md5:200` wants from 8 to 128 bits: md5:128",
        );
        refuses(
            "words | window:5 | fast:64+comma | all",
            "digester `comma` is not known as option; choose one of sorted, base64",
        );
        refuses(
            "words | window:5 | md5:64 | modulo:x",
            "selector `modulo:x` wants a whole number from 1 on, not `x`",
        );
        refuses(
            "lowercase+fold | top:5 | md5:64 | all",
            "tokenizer `fold` is not an option of `lowercase`, which has none",
        );
    }
}
