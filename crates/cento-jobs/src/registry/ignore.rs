//! Standard text that does not count.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use crate::documents::Reader;
use crate::error::{At as _, Error, Result};
use crate::watch::Watch;

/// Which text, and for which documents.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// Whether it stops counting or counts again.
    pub change: Change,
    /// The file of the text; its name is what it is known by.
    pub file: PathBuf,
    /// For the documents of one set only.
    pub set: Option<String>,
    /// How the file is read.
    pub input: cento_ingest::Options,
}

/// Whether a text stops counting or counts again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It stops counting.
    #[default]
    Add,
    /// It counts again.
    Remove,
}

/// What changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// What the text is known by.
    pub name: String,
    /// How many digests it has; 0 if it is too short for the recipe.
    pub digests: u64,
}

/// Keeps a text out of all scores, or lets it count again.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place(watch)?;
    let name = name(&options.file);
    let set = options.set.as_deref();
    let digests = match options.change {
        Change::Add => {
            let recipe = place.snapshot()?.settings().recipe.clone();
            let reader = Reader::for_recipes(&options.input, [&recipe]);
            let input = reader.single(&options.file)?;
            let text = input.read().at(options.file.display())?;
            let mut writer = place.writer("registry ignore add", watch)?;
            let digests = writer.ignore(&name, set, &text.content)?;
            writer.finish()?;
            digests
        }
        Change::Remove => {
            let mut writer = place.writer("registry ignore remove", watch)?;
            let digests = writer.heed(&name, set)? as u64;
            writer.finish()?;
            if digests == 0 {
                let of = set.map(|set| format!(" of the set {set}"));
                let of = of.unwrap_or_default();
                return Err(Error::refused(format!("no such standard text{of}"))).at(name);
            }
            digests
        }
    };
    Ok(Outcome { name, digests })
}

/// A text is known by the name of its file.
fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    name.to_string_lossy().into_owned()
}
