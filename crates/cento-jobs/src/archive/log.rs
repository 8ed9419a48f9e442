//! List the versions of a page, or all pages.

use serde::{Deserialize, Serialize};

use super::store::{Store, Tables, Version};
use super::{ArchiveOptions, Kind, base32, find, hex, moment};
use crate::archive::add::sum;
use crate::error::Result;
use crate::watch::Watch;

/// Which page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of which archive.
    pub archive: ArchiveOptions,
    /// The page; without one, all pages.
    pub name: Option<String>,
    /// Compute SHA-1 as well, which means to unpack every version.
    pub sha1: bool,
}

/// What there is.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// The versions of a page, in their order.
    Versions(Vec<Entry>),
    /// The pages, by name.
    Pages(Vec<PageEntry>),
}

/// A version of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// The page.
    pub name: String,
    /// The number of the version.
    pub version: u64,
    /// When it was fetched or made.
    pub time: String,
    /// How it differs from what came before.
    pub kind: Kind,
    /// The version stored whole that it was compared with; its own number if that is itself.
    pub whole: u64,
    /// How similar it is to the version that it was compared with, from 0 to 1.
    pub similarity: Option<f64>,
    /// The Plagiarex digest of its text.
    pub digest: Option<String>,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// SHA-1 of its bytes as web archives write it, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha1: Option<String>,
    /// How many bytes it has.
    pub length: u64,
    /// How many bytes are stored for it; 0 if an earlier version has the same.
    pub stored: u64,
    /// How many patches lead from a whole page to it.
    pub patches: u64,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PageEntry {
    /// Its name or address.
    pub name: String,
    /// How many versions it has.
    pub versions: u64,
    /// How many of them are significant.
    pub significant: u64,
    /// When the earliest was fetched.
    pub first: String,
    /// When the latest was fetched.
    pub last: String,
}

/// Lists.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let store = Store::read(&options.archive)?;
    let tables = store.tables();
    let Some(name) = &options.name else {
        return pages(&tables, watch).map(Outcome::Pages);
    };
    let name = find::page(&tables, name)?;
    let versions = tables.versions((name.0, &name.1))?;
    let mut entries = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for version in &versions {
        watch.go_on()?;
        let is_new = seen.insert(version.payload);
        entries.push(entry(&tables, &name.1, version, is_new, options.sha1)?);
    }
    Ok(Outcome::Versions(entries))
}

fn entry(
    tables: &Tables<'_>,
    name: &str,
    version: &Version,
    is_new: bool,
    with_sha1: bool,
) -> Result<Entry> {
    let payload = tables.payload(version.payload)?;
    let sha1 = if with_sha1 {
        let bytes = tables.bytes(version.payload)?;
        Some(format!("sha1:{}", base32::encoded(&sum(&bytes))))
    } else {
        None
    };
    let mut patches = 0;
    let mut base = payload.base;
    while let Some(next) = base {
        patches += 1;
        base = tables.payload(next)?.base;
    }
    Ok(Entry {
        name: name.to_owned(),
        version: version.number,
        time: moment::written(version.time),
        kind: version.kind,
        whole: version.root(),
        similarity: version.similarity.map(|it| f64::from(it) / 10_000.0),
        digest: version.mark.clone(),
        sha256: hex(&payload.digest),
        sha1,
        length: payload.length,
        stored: if is_new { payload.stored } else { 0 },
        patches,
    })
}

fn pages(tables: &Tables<'_>, watch: &Watch<'_>) -> Result<Vec<PageEntry>> {
    let mut pages = Vec::new();
    for (id, name) in tables.names()? {
        watch.go_on()?;
        let versions = tables.versions((id, &name))?;
        // Versions are numbered as they were added, which need not be the order of their times.
        let times = versions.iter().map(|version| version.time);
        let (Some(first), Some(last)) = (times.clone().min(), times.max()) else {
            continue;
        };
        let is_significant = |version: &&Version| version.kind == Kind::Significant;
        pages.push(PageEntry {
            versions: versions.len() as u64,
            significant: versions.iter().filter(is_significant).count() as u64,
            first: moment::written(first),
            last: moment::written(last),
            name,
        });
    }
    Ok(pages)
}
