//! Check an archive for damage.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::add::Head;
use super::store::{PayloadId, Store, Tables};
use super::{ArchiveOptions, hex};
use crate::error::Result;
use crate::watch::{Step, Watch};

/// Which archive.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// The archive.
    pub archive: ArchiveOptions,
}

/// What was looked at, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Outcome {
    /// How many versions.
    pub versions: u64,
    /// How many payloads.
    pub payloads: u64,
    /// What is wrong; nothing if all is well.
    pub faults: Vec<String>,
}

/// Unpacks everything and compares it with its checksums.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let store = Store::read(&options.archive)?;
    let tables = store.tables();
    let mut outcome = Outcome {
        faults: tables.integrity()?,
        ..Outcome::default()
    };
    let payloads = tables.payloads()?;
    outcome.payloads = payloads.len() as u64;
    watch.begin(Step::Checking, payloads.len(), 0);
    let mut broken = BTreeMap::new();
    for payload in &payloads {
        watch.go_on()?;
        if let Err(error) = tables.bytes(payload.id) {
            broken.insert(payload.id, error.sentence());
        }
        watch.advance(1, 0);
    }
    let there: BTreeSet<PayloadId> = payloads.iter().map(|payload| payload.id).collect();
    let mut used = BTreeSet::new();
    for (id, name) in tables.names()? {
        let page = Page {
            name: (id, &name),
            there: &there,
            broken: &broken,
        };
        outcome.versions += page.check(&tables, &mut used, &mut outcome.faults)?;
    }
    for payload in &payloads {
        if !used.contains(&payload.id) {
            let fault = broken.get(&payload.id).cloned().unwrap_or_else(|| {
                let digest = hex(&payload.digest[..payload.digest.len().min(6)]);
                format!("payload {} ({digest}) belongs to no version", payload.id.0)
            });
            outcome.faults.push(fault);
        }
    }
    let damaged = tables.damaged_numbers()?;
    if damaged > 0 {
        outcome.faults.push(format!(
            "what is known of forgotten versions is damaged: {damaged} of its entries do not have their \
             checksums"
        ));
    }
    watch.end();
    Ok(outcome)
}

struct Page<'p> {
    name: (i64, &'p str),
    there: &'p BTreeSet<PayloadId>,
    broken: &'p BTreeMap<PayloadId, String>,
}

impl Page<'_> {
    /// What is wrong with a payload, if anything.
    fn wrong(&self, payload: PayloadId) -> Option<&str> {
        match self.broken.get(&payload) {
            Some(reason) => Some(reason),
            None => (!self.there.contains(&payload)).then_some("it is missing"),
        }
    }

    /// Checks all versions of a page; says how many there are.
    fn check(
        &self,
        tables: &Tables<'_>,
        used: &mut BTreeSet<PayloadId>,
        faults: &mut Vec<String>,
    ) -> Result<u64> {
        let versions = tables.entries(self.name)?;
        let shown = self.name.1.escape_debug();
        let numbers: BTreeSet<u64> = versions.iter().map(|(version, _)| version.number).collect();
        for (version, is_sealed) in &versions {
            let number = version.number;
            let mut fault = |reason: &str| faults.push(format!("{shown}@{number}: {reason}"));
            if !is_sealed {
                fault("its entry does not have its checksum");
            }
            if !numbers.contains(&version.root()) {
                fault(&format!(
                    "version {}, which it belongs to, is missing",
                    version.root()
                ));
            }
            used.insert(version.payload);
            if let Some(reason) = self.wrong(version.payload) {
                fault(&format!("it cannot be given back: {reason}"));
            }
            for (what, payload) in [("headers", version.head), ("transfer", version.transfer)] {
                let Some(payload) = payload else { continue };
                used.insert(payload);
                let is_head = what == "headers";
                if let Some(reason) = self.wrong(payload) {
                    fault(&format!("its {what} cannot be given back: {reason}"));
                } else if is_head && Head::decoded(&tables.bytes(payload)?).is_none() {
                    fault("its headers are damaged");
                }
            }
        }
        if versions.is_empty() {
            faults.push(format!("{shown}: it has no versions"));
        }
        Ok(versions.len() as u64)
    }
}
