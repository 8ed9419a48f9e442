//! The files of a registry, and how a new one appears among them all at once.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::shards;
use crate::error::Error;
use crate::index::private;

/// The name of the file in a registry's folder that has its key.
pub const KEY_FILE: &str = "key";
/// Its name while it is being written.
const UNFINISHED_KEY: &str = ".key.new";

const CATALOG: &str = "catalog.sqlite";
const SEGMENTS: &str = "segments";
const LOCK: &str = "lock";
const SUFFIX: &str = "cento";
/// The ending of segments of stretches.
const STRETCHES: &str = "stretches";
/// The ending of files of vectors.
const VECTORS: &str = "vectors";
/// Where a registry is made before it appears.
const UNFINISHED_REGISTRY: &str = "unfinished";
/// Files with this ending are being written.
const UNFINISHED: &str = "new";
/// And those of stretches, which have the numbers of the others.
const UNFINISHED_STRETCHES: &str = "stretches-new";
const UNFINISHED_VECTORS: &str = "vectors-new";
/// The catalogue while it is being written; its journal has a longer name.
const UNFINISHED_CATALOG: &str = "catalog.sqlite.new";

/// What a file of a segment has of its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The digests of documents.
    Digests,
    /// The pairs of words of blocks, see [`Stretches`](crate::Stretches).
    Stretches,
    /// Vectors of style.
    Vectors,
}

impl Kind {
    pub(super) const ALL: [Kind; 3] = [Kind::Digests, Kind::Stretches, Kind::Vectors];

    /// How the names of its files end, when they are finished and before.
    const fn endings(self) -> [&'static str; 2] {
        match self {
            Kind::Digests => [SUFFIX, UNFINISHED],
            Kind::Stretches => [STRETCHES, UNFINISHED_STRETCHES],
            Kind::Vectors => [VECTORS, UNFINISHED_VECTORS],
        }
    }
}

/// Where a registry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The registry at a path.
    pub fn new(path: &Path) -> Folder {
        Folder {
            path: path.to_owned(),
        }
    }

    /// The path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where its key is, unless it is kept elsewhere.
    pub fn key(&self) -> PathBuf {
        self.path.join(KEY_FILE)
    }

    /// Whether there is a registry.
    pub fn exists(&self) -> bool {
        self.catalog().exists()
    }

    /// Whether the registry is cut into shards.
    pub fn is_sharded(&self) -> bool {
        self.path.join(shards::MANIFEST).exists()
    }

    /// Refuses shards where one registry is needed.
    pub(super) fn expect_whole(&self) -> Result<(), Error> {
        if !self.is_sharded() {
            return Ok(());
        }
        Err(Error::Registry {
            path: self.path.clone(),
            reason:
                "it is cut into shards, which are only read here; change the registry itself and \
                     make the shards again, or put them together with `cento registry join`"
                    .to_owned(),
        })
    }

    /// Where a registry is made that is to appear here.
    pub(super) fn unfinished_registry(&self) -> Folder {
        Folder::new(&self.path.join(UNFINISHED_REGISTRY))
    }

    /// Whether all that is here was left by something that was killed before there was a registry; a
    /// key may be there for the one that is to come.
    pub fn is_unfinished(&self) -> bool {
        let is_ours = |name: &str| {
            let whole = [
                KEY_FILE,
                UNFINISHED_KEY,
                SEGMENTS,
                LOCK,
                UNFINISHED_REGISTRY,
            ];
            whole.contains(&name) || name.starts_with(UNFINISHED_CATALOG)
        };
        let mut entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        !self.exists()
            && entries.all(|entry| {
                entry.file_name().to_str().is_some_and(is_ours) || shards::is_ours(&entry.path())
            })
    }

    /// The folder and those above it, as far as they are not there.
    pub fn missing(&self) -> Vec<PathBuf> {
        private::missing_folders(&self.path)
    }

    /// Makes the folder; it is safely there when this returns.
    pub fn make(&self) -> Result<(), Error> {
        let made = private::make_folder(&self.path);
        made.map_err(|source| Error::Io {
            path: self.path.clone(),
            source,
        })
    }

    /// Removes what something left that was interrupted while it made a registry or a copy; says how
    /// many files that were. Nobody may be writing here.
    pub fn clean(&self) -> Result<u64, Error> {
        let place = self.unfinished_registry();
        let mut cleaned = 0;
        if place.path.exists() {
            // Somebody may be making the same registry just now.
            Lock::expect_free(&place)?;
            cleaned += count_files(&place.path).max(1);
            fs::remove_dir_all(&place.path).map_err(|source| Error::Io {
                path: place.path,
                source,
            })?;
        }
        cleaned += self.clean_files()?;
        if !self.exists() && self.segments().exists() {
            cleaned += self.sweep(&[])?;
        }
        if !self.exists() && self.path.exists() {
            cleaned += self.clean_shards()?;
        }
        Ok(cleaned)
    }

    /// Removes shards that did not come to be a registry.
    fn clean_shards(&self) -> Result<u64, Error> {
        let mut cleaned = 0;
        for path in files_in(&self.path)? {
            if !shards::is_ours(&path) {
                continue;
            }
            let removed = if path.is_dir() {
                cleaned += count_files(&path);
                fs::remove_dir_all(&path)
            } else {
                cleaned += 1;
                fs::remove_file(&path)
            };
            removed.map_err(|source| Error::Io { path, source })?;
        }
        Ok(cleaned)
    }

    /// The same for single files: a catalogue with its journals, a key.
    pub(super) fn clean_files(&self) -> Result<u64, Error> {
        let mut cleaned = 0;
        if !self.path.exists() {
            return Ok(cleaned);
        }
        for path in files_in(&self.path)? {
            let name = path.file_name().and_then(|name| name.to_str());
            let is_unfinished =
                |name: &str| name == UNFINISHED_KEY || name.starts_with(UNFINISHED_CATALOG);
            if name.is_some_and(is_unfinished) {
                fs::remove_file(&path).map_err(|source| Error::Io { path, source })?;
                cleaned += 1;
            }
        }
        Ok(cleaned)
    }

    /// Takes back what was begun where no registry came to be, and folders that were made for it.
    pub fn take_back(&self, made: &[PathBuf]) {
        if self.exists() || self.clean().is_err() {
            return;
        }
        let _ = fs::remove_dir(self.segments());
        if !made.is_empty() {
            let _ = fs::remove_file(self.lock());
        }
        for folder in made {
            let _ = fs::remove_dir(folder);
        }
    }

    pub(super) fn catalog(&self) -> PathBuf {
        self.path.join(CATALOG)
    }

    /// The name of the catalogue while it is being written.
    pub(super) fn unfinished_catalog(&self) -> PathBuf {
        self.path.join(UNFINISHED_CATALOG)
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.path.join(LOCK)
    }

    pub(super) fn segments(&self) -> PathBuf {
        self.path.join(SEGMENTS)
    }

    pub(super) fn segment(&self, kind: Kind, number: u64) -> PathBuf {
        let [suffix, _] = kind.endings();
        self.segments().join(format!("{number:010}.{suffix}"))
    }

    /// The name of a segment while it is being written.
    pub(super) fn unfinished(&self, kind: Kind, number: u64) -> PathBuf {
        let [_, unfinished] = kind.endings();
        self.segment(kind, number).with_extension(unfinished)
    }

    /// Gives a finished segment its name; it is safely there when this returns.
    pub(super) fn finish(&self, kind: Kind, number: u64) -> Result<(), Error> {
        let (from, to) = (self.unfinished(kind, number), self.segment(kind, number));
        fs::rename(&from, &to).map_err(|source| Error::Io { path: from, source })?;
        self.sync_segments()
    }

    /// Writes a segment; it is safely there when this returns, or nothing of it is.
    pub(super) fn write_segment<T>(
        &self,
        kind: Kind,
        number: u64,
        write: impl FnOnce(&Path) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let unfinished = self.unfinished(kind, number);
        let written = write(&unfinished).inspect_err(|_| {
            // One that cannot be removed is swept away by the next writer.
            let _ = fs::remove_file(&unfinished);
        })?;
        self.finish(kind, number)?;
        Ok(written)
    }

    pub(super) fn sync_segments(&self) -> Result<(), Error> {
        sync(&self.segments())
    }

    /// Whether its permissions let others than its owner at it, or at one of its files; its key is not
    /// looked at.
    pub fn is_open_to_others(&self) -> bool {
        let parts = self.parts();
        parts.iter().any(|path| private::is_open_to_others(path))
    }

    /// Keeps others out, also of what older programs wrote.
    pub(super) fn tighten(&self) {
        for path in self.parts() {
            private::tighten(&path);
        }
    }

    /// The folders and files that may be there, all but the key.
    fn parts(&self) -> Vec<PathBuf> {
        let catalog = self.catalog();
        let [journal, shared] = ["sqlite-wal", "sqlite-shm"].map(|end| catalog.with_extension(end));
        let mut parts = vec![
            self.path.clone(),
            catalog,
            journal,
            shared,
            self.lock(),
            self.segments(),
        ];
        parts.extend(self.segment_files().unwrap_or_default());
        if self.is_sharded() {
            parts.push(self.path.join(shards::MANIFEST));
            let below = files_in(&self.path).unwrap_or_default();
            let shards = below.iter().filter(|path| shards::is_shard(path));
            parts.extend(shards.flat_map(|path| Folder::new(path).parts()));
        }
        parts
    }

    /// Removes what no catalogue names: segments that were replaced, and what a crash left behind.
    /// Says how many files that were.
    pub(super) fn sweep(&self, numbers: &[u64]) -> Result<u64, Error> {
        let unnamed = self.unnamed(numbers)?;
        let count = unnamed.len() as u64;
        for path in unnamed {
            fs::remove_file(&path).map_err(|source| Error::Io { path, source })?;
        }
        Ok(count)
    }

    /// The segments, finished or not, that have none of these numbers.
    pub(super) fn unnamed(&self, numbers: &[u64]) -> Result<Vec<PathBuf>, Error> {
        let of_number = |&number: &u64| Kind::ALL.map(|kind| self.segment(kind, number));
        let named: Vec<PathBuf> = numbers.iter().flat_map(of_number).collect();
        let mut files = files_in(&self.segments())?;
        files.retain(|path| {
            let ours = Kind::ALL.map(Kind::endings);
            let suffix = path.extension().map(|suffix| suffix.to_string_lossy());
            let is_ours = |suffix: &str| ours.as_flattened().contains(&suffix);
            suffix.as_deref().is_some_and(is_ours) && !named.contains(path)
        });
        Ok(files)
    }

    /// Moves a registry that nobody has open to where there is none. It appears there when the
    /// catalogue does, which comes last.
    pub(super) fn move_to(&self, to: &Folder) -> Result<(), Error> {
        let segments = to.segments();
        private::make_folder(&segments).map_err(|source| Error::Io {
            path: segments.clone(),
            source,
        })?;
        private::tighten(to.path());
        for path in self.segment_files()? {
            let name = path.file_name().unwrap_or_default();
            fs::rename(&path, segments.join(name)).map_err(|source| Error::Io { path, source })?;
        }
        to.sync_segments()?;
        let catalog = self.catalog();
        fs::rename(&catalog, to.catalog()).map_err(|source| Error::Io {
            path: catalog,
            source,
        })?;
        sync(to.path())
    }

    /// The segment files that are there, by number and whether they are finished.
    pub(super) fn segment_files(&self) -> Result<Vec<PathBuf>, Error> {
        files_in(&self.segments())
    }
}

/// Makes the entries of a folder safe.
pub(super) fn sync(folder: &Path) -> Result<(), Error> {
    private::sync_folder(folder).map_err(|source| Error::Io {
        path: folder.to_owned(),
        source,
    })
}

/// How many files are in a folder and in those below it.
fn count_files(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let count = |path: &Path| if path.is_dir() { count_files(path) } else { 1 };
    entries.map(|entry| count(&entry.path())).sum()
}

/// The files in a folder, sorted.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let list = || -> io::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder)? {
            paths.push(entry?.path());
        }
        paths.sort();
        Ok(paths)
    };
    list().map_err(|source| Error::Io {
        path: folder.to_owned(),
        source,
    })
}
