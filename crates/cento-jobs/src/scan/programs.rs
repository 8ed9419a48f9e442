//! Programs among documents: they are compared with programs, by a method of their own.

use cento::Document;
use cento_ingest::Programs;

use super::{Options, Settings};
use crate::error::Result;
use crate::method::MethodOptions;

/// What programs are compared by, unless somebody says how documents are compared.
const RECIPE: &str = "code";

/// How programs are compared; none if a recipe, a measure or a compressor is asked for, which is then
/// for all documents.
pub(super) fn settings(options: &Options) -> Result<Option<Settings>> {
    let method = &options.method;
    let is_asked_for = method.recipe.is_some()
        || method.measure.is_some()
        || method.dictionary.is_some()
        || options.compress.is_some()
        || options.approximate.is_some();
    if is_asked_for {
        return Ok(None);
    }
    let mut evidence = options.evidence.clone();
    // Words that mean the same are not those of programs.
    evidence.synonyms = None;
    evidence.vectors = None;
    Settings::of(&Options {
        method: MethodOptions {
            recipe: Some(RECIPE.to_owned()),
            ..method.clone()
        },
        evidence,
        ..options.clone()
    })
    .map(Some)
}

/// The same options with programs recognised, if nothing is said about them.
pub(super) fn recognised(input: &cento_ingest::Options) -> cento_ingest::Options {
    let mut input = input.clone();
    if input.reading.programs == Programs::Text {
        input.reading.programs = Programs::Recognised;
    }
    input
}

/// The texts and the programs among documents.
pub(super) fn apart(documents: Vec<Document>) -> (Vec<Document>, Vec<Document>) {
    let is_text = |document: &Document| document.language.is_none();
    documents.into_iter().partition(is_text)
}
