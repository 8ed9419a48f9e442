//! How well an aligner finds the known passages of a corpus of the PAN competitions.

mod align;

use std::path::{Path, PathBuf};
use std::time::Instant;

use cento::align::Aligner;
use cento::eval::plagdet::Score;
use cento_ingest::PanCorpus;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::SCHEMA;
use crate::error::{At as _, Error, Result};
use crate::staged::{Namesakes, Staged};
use crate::watch::{Step, Watch};
use align::{Aligned, align};

/// What finds the passages, and where they go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// An aligner's name, `passages` without one.
    pub aligner: Option<String>,
    /// A folder for the detections as PAN XML, one file a pair.
    pub output: Option<PathBuf>,
}

/// What came out for a corpus.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What found the passages.
    pub aligner: Aligner,
    /// A row for every folder that has pairs.
    pub folders: Vec<Row>,
    /// All folders together; the score is that of the folders whose truth is known.
    pub all: Row,
    /// Pairs in which a limit on the work acted.
    pub limited: usize,
    /// Whether the truth of any folder is known.
    pub has_truth: bool,
    /// How long the alignment took.
    pub seconds: f64,
}

/// What came out for the pairs of a folder.
#[derive(Clone, Debug)]
pub struct Row {
    /// The folder.
    pub folder: String,
    /// How many pairs it has.
    pub pairs: usize,
    /// How many of them have anything that was found.
    pub pairs_with_detections: usize,
    /// How many passages were found.
    pub detections: usize,
    /// How many true cases there are, if it is known.
    pub cases: Option<usize>,
    /// If there are any.
    pub score: Option<Score>,
}

impl Row {
    /// The share of pairs with anything that was found.
    pub fn share_with_detections(&self) -> f64 {
        self.pairs_with_detections as f64 / self.pairs as f64
    }
}

pub(super) fn run(root: &Path, options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let aligner: Aligner = match &options.aligner {
        Some(name) => name.parse::<Aligner>().for_option("aligner")?,
        None => Aligner::default(),
    };
    let corpus = PanCorpus::open(root)?;
    let has_truth = corpus.folders.iter().any(|folder| folder.has_truth);
    let output = match &options.output {
        Some(folder) => Some(begin_output(folder, watch)?),
        None if has_truth => None,
        None => {
            let reason = format!("{} {NO_TRUTH}", root.display());
            return Err(Error::option("output", reason));
        }
    };
    let start = Instant::now();
    let done = align(&corpus, aligner, watch)?;
    let seconds = start.elapsed().as_secs_f64();
    if let Some(output) = output {
        write(&done, output, watch)?;
    }
    let folders: Vec<Row> = done
        .chunk_by(|a, b| a.folder.name == b.folder.name)
        .map(row)
        .collect();
    Ok(Outcome {
        aligner,
        all: total(&folders, &done),
        folders,
        limited: done.iter().filter(|pair| pair.limited).count(),
        has_truth,
        seconds,
    })
}

const NO_TRUTH: &str = "has no XML files beside its pairs, so there is no truth to score; choose a \
                        folder for the detections";

fn row(pairs: &[Aligned<'_>]) -> Row {
    let folder = pairs[0].folder;
    let found = || pairs.iter().map(|pair| &pair.found);
    Row {
        folder: folder.name.clone(),
        pairs: pairs.len(),
        pairs_with_detections: found().filter(|pair| !pair.detections.is_empty()).count(),
        detections: found().map(|pair| pair.detections.len()).sum(),
        cases: folder
            .has_truth
            .then(|| found().map(|pair| pair.cases.len()).sum()),
        score: Score::of(found()),
    }
}

fn total(folders: &[Row], done: &[Aligned<'_>]) -> Row {
    let sum = |of: fn(&Row) -> usize| folders.iter().map(of).sum();
    let cases = folders.iter().filter_map(|row| row.cases);
    let scored = done.iter().filter(|pair| pair.folder.has_truth);
    Row {
        folder: "all".to_owned(),
        pairs: sum(|row| row.pairs),
        pairs_with_detections: sum(|row| row.pairs_with_detections),
        detections: sum(|row| row.detections),
        cases: cases.reduce(|a, b| a + b),
        score: Score::of(scored.map(|pair| &pair.found)),
    }
}

/// Detections have the file names that the truth has, so they must not go where that is.
fn begin_output(folder: &Path, watch: &Watch<'_>) -> Result<Staged> {
    if folder.join("pairs").exists() {
        let reason = format!(
            "{} has a file `pairs`, as a corpus has, whose truth would be overwritten; choose \
             another folder",
            folder.display()
        );
        return Err(Error::option("output", reason));
    }
    Staged::new(folder, watch).for_option("output")
}

/// Writes what was found in each pair, all or nothing.
fn write(done: &[Aligned<'_>], output: Staged, watch: &Watch<'_>) -> Result<()> {
    watch.begin(Step::Writing, done.len(), 0);
    let mut files = Vec::with_capacity(done.len());
    for Aligned { names, found, .. } in done {
        watch.go_on()?;
        let file = PathBuf::from(names.file_name());
        let xml = cento_report::pan(&names.suspicious, &names.source, &found.detections);
        output.write(&file, &xml)?;
        files.push(file);
        watch.advance(1, 0);
    }
    output.finish(&files, Namesakes::Replace)?;
    watch.end();
    Ok(())
}

/// `cento.eval/1`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let folder = |row: &Row| {
            let mut value = row.json();
            value["folder"] = row.folder.clone().into();
            value
        };
        let mut value = self.all.json();
        value["schema"] = SCHEMA.into();
        value["cento"] = env!("CARGO_PKG_VERSION").into();
        value["aligner"] = self.aligner.to_string().into();
        value["limited"] = self.limited.into();
        value["folders"] = self.folders.iter().map(folder).collect();
        value.serialize(serializer)
    }
}

impl Row {
    fn json(&self) -> Value {
        let number = |of: fn(&Score) -> f64| self.score.as_ref().map(of);
        json!({
            "pairs": self.pairs,
            "cases": self.cases,
            "detections": self.detections,
            "pairs_with_detections": self.pairs_with_detections,
            "share_with_detections": self.share_with_detections(),
            "plagdet": number(|score| score.plagdet),
            "precision": number(|score| score.precision),
            "recall": number(|score| score.recall),
            "granularity": number(|score| score.granularity),
        })
    }
}
