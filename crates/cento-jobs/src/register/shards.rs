//! Documents into shards that many machines write: what becomes of each is decided here, all slices are
//! put in place here, and there is one commit.

use cento::index::registry::{Arrival, Batch, Built, Facts, MergeOrder, ShardedRegistry};
use cento::report::Skipped;
use serde::Serialize;

use super::list::Common;
use super::{Options, Refusal, Taken};
use crate::error::{At as _, Result};
use crate::shards::programs;
use crate::time;
use crate::watch::Watch;

/// A document as another machine has read it.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its id, without what comes before all ids.
    pub id: String,
    /// What is said of it alone.
    pub label: Option<String>,
    /// Whose it is, if it is not the one of all.
    pub submitter: Option<String>,
    /// Its set, if it is not the one of all.
    pub set: Option<String>,
    /// When it was made.
    pub date: Option<String>,
    /// When it expires.
    pub expire: Option<String>,
    /// What was read, or why it could not be.
    pub read: Result<RowRead, String>,
}

/// What the catalogue has of a document.
#[derive(Clone, Debug, Default)]
pub struct RowRead {
    /// The keyed hash of its text.
    pub content: [u8; 16],
    /// How many words,
    pub words: u64,
    /// digests,
    pub digests: u32,
    /// digests of standard text
    pub ignored: u32,
    /// and blocks it has.
    pub blocks: u32,
    /// What is kept of it.
    pub retained: Option<Vec<u8>>,
    /// What read it.
    pub extractor: String,
}

/// What became of the documents.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outcome {
    /// How many are new.
    pub new: u64,
    /// How many were registered.
    pub registered: u64,
    /// What was not taken, and why.
    pub skipped: Vec<Skipped>,
    /// How many were registered with the same text.
    pub unchanged: u64,
    /// How many are further versions of registered documents.
    pub versions: u64,
}

/// Shards that are being filled. Nobody else writes to them meanwhile.
pub struct Filling {
    shards: ShardedRegistry,
    common: Common,
    options: Options,
    arrivals: Vec<Arrival>,
    batch: Option<Batch>,
    outcome: Outcome,
}

impl Filling {
    /// Takes the right to write, and refuses options that cannot be followed and shards of which one is
    /// missing.
    pub fn open(options: Options, watch: &Watch<'_>) -> Result<Filling> {
        let common = Common::of(&options)?;
        let shards = options.registry.place(watch)?;
        let shards = shards.shards_writer("spark register", watch)?;
        if shards.prepare().settings().recipe.is_for_programs() {
            return Err(programs()).at(options.registry.registry.display());
        }
        Ok(Filling {
            shards,
            common,
            options,
            arrivals: Vec::new(),
            batch: None,
            outcome: Outcome::default(),
        })
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.shards.shards()
    }

    /// Takes a document.
    pub fn add(&mut self, row: Row) {
        let id = format!("{}{}", self.common.whose.id_prefix, row.id);
        let expires = match row.expire.as_deref().map(time::expiry) {
            None => Ok(self.common.expires.clone()),
            Some(Ok(expires)) => Ok(Some(expires)),
            Some(Err(reason)) => Err(format!("expire: {reason}")),
        };
        let (read, expires) = match (row.read, expires) {
            (Ok(read), Ok(expires)) => (read, expires),
            (Err(reason), _) | (_, Err(reason)) => {
                self.outcome.skipped.push(Skipped::new(&id, reason));
                return;
            }
        };
        let common = &self.common;
        let or = |own: Option<String>, common: &Option<String>| own.or_else(|| common.clone());
        self.arrivals.push(Arrival {
            facts: Facts {
                label: row.label.filter(|label| *label != id),
                id,
                submitter: or(row.submitter, &common.whose.submitter),
                set: or(row.set, &common.set),
                date: or(row.date, &common.date),
                expires,
                registered: common.now.clone(),
                file: None,
                extractor: Some(read.extractor),
            },
            content: read.content,
            words: read.words,
            digests: read.digests,
            ignored: read.ignored,
            blocks: read.blocks,
            retained: read.retained,
        });
    }

    /// Decides what becomes of all documents that were taken.
    pub fn plan(&mut self) -> Result<&Batch> {
        let arrivals = std::mem::take(&mut self.arrivals);
        let on_change = self.options.on_change;
        let batch = self.shards.plan(arrivals, on_change, &self.common.now)?;
        let refused = batch.refused.iter().map(|(id, added)| {
            let reason = match Taken::of(added.clone(), None) {
                Taken::Refused(Refusal { reason, .. }) => reason,
                Taken::New { .. } | Taken::Version { .. } | Taken::Unchanged => String::new(),
            };
            Skipped::new(id, reason)
        });
        self.outcome.skipped.extend(refused);
        self.outcome.skipped.sort();
        self.outcome.new = batch.new;
        self.outcome.versions = batch.versions;
        self.outcome.unchanged = batch.unchanged;
        Ok(self.batch.insert(batch))
    }

    /// Registers the documents of which every shard has written its slice.
    pub fn commit(&mut self, built: &[Built]) -> Result<()> {
        if let Some(batch) = self.batch.take() {
            self.outcome.registered = self.shards.commit(&batch, built)?;
        }
        Ok(())
    }

    /// The segments that are to become one in every shard, if there are some.
    pub fn due(&self) -> Result<Option<MergeOrder>> {
        Ok(self.shards.due(&self.common.now)?)
    }

    /// Puts a segment in the place of others, of which every shard has written its slice.
    pub fn replace(&mut self, order: &MergeOrder, built: &[Built]) -> Result<()> {
        Ok(self.shards.replace(order, built)?)
    }

    /// What became of the documents.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }
}
