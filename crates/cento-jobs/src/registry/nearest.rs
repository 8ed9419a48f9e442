//! The registered documents whose style is nearest to that of documents.

use std::path::PathBuf;

use cento::index::registry::{Exclusions, Nearby, Nearest};
use cento::report::Skipped;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::RegistryOptions;
use crate::documents::{Documents, Reader, Unreadable, read_all};
use crate::error::{Error, Result};
use crate::watch::Watch;

/// Of which documents, and how many.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// The registry.
    pub registry: RegistryOptions,
    /// How many registered documents are listed for each document.
    pub top: u32,
    /// How files are found and read.
    pub input: cento_ingest::Options,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            paths: Vec::new(),
            registry: RegistryOptions::default(),
            top: 10,
            input: cento_ingest::Options::default(),
        }
    }
}

/// What is near.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The style of the registry.
    pub style: String,
    /// How many vectors the registry has.
    pub vectors: u64,
    /// The documents, by id, and what is nearest to each.
    pub documents: Vec<(String, Nearest)>,
    /// What could not be read or measured.
    pub skipped: Vec<Skipped>,
}

/// Finds the registered documents that are nearest by style.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place_to_read(watch)?;
    let snapshot = place.snapshot()?;
    let Some(style) = &snapshot.settings().style else {
        return Err(Error::NoVectors { path: place.path });
    };
    let reader = Reader::new(&options.input);
    let Documents {
        inputs,
        mut skipped,
        ..
    } = reader.find(&options.paths, watch)?;
    let measured = read_all(&inputs, &mut skipped, watch, |input| {
        let vector = style.vector(&input.read()?.content);
        let vector = vector.ok_or_else(|| Unreadable::Other(NOTHING.to_owned()))?;
        Ok((input.id().to_owned(), vector))
    })?;
    let mut documents = Vec::with_capacity(measured.len());
    for (id, vector) in measured {
        watch.go_on()?;
        let nearest = snapshot.nearest(&vector, options.top as usize, &Exclusions::default())?;
        documents.push((id, nearest));
    }
    documents.sort_by(|left, right| left.0.cmp(&right.0));
    Ok(Outcome {
        style: style.to_string(),
        vectors: snapshot.status()?.vectors,
        documents,
        skipped,
    })
}

const NOTHING: &str = "it has no words that a style counts";

/// `cento.nearest/1`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let near = |near: &Nearby| {
            json!({
                "id": near.entry.facts.id,
                "version": near.entry.version,
                "submitter": near.entry.facts.submitter,
                "set": near.entry.facts.set,
                "distance": near.distance,
                "dimensions": near.shared,
            })
        };
        let document = |(id, nearest): &(String, Nearest)| {
            let documents: Vec<Value> = nearest.documents.iter().map(near).collect();
            json!({"id": id, "nearest": documents, "looked_at": nearest.looked_at})
        };
        let documents: Vec<Value> = self.documents.iter().map(document).collect();
        let value = json!({
            "schema": "cento.nearest/1",
            "style": self.style,
            "vectors": self.vectors,
            "documents": documents,
            "skipped": self.skipped,
        });
        value.serialize(serializer)
    }
}
