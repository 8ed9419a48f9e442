//! A corpus → its documents with fingerprints, in the order of the input.

use cento::index::DigestStore;
use cento::{Fingerprint, NoCollection};

use super::compare::Comparison;
use super::corpus::{Batch, Corpus, Identity, Item, Reached, number};
use super::exact;
use super::options::Keep;
use super::skipped::{SkippedRow, expect_few};
use super::work::{Before, Work};
use crate::error::{Error, Result};
use crate::watch::{Step, Watch};

/// Everything that was read of a corpus.
pub(super) struct Dataset {
    /// In the order of their identities.
    pub(super) documents: Vec<Document>,
    /// Their digests.
    pub(super) store: DigestStore,
    pub(super) skipped: Vec<SkippedRow>,
}

/// A document of the dataset.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Document {
    pub(super) id: Box<str>,
    pub(super) identity: Identity,
    /// One past the last byte of a row; 0 of a file.
    pub(super) end: u64,
    /// How many bytes its text has,
    pub(super) length: u64,
    /// and how many characters.
    pub(super) characters: u64,
    /// The number in the field that decides which one is kept.
    pub(super) field: Option<f64>,
}

impl Dataset {
    /// Reads everything; with a work folder, what it does not have yet. Told to stop, it puts what it
    /// has read into the work folder.
    pub(super) fn read(
        corpus: &Corpus,
        comparison: &Comparison,
        work: Option<(&mut Work, Before)>,
        watch: &Watch<'_>,
    ) -> Result<Dataset> {
        let (work, before) = match work {
            Some((work, before)) => (Some(work), before),
            None => (None, Before::default()),
        };
        expect_same_files(corpus, &before)?;
        let mut reading = Reading {
            dataset: Dataset {
                documents: before.documents,
                store: before.store,
                skipped: before.skipped,
            },
            reached: before.reached,
            work,
            uncommitted: 0,
        };
        watch.begin(Step::Reading, 0, corpus.bytes());
        let read = reading.read(corpus, comparison, watch);
        if matches!(read, Ok(()) | Err(Error::Stopped)) {
            reading.commit()?;
        }
        read?;
        watch.end();
        Ok(reading.dataset)
    }

    /// Refuses data of which too much cannot be read.
    pub(super) fn expect_few_errors(&self, most: f64) -> Result<()> {
        expect_few(&self.skipped, self.documents.len(), most)
    }

    /// How many documents lack the number in a field that decides. A field that no document has is
    /// an error.
    pub(super) fn without_field(&self, keep: &Keep, corpus: &Corpus) -> Result<Option<usize>> {
        let Some(field) = keep.field() else {
            return Ok(None);
        };
        let lacking = self.documents.iter().filter(|one| one.field.is_none());
        match lacking.count() {
            all if all == self.documents.len() => Err(corpus.no_field(field)),
            some => Ok(Some(some)),
        }
    }
}

/// The numbers of files mean something only as long as the same files are found.
fn expect_same_files(corpus: &Corpus, before: &Before) -> Result<()> {
    let is_same = |document: &Document| match document.identity {
        Identity::Row { .. } => true,
        Identity::File(number) => {
            let file = corpus.files.get(number as usize);
            file.is_some_and(|file| file.id() == &*document.id)
        }
    };
    match before.documents.iter().find(|document| !is_same(document)) {
        Some(document) => Err(Error::refused(format!(
            "the work folder knows {}, and it is not found where it was; remove the work folder to \
             begin again",
            document.id.escape_debug()
        ))),
        None => Ok(()),
    }
}

/// A dataset while it is being read.
struct Reading<'a> {
    dataset: Dataset,
    reached: Reached,
    work: Option<&'a mut Work>,
    /// How many bytes were read since the work was last made safe.
    uncommitted: u64,
}

/// After how many bytes the work is made safe.
const STEP: u64 = 32 << 20;

impl Reading<'_> {
    fn read(&mut self, corpus: &Corpus, comparison: &Comparison, watch: &Watch<'_>) -> Result<()> {
        let from = self.reached;
        for table in &corpus.tables[..from.tables.min(corpus.tables.len())] {
            watch.advance(0, table.shard.size());
        }
        for table in from.tables..corpus.tables.len() {
            let done = if table == from.tables {
                from.records
            } else {
                0
            };
            let mut rows = corpus.rows(table, done, watch)?;
            while let Some(batch) = rows.next(watch, |item| comparison.document(item))? {
                self.put(batch)?;
            }
        }
        // They are put away together with the first files, so that a run that goes on has them once.
        let mut found: &[SkippedRow] = match from {
            Reached {
                files: 0,
                is_all: false,
                ..
            } => &corpus.skipped,
            _ => &[],
        };
        let mut files = corpus.files_from(from.files);
        loop {
            let batch = files.next(watch, |item| comparison.document(item))?;
            for skipped in std::mem::take(&mut found) {
                self.skip(skipped.clone())?;
            }
            match batch {
                Some(batch) => self.put(batch)?,
                None => break,
            }
        }
        self.reached = Reached {
            tables: corpus.tables.len(),
            records: 0,
            files: corpus.files.len(),
            is_all: true,
        };
        Ok(())
    }

    /// Puts a batch away.
    fn put(&mut self, batch: Batch<(Document, Fingerprint)>) -> Result<()> {
        for item in batch.items {
            match item {
                Ok((document, fingerprint)) => self.push(document, &fingerprint)?,
                Err(skipped) => self.skip(skipped)?,
            }
        }
        self.reached = batch.reached;
        self.uncommitted += batch.bytes;
        if self.uncommitted >= STEP {
            self.commit()?;
        }
        Ok(())
    }

    fn push(&mut self, document: Document, fingerprint: &Fingerprint) -> Result<()> {
        if let Some(work) = &mut self.work {
            work.push(&document, number(fingerprint.digests().len())?)?;
        }
        self.dataset.store.push(fingerprint)?;
        self.dataset.documents.push(document);
        Ok(())
    }

    fn skip(&mut self, row: SkippedRow) -> Result<()> {
        if let Some(work) = &mut self.work {
            work.skip(&row)?;
        }
        self.dataset.skipped.push(row);
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        self.uncommitted = 0;
        match &mut self.work {
            Some(work) => work.commit(self.reached, &mut self.dataset.store),
            None => Ok(()),
        }
    }
}

impl Comparison {
    /// What a text is compared by.
    pub(super) fn fingerprint(&self, text: &str) -> Fingerprint {
        if self.exact {
            exact::fingerprint(text, &self.key)
        } else {
            self.recipe.fingerprint(text, &self.key, &NoCollection)
        }
    }

    /// What is remembered of a document.
    pub(super) fn document(&self, item: Item) -> (Document, Fingerprint) {
        let fingerprint = self.fingerprint(&item.text);
        let document = Document {
            id: item.id.into(),
            identity: item.identity,
            end: item.record.map_or(0, |record| record.end),
            length: item.text.len() as u64,
            characters: item.text.chars().count() as u64,
            field: item.number,
        };
        (document, fingerprint)
    }
}
