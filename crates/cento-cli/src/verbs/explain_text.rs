//! `cento explain text`: what was read, and as what.

use anyhow::Result;
use cento::token::count_words;
use cento_ingest::Document;
use serde_json::json;
use whatlang::Info;

use crate::args::Format;
use crate::config::Settings;
use crate::load::Input;
use crate::{Outcome, output};

pub(super) fn run(input: &Input, document: &Document, settings: &Settings) -> Result<Outcome> {
    let language = language(&document.content);
    let kind = document.kind.map(|kind| kind.to_string());
    if settings.format == Format::Json {
        let parts = document.parts.iter();
        let parts: Vec<_> = parts
            .map(|part| json!({ "file": part.file, "start": part.start, "end": part.end }))
            .collect();
        let value = json!({
            "id": input.id(), "type": kind, "encoding": document.encoding,
            "language": language.map(|info| info.lang().code()),
            "words": count_words(&document.content), "warnings": document.warnings,
            "parts": parts, "text": document.content,
        });
        output::result(&format!("{}\n", serde_json::to_string_pretty(&value)?))?;
        return Ok(Outcome::Done);
    }
    if !settings.quiet {
        let kind = kind.unwrap_or_else(|| format!("{} files", document.parts.len()));
        output::message(&format!("type      {kind}"));
        if let Some(encoding) = document.encoding {
            output::message(&format!("encoding  {encoding}"));
        }
        let language = language
            .as_ref()
            .map_or_else(|| "not known".to_owned(), name);
        output::message(&format!("language  {language}"));
        output::message(&format!("words     {}", count_words(&document.content)));
    }
    let end = if document.content.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    output::result(&format!("{}{end}", document.content))?;
    Ok(Outcome::Done)
}

/// The language of a text, as far as its beginning tells.
fn language(text: &str) -> Option<Info> {
    const ENOUGH: usize = 20_000;
    let end = text
        .char_indices()
        .nth(ENOUGH)
        .map_or(text.len(), |(end, _)| end);
    whatlang::detect(&text[..end])
}

fn name(info: &Info) -> String {
    let doubt = if info.is_reliable() { "" } else { ", a guess" };
    format!("{}{doubt}", info.lang().eng_name())
}
