//! What a recipe makes of a document, stage by stage; the text that was read; or why two documents
//! match.

mod pair;
mod stages;
mod text;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use pair::ExplainedPair;
pub use stages::{ChunkDigest, ShownStage, Token};
pub use text::{Language, ReadText, Seen};

use crate::compare::{Opened, Sides, settings};
use crate::documents::Reader;
use crate::error::{At as _, Result};
use crate::method::{EvidenceOptions, MethodOptions};
use crate::prepare::disguised;
use crate::program;
use crate::watch::{Remark, Watch};

/// What is to be explained, and by what method.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// What.
    pub kind: Kind,
    /// How texts become fingerprints.
    pub method: MethodOptions,
    /// How shared text is found, and what of it counts.
    pub evidence: EvidenceOptions,
    /// How files are read.
    pub input: cento_ingest::Options,
}

/// What can be explained.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What was read, and as what.
    Text {
        /// The document.
        file: PathBuf,
    },
    /// What a stage of the recipe makes of a document.
    Stage {
        /// Which stage.
        stage: Stage,
        /// The document.
        file: PathBuf,
    },
    /// What two documents share, how rare it is, what does not count, and the sums.
    Pair {
        /// The documents.
        files: [PathBuf; 2],
        /// The collection that says how rare their text is.
        among: Vec<PathBuf>,
    },
}

/// A stage of a recipe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// What the tokenizer makes of the text.
    Tokens,
    /// Which tokens belong together.
    Chunks,
    /// The digest of every chunk.
    Digests,
    /// The digests that are kept.
    #[default]
    Fingerprint,
}

impl Default for Kind {
    fn default() -> Kind {
        Kind::Text {
            file: PathBuf::new(),
        }
    }
}

/// What there is to see.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// A text.
    Text(ReadText),
    /// A stage.
    Stage(ShownStage),
    /// A pair.
    Pair(Box<ExplainedPair>),
}

/// Explains.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let (file, stage) = match &options.kind {
        Kind::Pair { files, among } => {
            let Options {
                method,
                evidence,
                input,
                ..
            } = options;
            let sides = Sides {
                paths: files,
                given: &[None, None],
            };
            let opened = Opened::of(method, evidence, input, &sides)?;
            let pair = pair::explain(files, among, &opened, watch)?;
            return Ok(Outcome::Pair(Box::new(pair)));
        }
        Kind::Text { file } => (file, None),
        Kind::Stage { file, stage } => (file, Some(*stage)),
    };
    let settings = settings(&options.method, &options.evidence)?;
    let reader = Reader::for_recipes(&options.input, [&settings.method.recipe]);
    let input = reader.single(file)?;
    let mut document = input.read().at(file.display())?;
    let remarks = disguised(&document).remarks();
    document.warnings.splice(0..0, remarks);
    for warning in &document.warnings {
        watch.remark(Remark::Odd {
            id: file.display().to_string(),
            warning: warning.clone(),
        });
    }
    watch.go_on()?;
    Ok(match stage {
        None => {
            let seen = options.method.recipe.is_some();
            let seen = seen.then(|| Seen::by(&settings.method, &document.content));
            Outcome::Text(text::shown(&input, document, seen))
        }
        Some(stage) => {
            let content = program::content(&document);
            Outcome::Stage(stages::show(
                stage,
                content.source(),
                &settings.method,
                watch,
            )?)
        }
    })
}
