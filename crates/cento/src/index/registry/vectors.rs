//! The vectors of documents in a registry: a file of k-d trees beside each segment, and who is nearest
//! to a text in all of them.
//!
//! The files are written, named, merged and removed together with the segments, so that there are
//! always few, and a vector is written again once for each level of merging: adding one to n costs
//! O(log n), and the trees are always balanced.

use std::fs::File;
use std::hash::Hasher as _;
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use twox_hash::XxHash3_64;

use super::catalog::VectorsRow;
use super::postings::Piece;
use super::search::Exclusions;
use super::{Entry, Snapshot};
use crate::error::Error;
use crate::index::private;
use crate::index::segment::Bytes;
use crate::number::index32;
use crate::style::tree::{self, Given, Order, Search, Trees};
use crate::style::{Style, Vector};

/// A registered document that is near by style.
#[derive(Clone, Debug, PartialEq)]
pub struct Nearby {
    /// Which one.
    pub entry: Entry,
    /// How far it is away, see [`Style::distance`].
    pub distance: f64,
    /// How many dimensions both have.
    pub shared: u32,
}

/// What a search for the nearest found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearest {
    /// The documents, nearest first, then by number.
    pub documents: Vec<Nearby>,
    /// How many vectors were looked at.
    pub looked_at: u64,
}

/// A file of vectors.
pub(super) struct Vectors {
    path: PathBuf,
    bytes: Bytes,
    header: Header,
}

/// What stands before the trees.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Header {
    dimensions: u32,
    vectors: u32,
    groups: u32,
    /// The hash of the style's text form.
    style: u64,
    /// The checksum of the trees.
    checksum: u64,
}

const MAGIC: [u8; 8] = *b"\x89CENTOV\n";
const VERSION: u32 = 1;
const HEADER: usize = 48;

impl Snapshot {
    /// The registered documents nearest to a vector of the registry's style; those that are excluded
    /// do not count. None if the registry keeps no vectors.
    pub fn nearest(
        &self,
        vector: &Vector,
        count: usize,
        exclusions: &Exclusions,
    ) -> Result<Nearest, Error> {
        let Some(style) = &self.settings().style else {
            return Ok(Nearest::default());
        };
        let postings = self.postings();
        let is_wanted = |owner: u32| postings.has_document(owner) && !exclusions.contains(owner);
        let mut search = Search::new(&vector.0, count, &is_wanted);
        for vectors in self
            .pieces()
            .iter()
            .filter_map(|piece| piece.vectors.as_ref())
        {
            search.look(vectors.trees()?);
        }
        let mut nearest = Nearest {
            looked_at: search.looked_at(),
            ..Nearest::default()
        };
        for near in search.found() {
            nearest
                .documents
                .extend(self.entry(near.owner)?.map(|entry| Nearby {
                    entry,
                    distance: style.distance_of_square(near.square, near.shared),
                    shared: near.shared,
                }));
        }
        Ok(nearest)
    }
}

impl Vectors {
    /// Opens the file that a row of the catalogue speaks of. Only its header is read.
    pub(super) fn open(path: &Path, row: &VectorsRow, style: &Style) -> Result<Vectors, Error> {
        let vectors = Vectors::read(path)?;
        let Header {
            dimensions,
            vectors: count,
            style: of,
            ..
        } = vectors.header;
        if count != row.vectors
            || vectors.bytes() != row.bytes
            || dimensions as usize != style.dimensions()
            || of != hash_of(style)
        {
            return Err(vectors.damaged("it is not the file that the catalogue speaks of"));
        }
        Ok(vectors)
    }

    fn read(path: &Path) -> Result<Vectors, Error> {
        let bytes = Bytes::map(path).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        let damaged = |reason: &str| Error::Format {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        let header = bytes.first_chunk::<HEADER>();
        let header = header.ok_or_else(|| damaged("it is shorter than a header"))?;
        let header = Header::parse(header).map_err(damaged)?;
        let vectors = Vectors {
            path: path.to_owned(),
            bytes,
            header,
        };
        vectors.trees()?;
        Ok(vectors)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes the file has.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// Whether another file has the same vectors.
    pub(super) fn is_copied(source: &Path, target: &Path) -> Result<bool, Error> {
        let source = Vectors::read(source)?;
        Ok(Vectors::read(target).is_ok_and(|copy| copy.header == source.header))
    }

    /// The vectors, each with the number of its document.
    pub(super) fn given(&self) -> Result<impl Iterator<Item = Given<'_>>, Error> {
        Ok(self.trees()?.vectors())
    }

    /// Reads all of it.
    pub(super) fn check(&self) -> Result<(), Error> {
        if XxHash3_64::oneshot(&self.bytes[HEADER..]) == self.header.checksum {
            return Ok(());
        }
        Err(self.damaged("its checksum differs"))
    }

    fn trees(&self) -> Result<Trees<'_>, Error> {
        let Header {
            dimensions,
            vectors,
            groups,
            ..
        } = self.header;
        let [dimensions, vectors, groups] = [dimensions, vectors, groups].map(|n| n as usize);
        let trees = Trees::new(&self.bytes[HEADER..], dimensions, vectors, groups);
        trees.ok_or_else(|| self.damaged("its length is wrong"))
    }

    fn damaged(&self, reason: &str) -> Error {
        Error::Format {
            path: self.path.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// Vectors that go from files into a new one.
pub(super) struct Chosen {
    sources: Vec<Arc<Vectors>>,
    /// Of each file, which number a document gets in the new one.
    numbers: Vec<Vec<(u32, u32)>>,
}

impl Chosen {
    /// `becomes` says of a document of a piece which number it gets; nothing if it is left out.
    /// Nothing if a piece has no vectors.
    pub(super) fn of(
        pieces: &[Piece],
        becomes: impl Fn(usize, u32) -> Option<u32>,
    ) -> Option<Chosen> {
        let sources = pieces.iter().map(|piece| piece.vectors.clone());
        let number = |source: usize, piece: &Piece| {
            let mut owners = piece.row.documents.clone();
            owners.sort_unstable();
            owners.dedup();
            let owners = owners.into_iter();
            owners
                .filter_map(|owner| Some((owner, becomes(source, owner)?)))
                .collect()
        };
        let pieces = pieces.iter().enumerate();
        Some(Chosen {
            sources: sources.collect::<Option<_>>()?,
            numbers: pieces
                .map(|(source, piece)| number(source, piece))
                .collect(),
        })
    }

    /// Writes the new file.
    pub(super) fn write(&self, path: &Path, style: &Style) -> Result<VectorsRow, Error> {
        let mut given = Vec::new();
        for (vectors, numbers) in self.sources.iter().zip(&self.numbers) {
            for (owner, row) in vectors.given()? {
                let place = numbers.binary_search_by_key(&owner, |(owner, _)| *owner);
                given.extend(place.ok().map(|place| (numbers[place].1, row)));
            }
        }
        build(path, style, &given)
    }
}

/// Writes a file of the vectors of new documents; one of which nothing can be measured has none.
pub(super) fn of_new<'v>(
    path: &Path,
    style: &Style,
    documents: impl Iterator<Item = (u32, Option<&'v Vector>)>,
) -> Result<VectorsRow, Error> {
    let row = |(number, vector): (u32, Option<&Vector>)| Some((number, tree::row(&vector?.0)));
    let rows: Vec<(u32, Vec<u8>)> = documents.filter_map(row).collect();
    let given = rows.iter().map(|(number, row)| (*number, row.as_slice()));
    build(path, style, &given.collect::<Vec<_>>())
}

/// Writes a file of vectors; it is safely there when this returns.
fn build(path: &Path, style: &Style, given: &[Given<'_>]) -> Result<VectorsRow, Error> {
    write(path, style, given).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })
}

fn write(path: &Path, style: &Style, given: &[Given<'_>]) -> io::Result<VectorsRow> {
    let order = Order::of(given, style.dimensions());
    let mut file = Hashed {
        file: BufWriter::new(private::create(path)?),
        hasher: XxHash3_64::default(),
        bytes: HEADER as u64,
    };
    file.file.seek(SeekFrom::Start(HEADER as u64))?;
    let places = || order.places.iter().map(|&place| given[place as usize]);
    for (_, row) in places() {
        file.write(row)?;
    }
    for (owner, _) in places() {
        file.write(&owner.to_le_bytes())?;
    }
    for section in [&order.least, &order.groups, &order.splits] {
        file.write(section)?;
    }
    let header = Header {
        dimensions: index32(style.dimensions()),
        vectors: index32(given.len()),
        groups: index32(order.groups.len() / 4),
        style: hash_of(style),
        checksum: file.hasher.finish(),
    };
    // An unfinished file has no header.
    file.file.seek(SeekFrom::Start(0))?;
    file.file.write_all(&header.bytes())?;
    file.file.into_inner()?.sync_all()?;
    Ok(VectorsRow {
        vectors: header.vectors,
        bytes: file.bytes,
    })
}

/// A file whose checksum grows with it.
struct Hashed {
    file: BufWriter<File>,
    hasher: XxHash3_64,
    bytes: u64,
}

impl Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.write(bytes);
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

impl Header {
    fn bytes(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC);
        for (place, number) in [
            (8, VERSION),
            (12, self.dimensions),
            (16, self.vectors),
            (20, self.groups),
        ] {
            bytes[place..place + 4].copy_from_slice(&number.to_le_bytes());
        }
        bytes[24..32].copy_from_slice(&self.style.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.checksum.to_le_bytes());
        let checksum = XxHash3_64::oneshot(&bytes[..40]);
        bytes[40..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn parse(bytes: &[u8; HEADER]) -> Result<Header, &'static str> {
        let four = |place: usize| {
            let bytes = bytes[place..].first_chunk().copied();
            u32::from_le_bytes(bytes.unwrap_or_default())
        };
        let eight = |place: usize| {
            let bytes = bytes[place..].first_chunk().copied();
            u64::from_le_bytes(bytes.unwrap_or_default())
        };
        if bytes[..8] != MAGIC {
            return Err("it is no file of vectors");
        }
        if four(8) != VERSION {
            return Err("it is a file of vectors of a later program");
        }
        if XxHash3_64::oneshot(&bytes[..40]) != eight(40) {
            return Err("its header is damaged");
        }
        Ok(Header {
            dimensions: four(12),
            vectors: four(16),
            groups: four(20),
            style: eight(24),
            checksum: eight(32),
        })
    }
}

fn hash_of(style: &Style) -> u64 {
    XxHash3_64::oneshot(style.to_string().as_bytes())
}
