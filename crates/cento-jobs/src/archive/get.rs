//! Give a version back, byte for byte.

use serde::{Deserialize, Serialize};

use super::store::Store;
use super::{ArchiveOptions, find, hex, moment};
use crate::error::Result;
use crate::watch::Watch;

/// Which version.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of which archive.
    pub archive: ArchiveOptions,
    /// `NAME@VERSION`; without a version the last one.
    pub version: String,
    /// As it was transferred, chunked or compressed perhaps, instead of the page.
    pub transferred: bool,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The page.
    pub name: String,
    /// The number of the version.
    pub version: u64,
    /// When it was fetched or made.
    pub time: String,
    /// SHA-256 of the bytes, which they have been compared with.
    pub sha256: String,
    /// How many bytes there are.
    pub length: u64,
    /// The bytes.
    #[serde(skip)]
    pub bytes: Vec<u8>,
}

/// Gives a version back.
pub fn run(options: &Options, _: &Watch<'_>) -> Result<Outcome> {
    let store = Store::read(&options.archive)?;
    let tables = store.tables();
    let (name, version) = find::version(&tables, &options.version)?;
    let payload = match version.transfer {
        Some(transfer) if options.transferred => transfer,
        _ => version.payload,
    };
    let bytes = tables.bytes(payload)?;
    Ok(Outcome {
        name,
        version: version.number,
        time: moment::written(version.time),
        sha256: hex(&tables.payload(payload)?.digest),
        length: bytes.len() as u64,
        bytes,
    })
}
