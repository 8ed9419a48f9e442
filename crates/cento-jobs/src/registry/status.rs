//! What is in a registry.

use cento::index::registry::{IgnoredText, Status};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::json;

use super::RegistryOptions;
use crate::error::Result;
use crate::watch::{Step, Watch};

/// Which registry.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
}

/// What is in it.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The numbers.
    pub status: Status,
    /// How many pairs of documents are alike.
    pub pairs: u64,
}

/// Says what is in a registry.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let snapshot = options.registry.place_to_read(watch)?.snapshot()?;
    Ok(Outcome {
        status: snapshot.status()?,
        pairs: watch.during(Step::Comparing, |watch| snapshot.pair_count(watch))?,
    })
}

impl Outcome {
    /// How many bytes of segments there are for each posting.
    pub fn bytes_per_posting(&self) -> f64 {
        if self.status.postings == 0 {
            return 0.0;
        }
        self.status.bytes as f64 / self.status.postings as f64
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let status = &self.status;
        let sets = status.sets.iter();
        let sets = sets.map(|(set, documents)| json!({"set": set, "documents": documents}));
        let text = |text: &IgnoredText| json!({"name": text.name, "set": text.set, "digests": text.digests});
        let mut value = json!({
            "documents": status.documents,
            "expired": status.expired,
            "postings": status.postings,
            "removed_postings": status.removed_postings,
            "segments": status.segments,
            "bytes": status.bytes,
            "bytes_per_posting": (self.bytes_per_posting() * 1000.0).round() / 1000.0,
            "catalog_bytes": status.catalog_bytes,
            "kept_bytes": status.retained_bytes,
            "pairs": self.pairs,
            "recipe": status.settings.recipe.to_string(),
            "retention": status.settings.retention.to_string(),
            "stretches": status.settings.stretches.to_string(),
            "stretch_bytes": status.stretch_bytes,
            "style": status.settings.style.as_ref().map(ToString::to_string),
            "style_vectors": status.vectors,
            "style_bytes": status.vector_bytes,
            "kept_bits": status.settings.kept_bits,
            "key": status.key,
            "created": status.created,
            "sets": sets.collect::<Vec<_>>(),
            "ignored": status.ignored.iter().map(text).collect::<Vec<_>>(),
        });
        if let Some(list) = status.settings.recipe.word_list() {
            value["dictionary_words"] = json!(list.words().len());
        }
        value.serialize(serializer)
    }
}
