//! Paths → sources: every file under a folder is a document.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;

use crate::{Place, Source};

/// What was found under some paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The files, in the order of their ids.
    pub sources: Vec<Source>,
    /// Ids of what cannot be read, with the reason.
    pub skipped: Vec<(String, String)>,
}

/// A path that is not there.
#[derive(Debug)]
pub struct WalkError {
    path: PathBuf,
    error: std::io::Error,
}

impl fmt::Display for WalkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        if self.error.kind() == std::io::ErrorKind::NotFound {
            write!(f, "{path}: no such file or folder")
        } else {
            write!(f, "{path}: {}", self.error)
        }
    }
}

// The message has the cause in it, so there is no `source` to repeat it.
impl std::error::Error for WalkError {}

/// Every file under these paths; `-` is standard input.
///
/// Hidden files count and no ignore file is obeyed: what hides in a folder of evidence is evidence.
/// An id is the path relative to the path given, after that path's name if several were given.
pub fn walk(paths: &[PathBuf]) -> Result<Walk, WalkError> {
    let mut walk = Walk::default();
    for (argument, (path, prefix)) in paths.iter().zip(prefixes(paths)).enumerate() {
        if path.as_os_str() == "-" {
            walk.sources.push(Source {
                id: "-".to_owned(),
                place: Place::Stdin,
                argument,
            });
            continue;
        }
        let metadata = path.metadata().map_err(|error| WalkError {
            path: path.clone(),
            error,
        })?;
        if metadata.is_dir() {
            walk.folder(path, &prefix, argument);
        } else {
            let id = if prefix.is_empty() {
                name_of(path)
            } else {
                prefix
            };
            walk.file(path, id, argument);
        }
    }
    // A file that was given twice is one document, of the argument that came first.
    walk.sources
        .sort_by(|a, b| (&a.id, a.argument).cmp(&(&b.id, b.argument)));
    walk.sources.dedup_by(|later, first| later.id == first.id);
    walk.skipped.sort();
    walk.skipped.dedup();
    Ok(walk)
}

impl Walk {
    fn folder(&mut self, folder: &Path, prefix: &str, argument: usize) {
        let entries = WalkBuilder::new(folder)
            .standard_filters(false)
            .follow_links(false)
            .build();
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                    if !is_folder {
                        let id = id_under(folder, entry.path(), prefix);
                        self.file(entry.path(), id, argument);
                    }
                }
                Err(error) => {
                    let path = path_of(&error).map_or_else(PathBuf::new, Path::to_path_buf);
                    let reason = error
                        .io_error()
                        .map_or_else(|| error.to_string(), ToString::to_string);
                    self.skipped.push((
                        id_under(folder, &path, prefix),
                        format!("cannot be opened: {reason}"),
                    ));
                }
            }
        }
    }

    /// A file, or a link to one. Links to folders could lead round in circles; pipes and devices
    /// might never end.
    fn file(&mut self, path: &Path, id: String, argument: usize) {
        let reason = match path.metadata() {
            Ok(metadata) if metadata.is_file() => {
                self.sources.push(Source {
                    id,
                    place: Place::File(path.to_path_buf()),
                    argument,
                });
                return;
            }
            Ok(metadata) if metadata.is_dir() => "link to a folder, not followed".to_owned(),
            Ok(_) => "not a regular file".to_owned(),
            Err(error) => format!("cannot be opened: {error}"),
        };
        self.skipped.push((id, reason));
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        ignore::Error::Partial(errors) => errors.first().and_then(path_of),
        _ => None,
    }
}

/// What stands before the ids of each path: nothing for a single one, its name for several, the
/// whole path where names are alike.
fn prefixes(paths: &[PathBuf]) -> Vec<String> {
    if paths.len() == 1 {
        return vec![String::new()];
    }
    let names: Vec<String> = paths.iter().map(|path| name_of(path)).collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for name in &names {
        *uses.entry(name).or_default() += 1;
    }
    let prefix = |(path, name): (&PathBuf, &String)| {
        if uses[name.as_str()] == 1 {
            name.clone()
        } else {
            joined(path)
        }
    };
    paths.iter().zip(&names).map(prefix).collect()
}

/// The last part of a path; of `.` and `..` that of the folder they stand for.
fn name_of(path: &Path) -> String {
    match path.file_name() {
        Some(name) => readable(name),
        None => path
            .canonicalize()
            .ok()
            .and_then(|path| path.file_name().map(readable))
            .unwrap_or_else(|| joined(path)),
    }
}

fn id_under(folder: &Path, path: &Path, prefix: &str) -> String {
    let relative = joined(path.strip_prefix(folder).unwrap_or(path));
    match (prefix.is_empty(), relative.is_empty()) {
        (true, true) => name_of(folder),
        (true, false) => relative,
        (false, true) => prefix.to_owned(),
        (false, false) => format!("{prefix}/{relative}"),
    }
}

/// A path with `/` between its parts on every system.
fn joined(path: &Path) -> String {
    let parts = path
        .components()
        .filter(|part| !matches!(part, Component::CurDir));
    let parts: Vec<String> = parts.map(|part| readable(part.as_os_str())).collect();
    parts.join("/").replace("//", "/")
}

/// A name as text. Bytes that are not UTF-8 are written as `\xFF`, so that different names stay
/// different.
fn readable(name: &OsStr) -> String {
    let mut text = String::new();
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn ids(walk: &Walk) -> Vec<&str> {
        walk.sources
            .iter()
            .map(|source| source.id.as_str())
            .collect()
    }

    #[test]
    fn ids_are_relative_and_prefixed_when_several_paths_are_given() {
        let root = tempfile::tempdir().unwrap();
        for (folder, file) in [("one", "b.txt"), ("one/in", "a.txt"), ("two", "b.txt")] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join(file), "x").unwrap();
        }
        fs::write(root.path().join("one/.hidden"), "x").unwrap();
        let one = root.path().join("one");
        let two = root.path().join("two");
        let file = two.join("b.txt");
        assert_eq!(
            ids(&walk(std::slice::from_ref(&one)).unwrap()),
            [".hidden", "b.txt", "in/a.txt"]
        );
        assert_eq!(
            ids(&walk(&[one.clone(), two]).unwrap()),
            ["one/.hidden", "one/b.txt", "one/in/a.txt", "two/b.txt"]
        );
        assert_eq!(ids(&walk(std::slice::from_ref(&file)).unwrap()), ["b.txt"]);
        let both = walk(&[one.join("b.txt"), file]).unwrap();
        assert_eq!(both.sources.len(), 2);
        assert!(ids(&both)[0].ends_with("one/b.txt"));
        let missing = walk(&[root.path().join("three")]).unwrap_err().to_string();
        assert!(
            missing.ends_with("three: no such file or folder"),
            "{missing}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_in_circles_and_odd_names_are_listed() {
        use std::os::unix::ffi::OsStrExt;
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join(OsStr::from_bytes(b"caf\xe9.txt")), "x").unwrap();
        fs::write(root.path().join("line\nbreak.txt"), "x").unwrap();
        std::os::unix::fs::symlink(root.path(), root.path().join("circle")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.path().join("broken")).unwrap();
        let found = walk(&[root.path().to_path_buf()]).unwrap();
        assert_eq!(ids(&found), ["caf\\xE9.txt", "line\nbreak.txt"]);
        let skipped: Vec<&str> = found.skipped.iter().map(|(id, _)| id.as_str()).collect();
        assert_eq!(skipped, ["broken", "circle"]);
        assert_eq!(found.skipped[1].1, "link to a folder, not followed");
    }
}
