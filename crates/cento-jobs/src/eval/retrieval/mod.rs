//! Whether the front doors list the source that a document took from, among all the sources of a
//! collection: `scan` with the sources as old documents, and `verify` against a registry of them.

mod doors;
mod rows;
mod truth;

use std::path::{Path, PathBuf};
use std::time::Instant;

use cento_report::{Cells, Table};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use super::figure::{Rows, add_folds, intervals_json};
use super::{FilesRead, SCHEMA};
use crate::error::Result;
use crate::staged::{Namesakes, Staged};
use crate::watch::{Step, Watch};

pub use doors::Place;
use doors::{Listed, by_scan, by_verify};
use rows::{Counting, rows_json};
pub use rows::{Counts, FIRST};
use truth::Truth;

/// What is asked of the doors, and where the answers go.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The lowest score of a pair that is listed; that of the doors without one.
    pub threshold: Option<f64>,
    /// Give the figures of so many parts of the collection, split by source document.
    pub folds: Option<usize>,
    /// A folder for the table of the pairs that are named or listed.
    pub output: Option<PathBuf>,
}

/// A way in for people, whose list is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// `cento scan QUERIES --old SOURCES`.
    Scan,
    /// `cento verify QUERIES` against a registry of the sources.
    Verify,
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How many documents are looked at.
    pub queries: usize,
    /// How many sources were read.
    pub sources: usize,
    /// The figures of each door.
    pub doors: Vec<DoorOutcome>,
    /// The pairs that the truth names or that a door lists, by their ids.
    pub pairs: Vec<FoundPair>,
    /// What became of the files.
    pub files: FilesRead,
    /// How long the doors took.
    pub seconds: f64,
}

/// The figures of a door.
#[derive(Clone, Debug)]
pub struct DoorOutcome {
    /// Which.
    pub door: Door,
    /// How many pairs of a query and a source it lists.
    pub listed: usize,
    /// How many of them no case is known of.
    pub listed_without_case: usize,
    /// Its figures, by folder.
    pub rows: Rows<Counts>,
    /// The same for each fold, if they were asked for.
    pub folds: Vec<Rows<Counts>>,
}

/// A query and a source that the truth names or that a door lists.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundPair {
    /// The document that was looked at.
    pub query: String,
    /// The source.
    pub source: String,
    /// The folder that names the pair, if one does.
    pub folder: Option<String>,
    /// Whether the one has taken from the other, as far as anybody knows.
    pub case: bool,
    /// Where `scan` lists it.
    pub scan: Option<Place>,
    /// Where `verify` lists it.
    pub verify: Option<Place>,
}

pub(super) fn run(
    root: &Path,
    options: &Options,
    input: &cento_ingest::Options,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    let truth = Truth::of(root, input, watch)?;
    // Refused before hours of work, not after.
    let fold_of = options.folds.map(|count| truth.folds(count)).transpose()?;
    let start = Instant::now();
    let (scan, files) = by_scan(&truth, input, options.threshold, watch)?;
    let verify = by_verify(&truth, input, options.threshold, watch)?;
    let seconds = start.elapsed().as_secs_f64();
    let door = |door, listed: &Listed| {
        let counting = Counting::new(&truth, listed);
        let with_case = |pair: &&[String; 2]| truth.named.get(*pair).is_some_and(|it| it.has_case);
        DoorOutcome {
            door,
            listed: listed.len(),
            listed_without_case: listed.len() - listed.keys().filter(with_case).count(),
            rows: counting.rows(|_| true),
            folds: (0..options.folds.unwrap_or(0))
                .map(|fold| {
                    counting.rows(|group| fold_of.as_ref().is_some_and(|of| of[group] == fold))
                })
                .collect(),
        }
    };
    let outcome = Outcome {
        queries: truth.queries_read(&files),
        sources: files.sources,
        doors: vec![door(Door::Scan, &scan), door(Door::Verify, &verify)],
        pairs: found_pairs(&truth, &scan, &verify),
        files: files.files,
        seconds,
    };
    if let Some(folder) = &options.output {
        write(&outcome.pairs, folder, watch)?;
    }
    Ok(outcome)
}

fn found_pairs(truth: &Truth, scan: &Listed, verify: &Listed) -> Vec<FoundPair> {
    let mut pairs: Vec<&[String; 2]> = truth.named.keys().collect();
    pairs.extend(scan.keys());
    pairs.extend(verify.keys());
    pairs.sort_unstable();
    pairs.dedup();
    let found = |pair: &[String; 2]| {
        let named = truth.named.get(pair);
        let [query, source] = pair.clone();
        FoundPair {
            query,
            source,
            folder: named.map(|named| named.folder.clone()),
            case: named.is_some_and(|named| named.has_case),
            scan: scan.get(pair).copied(),
            verify: verify.get(pair).copied(),
        }
    };
    pairs.into_iter().map(found).collect()
}

/// The table of the pairs, for people and spreadsheets.
const TABLE: &str = "pairs.csv";

fn write(pairs: &[FoundPair], folder: &Path, watch: &Watch<'_>) -> Result<()> {
    watch.begin(Step::Writing, 1, 0);
    let mut table = Table::new(
        Cells::ForPeople,
        &[
            "query",
            "source",
            "folder",
            "case",
            "scan_rank",
            "scan_score",
            "scan_share_of_query",
            "scan_share_of_source",
            "verify_rank",
            "verify_score",
            "verify_share_of_query",
            "verify_share_of_source",
        ],
    );
    for pair in pairs {
        let mut row = vec![
            pair.query.clone(),
            pair.source.clone(),
            pair.folder.clone().unwrap_or_default(),
            if pair.case { "yes" } else { "no" }.to_owned(),
        ];
        for place in [pair.scan, pair.verify] {
            row.extend(place.map_or_else(<[String; 4]>::default, |place| {
                let [query, source] = place.share;
                let number = |number: f64| format!("{number:.6}");
                [
                    place.rank.to_string(),
                    number(place.score),
                    number(query),
                    number(source),
                ]
            }));
        }
        table.row(row);
    }
    let output = Staged::new(folder, watch)?;
    output.write(Path::new(TABLE), &table.finish())?;
    output.finish(&[PathBuf::from(TABLE)], Namesakes::Replace)?;
    watch.end();
    Ok(())
}

/// `cento.eval/1`.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = |is_in: fn(&FoundPair) -> bool| -> Vec<&FoundPair> {
            self.pairs.iter().filter(|pair| is_in(pair)).collect()
        };
        json!({
            "schema": SCHEMA,
            "cento": env!("CARGO_PKG_VERSION"),
            "queries": self.queries,
            "sources": self.sources,
            "interval": intervals_json(),
            "doors": self.doors.iter().map(DoorOutcome::json).collect::<Vec<_>>(),
            "listed_without_case": pairs(|pair| !pair.case && pair.is_listed()),
            "missed": pairs(|pair| pair.case && (pair.scan.is_none() || pair.verify.is_none())),
        })
        .serialize(serializer)
    }
}

impl FoundPair {
    fn is_listed(&self) -> bool {
        self.scan.is_some() || self.verify.is_some()
    }
}

impl DoorOutcome {
    fn json(&self) -> Value {
        let mut value = rows_json(&self.rows);
        value["door"] = json!(self.door);
        value["listed_pairs"] = self.listed.into();
        value["listed_pairs_without_case"] = self.listed_without_case.into();
        add_folds(&mut value, &self.folds, rows_json);
        value
    }
}
