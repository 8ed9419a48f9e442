//! The one writer of a registry: documents are added, and become visible when they are committed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Origin, SegmentRow, pairs, retained};
use super::ignore::IgnoreList;
use super::lock::Lock;
use super::merging::Merging;
use super::postings::{Piece, Postings};
use super::prepare::{Candidate, Prepare};
use super::{Entry, Folder, Settings};
use crate::digest::Key;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::segment::{self, Schema, Segment};
use crate::number::index32;
use crate::watch::Watch;

/// A moment before every expiry.
pub(super) const NOTHING_EXPIRED: &str = "";

/// A registry that is being written to.
pub struct Registry {
    pub(super) folder: Folder,
    pub(super) catalog: Catalog,
    pub(super) pieces: Vec<Piece>,
    prepare: Prepare,
    pending: Vec<Pending>,
    /// The latest pending version of each id.
    pending_ids: HashMap<String, usize>,
    pub(super) merging: Option<Merging>,
    _lock: Lock,
}

/// A document that was added and not yet committed.
struct Pending {
    candidate: Candidate,
    version: u32,
}

/// What to do with an id that is registered with another text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnChange {
    /// The new text is the next version of the document; the old one stays.
    #[default]
    Version,
    /// The new text is refused.
    Refuse,
}

/// What became of a document that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New,
    /// The id is registered with the same text; nothing was done.
    Unchanged,
    /// It is another version of a registered document.
    Version(u32),
    /// The id is registered with another text, and that was to be refused.
    Refused,
}

/// What was committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// How many documents.
    pub documents: u32,
    /// How many postings.
    pub postings: u64,
    /// How many pairs of documents that are alike.
    pub pairs: u64,
    /// How many of them each document is the later one of, in the order in which they were added.
    pub pairs_of: Vec<u64>,
}

impl Registry {
    /// Makes a registry in a folder that is empty or does not exist; `created` is the time now.
    ///
    /// The recipe is given as it is meant; with a key its hash becomes the keyed one.
    pub fn create(
        path: &Path,
        mut settings: Settings,
        key: Option<&Key>,
        created: &str,
    ) -> Result<(), Error> {
        let folder = Folder::new(path);
        let refused = |reason: &str| Error::Registry {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        if folder.exists() {
            return Err(refused("there is a registry already"));
        }
        if settings.recipe.counted().is_some() {
            return Err(refused(
                "this recipe asks how rare text is in the whole collection, and a registry grows; \
                 choose another one",
            ));
        }
        if key.is_some() {
            settings.recipe = settings.recipe.keyed();
        }
        settings.kept_bits = settings
            .kept_bits
            .min(settings.recipe.digester.bits.min(64));
        if settings.recipe.passages.is_some() {
            // Pairs are those of whole documents.
            settings.pairs = false;
        }
        // What was written is read back before anybody relies on it.
        if crate::Recipe::named(&settings.recipe.to_string()).ok() != Some(settings.recipe.clone())
        {
            return Err(refused(
                "this recipe needs more than its text form says, such as a dictionary; a registry \
                 has to do without",
            ));
        }
        Prepare::new(settings.clone(), Key::PUBLIC)?;
        let segments = folder.segments();
        std::fs::create_dir_all(&segments).map_err(|source| Error::Io {
            path: segments,
            source,
        })?;
        let origin = Origin {
            settings,
            key: key.map(Key::name),
            created: created.to_owned(),
        };
        Catalog::create(&folder, &origin)
    }

    /// Opens a registry to write to it; `holder` is what other writers are told about us.
    ///
    /// Removes what a writer left behind that did not come to its end.
    pub fn open(path: &Path, key: &Key, holder: &str) -> Result<Registry, Error> {
        let folder = Folder::new(path);
        if !folder.exists() {
            return Err(no_registry(path));
        }
        let lock = Lock::take(&folder, holder)?;
        let catalog = Catalog::open(&folder)?;
        let origin = catalog.origin()?;
        let key = catalog.expect_key(&origin, key)?;
        let rows = catalog.segments()?;
        folder.sweep(&rows.iter().map(|row| row.number).collect::<Vec<_>>())?;
        let prepare = Prepare::new(origin.settings, key)?;
        let pieces = open_pieces(&folder, rows, prepare.schema())?;
        Ok(Registry {
            prepare,
            folder,
            catalog,
            pieces,
            pending: Vec::new(),
            pending_ids: HashMap::new(),
            merging: None,
            _lock: lock,
        })
    }

    /// What makes candidates for this registry.
    pub fn prepare(&self) -> &Prepare {
        &self.prepare
    }

    /// Adds a document. It is registered once [`Registry::commit`] has returned.
    pub fn add(&mut self, candidate: Candidate, on_change: OnChange) -> Result<Added, Error> {
        let id = &candidate.facts.id;
        let before = match self.pending_ids.get(id) {
            Some(&place) => {
                let pending = &self.pending[place];
                Some((pending.candidate.content, pending.version))
            }
            None => self
                .catalog
                .latest(id)?
                .map(|entry| (entry.content, entry.version)),
        };
        let (version, added) = match before {
            None => (1, Added::New),
            Some((content, _)) if content == candidate.content => return Ok(Added::Unchanged),
            Some((_, version)) => match on_change {
                OnChange::Version => (version + 1, Added::Version(version + 1)),
                OnChange::Refuse => return Ok(Added::Refused),
            },
        };
        self.pending_ids.insert(id.clone(), self.pending.len());
        self.pending.push(Pending { candidate, version });
        Ok(added)
    }

    /// The registered document with an id whose file has these bytes: it need not be read again.
    pub fn has_file(&self, id: &str, file: &[u8; 16]) -> Result<bool, Error> {
        let latest = self.catalog.latest(id)?;
        Ok(latest.is_some_and(|entry| entry.facts.file.as_ref() == Some(file)))
    }

    /// How many postings wait to be committed.
    pub fn pending_postings(&self) -> u64 {
        let digests = |pending: &Pending| u64::from(pending.candidate.digests());
        self.pending.iter().map(digests).sum()
    }

    /// Makes everything that was added visible and safe: when this returns, no crash can undo it.
    pub fn commit(&mut self) -> Result<Committed, Error> {
        self.adopt_merged()?;
        if self.pending.is_empty() {
            return Ok(Committed::default());
        }
        let ignored = IgnoreList::of(&self.catalog.ignored()?);
        let first = self.catalog.next_document()?;
        let entries: Vec<Entry> = (first..)
            .zip(&self.pending)
            .map(|(number, pending)| entry(number, pending, &ignored))
            .collect();
        let piece = self.write_segment(&entries)?;
        let mut pieces = self.pieces.clone();
        pieces.push(piece.clone());
        let alike = if self.prepare.settings().pairs {
            self.new_pairs(&pieces, &entries, ignored)?
        } else {
            Vec::new()
        };
        let pending = &self.pending;
        self.catalog.write(|transaction| {
            for (entry, pending) in entries.iter().zip(pending) {
                entry.insert(transaction)?;
                if let Some(retained) = &pending.candidate.retained {
                    retained::insert(entry.number, retained, transaction)?;
                }
            }
            piece.row.insert(transaction)?;
            for pair in &alike {
                pairs::insert(*pair, transaction)?;
            }
            Ok(())
        })?;
        let committed = Committed {
            documents: index32(entries.len()),
            postings: piece.row.postings,
            pairs: alike.len() as u64,
            pairs_of: pairs_of(&entries, &alike),
        };
        self.pieces = pieces;
        self.pending.clear();
        self.pending_ids.clear();
        self.merge_when_due()?;
        Ok(committed)
    }

    /// Commits, and waits for the merging that goes on in the background.
    pub fn finish(mut self) -> Result<Committed, Error> {
        let committed = self.commit()?;
        self.settle(Watch::NOBODY)?;
        Ok(committed)
    }

    fn write_segment(&self, entries: &[Entry]) -> Result<Piece, Error> {
        let units = || self.pending.iter().map(|pending| &pending.candidate.units);
        let fingerprints: Vec<&Fingerprint> = units().flatten().collect();
        let owners = entries.iter().zip(units());
        let owners =
            owners.flat_map(|(entry, units)| std::iter::repeat_n(entry.number, units.len()));
        let number = self.next_segment()?;
        let schema = self.prepare.schema();
        let summary = self.folder.write_segment(number, |path| {
            segment::build(path, schema, &fingerprints, Watch::NOBODY)
        })?;
        let row = SegmentRow {
            number,
            documents: owners.collect(),
            postings: summary.postings,
            bytes: summary.bytes,
        };
        let segment = Arc::new(Segment::open(&self.folder.segment(number))?);
        Ok(Piece { row, segment })
    }

    /// A number for a segment that neither the catalogue nor a merge under way uses.
    pub(super) fn next_segment(&self) -> Result<u64, Error> {
        let next = self.catalog.next_segment()?;
        let merging = self.merging.as_ref().map(|merging| merging.number + 1);
        Ok(merging.map_or(next, |after| after.max(next)))
    }

    /// The pairs that the new documents make with all others.
    fn new_pairs(
        &self,
        pieces: &[Piece],
        entries: &[Entry],
        ignored: IgnoreList,
    ) -> Result<Vec<[u32; 3]>, Error> {
        let postings = self.postings_with(pieces, entries, ignored)?;
        let queries: Vec<(&Entry, &Fingerprint)> = entries
            .iter()
            .zip(&self.pending)
            .filter_map(|(entry, pending)| Some((entry, pending.candidate.units.first()?)))
            .collect();
        super::pairs::with_earlier(&postings, &queries)
    }

    /// The postings as they will be once these documents are in the catalogue, too.
    pub(super) fn postings_with(
        &self,
        pieces: &[Piece],
        entries: &[Entry],
        ignored: IgnoreList,
    ) -> Result<Postings, Error> {
        let mut live = self.catalog.live(NOTHING_EXPIRED)?;
        live.extend(entries.iter().map(|entry| (entry.number, entry.ignored)));
        let mut members = Vec::new();
        for set in ignored.sets().keys() {
            let mut of_set = self.catalog.set_members(set)?;
            let new = entries
                .iter()
                .filter(|entry| entry.facts.set.as_ref() == Some(set));
            of_set.extend(new.map(|entry| entry.number));
            members.push(of_set);
        }
        Ok(Postings::new(pieces, &live, ignored, &members))
    }
}

/// How many pairs each document is the later one of.
fn pairs_of(entries: &[Entry], pairs: &[[u32; 3]]) -> Vec<u64> {
    let mut counts = vec![0; entries.len()];
    let first = entries.first().map_or(0, |entry| entry.number);
    for [_, later, _] in pairs {
        // Numbers are given one after the other.
        let place = later.checked_sub(first).map(|place| place as usize);
        if let Some(count) = place.and_then(|place| counts.get_mut(place)) {
            *count += 1;
        }
    }
    counts
}

/// Opens the segments that a catalogue names.
pub(super) fn open_pieces(
    folder: &Folder,
    rows: Vec<SegmentRow>,
    schema: &Schema,
) -> Result<Vec<Piece>, Error> {
    let piece = |row: SegmentRow| {
        let segment = Arc::new(Segment::open(&folder.segment(row.number))?);
        if segment.sides().len() != row.documents.len()
            || segment.postings() != row.postings
            || segment.bytes() != row.bytes
            || segment.schema() != schema
        {
            return Err(Error::Format {
                path: folder.segment(row.number),
                reason: "it is not the segment that the catalogue speaks of".to_owned(),
            });
        }
        Ok(Piece { row, segment })
    };
    rows.into_iter().map(piece).collect()
}

pub(super) fn no_registry(path: &Path) -> Error {
    Error::NoRegistry {
        path: path.to_owned(),
    }
}

fn entry(number: u32, pending: &Pending, ignored: &IgnoreList) -> Entry {
    let Candidate {
        facts,
        units,
        words,
        content,
        ..
    } = &pending.candidate;
    let count = |unit: &Fingerprint| ignored.count(facts.set.as_deref(), unit.digests());
    Entry {
        number,
        facts: facts.clone(),
        version: pending.version,
        words: *words,
        digests: pending.candidate.digests(),
        ignored: units.iter().map(count).sum(),
        content: *content,
    }
}
