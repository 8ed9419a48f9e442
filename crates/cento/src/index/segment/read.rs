//! A segment file as it is read: one digest, many digests, everything in order.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::bits::Damage;
use super::format::{Header, Layout, Section, checksum};
use super::map::{Access, Bytes};
use super::schema::Sides;
use super::view::Run;
use super::{Posting, Schema};
use crate::digest::Digest;
use crate::error::Error;
use crate::measure::Side;

/// A section of so many bytes is read from a disk in about the time that it takes to fetch some
/// thousand single pages of it.
const LARGE: usize = 1 << 28;

/// An open segment.
///
/// Opening checks the header, the length of the file, the recipe and the sides;
/// [`Segment::check`] checks everything. A file that is damaged elsewhere may give a wrong answer
/// until it is checked, or [`Error::Format`], and nothing worse.
pub struct Segment {
    path: PathBuf,
    bytes: Bytes,
    header: Header,
    /// Where the sections are in `bytes`.
    sections: [Range<usize>; Section::ALL.len()],
    schema: Schema,
    sides: Vec<Side>,
}

impl Segment {
    /// Maps a segment file into memory.
    ///
    /// The file must not be cut while it is open: the system ends a process that reads behind the
    /// end of a map.
    pub fn open(path: &Path) -> Result<Segment, Error> {
        Segment::with(path, Bytes::map(path))
    }

    /// Reads a segment file into memory, for when it does not have to stay where it is.
    pub fn read(path: &Path) -> Result<Segment, Error> {
        Segment::with(path, Bytes::read(path))
    }

    /// A segment of bytes that are in memory already; `path` is what errors will name.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Segment, Error> {
        Segment::with(path, Ok(Bytes::Read(bytes)))
    }

    fn with(path: &Path, bytes: std::io::Result<Bytes>) -> Result<Segment, Error> {
        let io = |source| Error::Io {
            path: path.to_owned(),
            source,
        };
        let format = |reason| Error::Format {
            path: path.to_owned(),
            reason,
        };
        let bytes = bytes.map_err(io)?;
        let header = Header::decode(&bytes).map_err(format)?;
        let sections = sections(&header, bytes.len()).map_err(format)?;
        for section in [Section::Recipe, Section::Sides] {
            let found = checksum(&bytes[sections[section as usize].clone()]);
            verify(&header, section, found).map_err(format)?;
        }
        let recipe = &bytes[sections[Section::Recipe as usize].clone()];
        let recipe = recipe[..header.recipe_bytes as usize].to_vec();
        let schema = String::from_utf8(recipe)
            .ok()
            .and_then(|text| {
                Schema::of_text(text, header.digest_bits, header.kept_bits, header.sides)
            })
            .ok_or_else(|| format("its recipe is not text".to_owned()))?;
        let all = &bytes[sections[Section::Sides as usize].clone()];
        let (sides, promised): (Vec<Side>, u64) = match header.sides {
            Sides::Whole => {
                let sides = sides(all);
                let promised = sides.iter().map(|side| u64::from(side.digests)).sum();
                (sides, promised)
            }
            Sides::Counts => (Vec::new(), all.iter().map(|count| u64::from(*count)).sum()),
        };
        if promised != header.postings {
            return Err(format(format!(
                "its documents have {promised} digests and it has {} postings",
                header.postings
            )));
        }
        Ok(Segment {
            path: path.to_owned(),
            bytes,
            header,
            sections,
            schema,
            sides,
        })
    }

    /// The file that it is, or was read from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The recipe, and how many bits are kept.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Each document as a whole, by number; none in a segment that only knows how many digests
    /// each has.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// How many digests each document has, by number.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u32> {
        let whole = self.sides.iter().map(|side| side.digests);
        whole.chain(self.only_counts())
    }

    /// Each document as a whole, by number, as far as it is known.
    pub(super) fn all_sides(&self) -> impl Iterator<Item = Side> {
        let whole = self.sides.iter().copied();
        whole.chain(self.only_counts().map(Side::of_each_once))
    }

    fn only_counts(&self) -> impl Iterator<Item = u32> {
        let counts = match self.header.sides {
            Sides::Whole => &[],
            Sides::Counts => &self.section(Section::Sides)[..self.header.documents as usize],
        };
        counts.iter().map(|count| u32::from(*count))
    }

    /// How many documents it has.
    pub fn documents(&self) -> u32 {
        self.header.documents
    }

    /// How many (digest, document) pairs it has.
    pub fn postings(&self) -> u64 {
        self.header.postings
    }

    /// How many distinct digests it has.
    pub fn digests(&self) -> u64 {
        self.header.digests
    }

    /// How many bytes the file has.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether another segment has the same content, by the checksums of all its parts.
    #[cfg(feature = "registry")]
    pub(crate) fn is_same(&self, other: &Segment) -> bool {
        self.bytes() == other.bytes() && self.header.checksums == other.header.checksums
    }

    /// How many documents have a digest.
    pub fn documents_with(&self, digest: Digest) -> Result<u32, Error> {
        Ok(self.find_one(digest)?.map_or(0, |run| run.documents()))
    }

    /// The documents that have a digest, ascending.
    pub fn postings_of(&self, digest: Digest) -> Result<Vec<Posting>, Error> {
        let mut postings = Vec::new();
        if let Some(run) = self.find_one(digest)? {
            self.read_postings(&run, &mut postings)?;
        }
        Ok(postings)
    }

    /// Reads the postings of a digest, in place of what is in `postings`.
    pub fn read_postings(&self, run: &Run, postings: &mut Vec<Posting>) -> Result<(), Error> {
        self.view()
            .read_postings(run, postings)
            .map_err(|damage| self.damaged(damage))
    }

    /// Where the postings of a digest are, if it is in any document.
    pub fn find_one(&self, digest: Digest) -> Result<Option<Run>, Error> {
        let Some(kept) = self.schema.kept(digest) else {
            return Ok(None);
        };
        let view = self.view();
        let find = || match view.digests.find(kept)? {
            Some(number) => view.run(number).map(Some),
            None => Ok(None),
        };
        find().map_err(|damage| self.damaged(damage))
    }

    /// Says that digests will be looked up here rather than everything be read. Of sections that
    /// are large beside what a query needs of them, only single pages then come from the disk.
    pub fn expect_lookups(&self) {
        let large = self.sections.iter().filter(|part| part.len() >= LARGE);
        large.for_each(|part| self.bytes.expect(part, Access::Anywhere));
    }

    /// Says that the whole segment will be in memory; with `now`, it is brought there.
    #[cfg(feature = "registry")]
    pub(in crate::index) fn hold(&self, now: bool) {
        self.bytes.hold(now);
    }

    /// Says that everything will be read.
    pub(super) fn expect_walk(&self) {
        self.bytes.expect(&(0..self.bytes.len()), Access::InOrder);
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    pub(super) fn section(&self, section: Section) -> &[u8] {
        &self.bytes[self.sections[section as usize].clone()]
    }

    pub(super) fn damaged(&self, damage: Damage) -> Error {
        self.refused(format!("it is damaged: {}", damage.0))
    }

    pub(super) fn refused(&self, reason: String) -> Error {
        Error::Format {
            path: self.path.clone(),
            reason,
        }
    }
}

/// Where the sections are in a file of so many bytes.
fn sections(header: &Header, bytes: usize) -> Result<[Range<usize>; Section::ALL.len()], String> {
    let layout = Layout::of(header);
    let expected = layout.as_ref().map(Layout::file_bytes);
    match layout {
        Some(layout) if expected == u64::try_from(bytes).ok() => {
            let place = |place: u64| usize::try_from(place).expect("within the file");
            Ok(Section::ALL.map(|section| {
                let Range { start, end } = layout.of_section(section);
                place(start)..place(end)
            }))
        }
        _ => Err(format!(
            "it has {bytes} bytes and should have {}: it was cut or something was added",
            expected.map_or("more than any file".to_owned(), |bytes| bytes.to_string())
        )),
    }
}

/// Compares the checksum of a section with what it should be.
pub(super) fn verify(header: &Header, section: Section, found: u64) -> Result<(), String> {
    if found == header.checksums[section as usize] {
        Ok(())
    } else {
        Err(format!(
            "its section of {} is damaged: the checksum differs",
            section.name()
        ))
    }
}

fn sides(bytes: &[u8]) -> Vec<Side> {
    let side = |bytes: &[u8; 16]| {
        let field = |at: usize| std::array::from_fn(|place| bytes[at + place]);
        Side {
            tokens: u32::from_le_bytes(field(0)),
            digests: u32::from_le_bytes(field(4)),
            weight: f64::from_le_bytes(std::array::from_fn(|place| bytes[8 + place])),
        }
    };
    bytes.as_chunks::<16>().0.iter().map(side).collect()
}
