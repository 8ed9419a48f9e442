//! Count what an archive has, and what it takes.

use serde::{Deserialize, Serialize};

use super::store::{PayloadId, Store};
use super::{ArchiveOptions, Kind};
use crate::error::Result;
use crate::watch::Watch;

/// Of which archive.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The archive.
    pub archive: ArchiveOptions,
}

/// What there is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// When the archive was made.
    pub created: String,
    /// The recipe of its digests.
    pub recipe: String,
    /// From this similarity on a change is insignificant.
    pub level: f64,
    /// The largest share of a page that its difference from the whole version may be.
    pub patch_share: f64,
    /// How many pages.
    pub pages: u64,
    /// How many versions.
    pub versions: u64,
    /// Of these, those with the same bytes as the version before.
    pub same: u64,
    /// Those with the same text.
    pub same_text: u64,
    /// Those that differ little.
    pub insignificant: u64,
    /// Those that differ much, and the first ones.
    pub significant: u64,
    /// How many payloads are stored whole, headers included.
    pub whole: u64,
    /// How many as patches.
    pub patches: u64,
    /// How many bytes the versions have, all together.
    pub bytes: u64,
    /// How many bytes the whole payloads take.
    pub whole_bytes: u64,
    /// How many bytes the patches take.
    pub patch_bytes: u64,
    /// How many bytes the archive takes on the disk.
    pub disk_bytes: u64,
}

/// Counts.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let store = Store::read(&options.archive)?;
    let tables = store.tables();
    let mut outcome = Outcome {
        created: store.setting("created")?,
        recipe: store.setting("recipe")?,
        level: store.setting("level")?.parse().unwrap_or_default(),
        patch_share: store.setting("patch-share")?.parse().unwrap_or_default(),
        disk_bytes: store.disk_bytes(),
        ..Outcome::default()
    };
    let mut lengths: std::collections::HashMap<PayloadId, u64> = std::collections::HashMap::new();
    for payload in tables.payloads()? {
        if payload.base.is_some() {
            outcome.patches += 1;
            outcome.patch_bytes += payload.stored;
        } else {
            outcome.whole += 1;
            outcome.whole_bytes += payload.stored;
        }
        lengths.insert(payload.id, payload.length);
    }
    for (id, name) in tables.names()? {
        watch.go_on()?;
        outcome.pages += 1;
        for version in tables.versions((id, &name))? {
            outcome.versions += 1;
            outcome.bytes += lengths.get(&version.payload).copied().unwrap_or(0);
            *match version.kind {
                Kind::Same => &mut outcome.same,
                Kind::Text => &mut outcome.same_text,
                Kind::Insignificant => &mut outcome.insignificant,
                Kind::Significant => &mut outcome.significant,
            } += 1;
        }
    }
    Ok(outcome)
}
