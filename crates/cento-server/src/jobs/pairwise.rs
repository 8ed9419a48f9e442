//! The pairwise test of section 2.6 of Finkel et al.: files → fingerprints that nobody keeps → every
//! pair, as a report.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cento::align::Aligner;
use cento::discount::Discounts;
use cento::report::{Note, Report, Skipped};
use cento::{Document, Key, Measure, NoCollection, Recipe, Role, ScanSettings, Texts};
use cento_ingest::{Grouping, Input, Options, Shelf};
use rayon::prelude::*;

use super::watch::{Step, Watch};
use super::{FILES, TEMPLATES, Task};
use crate::reading::{Base, Method, describe, document, template};

/// A report, and the templates that were taken out.
pub(crate) struct Tested {
    pub(crate) report: Report,
    pub(crate) templates: Vec<String>,
}

/// The documents among the files of a job.
pub(crate) struct Found {
    pub(crate) inputs: Vec<Input>,
    /// Files that the layout names as templates.
    pub(crate) templates: Vec<Input>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) notes: Vec<String>,
}

/// Compares every document with every other one.
pub(crate) fn pairwise(
    task: &Task,
    folder: &Path,
    options: &Options,
    watch: &Watch,
) -> Result<Tested, String> {
    watch.begin(Step::Finding, 0);
    let Found {
        inputs,
        templates,
        mut skipped,
        notes,
    } = find(&folder.join(FILES), options)?;
    let recipe = Recipe::named("default").map_err(|error| error.to_string())?;
    let key = Key::PUBLIC;
    let base = templates_of(&folder.join(TEMPLATES), &templates, options, &recipe)?;
    watch.begin(Step::Reading, inputs.len() as u64);
    let read: Vec<Result<Document, Skipped>> = inputs
        .par_iter()
        .map(|input| {
            let method = Method {
                recipe: &recipe,
                key: &key,
                seen: &NoCollection,
                base: base.fingerprint.as_ref(),
            };
            let document = watch
                .go_on()
                .and_then(|()| document(input, Role::New, &method));
            watch.step();
            document.map_err(|reason| Skipped {
                id: input.id().to_owned(),
                reason,
                limit: None,
            })
        })
        .collect();
    watch.go_on()?;
    let mut documents = Vec::with_capacity(read.len());
    for one in read {
        match one {
            Ok(document) => documents.push(document),
            Err(reason) => skipped.push(reason),
        }
    }
    skipped.sort();
    watch.begin(Step::Comparing, 0);
    let settings = ScanSettings {
        recipe,
        measure: Measure::MaxContainment,
        threshold: task.threshold,
        top: Some(MOST_PAIRS),
        max_documents: None,
        left_out: Discounts::USUAL,
        count_below: true,
    };
    let by_id: HashMap<&str, &Input> = inputs.iter().map(|input| (input.id(), input)).collect();
    let read = |id: &str| {
        // Without a text there is nothing to align, so a job that is to stop comes to its end soon.
        watch.go_on().ok()?;
        Some(by_id.get(id)?.read().ok()?.content)
    };
    let tell = |_, pairs| {
        if watch.progress().step == Step::Comparing {
            watch.begin(Step::Aligning, pairs);
        }
        watch.step_of(pairs);
    };
    let texts = Texts {
        aligner: Aligner::default(),
        read: &read,
        templates: base.texts.clone(),
        key: &key,
        seen: &NoCollection,
    };
    let watching = cento::Watch::new(&tell, &|| false);
    let report = cento::scan(documents, &settings, Some(&texts), watching);
    let mut report = report.map_err(|error| error.to_string())?;
    watch.go_on()?;
    report.skipped = skipped;
    report.notes.extend(notes.into_iter().map(Note::Layout));
    for document in &mut report.documents {
        if let Some(input) = by_id.get(document.id.as_str()) {
            describe(input, document);
        }
    }
    add_texts(&mut report, &read);
    Ok(Tested {
        report,
        templates: base.texts,
    })
}

/// More pairs are counted, but nobody reads them.
const MOST_PAIRS: usize = 20_000;

/// Adds the texts of documents in listed pairs: those are what the page shows.
pub(super) fn add_texts(report: &mut Report, read: &(dyn Fn(&str) -> Option<String> + Sync)) {
    let ends = |pair: &cento::report::PairReport| [pair.left.clone(), pair.right.clone()];
    let listed: HashSet<String> = report.pairs.iter().flat_map(ends).collect();
    report.documents.par_iter_mut().for_each(|document| {
        if listed.contains(&document.id) {
            document.text = read(&document.id);
        }
    });
}

/// The documents below a folder.
pub(super) fn find(folder: &Path, options: &Options) -> Result<Found, String> {
    let shelf = Arc::new(Shelf::new(options));
    // An archive that came alone is the folder.
    let paths = match only_file(folder) {
        Some(file) => vec![file],
        None => vec![folder.to_owned()],
    };
    let found = cento_ingest::find(&paths, options, shelf.readers());
    let found = found.map_err(|error| error.to_string())?;
    let inputs = |sources: Vec<cento_ingest::Source>| {
        let input = |source| Input::new(source, &shelf);
        sources.into_iter().map(input).collect()
    };
    let skipped = found.skipped.into_iter();
    Ok(Found {
        inputs: inputs(found.sources),
        templates: inputs(found.templates),
        skipped: skipped
            .map(|(id, reason)| Skipped::new(id, reason))
            .collect(),
        notes: found.notes,
    })
}

fn only_file(folder: &Path) -> Option<PathBuf> {
    let mut entries = std::fs::read_dir(folder).ok()?;
    let first = entries.next()?.ok()?.path();
    (entries.next().is_none() && first.is_file()).then_some(first)
}

fn templates_of(
    folder: &Path,
    described: &[Input],
    options: &Options,
    recipe: &Recipe,
) -> Result<Base, String> {
    let is_empty = std::fs::read_dir(folder).map_or(true, |mut entries| entries.next().is_none());
    let given = if is_empty {
        Vec::new()
    } else {
        let options = Options {
            grouping: Grouping::PerFile,
            ..options.clone()
        };
        find(folder, &options)?.inputs
    };
    let mut texts = Vec::new();
    for input in given.iter().chain(described) {
        let text = input.read();
        let text = text.map_err(|reason| format!("the template {}: {reason}", input.id()))?;
        texts.push(text.content);
    }
    Ok(template(recipe, &Key::PUBLIC, texts))
}
