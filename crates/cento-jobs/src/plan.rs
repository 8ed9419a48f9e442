//! What a run will take, before it is begun: time, memory and disk, from a sample of its documents.

use std::fmt;
use std::path::{Path, PathBuf};

use cento_ingest::{Input, size};
use serde::{Deserialize, Serialize, Serializer};

use crate::documents::{Reader, bytes};
use crate::error::{Error, Result};
use crate::estimate::Sample;
use crate::machine::{free_disk, free_memory};
use crate::watch::Watch;
use crate::{dedupe, register, scan};

/// The job that is to be planned.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Options {
    /// Every pair of many documents.
    Scan(Box<scan::Options>),
    /// Documents into a registry.
    Register(Box<register::Options>),
    /// One of each; only the search for near-duplicates can be planned.
    Dedupe(Box<dedupe::Options>),
}

/// What a run will take, about. The fields stand in the order in which the JSON has them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The bytes of the input.
    pub bytes: u64,
    /// The digests of all documents.
    pub digests: u64,
    /// What is written.
    pub disk: Vec<Disk>,
    /// How many documents there are.
    pub documents: u64,
    /// How many bytes of memory are free, if the system says so.
    pub free_memory: Option<u64>,
    /// How many bytes of memory the run takes.
    pub memory: u64,
    /// What else is good to know.
    pub notes: Vec<ForecastNote>,
    /// The name of this format.
    pub schema: &'static str,
    /// How long it takes.
    pub seconds: f64,
}

/// What is written somewhere.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disk {
    /// How many bytes.
    pub bytes: u64,
    /// How many are free there, if the system says so.
    pub free: Option<u64>,
    /// Where.
    #[serde(serialize_with = "displayed")]
    pub place: PathBuf,
    /// What it is.
    pub what: &'static str,
}

/// What else is good to know about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ForecastNote {
    /// No work folder is needed.
    FitsIntoMemory,
    /// The run goes through all documents more than once.
    Passes {
        /// How often.
        passes: u64,
        /// How many bytes of memory would hold everything.
        all_in_memory: u64,
    },
    /// The time for aligning is not counted.
    AligningNotCounted,
}

/// Says what a run will take.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let forecast = match options {
        Options::Scan(options) => of_scan(options, watch)?,
        Options::Register(options) => register::forecast(options, watch)?,
        Options::Dedupe(options) => dedupe::forecast(options, watch)?,
    };
    Ok(Outcome {
        bytes: forecast.whole.bytes,
        digests: forecast.whole.digests,
        disk: forecast.disk,
        documents: forecast.whole.documents,
        free_memory: free_memory(),
        memory: forecast.memory,
        notes: forecast.notes,
        schema: "cento.plan/1",
        seconds: forecast.seconds,
    })
}

/// What a job says about itself.
pub(crate) struct Forecast {
    /// The input as a whole, and how long it takes to go through it.
    pub(crate) whole: Sample,
    pub(crate) seconds: f64,
    pub(crate) memory: u64,
    pub(crate) disk: Vec<Disk>,
    pub(crate) notes: Vec<ForecastNote>,
}

impl Disk {
    pub(crate) fn new(what: &'static str, place: &Path, bytes: u64) -> Disk {
        Disk {
            bytes,
            free: free_disk(place),
            place: place.to_owned(),
            what,
        }
    }
}

fn of_scan(options: &scan::Options, watch: &Watch<'_>) -> Result<Forecast> {
    /// A digest in the index and in the lists that are walked,
    const INDEXED: u64 = 30;
    /// and one in a fingerprint and, if it is shared, in the lists.
    const SHARED: u64 = 14;
    if options.compress.is_some() {
        let reason = "how long it takes depends on the compressor and cannot be planned";
        return Err(Error::option("compress", reason));
    }
    let scan::Settings {
        method, evidence, ..
    } = scan::Settings::of(options)?;
    let reader = Reader::for_recipes(&options.input, [&method.recipe]);
    let paths: Vec<PathBuf> = options.paths.iter().chain(&options.old).cloned().collect();
    let inputs = reader.find(&paths, watch)?.inputs;
    let read = |input: &Input| Some(input.read().ok()?.content);
    let (recipe, key) = (&method.recipe, &method.key);
    let sample = Sample::of(&inputs, Input::size, read, recipe, key, watch)?;
    let whole = sample.whole(bytes(&inputs));
    let lists_are_enough = evidence.aligner.is_none() && method.measure.is_set();
    let digest = if lists_are_enough { SHARED } else { INDEXED };
    let note = evidence.aligner.map(|_| ForecastNote::AligningNotCounted);
    Ok(Forecast {
        seconds: whole.seconds * 1.3,
        memory: whole.digests * digest + (100 << 20),
        whole,
        disk: Vec::new(),
        notes: note.into_iter().collect(),
    })
}

impl fmt::Display for ForecastNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ForecastNote::FitsIntoMemory => {
                f.write_str("everything fits into memory; no work folder is needed")
            }
            ForecastNote::Passes {
                passes,
                all_in_memory,
            } => {
                f.write_str("the run passes over all documents ")?;
                match passes {
                    1 => f.write_str("once")?,
                    passes => write!(f, "{passes} times")?,
                }
                let all = size(*all_in_memory);
                write!(f, "; to hold everything in memory would take {all}")
            }
            ForecastNote::AligningNotCounted => f.write_str(
                "aligning the listed pairs takes additional time; their number is not known yet",
            ),
        }
    }
}

impl Serialize for ForecastNote {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn displayed<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}
