//! `cento compare`: two documents.

use anyhow::{Context as _, Result};
use cento::Document;

use super::{complete, rendered, use_threads};
use crate::args::{CompareArgs, General, ManyOptions};
use crate::config::settle;
use crate::load::{count, document, single};
use crate::{Outcome, output};

pub(crate) fn run(args: CompareArgs, general: &General) -> Result<Outcome> {
    let settings = settle(args.method, args.reading, ManyOptions::default(), general)?;
    use_threads(&settings)?;
    let paths = [args.left, args.right];
    let inputs = [single(&paths[0])?, single(&paths[1])?];
    let recipe = &settings.scan.recipe;
    let counts = recipe
        .counted()
        .map(|counted| count(&inputs, &counted, &settings));
    let read = |number: usize| -> Result<Document> {
        let mut document = document(&inputs[number], 1, recipe, &settings, &counts, None)
            .map_err(anyhow::Error::msg)
            .with_context(|| paths[number].display().to_string())?;
        document.id = paths[number].display().to_string();
        document.label.clone_from(&document.id);
        Ok(document)
    };
    let mut report = cento::compare(&[read(0)?, read(1)?], &settings.scan)?;
    complete(&mut report, &settings);
    output::result(&rendered(&report, settings.format))?;
    let found = args.exit_code && report.pairs[0].score >= settings.scan.threshold;
    Ok(if found { Outcome::Found } else { Outcome::Done })
}
