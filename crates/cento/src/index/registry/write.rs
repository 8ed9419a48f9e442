//! The one writer of a registry: documents are added, and become visible when they are committed.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::catalog::{Catalog, Origin, SegmentRow, StretchesRow, retained};
use super::folder::Kind;
use super::ignore::IgnoreList;
use super::lock::Lock;
use super::merging::Merging;
use super::postings::{Piece, Postings, Slice};
use super::prepare::{Candidate, Prepare};
use super::vectors::Vectors;
use super::{Entry, Facts, Folder, KeptStretches, Settings};
use crate::digest::Key;
use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::index::private;
use crate::index::segment::{self, Schema, Segment};
use crate::number::index32;
use crate::recipe::Recipe;
use crate::stretch::Stretches;
use crate::token::WordList;
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
    /// The first pending document with each text.
    pending_texts: HashMap<[u8; 16], usize>,
    pub(super) merging: Option<Merging>,
    cleaned: u64,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New,
    /// The id is registered with the same text; nothing was done.
    Unchanged,
    /// It is another version of a registered document.
    Version(u32),
    /// The id is registered with another text, and that was to be refused.
    Refused,
    /// The id is somebody else's, whatever the text; nothing was done.
    OtherSubmitter {
        /// Who registered it, if that was said.
        registered: Option<String>,
        /// Who wants to register it now, if that is said.
        given: Option<String>,
    },
}

/// A document with the same text as another one, under another id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameText {
    /// Its number, or the one that it will have.
    pub number: u32,
    /// Its id.
    pub id: String,
    /// Whose it is.
    pub submitter: Option<String>,
    /// The set it belongs to.
    pub set: Option<String>,
}

/// What was committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Committed {
    /// How many documents.
    pub documents: u32,
    /// How many postings.
    pub postings: u64,
    /// How many pairs the documents make with those before them.
    pub pairs: u64,
    /// How many each document makes, in the order in which they were added.
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
            // Pairs are those of whole documents, and passages are short enough by themselves.
            settings.pairs = false;
            settings.stretches = KeptStretches::None;
        }
        // What was written is read back before anybody relies on it.
        let dictionary = settings.recipe.word_list().cloned();
        let dictionary: Vec<WordList> = dictionary.into_iter().collect();
        let read_back = Recipe::parse_with(&settings.recipe.to_string(), &dictionary);
        if read_back.ok().as_ref() != Some(&settings.recipe) {
            return Err(refused(
                "this recipe needs more than its text form says; a registry has to do without",
            ));
        }
        Prepare::new(settings.clone(), Key::PUBLIC)?;
        let segments = folder.segments();
        private::make_folder(&segments).map_err(|source| Error::Io {
            path: segments,
            source,
        })?;
        private::tighten(path);
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
        folder.expect_whole()?;
        let lock = Lock::take(&folder, holder)?;
        folder.tighten();
        let catalog = Catalog::open(&folder)?;
        let origin = catalog.origin()?;
        let key = catalog.expect_key(&origin, key)?;
        let rows = catalog.segments()?;
        let cleaned = folder.clean()?
            + folder.sweep(&rows.iter().map(|row| row.number).collect::<Vec<_>>())?;
        let prepare = Prepare::new(origin.settings, key)?;
        let pieces = open_pieces(&folder, rows, &prepare)?;
        Ok(Registry {
            prepare,
            folder,
            catalog,
            pieces,
            pending: Vec::new(),
            pending_ids: HashMap::new(),
            pending_texts: HashMap::new(),
            merging: None,
            cleaned,
            _lock: lock,
        })
    }

    /// How many files were removed when it was opened, because something that was interrupted had left
    /// them.
    pub fn cleaned(&self) -> u64 {
        self.cleaned
    }

    /// What makes candidates for this registry.
    pub fn prepare(&self) -> &Prepare {
        &self.prepare
    }

    /// Adds a document. It is registered once [`Registry::commit`] has returned.
    ///
    /// An id belongs to the submitter who registered it: two people may call their files alike, and
    /// the text of one is no version of the other's.
    pub fn add(&mut self, candidate: Candidate, on_change: OnChange) -> Result<Added, Error> {
        let before = self.before(&candidate.facts.id)?;
        let given = &candidate.facts.submitter;
        match before {
            Some(Before { submitter, .. }) if submitter != *given => Ok(Added::OtherSubmitter {
                registered: submitter,
                given: given.clone(),
            }),
            before => Ok(self.add_after(before, candidate, on_change)),
        }
    }

    /// Adds a document that another state of this registry has, as the next version of its id,
    /// whoever submitted it: older programs did not look at that.
    pub fn add_again(&mut self, candidate: Candidate) -> Result<Added, Error> {
        let before = self.before(&candidate.facts.id)?;
        Ok(self.add_after(before, candidate, OnChange::Version))
    }

    fn add_after(
        &mut self,
        before: Option<Before>,
        candidate: Candidate,
        on_change: OnChange,
    ) -> Added {
        let (version, added) = match before {
            None => (1, Added::New),
            Some(before) if before.content == candidate.content => return Added::Unchanged,
            Some(before) => match on_change {
                OnChange::Version => (before.version + 1, Added::Version(before.version + 1)),
                OnChange::Refuse => return Added::Refused,
            },
        };
        let place = self.pending.len();
        self.pending_ids.insert(candidate.facts.id.clone(), place);
        self.pending_texts.entry(candidate.content).or_insert(place);
        self.pending.push(Pending { candidate, version });
        added
    }

    /// The latest version of an id, committed or not.
    fn before(&self, id: &str) -> Result<Option<Before>, Error> {
        if let Some(&place) = self.pending_ids.get(id) {
            let Pending { candidate, version } = &self.pending[place];
            return Ok(Some(Before {
                content: candidate.content,
                version: *version,
                submitter: candidate.facts.submitter.clone(),
            }));
        }
        let latest = self.catalog.latest(id)?;
        Ok(latest.map(|entry| Before {
            content: entry.content,
            version: entry.version,
            submitter: entry.facts.submitter,
        }))
    }

    /// A document that has the text of a candidate under another id: registered, or added before.
    pub fn same_text(&self, candidate: &Candidate) -> Result<Option<SameText>, Error> {
        let Facts { id, registered, .. } = &candidate.facts;
        let registered = self
            .catalog
            .of_content(&candidate.content, id, registered)?;
        if let Some(Entry { number, facts, .. }) = registered {
            return Ok(Some(SameText::of(number, &facts)));
        }
        let Some(&place) = self.pending_texts.get(&candidate.content) else {
            return Ok(None);
        };
        let facts = &self.pending[place].candidate.facts;
        if facts.id == *id {
            return Ok(None);
        }
        // Numbers are given one after the other.
        let number = self.catalog.next_document()?.saturating_add(index32(place));
        Ok(Some(SameText::of(number, facts)))
    }

    /// Whether an id is registered by this submitter with a file of these bytes: it need not be read
    /// again.
    pub fn has_file(
        &self,
        id: &str,
        submitter: Option<&str>,
        file: &[u8; 16],
    ) -> Result<bool, Error> {
        let latest = self.catalog.latest(id)?;
        Ok(latest.is_some_and(|entry| {
            entry.facts.file.as_ref() == Some(file) && entry.facts.submitter.as_deref() == submitter
        }))
    }

    /// How many postings wait to be committed, those of stretches, too.
    pub fn pending_postings(&self) -> u64 {
        let postings = |Pending { candidate, .. }: &Pending| {
            u64::from(candidate.digests()) + candidate.stretches.len() as u64
        };
        self.pending.iter().map(postings).sum()
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
        let pairs_of = if self.prepare.settings().pairs {
            self.new_pairs(&pieces, &entries, ignored)?
        } else {
            vec![0; entries.len()]
        };
        let pending = &self.pending;
        self.catalog.write(|transaction| {
            for (entry, pending) in entries.iter().zip(pending) {
                entry.insert(transaction)?;
                if let Some(retained) = &pending.candidate.retained {
                    retained::insert(entry.number, retained, transaction)?;
                }
            }
            piece.row.insert(transaction)
        })?;
        let committed = Committed {
            documents: index32(entries.len()),
            postings: piece.row.postings,
            pairs: pairs_of.iter().sum(),
            pairs_of,
        };
        self.pieces = pieces;
        self.pending.clear();
        self.pending_ids.clear();
        self.pending_texts.clear();
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
        let number = self.next_segment()?;
        let schema = self.prepare.schema();
        let summary = self.folder.write_segment(Kind::Digests, number, |path| {
            segment::build(path, schema, &fingerprints, Watch::NOBODY)
        })?;
        let stretches = if self.prepare.has_stretches() {
            let of_pending = self
                .pending
                .iter()
                .map(|pending| &pending.candidate.stretches);
            let stretches: Vec<&Stretches> = of_pending.collect();
            let summary = self.folder.write_segment(Kind::Stretches, number, |path| {
                super::stretches::build(path, &stretches)
            })?;
            let blocks = stretches.iter().map(|stretches| stretches.blocks());
            let documents = entries.iter().map(|entry| entry.number).zip(blocks);
            Some(StretchesRow {
                documents: documents.filter(|(_, blocks)| *blocks > 0).collect(),
                postings: summary.postings,
                bytes: summary.bytes,
            })
        } else {
            None
        };
        let vectors = match self.prepare.style() {
            Some(style) => {
                let vectors = self.pending.iter().map(|pending| &pending.candidate.vector);
                let numbers = entries.iter().map(|entry| entry.number);
                let given = numbers.zip(vectors.map(Option::as_ref));
                Some(self.folder.write_segment(Kind::Vectors, number, |path| {
                    super::vectors::of_new(path, style, given)
                })?)
            }
            None => None,
        };
        let owners = entries.iter().zip(units());
        let owners =
            owners.flat_map(|(entry, units)| std::iter::repeat_n(entry.number, units.len()));
        let row = SegmentRow {
            number,
            documents: owners.collect(),
            postings: summary.postings,
            bytes: summary.bytes,
            stretches,
            vectors,
        };
        self.piece(row)
    }

    /// The segments that a row speaks of.
    pub(super) fn piece(&self, row: SegmentRow) -> Result<Piece, Error> {
        open_piece(&self.folder, row, &self.prepare)
    }

    /// A number for a segment that neither the catalogue nor a merge under way uses.
    pub(super) fn next_segment(&self) -> Result<u64, Error> {
        let next = self.catalog.next_segment()?;
        let merging = self.merging.as_ref().map(|merging| merging.number + 1);
        Ok(merging.map_or(next, |after| after.max(next)))
    }

    /// How many pairs each new document makes with those before it.
    fn new_pairs(
        &self,
        pieces: &[Piece],
        entries: &[Entry],
        ignored: IgnoreList,
    ) -> Result<Vec<u64>, Error> {
        let postings = self.postings_with(pieces, entries, ignored)?;
        // A registry that lists pairs has whole documents, a fingerprint each.
        let units = self
            .pending
            .iter()
            .flat_map(|pending| &pending.candidate.units);
        let queries: Vec<(&Entry, &Fingerprint)> = entries.iter().zip(units).collect();
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

/// The latest version of an id.
struct Before {
    content: [u8; 16],
    version: u32,
    submitter: Option<String>,
}

impl SameText {
    fn of(number: u32, facts: &Facts) -> SameText {
        SameText {
            number,
            id: facts.id.clone(),
            submitter: facts.submitter.clone(),
            set: facts.set.clone(),
        }
    }
}

/// Opens the segments that a catalogue names.
pub(super) fn open_pieces(
    folder: &Folder,
    rows: Vec<SegmentRow>,
    prepare: &Prepare,
) -> Result<Vec<Piece>, Error> {
    let pieces = rows.into_iter().map(|row| open_piece(folder, row, prepare));
    pieces.collect()
}

fn open_piece(folder: &Folder, row: SegmentRow, prepare: &Prepare) -> Result<Piece, Error> {
    let open = |kind: Kind, schema: &Schema, documents: u64, postings: u64, bytes: u64| {
        let path = folder.segment(kind, row.number);
        let segment = Arc::new(Segment::open(&path)?);
        if u64::from(segment.documents()) != documents
            || segment.postings() != postings
            || segment.bytes() != bytes
            || segment.schema() != schema
        {
            return Err(Error::Format {
                path,
                reason: "it is not the segment that the catalogue speaks of".to_owned(),
            });
        }
        Ok(segment)
    };
    let documents = row.documents.len() as u64;
    let schema = prepare.schema();
    let segment = open(Kind::Digests, schema, documents, row.postings, row.bytes)?;
    let stretches = match &row.stretches {
        Some(row) => Some(open(
            Kind::Stretches,
            prepare.stretches_schema(),
            row.blocks(),
            row.postings,
            row.bytes,
        )?),
        None => None,
    };
    let [digests, stretches] =
        [Some(segment), stretches].map(|segment| segment.map(Slice::whole).into_iter().collect());
    let vectors = match (&row.vectors, prepare.style()) {
        (Some(vectors), Some(style)) => {
            let path = folder.segment(Kind::Vectors, row.number);
            Some(Arc::new(Vectors::open(&path, vectors, style)?))
        }
        _ => None,
    };
    Ok(Piece {
        row,
        digests,
        stretches,
        vectors,
    })
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
