//! `cento compare`: two documents.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use cento::report::Report;
use cento::{Counts, Document, Texts, Watch};
use cento_server::reading::describe;

use super::{complete, style, use_threads};
use crate::Outcome;
use crate::args::{CompareArgs, General};
use crate::config::{Method, Settings, Typed, settle_method};
use crate::load::{Input, base, count, document, single};
use crate::publish::Publication;

pub(crate) fn run(args: CompareArgs, general: &General) -> Result<Outcome> {
    let typed = Typed {
        method: args.method,
        reading: args.reading,
        evidence: args.evidence,
        ..Typed::default()
    };
    let (method, mut settings) = settle_method(typed, general)?;
    if args.compress.is_some() {
        settings.aligner = None;
    }
    let publication = Publication::settle(args.publishing, &settings)?;
    use_threads(&settings)?;
    let paths = [args.left, args.right];
    let inputs = [single(&paths[0], &settings)?, single(&paths[1], &settings)?];
    if let Method::Style(method) = method {
        if args.compress.is_some() {
            bail!("--compress: a style recipe is a method of its own; leave one of them out");
        }
        style::refuse_exit_code(args.exit_code)?;
        return style::compare(&paths, &inputs, method, &publication, &settings);
    }
    let mut report = report(&paths, &inputs, Others::default(), &settings)?;
    complete(&mut report, &settings);
    if let Some(by) = args.compress {
        let read = |input: &Input| input.read().map_err(anyhow::Error::msg);
        let texts = [read(&inputs[0])?.content, read(&inputs[1])?.content];
        let texts = texts.each_ref().map(String::as_str);
        cento::compress::judge(&mut report, texts, by, settings.scan.threshold)?;
    }
    let templates = base(&settings, &[])?.texts;
    publication.publish(&mut report, &templates, &settings)?;
    let found = args.exit_code && report.pairs[0].score >= settings.scan.threshold;
    Ok(if found { Outcome::Found } else { Outcome::Done })
}

/// The collection that a pair belongs to.
#[derive(Default)]
pub(super) struct Others {
    pub(super) documents: Vec<Document>,
    /// What the recipe was told about the collection; without it, the pair is all there is.
    pub(super) counts: Option<Counts>,
}

/// What the two documents share, with their texts.
pub(super) fn report(
    paths: &[PathBuf; 2],
    inputs: &[Input; 2],
    others: Others,
    settings: &Settings,
) -> Result<Report> {
    let recipe = &settings.scan.recipe;
    let base = base(settings, &[])?;
    let counts = others.counts.or_else(|| {
        let counted = recipe.counted()?;
        Some(count(inputs, &counted, settings))
    });
    let open = |number: usize| -> Result<Document> {
        let template = base.fingerprint.as_ref();
        let mut document = document(&inputs[number], 1, recipe, settings, &counts, template)
            .map_err(anyhow::Error::msg)
            .with_context(|| paths[number].display().to_string())?;
        document.id = paths[number].display().to_string();
        document.label.clone_from(&document.id);
        Ok(document)
    };
    let documents = [open(0)?, open(1)?];
    let read = |id: &str| {
        let number = documents.iter().position(|document| document.id == id)?;
        Some(inputs[number].read().ok()?.content)
    };
    let texts = settings.aligner.map(|aligner| Texts {
        aligner,
        read: &read,
        templates: base.texts,
        key: &settings.key,
        seen: &counts,
    });
    let others = &others.documents;
    let mut report = cento::compare(
        &documents,
        others,
        &settings.scan,
        texts.as_ref(),
        Watch::NOBODY,
    )?;
    for (document, input) in report.documents.iter_mut().zip(inputs) {
        document.text = read(&document.id);
        describe(input, document);
    }
    Ok(report)
}
