//! Comparing by style: distances instead of shares.

use std::path::PathBuf;

use cento::Role;
use cento::report::{Report, Skipped};
use cento::style::{self, Style, Styled};
use cento_ingest::Input;

use crate::documents::{Documents, Reader, Unreadable, read_all};
use crate::error::{At as _, Error, Problem, Result};
use crate::method::{EvidenceOptions, MethodOptions};
use crate::prepare::disguised;
use crate::report::{Reported, add_layout, named};
use crate::scan::{self, role};
use crate::watch::Watch;

/// How far apart two documents are.
pub(crate) fn compare(paths: &[PathBuf; 2], inputs: &[Input; 2], style: Style) -> Result<Reported> {
    let read = |number: usize| -> Result<Styled> {
        let id = paths[number].display().to_string();
        let document = document(&inputs[number], Role::New, &style);
        let document = document.map_err(Unreadable::error).at(&id)?;
        Ok(Styled { id, ..document })
    };
    let documents = [read(0)?, read(1)?];
    let [left, right] = documents.each_ref().map(|document| &document.vector);
    if style.distance(left, right).is_none() {
        let reason = "has no measurement in common with the other one, so there is no distance";
        return Err(Error::refused(reason)).at(&documents[0].id);
    }
    let settings = style::Settings { style, top: None };
    let report = style::compare(&documents, &settings);
    Ok(reported(report, 2, &[], &[], Vec::new()))
}

/// The nearest neighbour of each document.
pub(crate) fn scan(options: &scan::Options, style: Style, watch: &Watch<'_>) -> Result<Reported> {
    let paths: Vec<PathBuf> = options.paths.iter().chain(&options.old).cloned().collect();
    let reader = Reader::new(&options.input);
    let Documents {
        inputs,
        mut skipped,
        ..
    } = reader.find_with(&paths, &options.given, watch)?;
    let documents = read_all(&inputs, &mut skipped, watch, |input| {
        document(input, role(input, options.paths.len()), &style)
    })?;
    let settings = style::Settings {
        style,
        top: options.top,
    };
    let read = documents.len();
    let report = style::scan(documents, &settings);
    watch.go_on()?;
    Ok(reported(report, read, &options.old, &inputs, skipped))
}

fn reported(
    mut report: Report,
    read: usize,
    old: &[PathBuf],
    inputs: &[Input],
    skipped: Vec<Skipped>,
) -> Reported {
    if !old.is_empty() {
        report.settings.insert("old".to_owned(), named(old));
    }
    add_layout(&mut report, inputs);
    report.skipped = skipped;
    Reported {
        report,
        templates: Vec::new(),
        read,
        is_found: false,
    }
}

/// Reads a document and measures its style.
fn document(input: &Input, role: Role, style: &Style) -> Result<Styled, Unreadable> {
    let text = input.read()?;
    let vector = style.vector(&text.content);
    let none = "it has no words that a style counts";
    Ok(Styled {
        id: input.id().to_owned(),
        role,
        words: cento::token::count_words(&text.content),
        disguised: disguised(&text),
        warnings: text.warnings,
        vector: vector.ok_or_else(|| Unreadable::Other(none.to_owned()))?,
    })
}

/// The options given that have no effect on a style.
pub(crate) fn in_vain(method: &MethodOptions, evidence: &EvidenceOptions) -> Vec<&'static str> {
    let given = [
        ("measure", method.measure.is_some()),
        ("threshold", method.threshold.is_some()),
        ("dictionary", method.dictionary.is_some()),
        ("key-file", method.key_file.is_some()),
        ("base", !evidence.base.is_empty()),
        ("aligner", evidence.aligner.is_some()),
        ("synonyms", evidence.synonyms.is_some()),
        ("vectors", evidence.vectors.is_some()),
        ("count-quotes", evidence.count_quotes),
        ("count-bibliography", evidence.count_bibliography),
    ];
    let given = given.into_iter();
    given
        .filter_map(|(name, given)| given.then_some(name))
        .collect()
}

/// Refuses options that have no effect, rather than ignoring them.
pub(crate) fn refuse(in_vain: Vec<&'static str>) -> Result<()> {
    if in_vain.is_empty() {
        return Ok(());
    }
    let reason = "has no effect on a style recipe, which has neither digests nor scores";
    let problem = |option| Problem::new(option, reason);
    Err(Error::Options(in_vain.into_iter().map(problem).collect()))
}
