//! Programs among documents: they are compared with programs, by a method of their own.

use cento::Document;
use cento_ingest::Programs;

use super::{Options, Settings};
use crate::error::Result;
use crate::method::{EvidenceOptions, MethodOptions};

/// What programs are compared by, unless somebody says how documents are compared.
const RECIPE: &str = "code";

/// How programs are compared; none if something is asked for that is then for all documents.
pub(super) fn settings(options: &Options) -> Result<Option<Settings>> {
    let is_for_all = options.compress.is_some() || options.approximate.is_some();
    let Some((method, evidence)) =
        of_programs(&options.method, &options.evidence, &options.input).filter(|_| !is_for_all)
    else {
        return Ok(None);
    };
    Settings::of(&Options {
        method,
        evidence,
        passage: None,
        ..options.clone()
    })
    .map(Some)
}

/// The options of a method as they are for programs; none if a recipe or a measure is asked for, which
/// is then for all documents, or if nothing is to be read as a program.
pub(crate) fn of_programs(
    method: &MethodOptions,
    evidence: &EvidenceOptions,
    input: &cento_ingest::Options,
) -> Option<(MethodOptions, EvidenceOptions)> {
    let is_for_all =
        method.recipe.is_some() || method.measure.is_some() || method.dictionary.is_some();
    if is_for_all || input.reading.programs == Programs::Text {
        return None;
    }
    let method = MethodOptions {
        recipe: Some(RECIPE.to_owned()),
        ..method.clone()
    };
    // Words that mean the same are not those of programs.
    let evidence = EvidenceOptions {
        synonyms: None,
        vectors: None,
        aligner: evidence
            .aligner
            .clone()
            .filter(|aligner| aligner != "passages"),
        ..evidence.clone()
    };
    Some((method, evidence))
}

/// The same options with programs recognised, if nothing is said about them.
pub(crate) fn recognised(input: &cento_ingest::Options) -> cento_ingest::Options {
    let mut input = input.clone();
    if input.reading.programs == Programs::Auto {
        input.reading.programs = Programs::Recognised;
    }
    input
}

/// The texts and the programs among documents.
pub(super) fn apart(documents: Vec<Document>) -> (Vec<Document>, Vec<Document>) {
    let is_text = |document: &Document| document.language.is_none();
    documents.into_iter().partition(is_text)
}
