//! Which documents are to be registered: those under some paths, or those of a list.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cento::index::registry::{Facts, Prepare};
use cento_ingest::Listed;

use super::register::{Common, Rejected};
use crate::config::Settings;
use crate::load::{self, Finding, Input, find};
use crate::output;

/// A document that is to be registered.
pub(super) struct Item {
    pub(super) facts: Facts,
    from: From,
}

enum From {
    Input(Input),
    Listed(Listed),
}

impl Item {
    /// Its id in reports: the one in the registry without what was put before it.
    pub(super) fn id(&self) -> &str {
        match &self.from {
            From::Input(input) => input.id(),
            From::Listed(_) => &self.facts.id,
        }
    }

    /// How many bytes there are to read.
    pub(super) fn size(&self) -> u64 {
        match &self.from {
            From::Input(input) => input.size(),
            From::Listed(listed) => {
                let path = listed.text_path.as_ref().unwrap_or(&listed.path);
                path.metadata().map_or(0, |file| file.len())
            }
        }
    }

    /// The hash of its file, if it is one.
    pub(super) fn hash(&self, prepare: &Prepare) -> Option<[u8; 16]> {
        let path = match &self.from {
            From::Input(input) => input.file()?,
            From::Listed(listed) => &listed.path,
        };
        let bytes = std::fs::read(path).ok()?;
        Some(prepare.file_hash(&bytes))
    }

    pub(super) fn read(&self, settings: &Settings) -> Result<cento_ingest::Document, String> {
        match &self.from {
            From::Input(input) => input.read(),
            From::Listed(listed) => {
                let path = listed.text_path.as_ref().unwrap_or(&listed.path);
                let input = load::single(path, settings).map_err(|error| format!("{error:#}"))?;
                input.read()
            }
        }
    }

    pub(super) fn rejected(&self, reason: String) -> Rejected {
        let (line, path) = match &self.from {
            From::Input(input) => (None, input.id().to_owned()),
            From::Listed(listed) => (Some(listed.line), listed.path.display().to_string()),
        };
        Rejected {
            line,
            path,
            id: self.facts.id.clone(),
            reason,
        }
    }
}

/// The documents under some paths, and what is there but cannot be read.
pub(super) fn from_paths(
    paths: &[PathBuf],
    common: &Common,
    settings: &Settings,
) -> Result<(Vec<Item>, Vec<Rejected>)> {
    let Finding {
        inputs, skipped, ..
    } = find(paths, settings)?;
    let item = |input: Input| Item {
        facts: Facts {
            id: format!("{}{}", common.id_prefix, input.id()),
            label: (input.label() != input.id()).then(|| input.label().to_owned()),
            submitter: common.submitter.clone(),
            set: common.set.clone(),
            date: common
                .date
                .clone()
                .or_else(|| input.date().map(str::to_owned)),
            expires: common.expires.clone(),
            registered: common.now.clone(),
            ..Facts::default()
        },
        from: From::Input(input),
    };
    let rejected = skipped.into_iter().map(|skipped| Rejected {
        line: None,
        path: skipped.id.clone(),
        id: skipped.id,
        reason: skipped.reason,
    });
    Ok((inputs.into_iter().map(item).collect(), rejected.collect()))
}

/// The documents of a list, and its lines that say nothing about one. Paths are relative to the list.
pub(super) fn from_manifest(list: &Path, common: &Common) -> Result<(Vec<Item>, Vec<Rejected>)> {
    let name = || format!("--manifest {}", list.display());
    let bytes = std::fs::read(list).with_context(name)?;
    let rows = cento_ingest::manifest(&bytes)
        .map_err(anyhow::Error::msg)
        .with_context(name)?;
    if rows.is_empty() {
        bail!("{}: it lists no documents", name());
    }
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut ids = HashSet::new();
    let (mut items, mut rejected) = (Vec::new(), Vec::new());
    for row in rows {
        let listed = match row {
            Ok(listed) => listed,
            Err(bad) => {
                rejected.push(Rejected {
                    line: Some(bad.line),
                    path: String::new(),
                    id: format!("line {}", bad.line),
                    reason: bad.reason,
                });
                continue;
            }
        };
        match item(listed, folder, common) {
            Ok(item) if ids.insert(item.facts.id.clone()) => items.push(item),
            Ok(item) => {
                let reason = "this id is listed before".to_owned();
                rejected.push(item.rejected(reason));
            }
            Err(reason) => rejected.push(reason),
        }
    }
    Ok((items, rejected))
}

fn item(mut listed: Listed, folder: &Path, common: &Common) -> Result<Item, Rejected> {
    let id = listed.id.clone();
    let id = id.unwrap_or_else(|| listed.path.to_string_lossy().replace('\\', "/"));
    let id = format!("{}{id}", common.id_prefix);
    let expires = match listed.expire.as_deref().map(crate::time::expiry) {
        Some(Ok(expires)) => Some(expires),
        None => common.expires.clone(),
        Some(Err(error)) => {
            return Err(Rejected {
                line: Some(listed.line),
                path: listed.path.display().to_string(),
                id,
                reason: format!("expire: {error:#}"),
            });
        }
    };
    listed.path = folder.join(&listed.path);
    listed.text_path = listed.text_path.map(|path| folder.join(path));
    Ok(Item {
        facts: Facts {
            id,
            label: listed.label.clone(),
            submitter: listed
                .submitter
                .clone()
                .or_else(|| common.submitter.clone()),
            set: listed.set.clone().or_else(|| common.set.clone()),
            date: listed.date.clone().or_else(|| common.date.clone()),
            expires,
            registered: common.now.clone(),
            ..Facts::default()
        },
        from: From::Listed(listed),
    })
}

/// Writes what could not be registered, with the reasons; nothing if there is nothing to say.
pub(super) fn write_rejects(file: Option<&Path>, rejected: &[Rejected]) -> Result<()> {
    let path = file.unwrap_or(Path::new("rejects.csv"));
    if rejected.is_empty() {
        return Ok(());
    }
    let field = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
    let mut text = String::from("line,path,id,reason\n");
    for Rejected {
        line,
        path,
        id,
        reason,
    } in rejected
    {
        let line = line.map(|line| line.to_string()).unwrap_or_default();
        let _ = writeln!(
            text,
            "{line},{},{},{}",
            field(path),
            field(id),
            field(reason)
        );
    }
    std::fs::write(path, text).with_context(|| format!("--rejects {}", path.display()))?;
    output::message(&format!(
        "{} documents could not be registered: {}",
        rejected.len(),
        path.display()
    ));
    Ok(())
}
