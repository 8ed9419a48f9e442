//! How well an aligner finds the known passages of a corpus of the PAN competitions.

mod align;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cento::align::Aligner;
use cento::eval::plagdet::{Score, Tally};
use cento_ingest::PanCorpus;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::SCHEMA;
use super::figure::{Made, Row, Rows, add_folds, figures, folds_of, intervals_json, intervals_of};
use crate::error::{At as _, Error, Problem, Result};
use crate::meanings::GivenMeanings;
use crate::method::settled;
use crate::staged::{Namesakes, Staged};
use crate::watch::{Step, Watch};
use align::{Aligned, align, meanings};

/// What finds the passages, and where they go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// An aligner's name, `passages` without one.
    pub aligner: Option<String>,
    /// A file of words that mean the same, a group on each line.
    pub synonyms: Option<PathBuf>,
    /// A file of words with their vectors.
    pub vectors: Option<PathBuf>,
    /// Give the figures of so many parts of the corpus, split by source document.
    pub folds: Option<usize>,
    /// A folder for the detections as PAN XML, one file a pair.
    pub output: Option<PathBuf>,
}

/// What came out for a corpus.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What found the passages.
    pub aligner: Aligner,
    /// A row for every folder that has pairs, and all of them together: the score is that of the
    /// folders whose truth is known.
    pub rows: Rows<Counts>,
    /// The same for each fold, if they were asked for.
    pub folds: Vec<Rows<Counts>>,
    /// Pairs in which a limit on the work acted.
    pub limited: usize,
    /// Whether the truth of any folder is known.
    pub has_truth: bool,
    /// How long the alignment took.
    pub seconds: f64,
}

/// What came out for the pairs of a folder.
#[derive(Clone, Debug)]
pub struct Counts {
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

impl Counts {
    /// The share of pairs with anything that was found.
    pub fn share_with_detections(&self) -> f64 {
        self.pairs_with_detections as f64 / self.pairs.max(1) as f64
    }
}

pub(super) fn run(root: &Path, options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let (aligner, given) = options.settle()?;
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
    let sources = || corpus.folders.iter().flat_map(|folder| &folder.pairs);
    let sources = sources().map(|pair| pair.source.as_str());
    let fold_of = match options.folds {
        Some(count) => folds_of(sources, count)?,
        None => BTreeMap::new(),
    };
    let start = Instant::now();
    let meanings = meanings(&corpus, &given, watch)?;
    let done = align(&corpus, aligner, &meanings, watch)?;
    let seconds = start.elapsed().as_secs_f64();
    if let Some(output) = output {
        write(&done, output, watch)?;
    }
    let fold = |fold| -> Rows<Counts> {
        let is_in = |pair: &&Aligned<'_>| fold_of.get(pair.names.source.as_str()) == Some(&fold);
        rows(&done.iter().filter(is_in).collect::<Vec<_>>())
    };
    Ok(Outcome {
        aligner,
        rows: rows(&done.iter().collect::<Vec<_>>()),
        folds: (0..options.folds.unwrap_or(0)).map(fold).collect(),
        limited: done.iter().filter(|pair| pair.limited).count(),
        has_truth,
        seconds,
    })
}

impl Options {
    /// What finds the passages, with all problems at once.
    fn settle(&self) -> Result<(Aligner, GivenMeanings)> {
        let mut problems = Vec::new();
        let name = self.aligner.as_deref();
        let aligner = name.map_or(Ok(Aligner::default()), str::parse::<Aligner>);
        let aligner = aligner.map_err(|error| problems.push(Problem::new("aligner", error)));
        let (synonyms, vectors) = (self.synonyms.as_deref(), self.vectors.as_deref());
        let given = GivenMeanings::settle(synonyms, vectors, &mut problems);
        settled(aligner.ok().map(|aligner| (aligner, given)), problems)
    }
}

const NO_TRUTH: &str = "has no XML files beside its pairs, so there is no truth to score; choose a \
                        folder for the detections";

fn rows(pairs: &[&Aligned<'_>]) -> Rows<Counts> {
    let folders = pairs.chunk_by(|a, b| a.folder.name == b.folder.name);
    let folders = folders.map(|pairs| row(&pairs[0].folder.name, pairs));
    Rows {
        folders: folders.collect(),
        all: row("all", pairs),
    }
}

fn row(folder: &str, pairs: &[&Aligned<'_>]) -> Row<Counts> {
    let found = || pairs.iter().map(|pair| &pair.found);
    let known = || pairs.iter().filter(|pair| pair.folder.has_truth);
    let mut sum = Tally::default();
    let mut groups: BTreeMap<&str, Tally> = BTreeMap::new();
    for pair in known() {
        sum.add(&pair.found);
        let group = groups.entry(&pair.names.source).or_default();
        group.add(&pair.found);
    }
    let groups: Vec<Tally> = groups.into_values().collect();
    let cases = known().map(|pair| pair.found.cases.len());
    Row {
        folder: folder.to_owned(),
        counts: Counts {
            pairs: pairs.len(),
            pairs_with_detections: found().filter(|pair| !pair.detections.is_empty()).count(),
            detections: found().map(|pair| pair.detections.len()).sum(),
            cases: cases.reduce(|a, b| a + b),
            score: sum.score(),
        },
        figures: figures(&sum, &groups, &FIGURES),
    }
}

const FIGURES: [Made<Tally>; 5] = [
    ("plagdet", |tally| Some(tally.score()?.plagdet)),
    ("precision", |tally| Some(tally.score()?.precision)),
    ("recall", |tally| Some(tally.score()?.recall)),
    ("detected", |tally| Some(tally.score()?.detected)),
    ("half_detected", |tally| Some(tally.score()?.half_detected)),
];

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
        let mut value = rows_json(&self.rows);
        value["schema"] = SCHEMA.into();
        value["cento"] = env!("CARGO_PKG_VERSION").into();
        value["aligner"] = self.aligner.to_string().into();
        value["limited"] = self.limited.into();
        value["interval"] = intervals_json();
        add_folds(&mut value, &self.folds, rows_json);
        value.serialize(serializer)
    }
}

fn rows_json(rows: &Rows<Counts>) -> Value {
    let folder = |row: &Row<Counts>| {
        let mut value = row_json(row);
        value["folder"] = row.folder.clone().into();
        value
    };
    let mut value = row_json(&rows.all);
    value["folders"] = rows.folders.iter().map(folder).collect();
    value
}

fn row_json(row: &Row<Counts>) -> Value {
    let counts = &row.counts;
    let number = |of: fn(&Score) -> f64| counts.score.as_ref().map(of);
    json!({
        "pairs": counts.pairs,
        "cases": counts.cases,
        "detections": counts.detections,
        "pairs_with_detections": counts.pairs_with_detections,
        "share_with_detections": counts.share_with_detections(),
        "plagdet": number(|score| score.plagdet),
        "precision": number(|score| score.precision),
        "recall": number(|score| score.recall),
        "granularity": number(|score| score.granularity),
        "detected": number(|score| score.detected),
        "half_detected": number(|score| score.half_detected),
        "intervals": intervals_of(&row.figures),
    })
}
