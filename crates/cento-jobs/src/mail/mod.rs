//! Bulk mail: how often a message, or one nearly the same, was seen in the last hour, day and week.
//!
//! A store ([`cento::index::sightings`]) is open in one process. A [`Desk`] asks it, wherever it is: it opens
//! the store, or asks the process that has it open through a socket in the folder of the store. So the
//! command line, a milter and the server can ask one store, and if the one that has it ends, another takes
//! over.

pub mod check;
mod desk;
pub mod filter;
pub mod init;
pub mod mark;
#[cfg(unix)]
mod socket;
pub mod stats;
mod verdict;
mod wire;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub use desk::{Desk, Duty};
pub use verdict::{Checked, Counts, HEADER, Near, Verdict};

use crate::error::Result;
use crate::method::GivenKey;
use crate::registry::{Place, RegistryOptions};
use crate::watch::Watch;

/// Which store, and where its key comes from: a file that is named, a key that is given, or the file beside
/// the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StoreOptions {
    /// Its folder.
    pub store: PathBuf,
    /// The file of its key.
    pub key_file: Option<PathBuf>,
    /// Its key, if there is no file.
    #[serde(skip)]
    pub key: Option<GivenKey>,
}

impl Default for StoreOptions {
    /// The folder `mail-store`.
    fn default() -> StoreOptions {
        StoreOptions {
            store: PathBuf::from("mail-store"),
            key_file: None,
            key: None,
        }
    }
}

impl StoreOptions {
    /// Finds the key.
    pub(crate) fn place(&self, watch: &Watch<'_>) -> Result<Place> {
        let StoreOptions {
            store,
            key_file,
            key,
        } = self.clone();
        let options = RegistryOptions {
            registry: store,
            key_file,
            key,
        };
        options.place(watch)
    }
}
