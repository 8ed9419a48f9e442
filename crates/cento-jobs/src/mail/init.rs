//! Make a store.

use std::path::{Path, PathBuf};

use cento::index::registry::Folder;
use cento::index::sightings::{self, Settings, Sightings};
use cento::message::Sameness;
use cento::{Key, Recipe};
use serde::{Deserialize, Serialize};

use super::StoreOptions;
use crate::error::{At as _, Error, File as _, Result};
use crate::registry::key_or_new;
use crate::time;
use crate::watch::Watch;

/// The choices that cannot be changed later.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Where it is to be; a key file that does not exist is made.
    pub store: StoreOptions,
    /// Bytes of memory, which bound the disk as well.
    pub memory: u64,
    /// The time; now without one.
    pub time: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            store: StoreOptions::default(),
            memory: 512 << 20,
            time: None,
        }
    }
}

/// The store that was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Its folder.
    pub store: PathBuf,
    /// The name of its key.
    pub key: String,
    /// How messages become fingerprints.
    pub recipe: String,
    /// Bytes of memory that it may use.
    pub memory: u64,
    /// Where its key is.
    #[serde(skip)]
    pub key_place: String,
}

/// The preset that messages are compared by.
const RECIPE: &str = "mail";

/// Makes a store.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let path = &options.store.store;
    let now = time::given(options.time.as_deref())?;
    if options.memory < sightings::LEAST_MEMORY {
        let least = cento_ingest::size(sightings::LEAST_MEMORY);
        let reason = format!("a store needs at least {least}");
        return Err(Error::option("max-memory", reason));
    }
    make_room(path, watch)?;
    let settings = Settings {
        recipe: Recipe::named(RECIPE)?,
        sameness: Sameness::MAIL,
        memory: options.memory,
    };
    let folder = Folder::new(path);
    let missing = folder.missing();
    let made = folder
        .make()
        .map_err(Error::from)
        .and_then(|()| make(options, &settings, now, watch));
    if made.is_err() && !sightings::exists(path) {
        let _ = sightings::clean(path);
        for folder in &missing {
            let _ = std::fs::remove_dir(folder);
        }
    }
    let (key, key_place) = made?;
    Ok(Outcome {
        store: path.clone(),
        key: key.name(),
        recipe: settings.recipe.to_string(),
        memory: settings.memory,
        key_place,
    })
}

/// Makes the key, unless there is one, and the store.
fn make(
    options: &Options,
    settings: &Settings,
    now: u64,
    watch: &Watch<'_>,
) -> Result<(Key, String)> {
    let path = &options.store.store;
    let beside = Folder::new(path).key();
    let file = match (&options.store.key_file, &options.store.key) {
        (None, Some(given)) => {
            let key = given.key()?;
            Sightings::create(path, settings, &key, now)?;
            return Ok((key, given.source.clone()));
        }
        (Some(file), _) => file,
        (None, None) => &beside,
    };
    let made = key_or_new(file, watch)?;
    Sightings::create(path, settings, &made.key, now).inspect_err(|_| {
        if !sightings::exists(path) {
            made.take_back();
        }
    })?;
    Ok((made.key, file.display().to_string()))
}

/// Refuses a folder that has something else in it than what an interrupted run left, and removes that.
fn make_room(path: &Path, watch: &Watch<'_>) -> Result<()> {
    match std::fs::read_dir(path) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).of(path),
    }
    let refused = |reason: &str| Err(Error::refused(reason)).at(path.display());
    if sightings::exists(path) {
        return refused("there is a mail store already");
    }
    if !sightings::is_unfinished(path) {
        return refused("the folder is not empty; name a new one");
    }
    watch.cleaned_up(path, sightings::clean(path)?);
    Ok(())
}
