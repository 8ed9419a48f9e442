//! Documents into a registry.

mod forecast;
mod list;
mod preview;
pub mod shards;
mod target;

use std::path::PathBuf;

use cento::index::registry::{Candidate, Facts, OnChange, Prepare};
use cento::report::Skipped;
use cento::verify::{Query, WordPlaces};
use cento_ingest::Document;
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};

use crate::documents::{GivenText, InMemory, Reader, Unreadable};
use crate::error::{Error, Result};
use crate::method::EvidenceOptions;
use crate::prepare::{disguised, warnings};
use crate::program;
use crate::registry::RegistryOptions;
use crate::report::{Reported, TextOptions};
use crate::submitter::{SubmitterFrom, Whose};
use crate::time;
use crate::verify::{Search, SearchOptions, settings};
use crate::watch::{Step, Watch};

pub(crate) use forecast::forecast;
pub use list::Rejected;
use list::{Common, Item};
pub use preview::{Preview, Previewed, preview};
pub(crate) use target::COMMIT_AT;
use target::Writing;
pub use target::{OTHER_TEXT, Refusal, Taken, Target, other_submitter};

/// The documents to register, and what is known about all of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Files and folders.
    pub paths: Vec<PathBuf>,
    /// More documents: texts that are in memory.
    #[serde(skip)]
    pub given: Vec<GivenText>,
    /// A list of documents instead, CSV or JSON lines.
    pub manifest: Option<PathBuf>,
    /// The registry.
    pub registry: RegistryOptions,
    /// Who submitted the documents; may be an opaque code.
    pub submitter: Option<String>,
    /// Where each document has a submitter of its own; `submitter` is then that of documents that
    /// nothing says anything about, which are not registered without it.
    pub submitter_from: Option<SubmitterFrom>,
    /// The set that they belong to.
    pub set: Option<String>,
    /// When they were made.
    pub date: Option<String>,
    /// Let them expire after a time such as 90d, 12w or 1y, or after a date such as 2030-12-31.
    pub expire: Option<String>,
    /// Comes before every id; with `submitter_from`, `{submitter}` in it stands for the submitter.
    pub id_prefix: String,
    /// What to do with an id that is registered with another text.
    pub on_change: OnChange,
    /// Also verify the documents, once they are registered.
    pub verify: bool,
    /// What is looked for then.
    pub search: SearchOptions,
    /// How shared text is found then, and what of it counts.
    pub evidence: EvidenceOptions,
    /// How files are found and read.
    pub input: cento_ingest::Options,
    /// What of the texts that report is to have.
    pub texts: TextOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            paths: Vec::new(),
            given: Vec::new(),
            manifest: None,
            registry: RegistryOptions::default(),
            submitter: None,
            submitter_from: None,
            set: None,
            date: None,
            expire: None,
            id_prefix: String::new(),
            on_change: OnChange::Version,
            verify: false,
            search: SearchOptions::default(),
            evidence: EvidenceOptions::default(),
            input: cento_ingest::Options::default(),
            texts: TextOptions::default(),
        }
    }
}

/// What became of the documents.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// How many are new.
    pub new: u64,
    /// How many are further versions of registered documents.
    pub versions: u64,
    /// How many were registered with the same text.
    pub unchanged: u64,
    /// How many pairs of documents that are alike came with them.
    pub pairs: u64,
    /// What became of each one that was taken, in the order of the input.
    pub documents: Vec<Registered>,
    /// What was not taken, and why.
    pub rejected: Vec<Rejected>,
    /// What they share with registered documents, if that was asked for.
    pub verification: Option<Reported>,
}

/// A document that is registered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Registered {
    /// Its id in the registry.
    pub id: String,
    /// `new`, `version` or `unchanged`.
    pub registered: &'static str,
    /// Which version it is, if not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// Another id that is registered with the same text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_text_as: Option<String>,
}

impl Outcome {
    /// Notes what became of a document; says why it was not taken.
    pub fn count(&mut self, id: &str, taken: Taken) -> Result<(), Refusal> {
        let (counter, registered, version, same_text_as) = match taken {
            Taken::New { same_text_as } => (&mut self.new, "new", None, same_text_as),
            Taken::Version {
                version,
                same_text_as,
            } => (&mut self.versions, "version", Some(version), same_text_as),
            Taken::Unchanged => (&mut self.unchanged, "unchanged", None, None),
            Taken::Refused(refusal) => return Err(refusal),
        };
        *counter += 1;
        self.documents.push(Registered {
            id: id.to_owned(),
            registered,
            version,
            same_text_as,
        });
        Ok(())
    }

    /// Notes that a document was not taken.
    pub fn reject(&mut self, id: &str, reason: String) {
        self.rejected.push(Rejected {
            line: None,
            path: id.to_owned(),
            skipped: Unreadable::Other(reason).of(id),
            remedy: None,
        });
    }

    /// What was not taken, in the order of the ids.
    pub fn skipped(&self) -> Vec<Skipped> {
        let skipped = self
            .rejected
            .iter()
            .map(|rejected| rejected.skipped.clone());
        let mut skipped: Vec<Skipped> = skipped.collect();
        skipped.sort();
        skipped
    }
}

/// `cento.register/1`; or the report, if the documents were verified.
impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Printed<'a> {
            documents: &'a [Registered],
            new: u64,
            pairs: u64,
            registered: u64,
            schema: &'static str,
            skipped: Vec<Skipped>,
            unchanged: u64,
            versions: u64,
        }
        if let Some(verification) = &self.verification {
            return verification.serialize(serializer);
        }
        let printed = Printed {
            documents: &self.documents,
            new: self.new,
            pairs: self.pairs,
            registered: self.new + self.versions,
            schema: "cento.register/1",
            skipped: self.skipped(),
            unchanged: self.unchanged,
            versions: self.versions,
        };
        printed.serialize(serializer)
    }
}

/// How many documents are read at a time.
const BATCH: usize = 256;

/// Registers documents.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let place = options.registry.place(watch)?;
    // Said before any work is done: a slip in an option, a wrong key.
    settings(&options.search, &options.evidence, &place.snapshot()?)?;
    let mut writing = Writing::new(place.writer("register", watch)?);
    let prepare = writing.prepare().clone();
    let reader = Reader::for_recipes(&options.input, [&prepare.settings().recipe]);
    let (mut outcome, registering) = register(options, &prepare, &mut writing, &reader, watch)?;
    outcome.pairs = writing.finish()?;
    if options.verify {
        let snapshot = place.snapshot()?;
        let settings = settings(&options.search, &options.evidence, &snapshot)?;
        let search = Search {
            options: &options.search,
            settings: &settings,
            snapshot: &snapshot,
            reader: &reader,
            texts: options.texts,
        };
        let Registering { items, queries } = registering;
        let inputs: Vec<_> = items.into_iter().filter_map(Item::into_input).collect();
        let mut found = search.run(&queries, &inputs, watch)?.reported;
        found.report.skipped = outcome.skipped();
        outcome.verification = Some(found);
    }
    Ok(outcome)
}

/// The same into a registry that somebody else writes. Verifying is up to them.
pub fn run_into(
    options: &Options,
    prepare: &Prepare,
    target: &mut dyn Target,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    let reader = reader.for_recipe(&prepare.settings().recipe);
    let (mut outcome, _) = register(options, prepare, target, &reader, watch)?;
    outcome.pairs = target.pairs();
    Ok(outcome)
}

/// The documents that were to be registered, and the questions of those that are.
struct Registering {
    items: Vec<Item>,
    queries: Vec<Query>,
}

fn register(
    options: &Options,
    prepare: &Prepare,
    target: &mut dyn Target,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<(Outcome, Registering)> {
    let common = Common::of(options)?;
    let (items, rejected) = match &options.manifest {
        Some(list) => list::from_manifest(list, &common)?,
        None => list::from_paths(&options.paths, &options.given, &common, reader, watch)?,
    };
    let mut outcome = Outcome {
        rejected,
        ..Outcome::default()
    };
    let mut queries = Vec::new();
    let bytes = items.iter().map(Item::size).sum();
    watch.begin(Step::Registering, items.len(), bytes);
    for batch in items.chunks(BATCH) {
        watch.go_on()?;
        let read = read_batch(batch, options.verify, prepare, target, reader, watch)?;
        watch.go_on()?;
        let (mut candidates, mut places) = (Vec::new(), Vec::new());
        for (place, read) in read.into_iter().enumerate() {
            let item = &batch[place];
            match read {
                Read::Known => {
                    // Nothing is refused that is there.
                    let _ = outcome.count(&item.facts.id, Taken::Unchanged);
                }
                Read::Failed(why) => outcome.rejected.push(item.rejected(&why)),
                Read::Ready(candidate, query) => {
                    candidates.push(*candidate);
                    places.push((place, query));
                }
            }
        }
        let taken = target.add(candidates, options.on_change)?;
        for ((place, query), taken) in places.into_iter().zip(taken) {
            let item = &batch[place];
            match outcome.count(&item.facts.id, taken) {
                Ok(()) => queries.extend(query.map(|query| *query)),
                Err(Refusal { reason, remedy }) => {
                    let rejected = item.rejected(&Unreadable::Other(reason));
                    outcome.rejected.push(Rejected { remedy, ..rejected });
                }
            }
        }
    }
    watch.end();
    Ok((outcome, Registering { items, queries }))
}

/// What reading a document came to.
enum Read {
    /// Its file has the bytes that were registered under its id.
    Known,
    Ready(Box<Candidate>, Option<Box<Query>>),
    Failed(Unreadable),
}

fn read_batch(
    batch: &[Item],
    verifies: bool,
    prepare: &Prepare,
    target: &mut dyn Target,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<Vec<Read>> {
    let hashes: Vec<Option<[u8; 16]>> = batch.par_iter().map(|item| item.hash(prepare)).collect();
    let mut known = Vec::with_capacity(batch.len());
    for (item, hash) in batch.iter().zip(&hashes) {
        // Verifying needs the text in any case.
        known.push(match hash {
            Some(hash) if !verifies => {
                let Facts { id, submitter, .. } = &item.facts;
                target.has_file(id, submitter.as_deref(), hash)?
            }
            _ => false,
        });
    }
    let read =
        batch
            .par_iter()
            .zip(known.into_par_iter().zip(hashes))
            .map(|(item, (known, hash))| {
                let read = if known || watch.is_stopped() {
                    Read::Known
                } else {
                    read(item, hash, prepare, reader, verifies)
                };
                watch.advance(1, item.size());
                read
            });
    Ok(read.collect())
}

fn read(
    item: &Item,
    file: Option<[u8; 16]>,
    prepare: &Prepare,
    reader: &Reader,
    verifies: bool,
) -> Read {
    let document = match item.read(reader) {
        Ok(document) => document,
        Err(why) => return Read::Failed(why),
    };
    let facts = Facts {
        file,
        ..item.facts.clone()
    };
    let candidate = match of_document(&document, facts, prepare) {
        Ok(candidate) => candidate,
        Err(why) => return Read::Failed(why),
    };
    let recipe = &prepare.settings().recipe;
    let query = verifies.then(|| {
        let (places, terms) = WordPlaces::with_terms(&document.content, prepare);
        Box::new(Query {
            id: item.id().to_owned(),
            label: item.label().to_owned(),
            registry_id: item.facts.id.clone(),
            submitter: item.facts.submitter.clone(),
            set: item.facts.set.clone(),
            is_registered: true,
            words: candidate.words(),
            disguised: disguised(&document),
            warnings: warnings(document.warnings, &document.content, recipe),
            fingerprints: candidate.fingerprints().to_vec(),
            itself: None,
            spans: prepare.spans(&document.content),
            places,
            terms,
        })
    });
    Read::Ready(Box::new(candidate), query)
}

/// A document in memory as a registry takes it, or why it cannot be one.
pub fn candidate(
    given: &InMemory,
    facts: Facts,
    prepare: &Prepare,
    reader: &Reader,
) -> Result<Candidate, Skipped> {
    let document = reader.in_memory(given).read().map_err(Unreadable::File);
    let candidate = document.and_then(|document| of_document(&document, facts, prepare));
    candidate.map_err(|why| why.of(&given.name))
}

fn of_document(
    document: &Document,
    facts: Facts,
    prepare: &Prepare,
) -> Result<Candidate, Unreadable> {
    let facts = Facts {
        extractor: Some(extractor(document.kind)),
        ..facts
    };
    let content = program::content(document);
    let candidate = prepare.candidate(facts, &content);
    if candidate.words() == 0 {
        return Err(Unreadable::empty(&content));
    }
    Ok(candidate)
}

/// What read a document, as the registry notes it.
pub(crate) fn extractor(kind: Option<cento_ingest::Kind>) -> String {
    let kind = kind.map(|kind| format!(" {kind}")).unwrap_or_default();
    format!("cento {}{kind}", env!("CARGO_PKG_VERSION"))
}

impl Common {
    fn of(options: &Options) -> Result<Common> {
        let expires = options.expire.as_deref().map(time::expiry).transpose();
        Ok(Common {
            whose: Whose {
                submitter: options.submitter.clone(),
                from: options.submitter_from.clone(),
                id_prefix: options.id_prefix.clone(),
            },
            set: options.set.clone(),
            date: options.date.clone(),
            expires: expires.map_err(|reason| Error::option("expire", reason))?,
            now: time::now(),
        })
    }
}
