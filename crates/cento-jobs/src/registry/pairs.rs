//! The registered documents that are alike.

use cento::index::registry::{AlikePair, Entry, Prepare};
use cento::report::Note;
use cento::{NoCollection, SetMeasure};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::{RegisteredTexts, RegistryOptions, TextSources};
use crate::documents::Reader;
use crate::error::{At as _, Error, Result};
use crate::watch::{Step, Watch};

/// Which pairs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The registry.
    pub registry: RegistryOptions,
    /// Only those of this document.
    pub id: Option<String>,
    /// Only those of which one is at least this much in the other.
    pub threshold: f64,
    /// List at most this many pairs.
    pub top: Option<usize>,
    /// Compute the shares from the texts where they are at hand, not from the digests.
    pub exact: bool,
    /// Where texts are that the registry does not keep.
    pub texts: TextSources,
    /// How they are read.
    pub input: cento_ingest::Options,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            registry: RegistryOptions::default(),
            id: None,
            threshold: 0.1,
            top: None,
            exact: false,
            texts: TextSources::default(),
            input: cento_ingest::Options::default(),
        }
    }
}

/// The pairs, most alike first.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Those that are listed.
    pub pairs: Vec<Row>,
    /// How many more there are.
    pub more: usize,
    /// Texts that could not be had.
    pub notes: Vec<Note>,
}

/// A pair.
#[derive(Clone, Debug)]
pub struct Row {
    /// The two documents, and what their digests share.
    pub pair: AlikePair,
    /// How much of each is in the other by their texts, if that could be computed.
    pub exact: Option<[f64; 2]>,
}

/// Lists the pairs of registered documents that are alike.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place_to_read(watch)?;
    let snapshot = place.snapshot()?;
    if !snapshot.settings().pairs {
        let reason = "it was made without the list of pairs";
        return Err(Error::refused(reason)).at(place.path.display());
    }
    let mut pairs = watch.during(Step::Comparing, |watch| {
        snapshot.pairs(options.threshold, options.id.as_deref(), watch)
    })?;
    let total = pairs.len();
    pairs.truncate(options.top.unwrap_or(usize::MAX));
    let reader = Reader::for_recipes(&options.input, [&snapshot.settings().recipe]);
    let texts = RegisteredTexts::new(&snapshot, &options.texts, &reader);
    let mut rows = Vec::with_capacity(pairs.len());
    for pair in pairs {
        watch.go_on()?;
        let exact = || exact(&pair, &texts, snapshot.prepare());
        let exact = options.exact.then(exact).flatten();
        rows.push(Row { pair, exact });
    }
    Ok(Outcome {
        more: total - rows.len(),
        pairs: rows,
        notes: texts.notes(),
    })
}

/// How much of each one is in the other by all 64 bits of the digests (Masaryk, section 4.2: estimate
/// first, exact when someone looks).
fn exact(pair: &AlikePair, texts: &RegisteredTexts<'_>, prepare: &Prepare) -> Option<[f64; 2]> {
    let mut recipe = prepare.settings().recipe.clone();
    recipe.digester.bits = recipe.digester.bits.max(64);
    let fingerprint = |entry| {
        let text = texts.read(entry)?;
        Some(recipe.fingerprint(&text, prepare.key(), &NoCollection))
    };
    let (left, right) = (fingerprint(&pair.earlier)?, fingerprint(&pair.later)?);
    let overlap = cento::overlap(&left, &right).ok()?;
    Some(overlap.containment())
}

/// `cento.pairs/1`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows: Vec<Value> = self.pairs.iter().map(Row::json).collect();
        json!({"schema": "cento.pairs/1", "pairs": rows}).serialize(serializer)
    }
}

impl Row {
    fn json(&self) -> Value {
        let side = |entry: &Entry| {
            json!({
                "id": entry.facts.id,
                "version": entry.version,
                "submitter": entry.facts.submitter,
                "set": entry.facts.set,
            })
        };
        let rounded = |share: f64| (share * 1e6).round() / 1e6;
        let pair = &self.pair;
        json!({
            "left": side(&pair.earlier),
            "right": side(&pair.later),
            "shared": pair.overlap.shared,
            "containment": pair.overlap.containment().map(rounded),
            "resemblance": rounded(SetMeasure::Resemblance.score(pair.overlap)),
            "exact": self.exact.map(|shares| shares.map(rounded)),
            "same_document": pair.is_same_document(),
            "same_submitter": pair.is_same_submitter(),
        })
    }
}
