//! `cento compare` and `cento scan` with a style recipe: distances instead of shares.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use cento::Role;
use cento::report::{Report, Skipped};
use cento::style::{self, Style, Styled};
use rayon::prelude::*;

use super::complete;
use crate::Outcome;
use crate::config::Settings;
use crate::load::{Finding, Input, account, bytes, find, role};
use crate::progress::Progress;
use crate::publish::Publication;

/// `--exit-code` tells of a threshold, and distances have none.
pub(crate) fn refuse_exit_code(exit_code: bool) -> Result<()> {
    if exit_code {
        bail!("--exit-code: a style recipe has no threshold that could be reached; leave it out");
    }
    Ok(())
}

/// How far two documents are apart.
pub(crate) fn compare(
    paths: &[PathBuf; 2],
    inputs: &[Input; 2],
    style: Style,
    publication: &Publication,
    settings: &Settings,
) -> Result<Outcome> {
    let read = |number: usize| -> Result<Styled> {
        let id = paths[number].display().to_string();
        let document = document(&inputs[number], Role::New, &style).map_err(anyhow::Error::msg);
        let document = document.with_context(|| id.clone())?;
        Ok(Styled { id, ..document })
    };
    let documents = [read(0)?, read(1)?];
    let report = style::compare(&documents, &style_settings(style, settings));
    print(report, publication, settings)
}

/// The nearest neighbour of each document.
pub(crate) fn scan(
    new: &[PathBuf],
    style: Style,
    publication: &Publication,
    settings: &Settings,
) -> Result<Outcome> {
    let paths: Vec<PathBuf> = new.iter().chain(&settings.old).cloned().collect();
    let Finding {
        inputs,
        mut skipped,
        ..
    } = find(&paths, settings)?;
    let progress = Progress::reading(inputs.len(), bytes(&inputs), settings.quiet);
    let results: Vec<Result<Styled, Skipped>> = inputs
        .par_iter()
        .map(|input| {
            let result = document(input, role(input, new.len()), &style);
            progress.read(input.size());
            result.map_err(|reason| Skipped {
                id: input.id().to_owned(),
                reason,
                limit: None,
            })
        })
        .collect();
    progress.finish();
    let mut documents = Vec::with_capacity(results.len());
    for result in results {
        match result {
            Ok(document) => documents.push(document),
            Err(reason) => skipped.push(reason),
        }
    }
    skipped.sort();
    let read = documents.len();
    let mut report = style::scan(documents, &style_settings(style, settings));
    report.skipped.clone_from(&skipped);
    let outcome = print(report, publication, settings)?;
    account(read, &skipped, settings)?;
    Ok(outcome)
}

fn style_settings(style: Style, settings: &Settings) -> style::Settings {
    style::Settings {
        style,
        top: settings.scan.top,
    }
}

/// A document, or the reason why it cannot be one.
fn document(input: &Input, role: Role, style: &Style) -> Result<Styled, String> {
    let text = input.read()?;
    let vector = style
        .vector(&text.content)
        .ok_or("no words in it that a style counts")?;
    Ok(Styled {
        id: input.id().to_owned(),
        role,
        words: cento::token::count_words(&text.content),
        warnings: text.warnings,
        vector,
    })
}

fn print(mut report: Report, publication: &Publication, settings: &Settings) -> Result<Outcome> {
    complete(&mut report, settings);
    publication.publish(&mut report, &[], settings)?;
    Ok(Outcome::Done)
}
