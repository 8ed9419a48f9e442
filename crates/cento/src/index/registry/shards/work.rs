//! The work of one machine among many on shards by digests: what a text comes to, cut for all shards, and
//! the slice of one shard, of new documents or of segments that become one.
//!
//! Nothing here changes a registry. Slices are written under names that nobody looks at, and
//! [`ShardedRegistry`](super::ShardedRegistry) puts them in place, so that a machine that fails, or does
//! its work twice, leaves nothing twice and nothing missing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::catalog::{Catalog, SegmentRow};
use super::super::ignore::{self, IgnoreList};
use super::super::lock::Lock;
use super::super::merging::Plan;
use super::super::postings::{Piece, Slice};
use super::super::{Folder, Prepare};
use super::manifest::{By, Manifest, SliceFile, SliceKind};
use super::portion::Portion;
use crate::digest::{Digest, Key};
use crate::error::Error;
use crate::index::DocId;
use crate::index::segment::{DigestRange, Schema, Segment, Summary, Writer};
use crate::measure::Side;
use crate::number::index32;
use crate::watch::Watch;

/// Shards by digests, as a machine sees them that works on one of them.
pub struct ShardWork {
    pub(super) folder: Folder,
    manifest: Manifest,
    pub(super) catalog: Catalog,
    prepare: Prepare,
    ignored: IgnoreList,
}

/// A state of the registry: all machines work on the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    pub(super) segments: Vec<u64>,
    pub(super) documents: u64,
    /// Documents that have expired by then do not count.
    pub(super) now: String,
}

impl Commit {
    pub(super) fn of(catalog: &Catalog, now: &str) -> Result<Commit, Error> {
        let rows = catalog.segments()?;
        Ok(Commit {
            segments: rows.iter().map(|row| row.number).collect(),
            documents: catalog.counts(now)?.0,
            now: now.to_owned(),
        })
    }

    pub(in super::super) fn new(segments: Vec<u64>, documents: u64, now: &str) -> Commit {
        Commit {
            segments,
            documents,
            now: now.to_owned(),
        }
    }
}

/// What a text comes to, for registering it.
pub struct CutDocument {
    /// The keyed hash of the text.
    pub content: [u8; 16],
    /// How many words it has.
    pub words: u64,
    /// How many distinct digests,
    pub digests: u32,
    /// and how many of them are standard text.
    pub ignored: u32,
    /// How many tokens.
    pub tokens: u32,
    /// The weight of its digests, as the ranking measures have it.
    pub weight: f64,
    /// How many blocks its stretches have.
    pub blocks: u32,
    /// What is kept of it, packed.
    pub retained: Option<Vec<u8>>,
    /// What each shard gets of its digests and stretches.
    pub portions: Vec<Vec<u8>>,
}

/// What a text comes to, for asking about it.
pub struct CutQuestion {
    /// How many words the text has.
    pub words: u64,
    /// How many digests count.
    pub digests: u32,
    /// What each shard is asked.
    pub portions: Vec<Vec<u8>>,
}

/// What a shard gets of a new document.
pub struct NewDocument {
    /// Its place among the new ones.
    pub unit: u32,
    /// The number of its first block among those of the new ones.
    pub first_block: u32,
    /// As in [`CutDocument`].
    pub tokens: u32,
    /// As in [`CutDocument`].
    pub weight: f64,
    /// What it gets.
    pub portion: Vec<u8>,
}

/// New documents, of which every shard gets a slice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildOrder {
    pub(super) commit: Commit,
    pub(super) segment: u64,
    pub(super) documents: u32,
    pub(super) blocks: u32,
}

/// Segments that become one, in every shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeOrder {
    pub(super) commit: Commit,
    pub(super) segment: u64,
    pub(super) replaced: Vec<u64>,
}

/// A slice that was written under a name that nobody looks at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    pub(super) shard: usize,
    pub(super) slice: SliceFile,
    pub(super) file: String,
    pub(super) documents: u32,
    pub(super) postings: u64,
    pub(super) digests: u64,
    pub(super) repeats: Vec<u64>,
}

impl Built {
    pub(super) fn summary(&self) -> Summary {
        let mut repeats = [0; 33];
        for (place, count) in repeats.iter_mut().zip(&self.repeats) {
            *place = *count;
        }
        Summary {
            documents: self.documents,
            postings: self.postings,
            digests: self.digests,
            bytes: self.slice.bytes,
            repeats,
        }
    }
}

impl ShardWork {
    /// Opens shards by digests without touching a file of them: no journal, no lock.
    pub fn open(path: &Path, key: &Key) -> Result<ShardWork, Error> {
        let folder = Folder::new(path);
        if !folder.exists() || !folder.is_sharded() {
            return Err(refused(path, "there are no shards; cut a registry first"));
        }
        let manifest = Manifest::read(&folder)?;
        if manifest.by != By::Digests {
            return Err(refused(
                path,
                "its shards are cut by documents; cut the registry by digests",
            ));
        }
        let catalog = Catalog::read_settled(&folder)?;
        let origin = catalog.origin()?;
        let key = catalog.expect_key(&origin, key)?;
        let prepare = Prepare::new(origin.settings, key)?;
        if prepare.settings().recipe.passages.is_some() {
            return Err(refused(
                path,
                "its recipe works passage by passage, which only one machine can do",
            ));
        }
        let ignored = IgnoreList::of(&catalog.ignored()?);
        Ok(ShardWork {
            folder,
            manifest,
            catalog,
            prepare,
            ignored,
        })
    }

    /// How many shards there are.
    pub fn shards(&self) -> usize {
        self.manifest.shards.len()
    }

    /// What makes fingerprints.
    pub fn prepare(&self) -> &Prepare {
        &self.prepare
    }

    /// What a text of a set comes to, for registering it.
    pub fn cut(&self, text: &str, set: Option<&str>) -> Result<CutDocument, Error> {
        let facts = super::super::Facts::default();
        let candidate = self.prepare.candidate(facts, text);
        let [fingerprint] = candidate.fingerprints() else {
            return Err(refused(self.folder.path(), "a text has one fingerprint"));
        };
        let side = Side::of(fingerprint);
        let mut portions = vec![Portion::default(); self.shards()];
        let schema = self.prepare.schema();
        for (digest, count) in fingerprint.counted() {
            let shard = self.shard_of(schema, digest);
            portions[shard].digests.push((digest, count));
        }
        let stretches = candidate.stretches();
        for (digest, block) in stretches.entries() {
            let shard = self.shard_of(self.prepare.stretches_schema(), Digest(digest));
            portions[shard].pairs.push((digest, block));
        }
        Ok(CutDocument {
            content: candidate.content,
            words: candidate.words,
            digests: side.digests,
            ignored: self.ignored.count(set, fingerprint.digests()),
            tokens: side.tokens,
            weight: side.weight,
            blocks: stretches.blocks(),
            portions: portions.iter().map(Portion::pack).collect(),
            retained: candidate.retained,
        })
    }

    /// What a text of a set comes to, for asking about it.
    pub fn question(&self, text: &str, set: Option<&str>) -> Result<CutQuestion, Error> {
        let fingerprints = self.prepare.fingerprints(text);
        let [fingerprint] = &fingerprints[..] else {
            return Err(refused(self.folder.path(), "a text has one fingerprint"));
        };
        let digests = ignore::counted(fingerprint, set, &self.ignored);
        let mut portions = vec![Portion::default(); self.shards()];
        for &digest in &digests {
            let shard = self.shard_of(self.prepare.schema(), digest);
            portions[shard].digests.push((digest, 1));
        }
        Ok(CutQuestion {
            words: self
                .prepare
                .settings()
                .recipe
                .count_words(text, fingerprint),
            digests: index32(digests.len()),
            portions: portions.iter().map(Portion::pack).collect(),
        })
    }

    /// The state that others work on who only read; documents that have expired `now` do not count. An
    /// error while somebody writes.
    pub fn commit_at(&self, now: &str) -> Result<Commit, Error> {
        Lock::expect_free(&self.folder)?;
        Commit::of(&self.catalog, now)
    }

    /// The shard that has a digest.
    fn shard_of(&self, schema: &Schema, digest: Digest) -> usize {
        let place = schema.place_of(digest);
        let starts = |shard: &super::manifest::Shard| {
            shard
                .range
                .digests()
                .is_some_and(|range| range.from <= place)
        };
        self.manifest
            .shards
            .partition_point(starts)
            .saturating_sub(1)
    }

    /// Refuses to go on when the registry is no longer the one that the others work on.
    pub(super) fn expect(&self, commit: &Commit) -> Result<Vec<SegmentRow>, Error> {
        let rows = self.catalog.segments()?;
        let numbers: Vec<u64> = rows.iter().map(|row| row.number).collect();
        let (documents, _) = self.catalog.counts(&commit.now)?;
        if numbers == commit.segments && documents == commit.documents {
            return Ok(rows);
        }
        Err(refused(
            self.folder.path(),
            "the registry has changed since this run began; run it again",
        ))
    }

    /// Writes the slice of a shard of new documents, of which all must be there, in any order.
    pub fn build(
        &self,
        shard: usize,
        order: &BuildOrder,
        attempt: &str,
        mut documents: Vec<NewDocument>,
    ) -> Result<Vec<Built>, Error> {
        documents.sort_by_key(|document| document.unit);
        let units = documents.iter().map(|document| document.unit);
        if !units.eq(0..order.documents) {
            return Err(self.wrong(shard, "did not get every new document once; run it again"));
        }
        let damaged = || self.wrong(shard, "got a document that cannot be read");
        let mut sides = Vec::with_capacity(documents.len());
        let mut counts = vec![0u32; order.blocks as usize];
        let mut postings: Vec<(u64, u32, u32)> = Vec::new();
        let mut pairs: Vec<(u64, u32)> = Vec::new();
        for document in &documents {
            let portion = Portion::unpack(&document.portion).ok_or_else(damaged)?;
            sides.push(Side {
                tokens: document.tokens,
                digests: index32(portion.digests.len()),
                weight: document.weight,
            });
            let of_document = portion.digests.iter();
            postings.extend(of_document.map(|(digest, count)| (digest.0, document.unit, *count)));
            for (digest, block) in portion.pairs {
                let block = document.first_block + block;
                *counts.get_mut(block as usize).ok_or_else(damaged)? += 1;
                pairs.push((digest, block));
            }
        }
        drop(documents);
        postings.sort_unstable();
        pairs.sort_unstable();
        let path = self.attempt(shard, order.segment, SliceKind::Digests, attempt);
        let mut writer = Writer::create(&path, self.prepare.schema(), &sides)?;
        for (digest, unit, count) in postings {
            writer.push(Digest(digest), DocId(unit), count)?;
        }
        let summary = writer.finish()?;
        let mut built =
            vec![self.built(shard, order.segment, SliceKind::Digests, &path, &summary)?];
        if self.prepare.has_stretches() {
            let path = self.attempt(shard, order.segment, SliceKind::Stretches, attempt);
            let sides: Vec<Side> = counts.into_iter().map(Side::of_each_once).collect();
            let mut writer = Writer::create(&path, self.prepare.stretches_schema(), &sides)?;
            for (digest, block) in pairs {
                writer.push(Digest(digest), DocId(block), 1)?;
            }
            let summary = writer.finish()?;
            built.push(self.built(shard, order.segment, SliceKind::Stretches, &path, &summary)?);
        }
        Ok(built)
    }

    /// Writes the slice of a shard of several segments that become one.
    pub fn merge(
        &self,
        shard: usize,
        order: &MergeOrder,
        attempt: &str,
        watch: Watch<'_>,
    ) -> Result<Vec<Built>, Error> {
        let mut rows = self.expect(&order.commit)?;
        rows.retain(|row| order.replaced.contains(&row.number));
        let pieces = rows.into_iter().map(|row| self.piece(shard, row));
        let pieces = pieces.collect::<Result<Vec<_>, Error>>()?;
        let plan = plan(&self.catalog, &pieces)?;
        let of = |kind| self.attempt(shard, order.segment, kind, attempt);
        let written = plan.write_slices(
            &of(SliceKind::Digests),
            &of(SliceKind::Stretches),
            &self.prepare,
            watch,
        )?;
        let kinds = [SliceKind::Digests, SliceKind::Stretches];
        let built = kinds.into_iter().zip(written);
        built
            .map(|(kind, summary)| self.built(shard, order.segment, kind, &of(kind), &summary))
            .collect()
    }

    /// Where a slice is written before somebody puts it in place.
    fn attempt(&self, shard: usize, segment: u64, kind: SliceKind, attempt: &str) -> PathBuf {
        let ending = match kind {
            SliceKind::Digests => "new",
            SliceKind::Stretches => "stretches-new",
        };
        let name = format!("{segment:010}-{attempt}.{ending}");
        self.shard(shard).segments().join(name)
    }

    fn shard(&self, shard: usize) -> Folder {
        Folder::new(&self.folder.path().join(&self.manifest.shards[shard].folder))
    }

    fn built(
        &self,
        shard: usize,
        segment: u64,
        kind: SliceKind,
        path: &Path,
        summary: &Summary,
    ) -> Result<Built, Error> {
        let file = path.file_name().unwrap_or_default();
        self.shard(shard).sync_segments()?;
        Ok(Built {
            shard,
            slice: SliceFile::of(segment, kind, &Segment::open(path)?),
            file: file.to_string_lossy().into_owned(),
            documents: summary.documents,
            postings: summary.postings,
            digests: summary.digests,
            repeats: summary.repeats.to_vec(),
        })
    }

    fn wrong(&self, shard: usize, why: &str) -> Error {
        self.manifest.refused(&self.folder, shard, why)
    }

    /// A segment, as far as one shard has it.
    pub(super) fn piece(&self, shard: usize, row: SegmentRow) -> Result<Piece, Error> {
        self.manifest.expect_shard(&self.folder, shard)?;
        let range = self.manifest.shards[shard].range.digests();
        let range = range.unwrap_or(DigestRange::ALL);
        let open = |kind: SliceKind, schema: &Schema, documents: u64| {
            let slices = self.manifest.shards[shard].slices.iter();
            let mut slices = slices.filter(|file| file.segment == row.number && file.kind == kind);
            let stale = || {
                let why = format!(
                    "is stale: its part of segment {} is not the one that the list of shards \
                     speaks of; put the right one back, or make the shards again",
                    row.number
                );
                self.wrong(shard, &why)
            };
            let file = slices.next().ok_or_else(stale)?;
            let path = self.shard(shard).segment(kind.kind(), row.number);
            let segment = Segment::open(&path).map_err(|_| stale())?;
            if *file != SliceFile::of(row.number, kind, &segment)
                || segment.schema() != schema
                || u64::from(segment.documents()) != documents
            {
                return Err(stale());
            }
            Ok(Slice {
                segment: Arc::new(segment),
                first: 0,
                range,
            })
        };
        let documents = row.documents.len() as u64;
        let digests = open(SliceKind::Digests, self.prepare.schema(), documents)?;
        let mut stretches = Vec::new();
        if let Some(of_row) = &row.stretches {
            let schema = self.prepare.stretches_schema();
            stretches.push(open(SliceKind::Stretches, schema, of_row.blocks())?);
        }
        Ok(Piece {
            digests: vec![digests],
            stretches,
            vectors: None,
            row,
        })
    }
}

/// What becomes of the documents of segments that become one.
pub(super) fn plan(catalog: &Catalog, pieces: &[Piece]) -> Result<Plan, Error> {
    let documents = pieces.iter().flat_map(|piece| &piece.row.documents);
    let live = catalog.registered(documents.copied())?;
    Ok(Plan::of(pieces, |_, number| {
        live.contains(&number).then_some((number, number))
    }))
}

pub(super) fn refused(path: &Path, reason: &str) -> Error {
    Error::Registry {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}
