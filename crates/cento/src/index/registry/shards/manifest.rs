//! What a folder of shards says about itself: `shards.json` beside the catalogue names all shards and
//! their files, and `shard.json` in each shard says which one it is.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::super::Folder;
use super::super::folder::{Kind, sync};
use crate::error::Error;
use crate::index::private;
use crate::index::segment::{DigestRange, Segment};

/// The file that names all shards.
pub(in super::super) const MANIFEST: &str = "shards.json";
/// The file that says which shard a folder is.
pub(in super::super) const SHARD: &str = "shard.json";
/// What is being written has this ending.
const UNFINISHED: &str = ".new";
const MANIFEST_SCHEMA: &str = "cento.shards/1";
const SHARD_SCHEMA: &str = "cento.shard/1";

/// What a registry is cut by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A shard has the postings of a range of digests, of all documents.
    #[default]
    Digests,
    /// A shard is a registry of a range of documents.
    Documents,
}

/// All shards of a registry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Manifest {
    schema: String,
    pub(in super::super) by: By,
    /// The identity of the registry.
    registry: String,
    /// The name of its key, which is not the key.
    key: Option<String>,
    recipe: String,
    /// Up to which document and segment of the registry it was cut.
    pub(in super::super) documents: u64,
    pub(in super::super) last_document: u32,
    pub(in super::super) last_segment: u64,
    pub(in super::super) shards: Vec<Shard>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Shard {
    /// Its folder.
    pub(in super::super) folder: String,
    #[serde(flatten)]
    pub(in super::super) range: Range,
    /// Of a shard that is a registry: what tells its catalogue from any other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in super::super) catalog: Option<String>,
    pub(in super::super) slices: Vec<SliceFile>,
}

/// Which digests or documents a shard has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Range {
    /// The first: 16 hex digits of a digest, or the number of a document.
    from: String,
    /// The first behind it; none at the end.
    to: Option<String>,
}

/// A file of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct SliceFile {
    pub(in super::super) segment: u64,
    pub(in super::super) kind: SliceKind,
    pub(in super::super) bytes: u64,
    /// That of its header, which has those of all its sections.
    pub(in super::super) checksum: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum SliceKind {
    Digests,
    Stretches,
}

/// What the file in a shard says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Label {
    schema: String,
    registry: String,
    key: Option<String>,
    by: By,
    shard: usize,
    of: usize,
    #[serde(flatten)]
    range: Range,
}

impl SliceKind {
    pub(in super::super) fn kind(self) -> Kind {
        match self {
            SliceKind::Digests => Kind::Digests,
            SliceKind::Stretches => Kind::Stretches,
        }
    }
}

impl SliceFile {
    pub(in super::super) fn of(segment: u64, kind: SliceKind, file: &Segment) -> SliceFile {
        SliceFile {
            segment,
            kind,
            bytes: file.bytes(),
            checksum: format!("{:016x}", file.checksum()),
        }
    }
}

impl Range {
    pub(in super::super) fn of_digests(range: DigestRange) -> Range {
        Range {
            from: format!("{:016x}", range.from),
            to: range.to.map(|to| format!("{to:016x}")),
        }
    }

    pub(in super::super) fn of_documents(from: u32, to: Option<u32>) -> Range {
        Range {
            from: from.to_string(),
            to: to.map(|to| to.to_string()),
        }
    }

    pub(in super::super) fn digests(&self) -> Option<DigestRange> {
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        let to = match &self.to {
            Some(to) => Some(number(to)?),
            None => None,
        };
        let from = number(&self.from)?;
        Some(DigestRange { from, to })
    }

    pub(in super::super) fn documents(&self) -> Option<(u32, Option<u32>)> {
        let to = match &self.to {
            Some(to) => Some(to.parse().ok()?),
            None => None,
        };
        Some((self.from.parse().ok()?, to))
    }
}

/// A range as people read it.
pub(in super::super) struct Named<'a>(pub(in super::super) By, pub(in super::super) &'a Range);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Named(by, Range { from, to }) = self;
        let what = match by {
            By::Digests => "digests",
            By::Documents => "document numbers",
        };
        match to {
            Some(to) => write!(f, "{what} from {from} to below {to}"),
            None => write!(f, "{what} from {from} on"),
        }
    }
}

/// Which registry shards are of.
pub(in super::super) struct Origin {
    pub(in super::super) registry: String,
    pub(in super::super) key: Option<String>,
    pub(in super::super) recipe: String,
}

impl Manifest {
    pub(in super::super) fn new(by: By, origin: Origin) -> Manifest {
        Manifest {
            schema: MANIFEST_SCHEMA.to_owned(),
            by,
            registry: origin.registry,
            key: origin.key,
            recipe: origin.recipe,
            documents: 0,
            last_document: 0,
            last_segment: 0,
            shards: Vec::new(),
        }
    }

    /// The one in a folder.
    pub(in super::super) fn read(folder: &Folder) -> Result<Manifest, Error> {
        let path = folder.path().join(MANIFEST);
        let manifest: Manifest = read_json(&path)?;
        let wrong = |reason: &str| Error::Format {
            path: path.clone(),
            reason: reason.to_owned(),
        };
        if manifest.schema != MANIFEST_SCHEMA {
            return Err(wrong(&format!(
                "its schema is `{}`, and this program reads `{MANIFEST_SCHEMA}`",
                manifest.schema
            )));
        }
        if !manifest.has_everything() {
            return Err(wrong("the ranges of its shards leave something out"));
        }
        Ok(manifest)
    }

    /// Puts it in place of the one before; it is safely there when this returns.
    pub(in super::super) fn write(&self, folder: &Path) -> Result<(), Error> {
        write_json(&folder.join(MANIFEST), self)
    }

    /// Whether the ranges follow one another from beginning to end.
    fn has_everything(&self) -> bool {
        let first = self.shards.first().map(|shard| shard.range.from.as_str());
        let is_start = |from: &str| from.bytes().all(|digit| digit == b'0');
        let ranges = self.shards.iter().map(|shard| &shard.range);
        let readable = ranges.clone().all(|range| match self.by {
            By::Digests => range.digests().is_some(),
            By::Documents => range.documents().is_some(),
        });
        let next = ranges.clone().skip(1).map(|range| Some(&range.from));
        let ends = ranges.map(|range| range.to.as_ref());
        first.is_some_and(is_start) && readable && ends.eq(next.chain([None]))
    }

    /// Which shard, for people.
    pub(in super::super) fn name(&self, number: usize) -> String {
        let range = Named(self.by, &self.shards[number].range);
        format!("shard {} of {} ({range})", number + 1, self.shards.len())
    }

    pub(in super::super) fn refused(&self, folder: &Folder, number: usize, why: &str) -> Error {
        Error::Registry {
            path: folder.path().join(&self.shards[number].folder),
            reason: format!("{} {why}", self.name(number)),
        }
    }

    fn label(&self, number: usize) -> Label {
        Label {
            schema: SHARD_SCHEMA.to_owned(),
            registry: self.registry.clone(),
            key: self.key.clone(),
            by: self.by,
            shard: number + 1,
            of: self.shards.len(),
            range: self.shards[number].range.clone(),
        }
    }

    /// Says in a shard which one it is.
    pub(in super::super) fn write_label(&self, folder: &Path, number: usize) -> Result<(), Error> {
        let path = folder.join(&self.shards[number].folder).join(SHARD);
        write_json(&path, &self.label(number))
    }

    /// Refuses a registry that these are not the shards of.
    pub(in super::super) fn expect(&self, folder: &Folder, origin: &Origin) -> Result<(), Error> {
        let own = (&self.registry, &self.key, &self.recipe);
        if own == (&origin.registry, &origin.key, &origin.recipe) {
            return Ok(());
        }
        Err(Error::Registry {
            path: folder.path().join(MANIFEST),
            reason:
                "it is the list of the shards of another registry than the catalogue beside it; \
                     put both back, or make the shards again"
                    .to_owned(),
        })
    }

    /// Refuses a shard that is not there, or is another one.
    pub(in super::super) fn expect_shard(
        &self,
        folder: &Folder,
        number: usize,
    ) -> Result<(), Error> {
        let place = folder.path().join(&self.shards[number].folder);
        let refused = |why: &str| Err(self.refused(folder, number, why));
        if !place.is_dir() {
            return refused("is missing; put its folder back, or make the shards again");
        }
        let label: Label = match read_json(&place.join(SHARD)) {
            Ok(label) => label,
            Err(_) => {
                return refused("is missing: the folder has no shard in it; put it back");
            }
        };
        let expected = self.label(number);
        if label == expected {
            return Ok(());
        }
        if label.registry != expected.registry || label.key != expected.key {
            return refused(&format!(
                "is foreign: the folder has a shard of another registry{}; put the right one back",
                match &label.key {
                    Some(key) if label.key != expected.key => format!(", with the key {key}"),
                    _ => String::new(),
                }
            ));
        }
        refused(&format!(
            "is not in its folder, which has shard {} of {} ({}); give every shard its folder back",
            label.shard,
            label.of,
            Named(label.by, &label.range)
        ))
    }
}

fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> Result<T, Error> {
    let bytes = fs::read(path).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })?;
    serde_json::from_slice(&bytes).map_err(|error| Error::Format {
        path: path.to_owned(),
        reason: format!("it cannot be read: {error}"),
    })
}

/// Replaces a file; the new one is safely there when this returns.
fn write_json<T: Serialize>(path: &Path, value: &T) -> Result<(), Error> {
    let unfinished = unfinished(path);
    let write = || {
        let mut text = serde_json::to_string_pretty(value)?;
        text.push('\n');
        let mut file = private::create(&unfinished)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    };
    write().map_err(|source: std::io::Error| Error::Io {
        path: unfinished.clone(),
        source,
    })?;
    path.parent().map_or(Ok(()), sync)
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(UNFINISHED);
    PathBuf::from(name)
}

/// Whether a name is one of a file or a folder that shards have beside the catalogue.
pub(in super::super) fn is_ours(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.strip_suffix(UNFINISHED).unwrap_or(name) == MANIFEST)
        || is_shard(path)
}

/// Whether a path is that of the folder of a shard: a number alone may be somebody's year.
pub(in super::super) fn is_shard(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let is_number =
        |name: &str| name.len() >= 4 && name.bytes().all(|digit| digit.is_ascii_digit());
    name.is_some_and(is_number) && path.join(SHARD).is_file()
}
