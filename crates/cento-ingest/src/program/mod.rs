//! Programs: which files are some, and their code tokens.
//!
//! A document that has programs in it says where each of them is in its text, in which language, and
//! what the grammar of that language makes of it. Grammars are parsers of foreign bytes, so they run
//! where the other parsers do.

mod recognise;

use std::ops::Range;

use serde::{Deserialize, Serialize};

pub use cento_code::{Class, Highlight, Program, REVISION as GRAMMAR_REVISION, Subroutine, Token};
pub use recognise::language_of;

use cento_code::{Attack, Language, Refusal};

use crate::isolate::Readers;
use crate::{CodeSpan, Document, PartSpan};

/// Which documents are read as programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Programs {
    /// None, unless a job that compares programs says otherwise.
    #[default]
    Auto,
    /// None: everything is text.
    Text,
    /// Those that their name or content tells.
    Recognised,
    /// All, in the language of this name.
    All(String),
}

/// Where a program is in the text of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramPart {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The name of its language, in lower case.
    pub language: String,
    /// Its code tokens by the grammar of the language; their places are bytes from `start` on. None if
    /// there is no such grammar or the program does not parse.
    pub program: Option<Program>,
}

/// What is done to a program so that it looks like another one.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Disguise {
    /// Its language.
    pub language: Language,
    /// In which way.
    pub attack: Attack,
    /// How much of it is touched, from 0 to 1.
    pub level: f64,
    /// Decides the random choices.
    pub seed: u64,
}

/// The language of programs in any language: they are read without a grammar.
const GENERIC: &str = "generic";

impl Programs {
    /// What a name means: a language, `generic` for one that has no grammar, or `text`.
    pub fn named(name: &str) -> Result<Programs, String> {
        match name.to_lowercase().as_str() {
            "text" => Ok(Programs::Text),
            GENERIC => Ok(Programs::All(GENERIC.to_owned())),
            known => {
                if let Some(language) = Language::named(known) {
                    return Ok(Programs::All(language.name().to_owned()));
                }
                let all: Vec<&str> = Language::ALL.iter().map(|one| one.name()).collect();
                let all = all.join(", ");
                Err(format!(
                    "{name} is not known; {all} are, and generic for any other language"
                ))
            }
        }
    }

    /// The name that means this, if there is one.
    pub fn name(&self) -> Option<&str> {
        match self {
            Programs::Auto | Programs::Recognised => None,
            Programs::Text => Some("text"),
            Programs::All(language) => Some(language),
        }
    }

    /// The language of a file, if it is to be read as a program.
    fn language(&self, name: &str, content: &str) -> Option<String> {
        match self {
            Programs::Auto | Programs::Text => None,
            Programs::Recognised => language_of(name, content).map(str::to_owned),
            Programs::All(language) => Some(language.clone()),
        }
    }
}

impl Readers {
    /// Finds the programs of a document and parses them; its parts say by themselves that some are
    /// here.
    pub(crate) fn add_programs(&self, document: &mut Document, said: &[Vec<CodeSpan>]) {
        let wanted = &self.reading().programs;
        let mut found = Vec::new();
        let mut beside = Vec::new();
        for (part, said) in document.parts.iter().zip(said) {
            let text = &document.content[part.start as usize..part.end as usize];
            if said.is_empty() {
                match wanted.language(&part.file, text) {
                    Some(language) => found.push((part.clone(), language)),
                    None => beside.push(part.file.as_str()),
                }
            }
            found.extend(said.iter().map(|code| {
                let span = PartSpan {
                    file: part.file.clone(),
                    start: part.start + code.start,
                    end: part.start + code.end,
                };
                (span, code.language.clone())
            }));
        }
        if !found.is_empty() && !beside.is_empty() {
            document.warnings.push(not_compared(&beside));
        }
        let has_several = document.parts.len() > 1;
        for (part, language) in found {
            let text = &document.content[part.start as usize..part.end as usize];
            let program = self.parse_as(text, &language);
            if let Err(Some(reason)) = &program {
                let file = match has_several.then_some(&part.file) {
                    Some(file) => format!("{file}: "),
                    None => String::new(),
                };
                let warning = format!("{file}read as a program without its grammar: {reason}");
                if !document.warnings.contains(&warning) {
                    document.warnings.push(warning);
                }
            }
            document.programs.push(ProgramPart {
                start: part.start,
                end: part.end,
                language,
                program: program.ok(),
            });
        }
    }

    /// A stretch of a text as a program in a language, as it is found in documents.
    pub fn program(&self, text: &str, bytes: Range<u32>, language: &str) -> ProgramPart {
        let Range { start, end } = bytes;
        let inside = text.get(start as usize..end as usize);
        ProgramPart {
            start,
            end,
            language: language.to_owned(),
            program: inside.and_then(|text| self.parse_as(text, language).ok()),
        }
    }

    /// The code tokens of a program, or why there are none, if somebody has to be told.
    fn parse_as(&self, text: &str, language: &str) -> Result<Program, Option<String>> {
        match Language::named(language) {
            Some(known) => self.parse(text, known).map_err(Some),
            // Nobody has to be told what they asked for.
            None if language == GENERIC => Err(None),
            None => Err(Some(format!("there is no grammar for {language}"))),
        }
    }
}

/// Says that some files of a program are none.
fn not_compared(files: &[&str]) -> String {
    const NAMED: usize = 3;
    let (named, others) = files.split_at(files.len().min(NAMED));
    let named = named.join(", ");
    let others = match others.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{named}{others}: no part of the program, and not compared with programs")
}

/// What the grammar of a language makes of a text, or why it makes nothing of it.
pub(crate) fn parse(text: &str, language: Language) -> Result<Program, String> {
    cento_code::parse(text, language).map_err(|refusal: Refusal| refusal.to_string())
}

/// A program after a disguise, or why there is none.
pub(crate) fn disguise(text: &str, disguise: Disguise) -> Result<String, String> {
    let Disguise {
        language,
        attack,
        level,
        seed,
    } = disguise;
    cento_code::attack(text, language, attack, level, seed)
        .map_err(|refusal: Refusal| refusal.to_string())
}
