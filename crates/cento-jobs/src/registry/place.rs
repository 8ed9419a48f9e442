//! Where a registry is, and the key that opens it.

use std::path::{Path, PathBuf};

use cento::Key;
use cento::index::registry::{
    Folder, Registry, ShardWork, ShardedRegistry, Snapshot, is_open_to_others,
};
use serde::{Deserialize, Serialize};

use crate::error::{At as _, Error, File as _, Result};
use crate::files;
use crate::method::{GivenKey, key_in};
use crate::time;
use crate::watch::{Remark, Watch};

/// Which registry, and where its key comes from: a file that is named, a key that is given, or the
/// file beside the registry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RegistryOptions {
    /// Its folder.
    pub registry: PathBuf,
    /// The file of its key.
    pub key_file: Option<PathBuf>,
    /// Its key, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
}

impl Default for RegistryOptions {
    /// The folder `registry`.
    fn default() -> RegistryOptions {
        RegistryOptions {
            registry: PathBuf::from("registry"),
            key_file: None,
            key: None,
        }
    }
}

/// A registry that can be opened.
pub struct Place {
    /// Its folder.
    pub path: PathBuf,
    /// Its key, or the public one.
    pub key: Key,
    /// Where the key comes from, if it was found.
    key_source: Option<String>,
}

impl RegistryOptions {
    /// Finds the key, for somebody who writes: that closes the registry to others.
    pub fn place(&self, watch: &Watch<'_>) -> Result<Place> {
        if let Some(file) = self.open_key() {
            watch.remark(Remark::OpenKey(file));
        }
        self.find_key()
    }

    /// The same for somebody who reads: whoever owns the registry should know that it is open.
    pub fn place_to_read(&self, watch: &Watch<'_>) -> Result<Place> {
        let folder = Folder::new(&self.registry);
        if !folder.exists() || !folder.is_open_to_others() {
            return self.place(watch);
        }
        let key = self.open_key();
        let with_key = key.as_ref() == Some(&folder.key());
        watch.remark(Remark::OpenRegistry {
            path: self.registry.clone(),
            with_key,
        });
        if let Some(file) = key.filter(|_| !with_key) {
            watch.remark(Remark::OpenKey(file));
        }
        self.find_key()
    }

    /// The file of the key, if others may read it.
    fn open_key(&self) -> Option<PathBuf> {
        let file = match (&self.key_file, &self.key) {
            (Some(file), _) => file.clone(),
            (None, Some(_)) => return None,
            (None, None) => Folder::new(&self.registry).key(),
        };
        is_open_to_others(&file).then_some(file)
    }

    fn find_key(&self) -> Result<Place> {
        let beside = Folder::new(&self.registry).key();
        let (key, key_source) = match (&self.key_file, &self.key) {
            (Some(file), _) => (
                key_in(file).for_option("key-file")?,
                Some(file.display().to_string()),
            ),
            (None, Some(given)) => (given.key()?, Some(given.source.clone())),
            (None, None) if beside.exists() => {
                (key_in(&beside)?, Some(beside.display().to_string()))
            }
            (None, None) => (Key::PUBLIC, None),
        };
        Ok(Place {
            path: self.registry.clone(),
            key,
            key_source,
        })
    }

    /// Another registry whose key comes from the same place.
    pub(crate) fn at(&self, path: &Path) -> RegistryOptions {
        RegistryOptions {
            registry: path.to_owned(),
            ..self.clone()
        }
    }
}

impl Place {
    /// Opens it to read.
    pub fn snapshot(&self) -> Result<Snapshot> {
        Snapshot::open(&self.path, &self.key, &time::now()).map_err(|error| self.explained(error))
    }

    /// Opens it to write; a second writer is told that `job` is running.
    pub fn writer(&self, job: &str, watch: &Watch<'_>) -> Result<Registry> {
        let registry = Registry::open(&self.path, &self.key, &holder(job));
        let registry = registry.map_err(|error| self.explained(error))?;
        watch.cleaned_up(&self.path, registry.cleaned());
        Ok(registry)
    }

    /// Opens its shards to write to them.
    pub(crate) fn shards_writer(&self, job: &str, watch: &Watch<'_>) -> Result<ShardedRegistry> {
        let shards = ShardedRegistry::open(&self.path, &self.key, &holder(job));
        let shards = shards.map_err(|error| self.explained(error))?;
        watch.cleaned_up(&self.path, shards.cleaned());
        Ok(shards)
    }

    /// Opens its shards to work on one of them.
    pub(crate) fn shard_work(&self) -> Result<ShardWork> {
        ShardWork::open(&self.path, &self.key).map_err(|error| self.explained(error))
    }

    /// A wrong key may be no key at all.
    pub(super) fn explained(&self, error: cento::Error) -> Error {
        match (error, &self.key_source) {
            (cento::Error::WrongKey { expected, .. }, None) => Error::NoKey {
                path: self.path.clone(),
                expected,
                beside: Folder::new(&self.path).key(),
            },
            (error @ cento::Error::WrongKey { .. }, Some(source)) => Error::At {
                place: format!("the key from {source}"),
                source: Box::new(error.into()),
            },
            (error, _) => error.into(),
        }
    }
}

/// What another writer is told about us.
fn holder(job: &str) -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let on = match host.trim() {
        "" => String::new(),
        host => format!(" on {host}"),
    };
    format!("`cento {job}`{on} since {}", time::now())
}

/// A key that a registry is made with.
pub(crate) struct KeyFile {
    pub(crate) key: Key,
    path: PathBuf,
    is_new: bool,
}

impl KeyFile {
    /// Removes a key that was made for a registry which could not be made.
    pub(crate) fn take_back(&self) {
        if self.is_new {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The key in a file, or a new one if there is no such file.
pub(crate) fn key_or_new(path: &Path, watch: &Watch<'_>) -> Result<KeyFile> {
    let unfinished = files::unfinished(path);
    if std::fs::remove_file(&unfinished).is_ok() {
        watch.cleaned_up(&unfinished, 1);
    }
    let file = |key: Key, is_new: bool| KeyFile {
        key,
        path: path.to_owned(),
        is_new,
    };
    if path.exists() {
        return Ok(file(key_in(path)?, false));
    }
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Error::refused(format!("no random numbers: {error}")))?;
    let digits = format!("{:032x}\n", u128::from_be_bytes(bytes));
    files::make_secret(path, &digits).of(path)?;
    Ok(file(Key::new(bytes), true))
}

/// Refuses a folder that has something else in it than what an interrupted run left, and removes that.
pub(crate) fn make_room(path: &Path, watch: &Watch<'_>) -> Result<()> {
    match std::fs::read_dir(path) {
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).of(path),
    }
    let refused = |reason: &str| Err(Error::refused(reason)).at(path.display());
    let folder = Folder::new(path);
    if folder.exists() {
        if folder.is_sharded() {
            // Nobody writes to shards who would remove it.
            watch.cleaned_up(path, folder.clean()?);
        }
        return refused("there is a registry already");
    }
    if !Folder::new(path).is_unfinished() {
        return refused("the folder is not empty; name a new one");
    }
    watch.cleaned_up(path, Folder::new(path).clean()?);
    Ok(())
}
