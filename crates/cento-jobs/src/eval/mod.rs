//! How well methods find what belongs together: on a labelled collection, on a collection that has
//! to speak for itself, or on a corpus of the PAN competitions, whose passages are to be found or
//! whose sources are to be listed.

pub mod by_itself;
pub mod figure;
pub mod labelled;
pub mod pan;
pub mod retrieval;

mod collection;
mod judging;
mod methods;

use std::path::{Path, PathBuf};

use cento::Key;
use cento::report::Skipped;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::documents::{Reader, read_all};
use crate::error::{At as _, Result};
use crate::method::{GivenKey, key_given};
use crate::watch::{Remark, Watch};
use methods::Method;

/// What is measured, and on what.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The folder that has the documents.
    pub collection: PathBuf,
    /// What is asked about it.
    pub kind: Kind,
    /// The file of the secret key, for keyed recipes.
    pub key_file: Option<PathBuf>,
    /// The secret key itself, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
    /// How files are read.
    pub input: cento_ingest::Options,
}

/// What is asked about a collection.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Which methods find the answers that a person calls correct.
    Labelled(labelled::Options),
    /// What unrelated documents reach, without anybody's labels.
    ByItself(by_itself::Options),
    /// Whether an aligner finds the known passages of a PAN corpus.
    Pan(pan::Options),
    /// Whether the front doors list the sources of documents, among all sources.
    Retrieval(retrieval::Options),
}

impl Default for Kind {
    fn default() -> Kind {
        Kind::Labelled(labelled::Options::default())
    }
}

/// What came out: `cento.eval/1`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// For a labelled collection.
    Labelled(labelled::Outcome),
    /// For a collection without labels.
    ByItself(by_itself::Outcome),
    /// For a PAN corpus.
    Pan(pan::Outcome),
    /// For sources that are to be listed.
    Retrieval(retrieval::Outcome),
}

/// The version of the outcomes' data.
const SCHEMA: &str = "cento.eval/1";

/// Measures methods.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    Ok(match &options.kind {
        Kind::Labelled(kind) => Outcome::Labelled(labelled::run(options, kind, watch)?),
        Kind::ByItself(kind) => Outcome::ByItself(by_itself::run(options, kind, watch)?),
        Kind::Pan(kind) => Outcome::Pan(pan::run(&options.collection, kind, watch)?),
        Kind::Retrieval(kind) => {
            let Options {
                collection, input, ..
            } = options;
            Outcome::Retrieval(retrieval::run(collection, kind, input, watch)?)
        }
    })
}

/// The outcome of an evaluation that has a row for every method.
fn methods_json(rows: impl Iterator<Item = Value>) -> Value {
    let rows: Vec<Value> = rows.collect();
    json!({ "schema": SCHEMA, "cento": env!("CARGO_PKG_VERSION"), "rows": rows })
}

/// What became of the files of a folder.
#[derive(Clone, Debug, Default)]
pub struct FilesRead {
    /// How many were read.
    pub read: usize,
    /// The others.
    pub skipped: Vec<Skipped>,
}

/// A text that was read.
struct Text {
    id: String,
    content: String,
}

/// The texts of a folder's files.
fn texts(folder: &Path, reader: &Reader, watch: &Watch<'_>) -> Result<(Vec<Text>, FilesRead)> {
    let found = reader.find_files(&[folder.to_path_buf()])?;
    for note in found.notes {
        watch.remark(Remark::Layout(note));
    }
    let mut skipped = found.skipped;
    let texts = read_all(&found.inputs, &mut skipped, watch, |input| {
        let content = input.read()?.content;
        let id = input.id().to_owned();
        Ok(Text { id, content })
    })?;
    let read = texts.len();
    Ok((texts, FilesRead { read, skipped }))
}

impl Options {
    /// The key, if a method has use for one.
    fn key_for(&self, methods: &[Method]) -> Result<Key> {
        if !methods.iter().any(|method| method.recipe.is_keyed()) {
            return Ok(Key::PUBLIC);
        }
        key_given(self.key_file.as_deref(), self.key.as_ref()).for_option("key-file")
    }
}
