//! What was read, and as what.

use cento::token::count_words;
use cento_ingest::{Document, Input, PartSpan};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::error::Result;
use crate::method::Method;

/// A text as it was read.
#[derive(Clone, Debug)]
pub struct ReadText {
    /// The document's id.
    pub id: String,
    /// What its file was read as, if it is one file.
    pub kind: Option<String>,
    /// How its characters were coded, if that is one encoding for all of them.
    pub encoding: Option<String>,
    /// Its language, if that can be told.
    pub language: Option<Language>,
    /// How many words it has.
    pub words: u64,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// Which bytes come from which file, if it was put together.
    pub parts: Vec<PartSpan>,
    /// What a recipe sees of it, if it was read for one.
    pub seen: Option<Seen>,
    /// The text.
    pub text: String,
}

/// What a recipe sees of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The recipe as it was given.
    pub recipe: String,
    /// How many tokens it takes.
    pub tokens: usize,
}

impl Seen {
    pub(super) fn by(method: &Method, text: &str) -> Seen {
        Seen {
            recipe: method.name.clone(),
            tokens: method.recipe.tokenizer.tokens(text).len(),
        }
    }
}

/// The language of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its code in ISO 639-3.
    pub code: &'static str,
    /// Its name in English.
    pub name: &'static str,
    /// Whether it is more than a guess.
    pub is_reliable: bool,
}

pub(super) fn shown(input: &Input, document: Document, seen: Option<Seen>) -> ReadText {
    ReadText {
        id: input.id().to_owned(),
        kind: document.kind.map(|kind| kind.to_string()),
        encoding: document.encoding.map(str::to_owned),
        language: Language::of(&document.content),
        words: count_words(&document.content),
        warnings: document.warnings,
        parts: document.parts,
        seen,
        text: document.content,
    }
}

impl Language {
    /// As far as the beginning of a text tells.
    fn of(text: &str) -> Option<Language> {
        const ENOUGH: usize = 20_000;
        let end = text
            .char_indices()
            .nth(ENOUGH)
            .map_or(text.len(), |(end, _)| end);
        let info = whatlang::detect(&text[..end])?;
        Some(Language {
            code: info.lang().code(),
            name: info.lang().eng_name(),
            is_reliable: info.is_reliable(),
        })
    }
}

impl Serialize for ReadText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let part = |part: &PartSpan| -> Value {
            json!({ "file": part.file, "start": part.start, "end": part.end })
        };
        let parts: Vec<Value> = self.parts.iter().map(part).collect();
        let mut value = json!({
            "id": self.id,
            "type": self.kind,
            "encoding": self.encoding,
            "language": self.language.map(|language| language.code),
            "words": self.words,
            "warnings": self.warnings,
            "parts": parts,
            "text": self.text,
        });
        if let Some(seen) = &self.seen {
            value["for"] = json!({ "recipe": seen.recipe, "tokens": seen.tokens });
        }
        value.serialize(serializer)
    }
}
