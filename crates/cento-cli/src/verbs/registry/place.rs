//! Where a registry is, and the key that opens it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::index::registry::{Folder, Registry, Snapshot};
use cento::{Error, Key};

use crate::args::{General, RegistryOptions, WhichRegistry};
use crate::config::{self, Settings, Typed, settle};
use crate::{output, time};

/// A registry that can be opened.
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    key: Key,
    /// Where the key comes from, if it was found.
    key_source: Option<String>,
}

impl Place {
    /// The registry of these settings.
    pub(crate) fn of(settings: &Settings) -> Result<Place> {
        Place::at(&settings.registry, settings.key_file.as_deref())
    }

    /// The registry of the options of a verb that reads no documents, and the settings.
    pub(crate) fn named(options: RegistryOptions, general: &General) -> Result<(Place, Settings)> {
        let RegistryOptions {
            which, key_file, ..
        } = options;
        let settings = settings(which, key_file, general)?;
        Ok((Place::of(&settings)?, settings))
    }

    /// The registry in a folder: its key is in a file that was named, in the environment, or beside
    /// it.
    pub(crate) fn at(path: &Path, key_file: Option<&Path>) -> Result<Place> {
        let beside = Folder::new(path).key();
        let has_variable = std::env::var("CENTO_KEY").is_ok_and(|key| !key.is_empty());
        let (key, key_source) = match key_file {
            Some(file) => (config::key(Some(file))?, Some(file.display().to_string())),
            None if has_variable => (config::key(None)?, Some("CENTO_KEY".to_owned())),
            None if beside.exists() => {
                warn_of_others(&beside);
                let key = config::key(Some(&beside))?;
                (key, Some(beside.display().to_string()))
            }
            None => (Key::PUBLIC, None),
        };
        Ok(Place {
            path: path.to_owned(),
            key,
            key_source,
        })
    }

    /// Opens it to read.
    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        Snapshot::open(&self.path, &self.key, &time::now()).map_err(|error| self.explained(error))
    }

    /// Opens it to write; `verb` is what other writers are told that we do.
    pub(crate) fn writer(&self, verb: &str) -> Result<Registry> {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let on = match host.trim() {
            "" => String::new(),
            host => format!(" on {host}"),
        };
        let holder = format!("`cento {verb}`{on} since {}", time::now());
        Registry::open(&self.path, &self.key, &holder).map_err(|error| self.explained(error))
    }

    pub(crate) fn key(&self) -> &Key {
        &self.key
    }

    /// A wrong key may be no key at all.
    fn explained(&self, error: Error) -> anyhow::Error {
        match (&error, &self.key_source) {
            (Error::WrongKey { expected, .. }, None) => anyhow::anyhow!(
                "{}: the registry has the key {expected}, and it is not in {}; give it by \
                 --key-file or in CENTO_KEY",
                self.path.display(),
                Folder::new(&self.path).key().display()
            ),
            (Error::WrongKey { .. }, Some(source)) => {
                anyhow::Error::new(error).context(format!("the key from {source}"))
            }
            (Error::NoRegistry { .. }, _) => {
                anyhow::anyhow!("{error}; `cento registry init` makes one")
            }
            _ => error.into(),
        }
    }
}

/// The settings of a verb that reads no documents.
pub(super) fn settings(
    which: WhichRegistry,
    key_file: Option<PathBuf>,
    general: &General,
) -> Result<Settings> {
    let mut typed = Typed {
        which,
        ..Typed::default()
    };
    typed.reading.key_file = key_file;
    settle(typed, general)
}

/// The key in a file, or a new one if there is no such file; says whether it is new.
pub(super) fn key_in(path: &Path) -> Result<(Key, bool)> {
    if path.exists() {
        return Ok((config::key(Some(path))?, false));
    }
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("no random numbers: {error}"))?;
    let digits = format!("{:032x}\n", u128::from_be_bytes(bytes));
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || {
        let mut file = options.open(path)?;
        file.write_all(digits.as_bytes())?;
        file.sync_all()
    };
    write().with_context(|| path.display().to_string())?;
    Ok((Key::new(bytes), true))
}

/// Says so if others may read the key.
fn warn_of_others(path: &Path) {
    #[cfg(unix)]
    if let Ok(metadata) = path.metadata() {
        use std::os::unix::fs::PermissionsExt as _;
        if metadata.permissions().mode() & 0o077 != 0 {
            let path = path.display();
            output::message(&format!(
                "warning: others may read the key in {path}; `chmod 600 {path}` keeps it secret"
            ));
        }
    }
}

/// Refuses a folder that has something else in it.
pub(super) fn expect_empty(path: &Path) -> Result<()> {
    let mut entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    if Folder::new(path).exists() {
        bail!("{}: there is a registry already", path.display());
    }
    if entries.next().is_some() {
        bail!(
            "{}: the folder is not empty; name a new one",
            path.display()
        );
    }
    Ok(())
}
