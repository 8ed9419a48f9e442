//! What could not be registered, so that it is said once and tried again only when it changes.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cento::report::Skipped;
use serde::{Deserialize, Serialize};

use super::{Arrivals, Look};
use crate::error::{File as _, Result};
use crate::files;

const FILE: &str = "failed.json";

/// The files that stay where they are.
pub(super) struct Failures {
    path: PathBuf,
    files: BTreeMap<String, Failure>,
}

#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct Failure {
    bytes: u64,
    /// Nanoseconds since 1970, as text: they are too many for some readers of numbers. Of what is no
    /// file, nothing.
    modified: String,
    reason: String,
}

impl Failure {
    fn of_file(look: Look, reason: &str) -> Failure {
        Failure {
            bytes: look.0,
            modified: text(look.1),
            reason: reason.to_owned(),
        }
    }

    /// A folder changes whenever something is put into it, and is no better for it.
    fn of_other(reason: &str) -> Failure {
        Failure {
            bytes: 0,
            modified: String::new(),
            reason: reason.to_owned(),
        }
    }
}

impl Failures {
    /// Those that an earlier run noted.
    pub(super) fn read(done: &Path) -> Result<Failures> {
        let path = done.join(FILE);
        let files = match std::fs::read(&path) {
            // Without the note they are tried again, and said again.
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(error).of(&path),
        };
        Ok(Failures { path, files })
    }

    /// Whether a file failed as it is now.
    pub(super) fn has(&self, name: &str, look: Look) -> bool {
        let failed = self.files.get(name);
        failed.is_some_and(|failed| failed.bytes == look.0 && failed.modified == text(look.1))
    }

    pub(super) fn add(&mut self, name: &str, look: Look, skipped: &Skipped) -> Result<()> {
        let failure = Failure::of_file(look, &skipped.reason);
        self.files.insert(name.to_owned(), failure);
        self.write()
    }

    /// Whether this is known of something that is no file.
    pub(super) fn has_other(&self, name: &str, reason: &str) -> bool {
        self.files.get(name) == Some(&Failure::of_other(reason))
    }

    pub(super) fn add_other(&mut self, name: &str, reason: &str) -> Result<()> {
        self.files
            .insert(name.to_owned(), Failure::of_other(reason));
        self.write()
    }

    /// Forgets those that somebody has taken away or changed.
    pub(super) fn forget_missing(&mut self, now: &Arrivals) -> Result<()> {
        let before = self.files.len();
        let is_there = |name: &String, failed: &Failure| {
            let file = now.files.get(name);
            let file = file.map(|look| Failure::of_file(*look, &failed.reason));
            let other = || now.others.get(name).map(|reason| Failure::of_other(reason));
            file.or_else(other).as_ref() == Some(failed)
        };
        self.files.retain(|name, failed| is_there(name, failed));
        if self.files.len() == before {
            return Ok(());
        }
        self.write()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = Skipped> {
        let files = self.files.iter();
        files.map(|(name, failed)| Skipped::new(name.clone(), failed.reason.clone()))
    }

    fn write(&self) -> Result<()> {
        let text = serde_json::to_string_pretty(&self.files).unwrap_or_default();
        let new = files::unfinished(&self.path);
        let write = || {
            let mut file = std::fs::File::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            std::fs::rename(&new, &self.path)?;
            files::sync_name(&self.path)
        };
        write().of(&self.path)
    }
}

fn text(time: SystemTime) -> String {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => since.as_nanos().to_string(),
        Err(before) => format!("-{}", before.duration().as_nanos()),
    }
}
