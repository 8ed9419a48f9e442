//! Where the texts of registered documents come from: the registry itself, a folder, or a command.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use cento::index::registry::{Entry, Retained, Retention, Snapshot};
use cento::report::Note;

use crate::config::Settings;
use crate::load;

/// The texts of registered documents. Nothing of them is kept.
pub(crate) struct RegisteredTexts<'a> {
    snapshot: &'a Snapshot,
    folder: Option<PathBuf>,
    settings: &'a Settings,
    /// What could not be had, by the id of the document.
    missing: Mutex<BTreeMap<String, String>>,
}

impl<'a> RegisteredTexts<'a> {
    pub(crate) fn new(
        snapshot: &'a Snapshot,
        folder: Option<PathBuf>,
        settings: &'a Settings,
    ) -> RegisteredTexts<'a> {
        RegisteredTexts {
            snapshot,
            folder,
            settings,
            missing: Mutex::default(),
        }
    }

    /// Whether there is any place to look at.
    pub(crate) fn are_at_hand(&self) -> bool {
        self.snapshot.settings().retention == Retention::Text
            || self.folder.is_some()
            || self.settings.texts.is_some()
    }

    /// The text of a document, if it is the one that was registered.
    pub(crate) fn read(&self, entry: &Entry) -> Option<String> {
        let found = self.fetch(entry).and_then(|text| {
            let hash = self.snapshot.prepare().key().content_hash(text.as_bytes());
            if hash == entry.content {
                Ok(text)
            } else {
                Err("its text is no longer the one that was registered".to_owned())
            }
        });
        match found {
            Ok(text) => Some(text),
            Err(reason) => {
                let missing = self.missing.lock();
                let mut missing = missing.unwrap_or_else(PoisonError::into_inner);
                missing.insert(entry.facts.id.clone(), reason);
                None
            }
        }
    }

    /// What could not be had, and why.
    pub(crate) fn notes(&self) -> Vec<Note> {
        let missing = self.missing.lock();
        let missing = missing.unwrap_or_else(PoisonError::into_inner);
        let note = |(document, reason): (&String, &String)| Note::TextMissing {
            document: document.clone(),
            reason: reason.clone(),
        };
        missing.iter().map(note).collect()
    }

    fn fetch(&self, entry: &Entry) -> Result<String, String> {
        match self.snapshot.retained(entry.number) {
            Ok(Some(Retained::Text(text))) => return Ok(text),
            Ok(_) => {}
            Err(error) => return Err(error.to_string()),
        }
        let path = match (&self.folder, &self.settings.texts) {
            (Some(folder), _) => within(folder, &entry.facts.id)?,
            (None, Some(command)) => ask(command, &entry.facts.id)?,
            (None, None) => return Err("its text is not kept".to_owned()),
        };
        let input = load::single(&path, self.settings).map_err(|error| format!("{error:#}"))?;
        input.read().map(|document| document.content)
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
        return Err("its id is no path within --texts".to_owned());
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
        return Err("`texts` in cento.toml is empty".to_owned());
    };
    let arguments = arguments
        .iter()
        .map(|argument| argument.replace("{id}", id));
    let failed = |reason: String| format!("`{program}` (texts in cento.toml) {reason}");
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
