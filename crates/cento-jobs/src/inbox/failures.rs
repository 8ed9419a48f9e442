//! What could not be registered, so that it is said once and tried again only when it changes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use cento::report::Skipped;
use serde::{Deserialize, Serialize};

use super::Look;
use crate::error::{File as _, Result};
use crate::files;

const FILE: &str = "failed.json";

/// The files that stay where they are.
pub(super) struct Failures {
    path: PathBuf,
    files: BTreeMap<String, Failure>,
    /// What has been said of names that are no files.
    said: BTreeSet<String>,
}

#[derive(Serialize, Deserialize)]
struct Failure {
    bytes: u64,
    /// Nanoseconds since 1970, as text: they are too many for some readers of numbers.
    modified: String,
    reason: String,
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
        Ok(Failures {
            path,
            files,
            said: BTreeSet::new(),
        })
    }

    /// Whether a file failed as it is now.
    pub(super) fn has(&self, name: &str, look: Look) -> bool {
        let failed = self.files.get(name);
        failed.is_some_and(|failed| failed.bytes == look.0 && failed.modified == text(look.1))
    }

    pub(super) fn add(&mut self, name: &str, look: Look, skipped: &Skipped) -> Result<()> {
        let failure = Failure {
            bytes: look.0,
            modified: text(look.1),
            reason: skipped.reason.clone(),
        };
        self.files.insert(name.to_owned(), failure);
        self.write()
    }

    /// Forgets those that somebody has taken away or changed.
    pub(super) fn forget_missing(&mut self, now: &BTreeMap<String, Look>) -> Result<()> {
        let before = self.files.len();
        let mut kept = std::mem::take(&mut self.files);
        kept.retain(|name, failed| {
            let look = now.get(name);
            look.is_some_and(|look| failed.bytes == look.0 && failed.modified == text(look.1))
        });
        self.files = kept;
        if self.files.len() == before {
            return Ok(());
        }
        self.write()
    }

    /// Whether something is said for the first time in this run.
    pub(super) fn is_new(&mut self, name: &str) -> bool {
        self.said.insert(name.to_owned())
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
