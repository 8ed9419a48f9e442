//! Stars: which documents of a collection are kept, and which one each of the others joins.
//!
//! A document is kept unless one that is kept already is alike; otherwise it joins the one that is
//! most alike. Only kept documents are ever compared with, so a million copies of a text cost a
//! million comparisons with one document, and the pairs inside a star are never looked at.

use std::cmp::Ordering;
use std::io::{Read as _, Write as _};
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::kept::{Collector, KeptDocuments, Probe};
use super::prefix::{Frequent, Prefix};
use super::store::{DigestStore, ReadBuffer, io_error};
use super::{BATCH, ClusterQuery};
use crate::error::Error;
use crate::number::index32;
use crate::watch::Watch;

/// What becomes of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fate {
    /// Which document is kept in its place, by its place in the order: its own, if it is kept.
    pub star: u32,
    /// How alike the two are; 1 if it is kept.
    pub similarity: f64,
}

/// A search for stars that goes on pass by pass.
///
/// ```
/// use cento::index::{ClusterQuery, DigestStore, Stars};
/// use cento::{Key, NoCollection, Recipe, SetMeasure, Watch};
///
/// let recipe = Recipe::default();
/// let mut store = DigestStore::in_memory();
/// for text in [
///     "The town rebuilt its canal in nine years.",
///     "This essay is about the price of bread before the war.",
///     "The town rebuilt its canal in nine years!",
/// ] {
///     store.push(&recipe.fingerprint(text, &Key::PUBLIC, &NoCollection))?;
/// }
/// let query = ClusterQuery {
///     measure: SetMeasure::Resemblance,
///     at_least: 0.8,
///     memory: 1 << 30,
///     sketcher: None,
/// };
/// let order = [0, 1, 2];
/// let mut stars = Stars::new(&store, &order, query, Watch::NOBODY)?;
/// while !stars.is_done() {
///     stars.pass(Watch::NOBODY)?;
/// }
/// let kept: Vec<u32> = stars.fates().iter().map(|fate| fate.star).collect();
/// assert_eq!(kept, [0, 1, 0]);
/// # Ok::<(), cento::Error>(())
/// ```
pub struct Stars<'a> {
    store: &'a DigestStore,
    /// The documents in the order in which they are preferred.
    order: &'a [u32],
    query: ClusterQuery,
    frequent: Frequent,
    /// The fates as far as they are known: those of the first documents, and for the others the best
    /// of those that they were held against.
    fates: Vec<Fate>,
    /// How many documents have their fate.
    settled: usize,
}

impl<'a> Stars<'a> {
    /// A search among the documents of a store, in the order in which they are preferred.
    pub fn new(
        store: &'a DigestStore,
        order: &'a [u32],
        query: ClusterQuery,
        watch: Watch<'_>,
    ) -> Result<Stars<'a>, Error> {
        Ok(Stars {
            store,
            order,
            query,
            frequent: Frequent::sampled(store, watch)?,
            fates: vec![Fate::OPEN; order.len()],
            settled: 0,
        })
    }

    /// How many documents have their fate.
    pub fn settled(&self) -> usize {
        self.settled
    }

    /// Whether all have.
    pub fn is_done(&self) -> bool {
        self.settled == self.order.len()
    }

    /// Goes as far as the memory allows. After a pass that was stopped, the search can only be begun
    /// again, or loaded from where it was saved.
    pub fn pass(&mut self, watch: Watch<'_>) -> Result<(), Error> {
        let wanted = self
            .query
            .wanted(self.store, self.order[self.settled..].iter());
        let mut kept = KeptDocuments::new(self.query.entries(wanted));
        while !self.is_done() {
            let batch = self.settled..(self.settled + BATCH).min(self.order.len());
            let wanted = batch.len();
            let settled = self.settle(batch, &mut kept, watch)?;
            self.settled += settled;
            watch.tell(self.settled as u64, self.order.len() as u64);
            if settled < wanted {
                break;
            }
        }
        self.hold_against(&kept, watch)
    }

    /// Writes down how far the search is, in a file that replaces the one before.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let new = path.with_extension("new");
        let failed = |source| io_error(&new, source);
        let file = std::fs::File::create(&new).map_err(failed)?;
        let mut out = std::io::BufWriter::with_capacity(1 << 20, file);
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(failed);
        write(&(self.order.len() as u64).to_le_bytes())?;
        write(&(self.settled as u64).to_le_bytes())?;
        for fate in &self.fates {
            write(&fate.star.to_le_bytes())?;
            write(&fate.similarity.to_le_bytes())?;
        }
        let file = out
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.sync_data().map_err(failed)?;
        std::fs::rename(&new, path).map_err(|source| io_error(path, source))
    }

    /// Goes on from where a search of the same documents was saved.
    pub fn load(&mut self, path: &Path) -> Result<(), Error> {
        let failed = |source| io_error(path, source);
        let file = std::fs::File::open(path).map_err(failed)?;
        let mut input = std::io::BufReader::with_capacity(1 << 20, file);
        let damaged = || Error::Format {
            path: path.to_owned(),
            reason: "it belongs to another search; remove it to begin again".to_owned(),
        };
        let mut number = [0; 8];
        input.read_exact(&mut number).map_err(failed)?;
        let documents = u64::from_le_bytes(number);
        input.read_exact(&mut number).map_err(failed)?;
        let settled = u64::from_le_bytes(number);
        if documents != self.order.len() as u64 || settled > documents {
            return Err(damaged());
        }
        for fate in &mut self.fates {
            let mut star = [0; 4];
            input.read_exact(&mut star).map_err(failed)?;
            input.read_exact(&mut number).map_err(failed)?;
            *fate = Fate {
                star: u32::from_le_bytes(star),
                similarity: f64::from_le_bytes(number),
            };
            if *fate != Fate::OPEN && u64::from(fate.star) >= documents {
                return Err(damaged());
            }
        }
        self.settled = usize::try_from(settled).unwrap_or(self.order.len());
        Ok(())
    }

    /// The fate of each document in the order in which they are preferred, once all are known.
    pub fn fates(self) -> Vec<Fate> {
        self.fates
    }

    /// Settles the fates of the documents at some places; of fewer if there is no room for all that are
    /// kept.
    fn settle(
        &mut self,
        places: Range<usize>,
        kept: &mut KeptDocuments,
        watch: Watch<'_>,
    ) -> Result<usize, Error> {
        let rule = self.query.rule();
        let (store, frequent) = (self.store, &self.frequent);
        // What they have in common with those that are kept so far can be seen at the same time.
        let mut waiting: Vec<(Prefix, Fate)> = self.order[places.clone()]
            .par_iter()
            .zip(&self.fates[places.clone()])
            .map_init(Probe::default, |probe, (document, fate)| {
                watch.go_on()?;
                let (mut buffer, mut fate) = (ReadBuffer::default(), *fate);
                let digests = store.digests(*document, &mut buffer)?;
                rule.prefix(digests, frequent, &mut probe.prefix);
                if kept.find_candidates(probe) {
                    kept.compare(probe, digests, rule, store, &mut fate)?;
                }
                Ok((std::mem::take(&mut probe.prefix), fate))
            })
            .collect::<Result<_, Error>>()?;
        // What they have in common with each other, only one after the other.
        let mut newest =
            KeptDocuments::new(waiting.iter().map(|(prefix, _)| prefix.entries()).sum());
        let (mut probe, mut buffer) = (Probe::default(), ReadBuffer::default());
        let mut entries = 0;
        for (done, (place, (prefix, fate))) in places.clone().zip(&mut waiting).enumerate() {
            entries += prefix.entries();
            if kept.is_full(entries) {
                return Ok(done);
            }
            watch.go_on()?;
            let document = self.order[place];
            std::mem::swap(&mut probe.prefix, prefix);
            if newest.find_candidates(&mut probe) {
                let digests = store.digests(document, &mut buffer)?;
                newest.compare(&mut probe, digests, rule, store, fate)?;
            }
            if *fate == Fate::OPEN {
                let star = index32(place);
                let size = store.sizes()[document as usize];
                *fate = Fate {
                    star,
                    similarity: 1.0,
                };
                newest.keep(document, star, size, &probe.prefix);
                kept.keep(document, star, size, &probe.prefix);
            }
            self.fates[place] = *fate;
        }
        Ok(places.len())
    }

    /// Holds all documents whose fates are open against those that are kept.
    fn hold_against(&mut self, kept: &KeptDocuments, watch: Watch<'_>) -> Result<(), Error> {
        let rule = self.query.rule();
        let (store, frequent) = (self.store, &self.frequent);
        let documents = &self.order[self.settled..];
        self.fates[self.settled..]
            .par_chunks_mut(BATCH)
            .zip(documents.par_chunks(BATCH))
            .try_for_each_init(Probe::default, |probe, (fates, documents)| {
                let mut buffer = ReadBuffer::default();
                for (fate, document) in fates.iter_mut().zip(documents) {
                    watch.go_on()?;
                    let digests = store.digests(*document, &mut buffer)?;
                    rule.prefix(digests, frequent, &mut probe.prefix);
                    if kept.find_candidates(probe) {
                        kept.compare(probe, digests, rule, store, fate)?;
                    }
                }
                Ok(())
            })
    }
}

impl Fate {
    /// Of a document that has met nobody alike yet.
    const OPEN: Fate = Fate {
        star: u32::MAX,
        similarity: 0.0,
    };
}

impl Collector for Fate {
    fn least(&self, _: u32) -> Option<f64> {
        Some(self.similarity)
    }

    /// The more similar one is better, then the more preferred one.
    fn add(&mut self, star: u32, similarity: f64) {
        let is_better = match similarity.total_cmp(&self.similarity) {
            Ordering::Greater => true,
            Ordering::Equal => star < self.star,
            Ordering::Less => false,
        };
        if is_better {
            *self = Fate { star, similarity };
        }
    }
}
