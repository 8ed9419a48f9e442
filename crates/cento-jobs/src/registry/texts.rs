//! Where the texts of registered documents come from: the registry itself, a folder, or a command.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use cento::index::registry::{Entry, Retained, Retention, Snapshot};
use cento::report::Note;
use cento::token::Content;
use serde::{Deserialize, Serialize};

use crate::documents::{InMemory, Reader};
use crate::program;

/// Where to find texts that the registry does not keep.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct TextSources {
    /// A folder with a file for each id.
    pub folder: Option<PathBuf>,
    /// A command that names the file of an id, `{id}` in its arguments.
    pub command: Option<Vec<String>>,
}

/// The texts of registered documents. Nothing of them is kept.
pub(crate) struct RegisteredTexts<'a> {
    snapshot: &'a Snapshot,
    sources: &'a TextSources,
    reader: &'a Reader,
    /// Why a text is missing, by the id of the document.
    missing: Mutex<BTreeMap<String, String>>,
}

impl<'a> RegisteredTexts<'a> {
    pub(crate) fn new(
        snapshot: &'a Snapshot,
        sources: &'a TextSources,
        reader: &'a Reader,
    ) -> RegisteredTexts<'a> {
        RegisteredTexts {
            snapshot,
            sources,
            reader,
            missing: Mutex::default(),
        }
    }

    /// Whether there is any source of texts.
    pub(crate) fn are_at_hand(&self) -> bool {
        self.snapshot.settings().retention == Retention::Text
            || self.sources.folder.is_some()
            || self.sources.command.is_some()
    }

    /// The text of a document, if it is the one that was registered.
    pub(crate) fn read(&self, entry: &Entry) -> Option<Content> {
        let found = self.fetch(entry).and_then(|content| {
            let bytes = content.text.as_bytes();
            let hash = self.snapshot.prepare().key().content_hash(bytes);
            if hash == entry.content {
                Ok(content)
            } else {
                Err("its text is no longer the one that was registered".to_owned())
            }
        });
        match found {
            Ok(content) => Some(content),
            Err(reason) => {
                let missing = self.missing.lock();
                let mut missing = missing.unwrap_or_else(PoisonError::into_inner);
                missing.insert(entry.facts.id.clone(), reason);
                None
            }
        }
    }

    /// A note for each text that is missing.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let missing = self.missing.lock();
        let missing = missing.unwrap_or_else(PoisonError::into_inner);
        let note = |(id, reason): (&String, &String)| Note::TextMissing {
            document: id.clone(),
            reason: reason.clone(),
        };
        missing.iter().map(note).collect()
    }

    fn fetch(&self, entry: &Entry) -> Result<Content, String> {
        match self.snapshot.retained(entry.number) {
            Ok(Some(Retained::Text(text))) => return self.parsed(entry, text),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
        let path = match (&self.sources.folder, &self.sources.command) {
            (Some(folder), _) => within(folder, &entry.facts.id)?,
            (None, Some(command)) => ask(command, &entry.facts.id)?,
            (None, None) => return Err("its text is not kept".to_owned()),
        };
        let input = self
            .reader
            .single(&path)
            .map_err(|error| error.sentence())?;
        let document = input.read().map_err(|error| error.to_string())?;
        Ok(program::content(&document))
    }

    /// A text that the registry keeps, with its tokens if it is a program.
    fn parsed(&self, entry: &Entry, text: String) -> Result<Content, String> {
        if !self.snapshot.settings().recipe.is_for_programs() {
            return Ok(text.into());
        }
        let kept = InMemory {
            name: entry.facts.id.clone(),
            bytes: text.into_bytes(),
        };
        let read = self.reader.in_memory(&kept).read();
        let document = read.map_err(|error| error.to_string())?;
        Ok(program::content(&document))
    }
}

/// The file of an id in a folder: of that name, or with `.txt` behind it.
fn within(folder: &Path, id: &str) -> Result<PathBuf, String> {
    let relative = Path::new(id);
    // An id is somebody's word; it must not lead out of the folder.
    let is_inside = relative
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    if !is_inside {
        return Err("its id is not a path within the folder of texts".to_owned());
    }
    let path = folder.join(relative);
    let mut with_suffix = path.clone().into_os_string();
    with_suffix.push(".txt");
    let candidates = [path, PathBuf::from(with_suffix)];
    let found = candidates.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| format!("no file of that name in {}", folder.display()))
}

/// The file that a command names for an id.
fn ask(command: &[String], id: &str) -> Result<PathBuf, String> {
    let [program, arguments @ ..] = command else {
        return Err("the command that names the files of texts is empty".to_owned());
    };
    let arguments = arguments
        .iter()
        .map(|argument| argument.replace("{id}", id));
    let failed = |reason: String| format!("`{program}`, which names the files of texts, {reason}");
    let done = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| failed(format!("cannot be run: {error}")))?;
    if !done.status.success() {
        return Err(failed(format!("ended with {}", done.status)));
    }
    let text = String::from_utf8_lossy(&done.stdout);
    match text.lines().next().map(str::trim) {
        Some(line) if !line.is_empty() => Ok(PathBuf::from(line)),
        _ => Err(failed("named no file".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use super::*;

    #[test]
    fn ids_stay_within_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        std::fs::write(folder.path().join("a/b.txt"), "text").unwrap();
        assert!(within(folder.path(), "a/b.txt").is_ok());
        assert!(within(folder.path(), "a/b").is_ok());
        for id in ["../b", "/etc/passwd", "a/../../b", "a", "missing", "./a/b"] {
            assert!(within(folder.path(), id).is_err() || id == "./a/b", "{id}");
        }
    }
}
