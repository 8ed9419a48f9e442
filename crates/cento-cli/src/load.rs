//! Paths → fingerprinted documents, in parallel, one text in memory per thread.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use anyhow::{Context as _, Result, bail};
use cento::report::{self, Skipped, Summary};
use cento::select::Selector;
use cento::token::Undone;
use cento::{Counts, Document, Fingerprint, Frequencies, Key, NoCollection, Recipe, Role};
use cento_ingest::{Grouping, Options, PartSpan, Readers, Root, Source};
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
    let found = cento_ingest::find(paths, options, &settings.shelf.readers)?;
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
        skipped: skipped.map(|(id, reason)| Skipped { id, reason }).collect(),
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

/// Who reads, and what is kept of what was read.
pub(crate) struct Shelf {
    readers: Readers,
    /// Bytes that may still be kept.
    room: AtomicU64,
}

impl Shelf {
    /// Texts that were hard to come by are kept up to this size, all together.
    const ROOM: u64 = 256 << 20;

    pub(crate) fn new(options: &Options) -> Shelf {
        Shelf {
            readers: Readers::new(options),
            room: AtomicU64::new(Shelf::ROOM),
        }
    }

    /// Whether there is room for so much.
    fn take_room(&self, bytes: u64) -> bool {
        let less = |room: u64| room.checked_sub(bytes);
        let order = Ordering::Relaxed;
        self.room.fetch_update(order, order, less).is_ok()
    }
}

/// A document that can be read, again and again.
pub(crate) struct Input {
    source: Source,
    shelf: Arc<Shelf>,
    kept: OnceLock<Result<cento_ingest::Document, String>>,
    parts: OnceLock<Vec<PartSpan>>,
}

impl Input {
    fn new(source: Source, shelf: &Arc<Shelf>) -> Input {
        Input {
            source,
            shelf: Arc::clone(shelf),
            kept: OnceLock::new(),
            parts: OnceLock::new(),
        }
    }

    pub(crate) fn id(&self) -> &str {
        &self.source.id
    }

    /// What people call it.
    pub(crate) fn label(&self) -> &str {
        &self.source.label
    }

    /// When it was made, if somebody says so.
    pub(crate) fn date(&self) -> Option<&str> {
        self.source.date.as_deref()
    }

    /// The file that it is, if it is a whole one.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self.source.parts.as_slice() {
            [part] if part.place.steps.is_empty() => match &part.place.root {
                Root::File(path) => Some(path),
                Root::Stdin(_) => None,
            },
            _ => None,
        }
    }

    /// What it is there for, if the first so many paths are those of new documents.
    pub(crate) fn role(&self, new_arguments: usize) -> Role {
        if self.source.argument < new_arguments {
            Role::New
        } else {
            Role::Old
        }
    }

    /// How many bytes there are to read.
    pub(crate) fn size(&self) -> u64 {
        self.source.size()
    }

    /// Whether both are the same file, however their paths are written.
    pub(crate) fn is_same_file(&self, other: &Input) -> bool {
        let path = |input: &Input| input.file()?.canonicalize().ok();
        path(self).is_some_and(|own| Some(own) == path(other))
    }

    /// Plain text is read from its file again, which is cheap. What a parser had to make is kept
    /// as long as there is room, and so is what cannot be read at all.
    pub(crate) fn read(&self) -> Result<cento_ingest::Document, String> {
        if let Some(kept) = self.kept.get() {
            return kept.clone();
        }
        let read = self.shelf.readers.read(&self.source);
        if let Ok(document) = &read
            && !document.parts.is_empty()
        {
            let _ = self.parts.set(document.parts.clone());
        }
        let is_kept = match &read {
            Ok(document) => {
                self.source.parts.iter().any(|part| part.place.is_foreign)
                    && self.shelf.take_room(document.content.len() as u64)
            }
            Err(_) => true,
        };
        if is_kept {
            let _ = self.kept.set(read.clone());
        }
        read
    }

    /// Adds what the layout says about a document.
    pub(crate) fn describe(&self, summary: &mut Summary) {
        summary.date.clone_from(&self.source.date);
        let parts = self.parts.get().into_iter().flatten();
        summary.parts = parts
            .map(|part| report::Part {
                file: part.file.clone(),
                start: part.start,
                end: part.end,
            })
            .collect();
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
        let parts = inputs.into_iter().flat_map(|input| input.source.parts);
        whole.source.parts.extend(parts);
        whole.source.is_submission = true;
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
    let role = input.role(new_arguments);
    Ok(Document {
        label: input.source.label.clone(),
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

/// These texts as templates.
pub(crate) fn template(recipe: &Recipe, key: &Key, texts: Vec<String>) -> Base {
    if texts.is_empty() {
        return Base::default();
    }
    let recipe = Recipe {
        selector: Selector::All,
        ..recipe.clone()
    };
    let mut digests = Vec::new();
    for text in &texts {
        let fingerprint = recipe.fingerprint(text, key, &NoCollection);
        digests.extend_from_slice(fingerprint.digests());
    }
    Base {
        fingerprint: Some(Fingerprint::from_digests(recipe.id(), 0, digests)),
        texts,
    }
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
