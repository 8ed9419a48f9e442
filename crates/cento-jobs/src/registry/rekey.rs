//! A registry under another key; only where the texts are kept.

use std::path::{Path, PathBuf};

use cento::index::registry::{Facts, Folder, Registry, Retained, Retention, make_at_once};
use serde::{Deserialize, Serialize};

use super::RegistryOptions;
use super::place::{key_or_new, make_room};
use crate::error::{At as _, Error, Result};
use crate::register::COMMIT_AT;
use crate::time;
use crate::watch::{Step, Watch};

/// What gets another key, and where.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry; it stays as it is.
    pub registry: RegistryOptions,
    /// The file of the new key; made if there is no such file.
    pub new_key_file: PathBuf,
    /// The folder of the registry with the new key.
    pub into: PathBuf,
}

/// What was registered again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outcome {
    /// How many documents.
    pub documents: usize,
    /// The name of the new key.
    pub key: String,
}

/// Registers every text again under another key.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    make_room(&options.into, watch)?;
    let place = options.registry.place_to_read(watch)?;
    let from = place.snapshot()?;
    if from.settings().retention != Retention::Text {
        let reason = "it keeps no texts, so its digests cannot be made anew; make a new registry \
                      and register everything again";
        return Err(Error::refused(reason)).at(place.path.display());
    }
    let made = key_or_new(&options.new_key_file, watch)?;
    let key = &made.key;
    let status = from.status()?;
    let documents = make_at_once(&options.into, |place| {
        Registry::create(place, status.settings, Some(key), &time::now())?;
        register_again(place, options, &from, watch)
    });
    let documents = documents.inspect_err(|_| {
        if !Folder::new(&options.into).exists() {
            made.take_back();
        }
    })?;
    Ok(Outcome {
        documents,
        key: key.name(),
    })
}

fn register_again(
    place: &Path,
    options: &Options,
    from: &cento::index::registry::Snapshot,
    watch: &Watch<'_>,
) -> Result<usize> {
    let at = RegistryOptions {
        registry: place.to_owned(),
        key_file: Some(options.new_key_file.clone()),
        key: None,
    };
    let mut into = at.place(watch)?.writer("registry rekey", watch)?;
    let mut entries = Vec::new();
    from.entries(|entry| {
        entries.push(entry);
        Ok(())
    })?;
    let count = entries.len();
    watch.begin(Step::Registering, count, 0);
    for entry in entries {
        watch.go_on()?;
        let Some(Retained::Text(text)) = from.retained(entry.number)? else {
            let id = entry.facts.id.escape_debug();
            return Err(Error::refused(format!("the text of {id} is missing")));
        };
        // The hash of the file was made with the old key, and the file is not at hand.
        let facts = Facts {
            file: None,
            ..entry.facts
        };
        let candidate = into.prepare().candidate(facts, &text);
        into.add_again(candidate)?;
        if into.pending_postings() > COMMIT_AT {
            into.commit()?;
        }
        watch.advance(1, 0);
    }
    into.finish()?;
    watch.end();
    Ok(count)
}
