//! What a store was made with; its file appears last, so that there is a store or there is none.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::windows::Minute;
use crate::digest::Key;
use crate::error::Error;
use crate::index::private;
use crate::message::Sameness;
use crate::recipe::Recipe;

/// How messages are compared, and how many of them are remembered. It cannot be changed later.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How a message becomes digests.
    pub recipe: Recipe,
    /// From when on two messages are nearly the same.
    pub sameness: Sameness,
    /// Bytes of memory; when they are used up, what was not seen for longest is forgotten.
    pub memory: u64,
}

const NAME: &str = "store";
const UNFINISHED: &str = ".store.new";
const MAGIC: &str = "cento mail store 1";

/// What the file of a store says.
pub(super) struct Made {
    pub(super) settings: Settings,
    pub(super) made: Minute,
}

/// Whether there is a store in a folder.
pub fn exists(path: &Path) -> bool {
    path.join(NAME).exists()
}

/// Whether all that is in a folder was left by something that was interrupted while it made a store; a key
/// may be there for the one that is to come.
pub fn is_unfinished(path: &Path) -> bool {
    const OURS: [&str; 5] = ["key", ".key.new", "lock", "log", UNFINISHED];
    let mut names = fs::read_dir(path).into_iter().flatten().flatten();
    let is_ours = |name: &str| OURS.contains(&name);
    !exists(path) && names.all(|entry| entry.file_name().to_str().is_some_and(is_ours))
}

/// Removes what was left by something that was interrupted while it made a store; says how many files that
/// were.
pub fn clean(path: &Path) -> Result<u64, Error> {
    let io = |path: &Path| {
        let path = path.to_owned();
        |source| Error::Io { path, source }
    };
    let mut cleaned = 0;
    for name in [".key.new", UNFINISHED] {
        let path = path.join(name);
        if path.exists() {
            fs::remove_file(&path).map_err(io(&path))?;
            cleaned += 1;
        }
    }
    let log = path.join("log");
    if log.exists() {
        cleaned += fs::read_dir(&log).map_err(io(&log))?.count() as u64;
        fs::remove_dir_all(&log).map_err(io(&log))?;
    }
    Ok(cleaned)
}

impl Settings {
    pub(super) fn write(&self, path: &Path, key: &Key, made: Minute) -> Result<(), Error> {
        let Settings {
            recipe,
            sameness:
                Sameness {
                    share,
                    evidence,
                    enough,
                },
            memory,
        } = self;
        let key = key.name();
        let text = format!(
            "{MAGIC}\nkey: {key}\nrecipe: {recipe}\nshare: {share}\nevidence: \
             {evidence}\nenough: {enough}\nmemory: {memory}\nmade: {made}\nend\n"
        );
        let new = path.join(UNFINISHED);
        let write = || {
            let mut file = private::create(&new)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&new, path.join(NAME))?;
            private::sync_folder(path)
        };
        write().map_err(|source| Error::Io {
            path: path.join(NAME),
            source,
        })
    }

    /// The settings of a store, for somebody who has its key.
    pub fn read(path: &Path, key: &Key) -> Result<Settings, Error> {
        Ok(Made::read(path, key)?.settings)
    }
}

impl Made {
    pub(super) fn read(path: &Path, key: &Key) -> Result<Made, Error> {
        let file = path.join(NAME);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let path = path.to_owned();
                return Err(Error::NoMailStore { path });
            }
            Err(source) => return Err(Error::Io { path: file, source }),
        };
        let (expected, made) = parse(&text).ok_or_else(|| Error::Format {
            path: file,
            reason: "damaged, or not of this version".to_owned(),
        })?;
        let given = key.name();
        if expected != given {
            let reason = format!(
                "this is not the key of this mail store (it has the key {expected}, and this one is \
                 {given}); nothing was changed"
            );
            return Err(refused(path, reason));
        }
        Ok(made)
    }
}

fn parse(text: &str) -> Option<(String, Made)> {
    let mut lines = text.lines();
    if lines.next()? != MAGIC {
        return None;
    }
    let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(": ");
    let key = value("key")?.to_owned();
    let settings = Settings {
        recipe: value("recipe")?.parse().ok()?,
        sameness: Sameness {
            share: value("share")?.parse().ok()?,
            evidence: value("evidence")?.parse().ok()?,
            enough: value("enough")?.parse().ok()?,
        },
        memory: value("memory")?.parse().ok()?,
    };
    let made = value("made")?.parse().ok()?;
    let made = Made { settings, made };
    (lines.next()? == "end").then_some((key, made))
}

pub(super) fn refused(path: &Path, reason: String) -> Error {
    Error::MailStore {
        path: PathBuf::from(path),
        reason,
    }
}
