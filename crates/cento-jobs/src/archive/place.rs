//! Where an archive is.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Which archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ArchiveOptions {
    /// Its folder.
    pub archive: PathBuf,
}

impl Default for ArchiveOptions {
    /// The folder `archive`.
    fn default() -> ArchiveOptions {
        ArchiveOptions {
            archive: PathBuf::from("archive"),
        }
    }
}
