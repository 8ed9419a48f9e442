//! The work of one machine among many that fill shards by digests or ask them, in an engine that moves
//! bytes from one to another.
//!
//! What comes before and after is in [`register::shards`](crate::register::shards) and
//! [`verify::shards`](crate::verify::shards).

use std::sync::Arc;

use cento::index::registry::{
    BuildOrder, Built, CutDocument, CutQuestion, MergeOrder, NewDocument, ShardCounter, ShardWork,
    Shared,
};
use cento::verify::{ListedPair, is_listed};

use crate::documents::{GivenText, Reader, Unreadable};
use crate::error::{At as _, Error, Result};
use crate::register::extractor;
use crate::registry::RegistryOptions;
use crate::verify::shards::Asking;
use crate::watch::{Step, Watch};

/// A machine that works on shards.
pub struct Machine {
    work: ShardWork,
    reader: Reader,
}

/// What became of a text.
pub enum Cut<T> {
    /// It can be sent to the shards.
    Ready(T),
    /// It is no document, and why.
    Skipped(String),
}

impl<T> Cut<T> {
    /// What can be sent.
    pub fn ready(&self) -> Option<&T> {
        match self {
            Cut::Ready(ready) => Some(ready),
            Cut::Skipped(_) => None,
        }
    }

    /// Why it is no document.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Cut::Ready(_) => None,
            Cut::Skipped(reason) => Some(reason),
        }
    }
}

/// A document, cut for all shards.
pub struct Document {
    /// What each shard gets of it, and what the catalogue has.
    pub cut: CutDocument,
    /// What read it.
    pub extractor: String,
}

/// A question, and what all shards have said about it.
pub struct Said<'a> {
    /// Its id.
    pub id: &'a str,
    /// How many words it has.
    pub words: u64,
    /// How many digests of the question count.
    pub digests: u32,
    /// The number of each shard, and what it has said.
    pub of_shards: Vec<(usize, &'a [u8])>,
}

impl Machine {
    /// Opens shards without changing anything.
    pub fn open(registry: &RegistryOptions, watch: &Watch<'_>) -> Result<Machine> {
        let work = registry.place_to_read(watch)?.shard_work()?;
        let recipe = &work.prepare().settings().recipe;
        if recipe.is_for_programs() {
            return Err(programs()).at(registry.registry.display());
        }
        let reader = Reader::for_recipes(&cento_ingest::Options::default(), [recipe]);
        Ok(Machine { work, reader })
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.work.shards()
    }

    /// A text that is to be registered.
    pub fn document(&self, id: &str, text: &str, set: Option<&str>) -> Result<Cut<Document>> {
        let document = match self.read(id, text) {
            Cut::Ready(document) => document,
            Cut::Skipped(reason) => return Ok(Cut::Skipped(reason)),
        };
        let cut = self.work.cut(&document.content, set)?;
        if cut.words == 0 {
            return Ok(Cut::Skipped(Unreadable::NoWords.of(id).reason));
        }
        let extractor = extractor(document.kind);
        Ok(Cut::Ready(Document { cut, extractor }))
    }

    /// A text that is asked about.
    pub fn question(&self, id: &str, text: &str, asking: &Asking) -> Result<Cut<CutQuestion>> {
        let document = match self.read(id, text) {
            Cut::Ready(document) => document,
            Cut::Skipped(reason) => return Ok(Cut::Skipped(reason)),
        };
        let cut = self.work.question(&document.content, asking.set())?;
        Ok(match cut.words {
            0 => Cut::Skipped(Unreadable::NoWords.of(id).reason),
            _ => Cut::Ready(cut),
        })
    }

    /// A text as it would be read from a table.
    fn read(&self, id: &str, text: &str) -> Cut<cento_ingest::Document> {
        let given = GivenText {
            name: id.to_owned(),
            text: Arc::from(text),
        };
        match self.reader.given(&given).read() {
            Ok(document) => Cut::Ready(document),
            Err(error) => Cut::Skipped(Unreadable::File(error).of(id).reason),
        }
    }

    /// Writes the slice of a shard of new documents, under the name of an attempt.
    pub fn build(
        &self,
        shard: usize,
        order: &BuildOrder,
        attempt: &str,
        documents: Vec<NewDocument>,
    ) -> Result<Vec<Built>> {
        Ok(self.work.build(shard, order, attempt, documents)?)
    }

    /// Writes the slice of a shard of several segments that become one, under the name of an attempt.
    pub fn merge(
        &self,
        shard: usize,
        order: &MergeOrder,
        attempt: &str,
        watch: &Watch<'_>,
    ) -> Result<Vec<Built>> {
        watch.during(Step::Merging, |watch| {
            self.work.merge(shard, order, attempt, watch)
        })
    }

    /// The postings of one shard, for many questions.
    pub fn counter(&self, shard: usize, asking: &Asking) -> Result<ShardCounter> {
        let counter = self
            .work
            .counter(shard, &asking.commit, asking.standard_from);
        Ok(counter?)
    }

    /// What is listed for questions, by what all shards have said about each.
    pub fn answers(&self, asking: &Asking, questions: &[Said<'_>]) -> Result<Vec<ListedPair>> {
        let summer = self.work.summer(&asking.commit)?;
        let settings = asking.settings();
        let limit = asking.top.unwrap_or(usize::MAX);
        let recipe = &self.work.prepare().settings().recipe;
        let mut all = Vec::new();
        for said in questions {
            let is_listed = |shared: &Shared| is_listed(shared, &settings);
            let of_shards = &said.of_shards;
            let answer =
                summer.answer(said.digests, of_shards, asking.measure, limit, is_listed)?;
            let missing = || Error::refused("not every shard has answered once; run it again");
            let (answered, _) = answer.ok_or_else(missing)?;
            let listed = answered.iter();
            all.extend(listed.map(|one| ListedPair::new(said.id, said.words, one, recipe)));
        }
        Ok(all)
    }
}

/// Why shards of programs are left to one machine.
pub(crate) fn programs() -> Error {
    Error::refused(
        "its recipe compares programs, which only one machine reads: register and verify them in the \
         registry itself",
    )
}
