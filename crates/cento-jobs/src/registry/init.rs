//! Make a registry.

use std::path::PathBuf;

use cento::index::registry::{Folder, KeptStretches, Registry, Retention, Settings};
use cento::{Key, Recipe};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::{KeyFile, key_or_new, make_room};
use crate::error::{Error, Result};
use crate::method;
use crate::time;
use crate::watch::Watch;

/// The choices that cannot be changed later.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Where it is to be; a key file that does not exist is made.
    pub registry: RegistryOptions,
    /// How texts become fingerprints; `default` without one.
    pub recipe: Option<String>,
    /// A file with the only words that count; the registry keeps them.
    pub dictionary: Option<PathBuf>,
    /// What is kept of documents besides their digests.
    pub retention: Retention,
    /// Have no secret key.
    pub unkeyed: bool,
    /// Maintain the list of similar pairs.
    pub pairs: bool,
    /// How many bits of a digest are kept.
    pub kept_bits: u8,
    /// What is kept of stretches; nothing if the recipe compares programs.
    pub stretches: KeptStretches,
    /// The style of which a vector is kept for each document; none without one.
    pub style: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            registry: RegistryOptions::default(),
            recipe: None,
            dictionary: None,
            retention: Retention::Digests,
            unkeyed: false,
            pairs: true,
            kept_bits: Settings::KEPT_BITS,
            stretches: KeptStretches::Pairs,
            style: None,
        }
    }
}

/// The registry that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The name of its key.
    pub key: Option<String>,
    /// How many bits of a digest are kept.
    pub kept_bits: u8,
    /// Whether the list of similar pairs is maintained.
    pub pairs: bool,
    /// How texts become fingerprints.
    pub recipe: String,
    /// How many words its dictionary has, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dictionary_words: Option<usize>,
    /// Its folder.
    pub registry: PathBuf,
    /// What is kept of documents.
    pub retention: Retention,
    /// What is kept of stretches.
    pub stretches: KeptStretches,
    /// The style of which vectors are kept.
    pub style: Option<String>,
    /// Where its key is.
    #[serde(skip)]
    pub key_place: Option<String>,
}

/// Makes a registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let path = &options.registry.registry;
    make_room(path, watch)?;
    let recipe = recipe(options)?;
    let style = options.style.as_deref().map(str::parse).transpose();
    let style = style.map_err(|error: cento::Error| Error::option("style", error))?;
    // Pairs of near words say nothing of programs.
    let stretches = if recipe.is_for_programs() {
        KeptStretches::None
    } else {
        options.stretches
    };
    let settings = Settings {
        recipe,
        retention: options.retention,
        kept_bits: options.kept_bits,
        pairs: options.pairs,
        stretches,
        style,
    };
    let folder = Folder::new(path);
    let missing = folder.missing();
    let made = folder
        .make()
        .map_err(Error::from)
        .and_then(|()| make(options, settings, watch));
    if made.is_err() {
        folder.take_back(&missing);
    }
    let (key, key_place) = made?;
    let snapshot = options.registry.place(watch)?.snapshot()?;
    let settings = snapshot.settings();
    Ok(Outcome {
        key: key.as_ref().map(Key::name),
        kept_bits: settings.kept_bits,
        pairs: settings.pairs,
        recipe: settings.recipe.to_string(),
        dictionary_words: settings.recipe.word_list().map(|list| list.words().len()),
        registry: path.clone(),
        retention: settings.retention,
        stretches: settings.stretches,
        style: settings.style.as_ref().map(ToString::to_string),
        key_place,
    })
}

fn recipe(options: &Options) -> Result<Recipe> {
    let name = options.recipe.as_deref().unwrap_or("default");
    let Some(file) = options.dictionary.as_deref() else {
        return Recipe::named(name).map_err(|error| Error::option("recipe", error));
    };
    let recipe = method::recipe(name, Some(file));
    let recipe = recipe.map_err(|error| Error::option("dictionary", error.sentence()))?;
    if recipe
        .word_list()
        .is_some_and(|list| list.words().len() == 0)
    {
        let reason = format!("{} has no words, so nothing could be found", file.display());
        return Err(Error::option("dictionary", reason));
    }
    Ok(recipe)
}

/// Makes the key, unless there is one, and the registry. Without a registry there is no new key either.
fn make(
    options: &Options,
    settings: Settings,
    watch: &Watch<'_>,
) -> Result<(Option<Key>, Option<String>)> {
    let path = &options.registry.registry;
    let create = |key: Option<&Key>| Registry::create(path, settings, key, &time::now());
    let beside = Folder::new(path).key();
    let file = match (&options.registry.key_file, &options.registry.key) {
        _ if options.unkeyed => {
            create(None)?;
            return Ok((None, None));
        }
        (None, Some(given)) => {
            let key = given.key()?;
            create(Some(&key))?;
            return Ok((Some(key), Some(given.source.clone())));
        }
        (Some(file), _) => file,
        (None, None) => &beside,
    };
    let made: KeyFile = key_or_new(file, watch)?;
    create(Some(&made.key)).inspect_err(|_| {
        if !Folder::new(path).exists() {
            made.take_back();
        }
    })?;
    Ok((Some(made.key), Some(file.display().to_string())))
}
