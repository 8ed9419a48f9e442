//! The tokenizer stage.

use std::fmt;
use std::num::NonZeroU32;

use super::{ParseError, Stage, head};
use crate::token::{
    Alphabet, Language, LetterForm, Letters, STRUCTURE_REVISION, Script, Tokenizer, View, WordList,
    Words,
};

const TOKENIZER: Stage = Stage("tokenizer");

pub(super) fn parse(text: &str, lists: &[WordList]) -> Result<Tokenizer, ParseError> {
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
            let (tokenizer, args) = match name {
                "lowercase" => (Tokenizer::Lowercase(script(args)?), None),
                "structure" => {
                    expect_revision(args)?;
                    let mut parts = parts.clone();
                    match (parts.next(), parts.next()) {
                        (Some("letters"), None) => return Ok(Tokenizer::Code(View::Both)),
                        (Some(option), _) => {
                            return Err(TOKENIZER.unknown("option", option, "letters"));
                        }
                        (None, _) => (Tokenizer::Code(View::Structure), None),
                    }
                }
                _ => (without_args(name)?, args),
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

fn without_args(name: &str) -> Result<Tokenizer, ParseError> {
    Ok(match name {
        "hanzi" => Tokenizer::Hanzi,
        "kanji" => Tokenizer::Kanji,
        "scripts" => Tokenizer::Scripts,
        "chars" => Tokenizer::Chars,
        "code" => Tokenizer::Code(View::Letters),
        _ => {
            let choices =
                "words, lowercase, letters, hanzi, kanji, scripts, chars, code, structure";
            return Err(TOKENIZER.unknown("", name, choices));
        }
    })
}

/// Fingerprints that were made by other tables cannot be compared with those that are made now.
fn expect_revision(given: Option<&str>) -> Result<(), ParseError> {
    match given {
        None => Ok(()),
        Some(given) if given == STRUCTURE_REVISION.to_string() => Ok(()),
        Some(given) => Err(TOKENIZER.error(
            &format!("structure:{given}"),
            format!("is not the revision that this version of Cento makes, {STRUCTURE_REVISION}"),
        )),
    }
}

/// The script that the words are of; the letters a to z without one.
fn script(name: Option<&str>) -> Result<Option<Script>, ParseError> {
    let Some(name) = name else {
        return Ok(None);
    };
    let script = Script::ALL.into_iter().find(|script| script.name() == name);
    let unknown = || {
        let choices = Script::ALL.map(Script::name).join(", ");
        TOKENIZER.unknown("script", name, &choices)
    };
    script.map(Some).ok_or_else(unknown)
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
            let missing = "names a dictionary that was not given";
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
            Tokenizer::Lowercase(None) => f.write_str("lowercase"),
            Tokenizer::Lowercase(Some(script)) => write!(f, "lowercase:{}", script.name()),
            Tokenizer::Letters(letters) => letters.fmt(f),
            Tokenizer::Hanzi => f.write_str("hanzi"),
            Tokenizer::Kanji => f.write_str("kanji"),
            Tokenizer::Scripts => f.write_str("scripts"),
            Tokenizer::Chars => f.write_str("chars"),
            Tokenizer::Code(View::Letters) => f.write_str("code"),
            Tokenizer::Code(View::Structure) => write!(f, "structure:{STRUCTURE_REVISION}"),
            Tokenizer::Code(View::Both) => write!(f, "structure:{STRUCTURE_REVISION}+letters"),
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
