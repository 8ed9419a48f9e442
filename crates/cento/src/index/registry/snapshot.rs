//! A registry as it was at one moment, for as many readers as there are.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::catalog::Catalog;
use super::dense::{Blocks, Dense};
use super::ignore::{self, IgnoredText};
use super::postings::{Piece, Postings};
use super::retained::{Retained, SpanOf};
use super::search::{Exclusions, Findings, Request};
use super::shards::{self, Commit};
use super::tally::Scratch;
use super::write::{no_registry, open_pieces};
use super::{Entry, Folder, Prepare, Settings, Which};
use crate::digest::{Digest, Key};
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::select::Frequencies;
use crate::stretch::Stretches;
use crate::token::Source;

/// Everything that was committed when it was opened. Later commits, merges and removals do not
/// change it.
#[derive(Clone)]
pub struct Snapshot {
    inner: Arc<Inner>,
}

struct Inner {
    folder: Folder,
    /// Kept in a transaction that began with the snapshot.
    catalog: Mutex<Catalog>,
    prepare: Prepare,
    key: Option<String>,
    created: String,
    pieces: Vec<Piece>,
    postings: Postings,
    blocks: Blocks,
    now: String,
}

/// What there is to say about a registry as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// How many documents it has.
    pub documents: u64,
    /// How many of them have expired and wait to be forgotten.
    pub expired: u64,
    /// How many postings its segments have.
    pub postings: u64,
    /// How many of them are those of documents that were removed or have expired.
    pub removed_postings: u64,
    /// How many segments.
    pub segments: u64,
    /// How many bytes the segments take.
    pub bytes: u64,
    /// How many bytes the segments of stretches take.
    pub stretch_bytes: u64,
    /// How many bytes the vectors of style take.
    pub vector_bytes: u64,
    /// How many documents have one, those that were removed or have expired not left out.
    pub vectors: u64,
    /// How many bytes the catalogue takes.
    pub catalog_bytes: u64,
    /// How many bytes what is kept of documents takes, packed.
    pub retained_bytes: u64,
    /// How many documents each set has; those without a set come first.
    pub sets: Vec<(Option<String>, u64)>,
    /// The standard texts that do not count.
    pub ignored: Vec<IgnoredText>,
    /// The name of the key; none if it has none.
    pub key: Option<String>,
    /// When it was made.
    pub created: String,
    /// What was settled then.
    pub settings: Settings,
}

/// How often opening is tried again when a merge takes a segment away at the wrong moment.
const TRIES: usize = 5;

impl Snapshot {
    /// Opens a registry to read from it; documents that have expired `now` are not there.
    pub fn open(path: &Path, key: &Key, now: &str) -> Result<Snapshot, Error> {
        let folder = Folder::new(path);
        if !folder.exists() {
            return Err(no_registry(path));
        }
        let mut tries = 0;
        loop {
            match Snapshot::try_open(&folder, key, now) {
                // The catalogue was read, and before its segments were opened somebody replaced one.
                Err(Error::Io { source, .. })
                    if source.kind() == io::ErrorKind::NotFound && tries < TRIES =>
                {
                    tries += 1;
                }
                // The same with the slices of shards.
                Err(Error::Registry { .. }) if folder.is_sharded() && tries < TRIES => {
                    tries += 1;
                }
                result => return result,
            }
        }
    }

    /// Says that there is memory for all segments, so that digests are found faster. With `now`,
    /// they are read into it at once.
    ///
    /// Not for a registry that is larger than the memory: one digest then costs reading far more
    /// than it needs.
    pub fn hold(&self, now: bool) {
        for segment in self.pieces().iter().flat_map(Piece::segments) {
            segment.hold(now);
        }
    }

    /// How many bytes the segments have.
    pub fn segment_bytes(&self) -> u64 {
        self.pieces().iter().map(Piece::bytes).sum()
    }

    fn try_open(folder: &Folder, key: &Key, now: &str) -> Result<Snapshot, Error> {
        let catalog = Catalog::read(folder)?;
        let origin = catalog.origin()?;
        let key = catalog.expect_key(&origin, key)?;
        let prepare = Prepare::new(origin.settings, key)?;
        let rows = catalog.segments()?;
        let pieces = if folder.is_sharded() {
            shards::open(folder, &catalog, rows, &prepare)?
        } else {
            open_pieces(folder, rows, &prepare)?
        };
        for segment in pieces.iter().flat_map(Piece::segments) {
            segment.expect_lookups();
        }
        let postings = Postings::of(&catalog, &pieces, now)?;
        let blocks = Blocks::of(&catalog, &pieces, now)?;
        Ok(Snapshot {
            inner: Arc::new(Inner {
                folder: folder.clone(),
                catalog: Mutex::new(catalog),
                prepare,
                key: origin.key,
                created: origin.created,
                pieces,
                postings,
                blocks,
                now: now.to_owned(),
            }),
        })
    }

    /// What was settled when the registry was made.
    pub fn settings(&self) -> &Settings {
        self.inner.prepare.settings()
    }

    /// What makes fingerprints for this registry.
    pub fn prepare(&self) -> &Prepare {
        &self.inner.prepare
    }

    /// The documents that share text with a query, by a measure of sets.
    pub fn search(&self, request: &Request<'_>, scratch: &mut Scratch) -> Result<Findings, Error> {
        self.inner.postings.search(request, scratch)
    }

    /// Which digests of a query each of some documents has.
    pub fn shared_digests(
        &self,
        request: &Request<'_>,
        numbers: &[u32],
    ) -> Result<BTreeMap<u32, Vec<Digest>>, Error> {
        self.inner.postings.shared_digests(request, numbers)
    }

    /// The documents that have a dense stretch in common with a text, by number; none if the registry
    /// keeps no stretches. The stretches are those that [`Prepare::stretches`] makes.
    pub fn dense(
        &self,
        text: &Stretches,
        exclusions: &Exclusions,
        scratch: &mut Scratch,
    ) -> Result<Vec<Dense>, Error> {
        let pairs = &mut scratch.pairs;
        self.inner.blocks.dense(text, exclusions, pairs)
    }

    /// Where the chunks of a text stand, by digest.
    pub fn spans<'t>(&self, source: impl Into<Source<'t>>) -> Vec<SpanOf> {
        self.inner.prepare.spans(source)
    }

    /// The document with a number.
    pub fn entry(&self, number: u32) -> Result<Option<Entry>, Error> {
        self.catalog().entry(number)
    }

    /// The latest version of a document.
    pub fn latest(&self, id: &str) -> Result<Option<Entry>, Error> {
        self.catalog().latest(id)
    }

    /// All versions of a document that have not expired, oldest first.
    pub fn versions(&self, id: &str) -> Result<Vec<Entry>, Error> {
        let mut versions = self.catalog().versions(id)?;
        let now = &self.inner.now;
        versions.retain(|entry| entry.facts.expires.as_ref().is_none_or(|end| end > now));
        Ok(versions)
    }

    /// A document that was read from a file with these bytes.
    pub fn of_file(&self, bytes: &[u8]) -> Result<Option<Entry>, Error> {
        let hash = self.inner.prepare.file_hash(bytes);
        self.catalog().of_file(&hash)
    }

    /// All documents, by id and version.
    pub fn entries(&self, visit: impl FnMut(Entry) -> Result<(), Error>) -> Result<(), Error> {
        self.catalog().entries(visit)
    }

    /// The documents after an id, by id and version, until the visitor has seen enough.
    pub fn entries_after(
        &self,
        id: &str,
        visit: impl FnMut(Entry) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.catalog().entries_after(id, visit)
    }

    /// The digests of a document of a set that count: those of no standard text.
    pub fn counted(&self, document: &Fingerprint, set: Option<&str>) -> Vec<Digest> {
        ignore::counted(document, set, self.inner.postings.ignored())
    }

    /// A digest as the registry remembers it.
    pub(crate) fn remembered(&self, digest: Digest) -> Digest {
        self.inner.prepare.schema().cut_digest(digest)
    }

    /// Whether a digest, as the registry remembers it, is one of standard text for a set.
    pub(crate) fn is_ignored(&self, digest: Digest, set: Option<&str>) -> bool {
        self.inner.postings.ignored().has(set, digest)
    }

    /// What was remembered of a document, if the registry was told to.
    pub fn retained(&self, number: u32) -> Result<Option<Retained>, Error> {
        let catalog = self.catalog();
        let Some(packed) = catalog.retained(number)? else {
            return Ok(None);
        };
        let retained = Retained::unpack(&packed);
        let damaged = || catalog.damaged(&format!("what it keeps of document {number} is damaged"));
        retained.map(Some).ok_or_else(damaged)
    }

    /// Documents that do not count for a query.
    pub fn exclusions(&self, which: &[Which]) -> Result<Exclusions, Error> {
        let catalog = self.catalog();
        let mut numbers = Vec::new();
        for which in which {
            numbers.extend(catalog.numbers(which)?);
        }
        Ok(numbers.into_iter().collect())
    }

    /// What there is to say about it as a whole.
    pub fn status(&self) -> Result<Status, Error> {
        let catalog = self.catalog();
        let (documents, expired) = catalog.counts(&self.inner.now)?;
        let pieces = &self.inner.pieces;
        let vectors = || pieces.iter().filter_map(|piece| piece.row.vectors);
        let catalog_bytes = catalog.path().metadata().map_or(0, |file| file.len());
        Ok(Status {
            documents,
            expired,
            postings: pieces.iter().map(|piece| piece.row.postings).sum(),
            removed_postings: self.inner.postings.removed_postings(),
            segments: pieces.len() as u64,
            bytes: pieces.iter().map(|piece| piece.row.bytes).sum(),
            stretch_bytes: pieces
                .iter()
                .filter_map(|piece| piece.row.stretches.as_ref())
                .map(|row| row.bytes)
                .sum(),
            vector_bytes: vectors().map(|row| row.bytes).sum(),
            vectors: vectors().map(|row| u64::from(row.vectors)).sum(),
            catalog_bytes,
            retained_bytes: catalog.retained_bytes()?,
            sets: catalog.sets()?,
            ignored: ignore::texts(&catalog.ignored()?),
            key: self.inner.key.clone(),
            created: self.inner.created.clone(),
            settings: self.settings().clone(),
        })
    }

    /// The state that machines work on that read shards each for itself.
    pub fn commit(&self, now: &str) -> Result<Commit, Error> {
        let segments = self.pieces().iter().map(|piece| piece.row.number);
        let (documents, _) = self.catalog().counts(now)?;
        Ok(Commit::new(segments.collect(), documents, now))
    }

    /// Whether it is cut into shards.
    pub fn is_sharded(&self) -> bool {
        self.inner.folder.is_sharded()
    }

    pub(super) fn catalog(&self) -> MutexGuard<'_, Catalog> {
        // Whoever panicked while reading left nothing half done.
        let catalog = self.inner.catalog.lock();
        catalog.unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn postings(&self) -> &Postings {
        &self.inner.postings
    }

    pub(super) fn pieces(&self) -> &[Piece] {
        &self.inner.pieces
    }

    pub(super) fn folder(&self) -> &Folder {
        &self.inner.folder
    }

    pub(super) fn created(&self) -> &str {
        &self.inner.created
    }

    pub(super) fn key_name(&self) -> Option<&str> {
        self.inner.key.as_deref()
    }
}

impl FromIterator<u32> for Exclusions {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Exclusions {
        let mut numbers: Vec<u32> = numbers.into_iter().collect();
        numbers.sort_unstable();
        numbers.dedup();
        Exclusions { numbers }
    }
}

impl Exclusions {
    /// These documents and others.
    #[must_use]
    pub fn with(&self, others: &Exclusions) -> Exclusions {
        let both = self.numbers.iter().chain(&others.numbers);
        both.copied().collect()
    }

    /// How many documents these are.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Whether everything counts.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Whether a document does not count.
    pub fn contains(&self, number: u32) -> bool {
        self.numbers.binary_search(&number).is_ok()
    }
}

impl Frequencies for Snapshot {
    fn documents(&self) -> u32 {
        self.inner.postings.live_units()
    }

    fn documents_with(&self, digest: Digest) -> u32 {
        let digest = self.inner.prepare.schema().cut_digest(digest);
        // A damaged list is reported by whoever searches in it.
        self.inner.postings.documents_with(digest).unwrap_or(0)
    }
}
