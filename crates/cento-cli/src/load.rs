//! Paths → fingerprinted documents, in parallel, one text in memory per thread.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use cento::report::Skipped;
use cento::{Counts, Document, Fingerprint, Frequencies, Key, NoCollection, Recipe, Role};
pub(crate) use cento_ingest::Input;
use cento_ingest::{Grouping, Options, Source};
use cento_server::reading::Method;
pub(crate) use cento_server::reading::{Base, template};
use rayon::prelude::*;

use crate::config::Settings;
use crate::output;
use crate::progress::Progress;

/// What became of the paths.
pub(crate) struct Loaded {
    pub(crate) documents: Vec<Document>,
    pub(crate) skipped: Vec<Skipped>,
    /// What the documents were read from.
    pub(crate) inputs: Vec<Input>,
    pub(crate) base: Base,
    /// What the recipe was told about the collection.
    pub(crate) counts: Option<Counts>,
}

/// What is under some paths.
pub(crate) struct Finding {
    pub(crate) inputs: Vec<Input>,
    /// Files that the layout names as templates.
    pub(crate) templates: Vec<Input>,
    pub(crate) skipped: Vec<Skipped>,
}

/// Finds documents, and says what was assumed about the layout.
pub(crate) fn find(paths: &[PathBuf], settings: &Settings) -> Result<Finding> {
    find_by(paths, &settings.input, settings)
}

/// The same, but every file is a document.
pub(crate) fn find_files(paths: &[PathBuf], settings: &Settings) -> Result<Finding> {
    let options = Options {
        grouping: Grouping::PerFile,
        ..settings.input.clone()
    };
    find_by(paths, &options, settings)
}

fn find_by(paths: &[PathBuf], options: &Options, settings: &Settings) -> Result<Finding> {
    let found = cento_ingest::find(paths, options, settings.shelf.readers())?;
    for note in found.notes.iter().filter(|_| !settings.quiet) {
        output::message(note);
    }
    let inputs = |sources: Vec<Source>| {
        let input = |source| Input::new(source, &settings.shelf);
        sources.into_iter().map(input).collect()
    };
    let skipped = found.skipped.into_iter();
    Ok(Finding {
        inputs: inputs(found.sources),
        templates: inputs(found.templates),
        skipped: skipped
            .map(|(id, reason)| Skipped::new(id, reason))
            .collect(),
    })
}

/// Reads and fingerprints everything under the new and the old paths.
pub(crate) fn load(new: &[PathBuf], old: &[PathBuf], settings: &Settings) -> Result<Loaded> {
    let paths: Vec<PathBuf> = new.iter().chain(old).cloned().collect();
    let Finding {
        inputs,
        templates,
        mut skipped,
    } = find(&paths, settings)?;
    let recipe = &settings.scan.recipe;
    let base = base(settings, &templates)?;
    let counts = recipe
        .counted()
        .map(|counted| count(&inputs, &counted, settings));
    let progress = Progress::reading(inputs.len(), bytes(&inputs), settings.quiet);
    let results: Vec<Result<Document, Skipped>> = inputs
        .par_iter()
        .map(|input| {
            let result = document(
                input,
                new.len(),
                recipe,
                settings,
                &counts,
                base.fingerprint.as_ref(),
            );
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
    Ok(Loaded {
        documents,
        skipped,
        inputs,
        base,
        counts,
    })
}

/// Warns of what was skipped, and says as the last line how many documents were read.
pub(crate) fn account(read: usize, skipped: &[Skipped], settings: &Settings) -> Result<()> {
    const MOST: usize = 20;
    let all = read + skipped.len();
    if !settings.quiet {
        for Skipped { id, reason, .. } in skipped.iter().take(MOST) {
            output::message(&format!("warning: {} skipped: {reason}", id.escape_debug()));
        }
        if skipped.len() > MOST {
            let more = skipped.len() - MOST;
            output::message(&format!(
                "warning: {more} more skipped; --json lists them all"
            ));
        }
        let also = match skipped.len() {
            0 => String::new(),
            count => format!(", {count} skipped"),
        };
        output::message(&format!("{read} of {all} documents read{also}"));
    }
    if settings.strict && !skipped.is_empty() {
        bail!(
            "{} of {all} documents skipped, and --strict was given",
            skipped.len()
        );
    }
    Ok(())
}

/// What a document is there for, if the first so many paths are those of new documents.
pub(crate) fn role(input: &Input, new_arguments: usize) -> Role {
    if input.source().argument < new_arguments {
        Role::New
    } else {
        Role::Old
    }
}

/// How many bytes there are to read.
pub(crate) fn bytes(inputs: &[Input]) -> u64 {
    inputs.iter().map(Input::size).sum()
}

/// The only document under a path; with `--per-folder` all files under it are one.
pub(crate) fn single(path: &PathBuf, settings: &Settings) -> Result<Input> {
    let paths = std::slice::from_ref(path);
    let found = find_files(paths, settings)?;
    let mut inputs = found.inputs;
    if settings.input.grouping == Grouping::PerFolder && inputs.len() > 1 {
        let mut whole = inputs.remove(0);
        whole.absorb(inputs);
        return Ok(whole);
    }
    match <[Input; 1]>::try_from(inputs) {
        Ok([input]) => Ok(input),
        Err(inputs) if inputs.is_empty() => match found.skipped.first() {
            Some(skipped) => bail!("{}: {}", path.display(), skipped.reason),
            None => bail!("{}: an empty folder; give a file", path.display()),
        },
        Err(_) => bail!(
            "{}: a folder or an archive with several files; give one of them, or --per-folder to \
             take them as one, or use `cento scan`",
            path.display()
        ),
    }
}

/// A document, or the reason why it cannot be one.
pub(crate) fn document(
    input: &Input,
    new_arguments: usize,
    recipe: &Recipe,
    settings: &Settings,
    seen: &dyn Frequencies,
    base: Option<&Fingerprint>,
) -> Result<Document, String> {
    let method = Method {
        recipe,
        key: &settings.key,
        seen,
        base,
    };
    cento_server::reading::document(input, role(input, new_arguments), &method)
}

/// The templates, with one fingerprint of everything that they contain.
///
/// Templates are not culled: whatever chunk a document keeps must be found in them.
pub(crate) fn base(settings: &Settings, described: &[Input]) -> Result<Base> {
    if settings.base.is_empty() && described.is_empty() {
        return Ok(Base::default());
    }
    let mut texts = Vec::new();
    let given = match settings.base.as_slice() {
        [] => Vec::new(),
        paths => find_files(paths, settings)?.inputs,
    };
    for input in given.iter().chain(described) {
        let text = input
            .read()
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("--base: {}", input.id()))?;
        texts.push(text.content);
    }
    Ok(template(&settings.scan.recipe, &settings.key, texts))
}

/// The document frequencies of some texts that are all there is, if a recipe asks about them.
pub(crate) fn counts_of(recipe: &Recipe, key: &Key, texts: &[&str]) -> Option<Counts> {
    let counted = recipe.counted()?;
    let mut counts = Counts::default();
    for text in texts {
        counts.add(&counted.fingerprint(text, key, &NoCollection));
    }
    Some(counts)
}

/// The document frequencies of the whole collection, for the recipes that ask about it.
pub(crate) fn count(inputs: &[Input], counted: &Recipe, settings: &Settings) -> Counts {
    let progress = Progress::new("counting", inputs.len(), settings.quiet);
    let mut counts = Counts::default();
    // A batch at a time, so that only its fingerprints are in memory beside the counts.
    for batch in inputs.chunks(256) {
        let fingerprints: Vec<Option<Fingerprint>> = batch
            .par_iter()
            .map(|input| {
                let text = input.read().ok();
                progress.step();
                text.map(|text| counted.fingerprint(&text.content, &settings.key, &NoCollection))
            })
            .collect();
        let fingerprints = fingerprints.iter().flatten();
        fingerprints
            .filter(|f| f.tokens() > 0)
            .for_each(|fingerprint| counts.add(fingerprint));
    }
    progress.finish();
    counts
}
