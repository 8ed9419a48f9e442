//! Components: documents that a chain of similar ones connects.

use std::ops::Range;

use rayon::prelude::*;

use super::kept::{Collector, KeptDocuments, Probe};
use super::prefix::{Frequent, Prefix};
use super::store::{DigestStore, ReadBuffer};
use super::{BATCH, ClusterQuery};
use crate::error::Error;
use crate::measure::Overlap;
use crate::number::index32;
use crate::watch::Watch;

/// For each document, in the order in which they are preferred, the place of the first one of its
/// component, and how alike the two are (1 if it is that one).
///
/// Documents that are equal to one before are not compared with again. Any other may connect two
/// components, so a cluster of documents that all differ costs the square of its size in time, though
/// not in memory.
pub fn components(
    store: &DigestStore,
    order: &[u32],
    query: &ClusterQuery,
    watch: Watch<'_>,
) -> Result<Vec<(u32, f64)>, Error> {
    let mut search = Search {
        store,
        order,
        query,
        frequent: Frequent::sampled(store, watch)?,
        parents: (0..index32(order.len())).collect(),
        watch,
    };
    let all = order.len() as u64;
    let mut done = 0;
    while done < order.len() {
        let wanted = query.wanted(store, order[done..].iter());
        let mut kept = KeptDocuments::new(query.entries(wanted));
        for batch in batches(done..order.len()) {
            let linked = search.link(batch.clone(), &mut kept)?;
            done += linked;
            watch.tell(done as u64, all);
            if linked < batch.len() {
                break;
            }
        }
        for batch in batches(done..order.len()) {
            for (place, (_, links)) in batch.clone().zip(search.connections(batch.clone(), &kept)?)
            {
                search.join(place, &links);
            }
        }
    }
    search.finish()
}

struct Search<'a> {
    store: &'a DigestStore,
    order: &'a [u32],
    query: &'a ClusterQuery,
    frequent: Frequent,
    /// For each place one before it in the same component, or itself.
    parents: Vec<u32>,
    watch: Watch<'a>,
}

/// Whom a document is connected with.
#[derive(Default)]
struct Links {
    places: Vec<u32>,
    /// The first documents of their components.
    roots: Vec<u32>,
    /// Whether one of them has the same digests.
    has_equal: bool,
}

impl Search<'_> {
    /// Connects the documents of a batch with those that are kept and with each other, and keeps them,
    /// too; fewer if there is no room for all.
    fn link(&mut self, batch: Range<usize>, kept: &mut KeptDocuments) -> Result<usize, Error> {
        let connections = self.connections(batch.clone(), kept)?;
        let mut newest =
            KeptDocuments::new(connections.iter().map(|(prefix, _)| prefix.entries()).sum());
        let (mut probe, mut buffer) = (Probe::default(), ReadBuffer::default());
        let mut entries = 0;
        for (linked, (place, (prefix, mut links))) in batch.clone().zip(connections).enumerate() {
            entries += prefix.entries();
            if kept.is_full(entries) {
                return Ok(linked);
            }
            self.watch.go_on()?;
            let document = self.order[place];
            probe.prefix = prefix;
            if newest.find_candidates(&mut probe) {
                let digests = self.store.digests(document, &mut buffer)?;
                let mut collector = self.collector(place, &mut links);
                newest.compare(
                    &mut probe,
                    digests,
                    self.query.rule(),
                    self.store,
                    &mut collector,
                )?;
            }
            self.join(place, &links);
            if !links.has_equal {
                let size = self.store.sizes()[document as usize];
                newest.keep(document, index32(place), size, &probe.prefix);
                kept.keep(document, index32(place), size, &probe.prefix);
            }
        }
        Ok(batch.len())
    }

    /// Which of the kept documents those of a batch are connected with.
    fn connections(
        &self,
        batch: Range<usize>,
        kept: &KeptDocuments,
    ) -> Result<Vec<(Prefix, Links)>, Error> {
        let rule = self.query.rule();
        batch
            .into_par_iter()
            .map_init(Probe::default, |probe, place| {
                self.watch.go_on()?;
                let (mut buffer, mut links) = (ReadBuffer::default(), Links::default());
                let digests = self.store.digests(self.order[place], &mut buffer)?;
                rule.prefix(digests, &self.frequent, &mut probe.prefix);
                if kept.find_candidates(probe) {
                    let mut collector = self.collector(place, &mut links);
                    kept.compare(probe, digests, rule, self.store, &mut collector)?;
                }
                Ok((std::mem::take(&mut probe.prefix), links))
            })
            .collect()
    }

    fn collector<'w>(&'w self, place: usize, links: &'w mut Links) -> Linking<'w> {
        Linking {
            search: self,
            root: self.root(index32(place)),
            size: self.size(place),
            links,
        }
    }

    fn size(&self, place: usize) -> u32 {
        self.store.sizes()[self.order[place] as usize]
    }

    fn join(&mut self, place: usize, links: &Links) {
        for other in &links.places {
            let (left, right) = (self.root(index32(place)), self.root(*other));
            self.parents[left.max(right) as usize] = left.min(right);
            // A shorter way for the next one.
            self.parents[place] = left.min(right);
        }
    }

    fn root(&self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            place = self.parents[place as usize];
        }
        place
    }

    fn finish(self) -> Result<Vec<(u32, f64)>, Error> {
        let measure = self.query.measure;
        (0..self.order.len())
            .into_par_iter()
            .map_init(
                || (ReadBuffer::default(), ReadBuffer::default()),
                |(own, other), place| {
                    self.watch.go_on()?;
                    let root = self.root(index32(place));
                    if root as usize == place {
                        return Ok((root, 1.0));
                    }
                    let left = self.store.digests(self.order[place], own)?;
                    let right = self.store.digests(self.order[root as usize], other)?;
                    Ok((root, measure.score(Overlap::of(left, right))))
                },
            )
            .collect()
    }
}

/// A document that looks for all that it is not connected with yet.
struct Linking<'w> {
    search: &'w Search<'w>,
    root: u32,
    size: u32,
    links: &'w mut Links,
}

impl Collector for Linking<'_> {
    fn least(&self, other: u32) -> Option<f64> {
        let root = self.search.root(other);
        let is_new = root != self.root && !self.links.roots.contains(&root);
        is_new.then_some(0.0)
    }

    fn add(&mut self, other: u32, similarity: f64) {
        self.links.places.push(other);
        self.links.roots.push(self.search.root(other));
        self.links.has_equal |= similarity >= 1.0 && self.search.size(other as usize) == self.size;
    }
}

fn batches(places: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = places.end;
    let starts = places.step_by(BATCH);
    starts.map(move |start| start..(start + BATCH).min(end))
}
