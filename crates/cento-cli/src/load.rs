//! Paths → fingerprinted documents, in parallel, one text in memory per thread.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use cento::report::Skipped;
use cento::select::Selector;
use cento::token::Undone;
use cento::{Counts, Document, Fingerprint, Frequencies, NoCollection, Recipe, Role};
use cento_ingest::{Place, Source, Text};
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

/// The templates.
#[derive(Default)]
pub(crate) struct Base {
    /// Everything that they contain.
    pub(crate) fingerprint: Option<Fingerprint>,
    pub(crate) texts: Vec<String>,
}

/// Reads and fingerprints everything under the new and the old paths.
pub(crate) fn load(new: &[PathBuf], old: &[PathBuf], settings: &Settings) -> Result<Loaded> {
    let paths: Vec<PathBuf> = new.iter().chain(old).cloned().collect();
    let found = cento_ingest::walk(&paths)?;
    let mut skipped: Vec<Skipped> = found
        .skipped
        .into_iter()
        .map(|(id, reason)| Skipped { id, reason })
        .collect();
    let inputs: Vec<Input> = found.sources.into_iter().map(Input::new).collect();
    let recipe = &settings.scan.recipe;
    let base = base(settings)?;
    let counts = recipe
        .counted()
        .map(|counted| count(&inputs, &counted, settings));
    let progress = Progress::new("reading", inputs.len(), settings.quiet);
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
            progress.step();
            result.map_err(|reason| Skipped {
                id: input.source.id.clone(),
                reason,
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
        for Skipped { id, reason } in skipped.iter().take(MOST) {
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

/// A source, with the text of standard input, which can be read only once.
pub(crate) struct Input {
    source: Source,
    text: Option<Result<Text, String>>,
}

impl Input {
    pub(crate) fn id(&self) -> &str {
        &self.source.id
    }

    /// Whether both are the same file, however their paths are written.
    pub(crate) fn is_same_file(&self, other: &Input) -> bool {
        let path = |input: &Input| match &input.source.place {
            Place::File(path) => path.canonicalize().ok(),
            Place::Stdin => None,
        };
        path(self).is_some_and(|own| Some(own) == path(other))
    }

    pub(crate) fn new(source: Source) -> Input {
        let text = match source.place {
            Place::Stdin => Some(cento_ingest::read(&source)),
            Place::File(_) => None,
        };
        Input { source, text }
    }

    pub(crate) fn read(&self) -> Result<Text, String> {
        self.text
            .clone()
            .unwrap_or_else(|| cento_ingest::read(&self.source))
    }
}

/// The only source under a path.
pub(crate) fn single(path: &PathBuf) -> Result<Input> {
    let found = cento_ingest::walk(std::slice::from_ref(path))?;
    match <[Source; 1]>::try_from(found.sources) {
        Ok([source]) => Ok(Input::new(source)),
        Err(sources) if sources.is_empty() => match found.skipped.first() {
            Some((_, reason)) => bail!("{}: {reason}", path.display()),
            None => bail!("{}: an empty folder; give a file", path.display()),
        },
        Err(_) => bail!(
            "{}: a folder with several files; give one of them, or use `cento scan`",
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
    let text = input.read()?;
    let mut fingerprint = recipe.fingerprint(&text.content, &settings.key, seen);
    let words = recipe.count_words(&text.content, &fingerprint);
    if words == 0 {
        return Err("no words in it".to_owned());
    }
    if let Some(base) = base {
        fingerprint.subtract(base);
    }
    let mut warnings = text.warnings;
    if recipe.is_normalising() {
        warnings.extend(Undone::in_text(&text.content).sentences());
    }
    let id = input.source.id.clone();
    let role = if input.source.argument < new_arguments {
        Role::New
    } else {
        Role::Old
    };
    Ok(Document {
        label: id.clone(),
        id,
        role,
        words,
        warnings,
        fingerprint,
    })
}

/// The templates, with one fingerprint of everything that they contain.
///
/// Templates are not culled: whatever chunk a document keeps must be found in them.
pub(crate) fn base(settings: &Settings) -> Result<Base> {
    if settings.base.is_empty() {
        return Ok(Base::default());
    }
    let recipe = Recipe {
        selector: Selector::All,
        ..settings.scan.recipe.clone()
    };
    let mut digests = Vec::new();
    let mut texts = Vec::new();
    for source in cento_ingest::walk(&settings.base)?.sources {
        let id = source.id.clone();
        let text = Input::new(source)
            .read()
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("--base: {id}"))?;
        let fingerprint = recipe.fingerprint(&text.content, &settings.key, &NoCollection);
        digests.extend_from_slice(fingerprint.digests());
        texts.push(text.content);
    }
    Ok(Base {
        fingerprint: Some(Fingerprint::from_digests(recipe.id(), 0, digests)),
        texts,
    })
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
