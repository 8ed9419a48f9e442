//! Programs among documents: they are compared with programs, by a method of their own.

use std::collections::HashSet;

use cento::Document;
use cento::report::Skipped;
use cento_ingest::{Input, Programs};

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

/// Adds the texts that stand beside programs: in a submission of several files, and in a notebook.
pub(super) fn add_texts(inputs: &mut Vec<Input>, options: &cento_ingest::Options) {
    if options.reading.programs != Programs::Recognised {
        return;
    }
    let taken: HashSet<String> = inputs.iter().map(|input| input.id().to_owned()).collect();
    let beside: Vec<Input> = inputs.iter().filter_map(Input::beside_programs).collect();
    inputs.extend(
        beside
            .into_iter()
            .filter(|input| !taken.contains(input.id())),
    );
}

/// Forgets those in which there is nothing, and why such a one cannot be read: that is said of the whole.
pub(super) fn drop_empty(
    inputs: &[Input],
    documents: &mut Vec<Document>,
    skipped: &mut Vec<Skipped>,
) {
    let beside = inputs.iter().filter(|input| input.is_beside());
    let beside: HashSet<&str> = beside.map(Input::id).collect();
    documents.retain(|document| document.words > 0 || !beside.contains(document.id.as_str()));
    skipped.retain(|one| !beside.contains(one.id.as_str()));
}

/// The texts and the programs among documents.
pub(super) fn apart(documents: Vec<Document>) -> (Vec<Document>, Vec<Document>) {
    let is_text = |document: &Document| document.language.is_none();
    documents.into_iter().partition(is_text)
}
