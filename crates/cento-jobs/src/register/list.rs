//! Which documents are to be registered: those under some paths, or those of a list.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cento::index::registry::{Facts, Prepare};
use cento::report::{Remedy, Skipped};
use cento_ingest::{Document, Input, Listed};

use crate::documents::{Documents, GivenText, Reader, Unreadable};
use crate::error::{At as _, Error, Result};
use crate::settings_file::read_bytes;
use crate::submitter::Whose;
use crate::time;
use crate::watch::Watch;

/// A document that was not registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Its place in the list, if there is one.
    pub line: Option<u64>,
    /// Its file.
    pub path: String,
    /// Its id, and why.
    pub skipped: Skipped,
    /// The option that would help.
    pub remedy: Option<Remedy>,
}

/// What was said about all documents.
pub(super) struct Common {
    pub(super) whose: Whose,
    pub(super) set: Option<String>,
    pub(super) date: Option<String>,
    pub(super) expires: Option<String>,
    pub(super) now: String,
}

/// A document that is to be registered.
pub(super) struct Item {
    pub(super) facts: Facts,
    from: From,
}

enum From {
    Found(Box<Input>),
    /// A line of a list, and the file that it names once somebody has looked; or why that is none.
    Listed(Box<Listed>, OnceLock<Result<Box<Input>, Unreadable>>),
}

impl Item {
    /// Its id in reports: the one in the registry without what was put before it.
    pub(super) fn id(&self) -> &str {
        match &self.from {
            From::Found(input) => input.id(),
            From::Listed(..) => &self.facts.id,
        }
    }

    pub(super) fn label(&self) -> &str {
        self.facts.label.as_deref().unwrap_or(self.id())
    }

    /// How many bytes there are to read.
    pub(super) fn size(&self) -> u64 {
        match &self.from {
            From::Found(input) => input.size(),
            From::Listed(listed, _) => {
                let size = listed.file().metadata().map(|file| file.len());
                size.unwrap_or(0)
            }
        }
    }

    /// The hash of its file, if it is one.
    pub(super) fn hash(&self, prepare: &Prepare) -> Option<[u8; 16]> {
        let path = match &self.from {
            From::Found(input) => input.file()?,
            From::Listed(listed, _) => &listed.path,
        };
        let bytes = std::fs::read(path).ok()?;
        Some(prepare.file_hash(&bytes))
    }

    pub(super) fn read(&self, reader: &Reader) -> Result<Document, Unreadable> {
        let (listed, input) = match &self.from {
            From::Found(input) => return Ok(input.read()?),
            From::Listed(listed, input) => (listed, input),
        };
        let find = || reader.single(listed.file()).map(Box::new);
        let find = || find().map_err(|error| Unreadable::Other(error.sentence()));
        match input.get_or_init(find) {
            Ok(input) => Ok(input.read()?),
            Err(why) => Err(why.clone()),
        }
    }

    /// What can be read again, under its id in reports.
    pub(super) fn into_input(self) -> Option<Input> {
        match self.from {
            From::Found(input) => Some(*input),
            From::Listed(_, input) => {
                let input = input.into_inner()?.ok()?;
                Some(input.renamed(self.facts.id))
            }
        }
    }

    pub(super) fn rejected(&self, why: &Unreadable) -> Rejected {
        let (line, path) = match &self.from {
            From::Found(input) => (None, input.id().to_owned()),
            From::Listed(listed, _) => (Some(listed.line), listed.path.display().to_string()),
        };
        Rejected {
            line,
            path,
            skipped: why.of(&self.facts.id),
            remedy: None,
        }
    }
}

/// The documents under some paths, and what is there but cannot be read.
pub(super) fn from_paths(
    paths: &[PathBuf],
    texts: &[GivenText],
    common: &Common,
    reader: &Reader,
    watch: &Watch<'_>,
) -> Result<(Vec<Item>, Vec<Rejected>)> {
    let Documents {
        inputs, skipped, ..
    } = reader.find_with(paths, texts, watch)?;
    let item = |input: Input, submitter: Option<String>, prefix: &str| Item {
        facts: Facts {
            id: format!("{prefix}{}", input.id()),
            label: (input.label() != input.id()).then(|| input.label().to_owned()),
            submitter,
            set: common.set.clone(),
            date: common
                .date
                .clone()
                .or_else(|| input.date().map(str::to_owned)),
            expires: common.expires.clone(),
            registered: common.now.clone(),
            ..Facts::default()
        },
        from: From::Found(Box::new(input)),
    };
    let rejected = |skipped: Skipped| Rejected {
        line: None,
        path: skipped.id.clone(),
        skipped,
        remedy: None,
    };
    let mut rejected: Vec<Rejected> = skipped.into_iter().map(rejected).collect();
    let mut items = Vec::with_capacity(inputs.len());
    for input in inputs {
        match common.whose.of(&input) {
            Ok((submitter, prefix)) => items.push(item(input, submitter, &prefix)),
            Err(reason) => rejected.push(Rejected {
                line: None,
                path: input.id().to_owned(),
                skipped: Unreadable::Other(reason).of(input.id()),
                remedy: None,
            }),
        }
    }
    Ok((items, rejected))
}

/// The documents of a list, and its lines that say nothing about one. Paths are relative to the list.
pub(super) fn from_manifest(list: &Path, common: &Common) -> Result<(Vec<Item>, Vec<Rejected>)> {
    const MOST: u64 = 1 << 30;
    let bytes = read_bytes(list, MOST).for_option("manifest")?;
    let rows = cento_ingest::manifest(&bytes).at(list.display());
    let rows = rows.for_option("manifest")?;
    if rows.is_empty() {
        let none = Err(Error::refused("it lists no documents")).at(list.display());
        return none.for_option("manifest");
    }
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut ids = HashSet::new();
    let (mut items, mut rejected) = (Vec::new(), Vec::new());
    for row in rows {
        let listed = match row {
            Ok(listed) => listed,
            Err(bad) => {
                let why = Unreadable::File(bad.error);
                rejected.push(Rejected {
                    line: Some(bad.line),
                    path: String::new(),
                    skipped: why.of(&format!("line {}", bad.line)),
                    remedy: None,
                });
                continue;
            }
        };
        match item(listed, folder, common) {
            Ok(item) if ids.insert(item.facts.id.clone()) => items.push(item),
            Ok(item) => {
                let why = Unreadable::Other("this id is already in the list".to_owned());
                rejected.push(item.rejected(&why));
            }
            Err(reason) => rejected.push(*reason),
        }
    }
    Ok((items, rejected))
}

fn item(mut listed: Listed, folder: &Path, common: &Common) -> Result<Item, Box<Rejected>> {
    let id = listed.id.clone();
    let id = id.unwrap_or_else(|| listed.path.to_string_lossy().replace('\\', "/"));
    let id = format!("{}{id}", common.whose.id_prefix);
    let expires = match listed.expire.as_deref().map(time::expiry) {
        Some(Ok(expires)) => Some(expires),
        None => common.expires.clone(),
        Some(Err(reason)) => {
            return Err(Box::new(Rejected {
                line: Some(listed.line),
                path: listed.path.display().to_string(),
                skipped: Unreadable::Other(format!("expire: {reason}")).of(&id),
                remedy: None,
            }));
        }
    };
    listed.path = folder.join(&listed.path);
    listed.text_path = listed.text_path.map(|path| folder.join(path));
    let or = |own: &Option<String>, common: &Option<String>| own.clone().or_else(|| common.clone());
    Ok(Item {
        facts: Facts {
            id,
            label: listed.label.clone(),
            submitter: or(&listed.submitter, &common.whose.submitter),
            set: or(&listed.set, &common.set),
            date: or(&listed.date, &common.date),
            expires,
            registered: common.now.clone(),
            ..Facts::default()
        },
        from: From::Listed(Box::new(listed), OnceLock::new()),
    })
}
