//! Remove pages or versions for good.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::store::{PayloadId, Store, Tables, Version};
use super::{ArchiveOptions, find};
use crate::error::Result;
use crate::watch::Watch;

/// What to forget.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Of which archive.
    pub archive: ArchiveOptions,
    /// Pages, or versions as `NAME@VERSION`.
    pub names: Vec<String>,
}

/// What was forgotten.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// How many versions.
    pub versions: u64,
    /// How many pages, with all their versions.
    pub pages: u64,
    /// How many bytes smaller the archive is.
    pub reclaimed: u64,
}

/// Forgets all that is named, or nothing.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let mut store = Store::write(&options.archive, "archive forget", watch)?;
    // What an earlier run left in the journal is not what this one gives back.
    store.shrink()?;
    let before = store.disk_bytes();
    let mut outcome = store.change(|tables| {
        let mut outcome = Outcome::default();
        let named = options.names.iter();
        let named: Result<Vec<_>> = named
            .map(|text| find::page_or_version(tables, text))
            .collect();
        for (page, version) in named? {
            watch.go_on()?;
            let page = (page.0, page.1.as_str());
            // A page may be named beside its versions, or twice.
            let is_there = match &version {
                Some(version) => tables.version(page, version.number)?.is_some(),
                None => tables.find_name(page.1)?.is_some(),
            };
            if !is_there {
                continue;
            }
            tables.remember_number(page.1, tables.highest_number(page.0)?)?;
            outcome.versions += match version {
                Some(version) => {
                    forget_version(tables, page, version.number)?;
                    1
                }
                None => tables.remove_versions(page.0)?,
            };
            outcome.pages += u64::from(tables.remove_empty_name(page.0)?);
        }
        rebase(tables, watch)?;
        Ok(outcome)
    })?;
    store.shrink()?;
    outcome.reclaimed = before.saturating_sub(store.disk_bytes());
    Ok(outcome)
}

/// Removes a version. If others were compared with it, the first of them takes its place.
fn forget_version(tables: &Tables<'_>, page: (i64, &str), number: u64) -> Result<()> {
    let versions = tables.versions(page)?;
    let followers = versions.iter().filter(|other| other.root == Some(number));
    let followers: Vec<&Version> = followers.collect();
    if let Some(heir) = followers.first().map(|heir| heir.number) {
        for version in followers {
            let root = Some(heir).filter(|heir| *heir != version.number);
            let version = Version {
                root,
                ..version.clone()
            };
            tables.put_version(page, &version)?;
        }
    }
    tables.remove_version(page.0, number)
}

/// Removes payloads that no version has. What was a patch against one of them becomes a patch against
/// something that stays, or whole; all of that before anything is removed.
fn rebase(tables: &Tables<'_>, watch: &Watch<'_>) -> Result<()> {
    let payloads = tables.payloads()?;
    let bases: BTreeMap<PayloadId, Option<PayloadId>> = payloads
        .iter()
        .map(|payload| (payload.id, payload.base))
        .collect();
    let kept = tables.used_payloads()?;
    let stays = |id: &PayloadId| kept.contains(id);
    // What the first patch against a payload that goes becomes, the others may refer to.
    let mut heirs: BTreeMap<PayloadId, PayloadId> = BTreeMap::new();
    for payload in payloads.iter().filter(|payload| stays(&payload.id)) {
        watch.go_on()?;
        let Some(base) = payload.base.filter(|base| !stays(base)) else {
            continue;
        };
        let mut above = Some(base);
        let mut seen = BTreeSet::new();
        while let Some(next) = above.filter(|next| !stays(next) && seen.insert(*next)) {
            above = bases.get(&next).copied().flatten();
        }
        let heir = heirs.get(&base).copied();
        tables.repack(payload.id, above.or(heir))?;
        heirs.entry(base).or_insert(payload.id);
    }
    tables.remove_payloads(|id| !stays(&id), &payloads)
}
