//! Make a registry.

use std::path::PathBuf;

use cento::index::registry::{Folder, Registry, Retention, Settings};
use cento::{Key, Recipe};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::{expect_empty, key_or_new};
use crate::error::{Error, File as _, Result};
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
    /// What is kept of documents besides their digests.
    pub retention: Retention,
    /// Have no secret key.
    pub unkeyed: bool,
    /// Maintain the list of similar pairs.
    pub pairs: bool,
    /// How many bits of a digest are kept.
    pub kept_bits: u8,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            registry: RegistryOptions::default(),
            recipe: None,
            retention: Retention::Digests,
            unkeyed: false,
            pairs: true,
            kept_bits: Settings::KEPT_BITS,
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
    /// Its folder.
    pub registry: PathBuf,
    /// What is kept of documents.
    pub retention: Retention,
    /// Where its key is.
    #[serde(skip)]
    pub key_place: Option<String>,
}

/// Makes a registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let path = &options.registry.registry;
    expect_empty(path)?;
    let recipe = Recipe::named(options.recipe.as_deref().unwrap_or("default"));
    let recipe = recipe.map_err(|error| Error::option("recipe", error))?;
    let settings = Settings {
        recipe,
        retention: options.retention,
        kept_bits: options.kept_bits,
        pairs: options.pairs,
    };
    std::fs::create_dir_all(path).of(path)?;
    let beside = Folder::new(path).key();
    let (key, key_place): (Option<Key>, Option<String>) =
        match (&options.registry.key_file, &options.registry.key) {
            _ if options.unkeyed => (None, None),
            (Some(file), _) => (Some(key_or_new(file)?), Some(file.display().to_string())),
            (None, Some(given)) => (Some(given.key()?), Some(given.source.clone())),
            (None, None) => {
                let key = key_or_new(&beside)?;
                (Some(key), Some(beside.display().to_string()))
            }
        };
    let made = Registry::create(path, settings, key.as_ref(), &time::now());
    if made.is_err() && options.registry.key_file.is_none() && options.registry.key.is_none() {
        // A key without a registry would make the next attempt fail.
        let _ = std::fs::remove_file(&beside);
    }
    made?;
    let snapshot = options.registry.place(watch)?.snapshot()?;
    let settings = snapshot.settings();
    Ok(Outcome {
        key: key.as_ref().map(Key::name),
        kept_bits: settings.kept_bits,
        pairs: settings.pairs,
        recipe: settings.recipe.to_string(),
        registry: path.clone(),
        retention: settings.retention,
        key_place,
    })
}
