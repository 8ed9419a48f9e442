//! Shards that grow: the one who puts slices in place that others have written, and commits them.
//!
//! As everywhere in a registry, files come first and the catalogue last. The list of shards is between
//! them: it names new slices before the catalogue does, and old ones until the catalogue no longer does,
//! so that whoever opens shards at any moment finds what the catalogue names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::super::catalog::{Catalog, SegmentRow, StretchesRow, retained};
use super::super::lock::Lock;
use super::super::merging::{due_level, level_of};
use super::super::{Added, Entry, Facts, Folder, OnChange, Prepare};
use super::manifest::{By, Manifest, SliceKind};
use super::work::{BuildOrder, Built, Commit, MergeOrder, plan, refused};
use crate::digest::Key;
use crate::error::Error;
use crate::index::segment::{Schema, Segment, Summary, whole_bytes};
use crate::number::index32;

/// Shards by digests that are being written to.
pub struct ShardedRegistry {
    folder: Folder,
    manifest: Manifest,
    catalog: Catalog,
    prepare: Prepare,
    cleaned: u64,
    _lock: Lock,
}

/// What is known of a document that is to be registered, all but its digests.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// What somebody says about it.
    pub facts: Facts,
    /// As in [`CutDocument`](super::CutDocument).
    pub content: [u8; 16],
    /// As there.
    pub words: u64,
    /// As there.
    pub digests: u32,
    /// As there.
    pub ignored: u32,
    /// As there.
    pub blocks: u32,
    /// As there.
    pub retained: Option<Vec<u8>>,
}

/// Documents that are registered together.
pub struct Batch {
    /// What is written of them in every shard.
    pub order: BuildOrder,
    /// The ids of those that are new or new versions, each with its place among them and the number of
    /// its first block.
    pub places: Vec<(String, u32, u32)>,
    /// How many are new.
    pub new: u64,
    /// How many are versions of registered ones.
    pub versions: u64,
    /// How many are registered already.
    pub unchanged: u64,
    /// Ids that are not registered, and why: they are somebody else's, or have another text.
    pub refused: Vec<(String, Added)>,
    entries: Vec<Entry>,
    retained: Vec<(u32, Vec<u8>)>,
    blocks: Vec<u32>,
}

impl ShardedRegistry {
    /// Opens shards to write to them; `holder` is what other writers are told about us.
    ///
    /// Removes what a run left behind that did not come to its end.
    pub fn open(path: &Path, key: &Key, holder: &str) -> Result<ShardedRegistry, Error> {
        let folder = Folder::new(path);
        if !folder.exists() || !folder.is_sharded() {
            return Err(refused(path, "there are no shards; cut a registry first"));
        }
        let lock = Lock::take(&folder, holder)?;
        let manifest = Manifest::read(&folder)?;
        if manifest.by != By::Digests {
            return Err(refused(
                path,
                "its shards are cut by documents; cut the registry by digests",
            ));
        }
        let catalog = Catalog::open(&folder)?;
        let origin = catalog.origin()?;
        let key = catalog.expect_key(&origin, key)?;
        let prepare = Prepare::new(origin.settings, key)?;
        // Nobody adds to shards of which one is missing.
        super::open::open(&folder, &catalog, catalog.segments()?, &prepare)?;
        let mut registry = ShardedRegistry {
            folder,
            manifest,
            catalog,
            prepare,
            cleaned: 0,
            _lock: lock,
        };
        registry.cleaned = registry.tidy()?;
        registry.settle()?;
        Ok(registry)
    }

    /// How many files were removed when it was opened, because a run that was interrupted had left them.
    pub fn cleaned(&self) -> u64 {
        self.cleaned
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.manifest.shards.len()
    }

    /// The state that others work on; documents that have expired `now` do not count.
    pub fn commit_at(&self, now: &str) -> Result<Commit, Error> {
        Commit::of(&self.catalog, now)
    }

    /// What makes fingerprints.
    pub fn prepare(&self) -> &Prepare {
        &self.prepare
    }

    /// Decides what becomes of documents, in the order of their ids.
    pub fn plan(
        &self,
        mut arrivals: Vec<Arrival>,
        on_change: OnChange,
        now: &str,
    ) -> Result<Batch, Error> {
        arrivals.sort_by(|a, b| a.facts.id.cmp(&b.facts.id));
        let first = self.catalog.next_document()?;
        let mut batch = Batch {
            order: BuildOrder {
                commit: self.commit_at(now)?,
                segment: self.catalog.next_segment()?,
                documents: 0,
                blocks: 0,
            },
            places: Vec::new(),
            new: 0,
            versions: 0,
            unchanged: 0,
            refused: Vec::new(),
            entries: Vec::new(),
            retained: Vec::new(),
            blocks: Vec::new(),
        };
        let mut last: Option<String> = None;
        for arrival in arrivals {
            let id = arrival.facts.id.clone();
            if last.replace(id.clone()).as_ref() == Some(&id) {
                let reason = format!(
                    "the id {} is given twice; every document needs one of its own",
                    id.escape_debug()
                );
                return Err(refused(self.folder.path(), &reason));
            }
            let version = match self.catalog.latest(&id)? {
                None => 1,
                Some(before) if before.facts.submitter != arrival.facts.submitter => {
                    let why = Added::OtherSubmitter {
                        registered: before.facts.submitter,
                        given: arrival.facts.submitter,
                    };
                    batch.refused.push((id, why));
                    continue;
                }
                Some(before) if before.content == arrival.content => {
                    batch.unchanged += 1;
                    continue;
                }
                Some(_) if on_change == OnChange::Refuse => {
                    batch.refused.push((id, Added::Refused));
                    continue;
                }
                Some(before) => before.version + 1,
            };
            if version == 1 {
                batch.new += 1;
            } else {
                batch.versions += 1;
            }
            let unit = index32(batch.entries.len());
            let number = first + unit;
            batch.places.push((id, unit, batch.order.blocks));
            batch.order.blocks += arrival.blocks;
            batch.blocks.push(arrival.blocks);
            batch
                .retained
                .extend(arrival.retained.map(|kept| (number, kept)));
            batch.entries.push(Entry {
                number,
                version,
                words: arrival.words,
                digests: arrival.digests,
                ignored: arrival.ignored,
                content: arrival.content,
                facts: arrival.facts,
            });
        }
        batch.order.documents = index32(batch.entries.len());
        Ok(batch)
    }

    /// Registers documents of which every shard has written its slice: all of them, or none. Of a slice
    /// that was written several times one is taken, and the others are removed.
    pub fn commit(&mut self, batch: &Batch, built: &[Built]) -> Result<u64, Error> {
        if batch.entries.is_empty() {
            self.tidy()?;
            return Ok(0);
        }
        let chosen = self.place(batch.order.segment, built)?;
        let numbers = batch.entries.iter().map(|entry| entry.number);
        let blocks = numbers.clone().zip(batch.blocks.iter().copied());
        let row = self.row(
            batch.order.segment,
            numbers.collect(),
            blocks.filter(|(_, blocks)| *blocks > 0).collect(),
            &chosen,
        )?;
        let announced: u64 = batch
            .entries
            .iter()
            .map(|entry| u64::from(entry.digests))
            .sum();
        if row.postings != announced {
            let reason = format!(
                "its shards have {} postings of the new documents, which have {announced} digests; \
                 nothing was registered",
                row.postings
            );
            return Err(refused(self.folder.path(), &reason));
        }
        self.catalog.write(|transaction| {
            for entry in &batch.entries {
                entry.insert(transaction)?;
            }
            for (number, packed) in &batch.retained {
                retained::insert(*number, packed, transaction)?;
            }
            row.insert(transaction)
        })?;
        self.tidy()?;
        self.settle()?;
        Ok(batch.entries.len() as u64)
    }

    /// The segments that are to become one, if there are some: as in a registry on one machine.
    pub fn due(&self, now: &str) -> Result<Option<MergeOrder>, Error> {
        let rows = self.catalog.segments()?;
        let Some(level) = due_level(rows.iter().map(|row| row.postings)) else {
            return Ok(None);
        };
        let replaced = rows.iter().filter(|row| level_of(row.postings) == level);
        Ok(Some(MergeOrder {
            commit: self.commit_at(now)?,
            segment: self.catalog.next_segment()?,
            replaced: replaced.map(|row| row.number).collect(),
        }))
    }

    /// Puts a segment in the place of others, of which every shard has written its slice.
    pub fn replace(&mut self, order: &MergeOrder, built: &[Built]) -> Result<(), Error> {
        let chosen = self.place(order.segment, built)?;
        let mut old = self.catalog.segments()?;
        old.retain(|row| order.replaced.contains(&row.number));
        let pieces = super::open::open(&self.folder, &self.catalog, old.clone(), &self.prepare)?;
        let plan = plan(&self.catalog, &pieces)?;
        let documents = plan.documents().to_vec();
        let row = self.row(order.segment, documents, plan.block_runs(), &chosen)?;
        self.catalog.write(|transaction| {
            for old in &old {
                old.delete(transaction)?;
            }
            row.insert(transaction)
        })?;
        self.tidy()?;
        self.settle()
    }

    /// Gives slices their names and lists them, before the catalogue speaks of them.
    fn place(
        &mut self,
        segment: u64,
        built: &[Built],
    ) -> Result<BTreeMap<(SliceKind, usize), Summary>, Error> {
        let mut by_place: BTreeMap<(SliceKind, usize), &Built> = BTreeMap::new();
        for one in built {
            let place = by_place.entry((one.slice.kind, one.shard)).or_insert(one);
            if one.file < place.file {
                *place = one;
            }
        }
        let mut kinds = vec![SliceKind::Digests];
        if self.prepare.has_stretches() {
            kinds.push(SliceKind::Stretches);
        }
        let mut chosen = BTreeMap::new();
        for &kind in &kinds {
            for number in 0..self.shards() {
                let missing = || {
                    let why = "was not written; nothing was changed, run it again";
                    self.manifest.refused(&self.folder, number, why)
                };
                let one = *by_place.get(&(kind, number)).ok_or_else(missing)?;
                let folder = Folder::new(
                    &self
                        .folder
                        .path()
                        .join(&self.manifest.shards[number].folder),
                );
                let from = folder.segments().join(&one.file);
                let is_it = Segment::open(&from)
                    .is_ok_and(|file| super::SliceFile::of(segment, kind, &file) == one.slice);
                if !is_it {
                    return Err(missing());
                }
                let to = folder.segment(kind.kind(), segment);
                fs::rename(&from, &to).map_err(|source| Error::Io { path: from, source })?;
                folder.sync_segments()?;
                chosen.insert((kind, number), one.summary());
                let slices = &mut self.manifest.shards[number].slices;
                slices.retain(|file| file.segment != segment || file.kind != kind);
                slices.push(one.slice.clone());
            }
        }
        self.manifest.write(self.folder.path())?;
        Ok(chosen)
    }

    /// The row of a segment of which these are the slices: what it would be in one file.
    fn row(
        &self,
        number: u64,
        documents: Vec<u32>,
        blocks: Vec<(u32, u32)>,
        chosen: &BTreeMap<(SliceKind, usize), Summary>,
    ) -> Result<SegmentRow, Error> {
        let whole = |kind: SliceKind, schema: &Schema, units: u64| {
            let slices: Vec<Summary> = chosen
                .iter()
                .filter(|((of, _), _)| *of == kind)
                .map(|(_, summary)| *summary)
                .collect();
            let fits = slices
                .iter()
                .all(|slice| u64::from(slice.documents) == units);
            let bytes = whole_bytes(schema, &slices).filter(|_| fits);
            let wrong = || {
                refused(
                    self.folder.path(),
                    "its shards did not write the same documents",
                )
            };
            let postings = slices.iter().map(|slice| slice.postings).sum::<u64>();
            Ok::<_, Error>((postings, bytes.ok_or_else(wrong)?))
        };
        let units = documents.len() as u64;
        let (postings, bytes) = whole(SliceKind::Digests, self.prepare.schema(), units)?;
        let stretches = if self.prepare.has_stretches() {
            let units = blocks.iter().map(|(_, blocks)| u64::from(*blocks)).sum();
            let schema = self.prepare.stretches_schema();
            let (postings, bytes) = whole(SliceKind::Stretches, schema, units)?;
            Some(StretchesRow {
                documents: blocks,
                postings,
                bytes,
            })
        } else {
            None
        };
        Ok(SegmentRow {
            number,
            documents,
            postings,
            bytes,
            stretches,
            vectors: None,
        })
    }

    /// Takes what the catalogue does not name off the list of shards, and then off the disk. Says how
    /// many files that were.
    fn tidy(&mut self) -> Result<u64, Error> {
        let rows = self.catalog.segments()?;
        let named: Vec<u64> = rows.iter().map(|row| row.number).collect();
        let before = self.manifest.clone();
        for shard in &mut self.manifest.shards {
            shard.slices.retain(|file| named.contains(&file.segment));
        }
        self.manifest.documents = self.catalog.counts("")?.0;
        self.manifest.last_document = self.catalog.next_document()?.saturating_sub(1);
        self.manifest.last_segment = self.catalog.next_segment()?.saturating_sub(1);
        if self.manifest != before {
            self.manifest.write(self.folder.path())?;
        }
        let mut cleaned = 0;
        for shard in &self.manifest.shards {
            let folder = Folder::new(&self.folder.path().join(&shard.folder));
            cleaned += folder.sweep(&named)?;
        }
        Ok(cleaned)
    }

    /// Brings everything that was committed into the catalogue's file, for those who read it without its
    /// journal.
    fn settle(&self) -> Result<(), Error> {
        self.catalog.checkpoint()
    }
}
