//! Paths → files: everything under the folders that a person gave.

mod filter;

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use ignore::WalkBuilder;

pub(crate) use self::filter::Filter;
use crate::archive::{is_litter, readable};
use crate::{Error, Limit, SkippedFile};

/// What was found under some paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Walk {
    /// The files, in the order of their ids.
    pub(crate) files: Vec<WalkedFile>,
    /// What cannot be read.
    pub(crate) skipped: Vec<SkippedFile>,
}

/// A file, or standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WalkedFile {
    /// The path relative to what was given, `/`-separated.
    pub(crate) id: String,
    /// Where it is; `-` is standard input.
    pub(crate) path: PathBuf,
    /// Which of the paths given it was found under.
    pub(crate) argument: usize,
    /// How much of the id is the name of that path.
    pub(crate) base: usize,
    /// It was given itself, not found in a folder.
    pub(crate) is_argument: bool,
}

/// Every file under these paths; `-` is standard input.
///
/// Hidden files count and no ignore file is obeyed: what hides in a folder of evidence is evidence.
/// Only the litter of operating systems is passed over. An id is the path relative to the given path,
/// after the name of that path if several were given. A path that was given may be a link; links in
/// folders lead out of what was given, and are followed only if that is asked for.
pub(crate) fn walk(paths: &[PathBuf], follow_links: bool) -> Result<Walk, Error> {
    let mut walk = Walk::default();
    for (argument, (path, prefix)) in paths.iter().zip(prefixes(paths)).enumerate() {
        if path.as_os_str() == "-" {
            walk.files.push(WalkedFile {
                id: "-".to_owned(),
                path: path.clone(),
                argument,
                base: 0,
                is_argument: true,
            });
            continue;
        }
        let metadata = path.metadata().map_err(|error| not_there(path, &error))?;
        if metadata.is_dir() {
            walk.folder(path, &prefix, argument, follow_links);
        } else {
            let id = if prefix.is_empty() {
                name_of(path)
            } else {
                prefix
            };
            walk.file(path, id, argument, None);
        }
    }
    // A file that was given twice is one document, of the argument that came first.
    walk.files
        .sort_by(|a, b| (&a.id, a.argument).cmp(&(&b.id, b.argument)));
    walk.files.dedup_by(|later, first| later.id == first.id);
    Ok(walk)
}

fn not_there(path: &Path, error: &std::io::Error) -> Error {
    let error = match error.kind() {
        std::io::ErrorKind::NotFound => Error::Io("no such file or folder".to_owned()),
        _ => Error::cannot_open(error),
    };
    error.at(path.display())
}

impl Walk {
    fn folder(&mut self, folder: &Path, prefix: &str, argument: usize, follow_links: bool) {
        let entries = WalkBuilder::new(folder)
            .standard_filters(false)
            .follow_links(follow_links)
            .build();
        for entry in entries {
            match entry {
                Ok(entry) => {
                    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
                    let id = id_under(folder, entry.path(), prefix);
                    let base = if prefix.is_empty() {
                        0
                    } else {
                        prefix.len() + 1
                    };
                    if is_folder || is_litter(id.get(base..).unwrap_or_default()) {
                        continue;
                    }
                    if entry.path_is_symlink() && !follow_links {
                        let error = Limit::Links.reached("link, not followed");
                        self.skipped.push(SkippedFile { id, error });
                    } else {
                        self.file(entry.path(), id, argument, Some(base));
                    }
                }
                Err(error) => {
                    let path = path_of(&error).map_or_else(PathBuf::new, Path::to_path_buf);
                    let reason = error
                        .io_error()
                        .map_or_else(|| error.to_string(), ToString::to_string);
                    self.skipped.push(SkippedFile {
                        id: id_under(folder, &path, prefix),
                        error: Error::Io(format!("cannot be opened: {reason}")),
                    });
                }
            }
        }
    }

    /// A file, or a link to one. Pipes and devices might never end.
    fn file(&mut self, path: &Path, id: String, argument: usize, base: Option<usize>) {
        let error = match path.metadata() {
            Ok(metadata) if metadata.is_file() => {
                self.files.push(WalkedFile {
                    base: base.unwrap_or(0),
                    id,
                    path: path.to_path_buf(),
                    argument,
                    is_argument: base.is_none(),
                });
                return;
            }
            Ok(_) => Error::NotOpened("not a regular file".to_owned()),
            Err(error) => Error::cannot_open(&error),
        };
        self.skipped.push(SkippedFile { id, error });
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

/// What the ids under each path begin with: nothing for a single path, its name for several, the
/// whole path where names are equal.
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

/// The last part of a path; for `.` and `..`, the name of the folder they stand for.
fn name_of(path: &Path) -> String {
    match path.file_name() {
        Some(name) => readable(name.as_encoded_bytes()),
        None => path
            .canonicalize()
            .ok()
            .and_then(|path| Some(readable(path.file_name()?.as_encoded_bytes())))
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
    let parts: Vec<String> = parts
        .map(|part| readable(part.as_os_str().as_encoded_bytes()))
        .collect();
    parts.join("/").replace("//", "/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn ids(walk: &Walk) -> Vec<&str> {
        walk.files.iter().map(|source| source.id.as_str()).collect()
    }

    #[test]
    fn ids_are_relative_and_prefixed_when_several_paths_are_given() {
        let root = tempfile::tempdir().unwrap();
        for (folder, file) in [("one", "b.txt"), ("one/in", "a.txt"), ("two", "b.txt")] {
            fs::create_dir_all(root.path().join(folder)).unwrap();
            fs::write(root.path().join(folder).join(file), "x").unwrap();
        }
        fs::write(root.path().join("one/.hidden"), "x").unwrap();
        fs::write(root.path().join("one/.DS_Store"), "x").unwrap();
        let one = root.path().join("one");
        let two = root.path().join("two");
        let file = two.join("b.txt");
        assert_eq!(
            ids(&walk(std::slice::from_ref(&one), false).unwrap()),
            [".hidden", "b.txt", "in/a.txt"]
        );
        assert_eq!(
            ids(&walk(&[one.clone(), two], false).unwrap()),
            ["one/.hidden", "one/b.txt", "one/in/a.txt", "two/b.txt"]
        );
        assert_eq!(
            ids(&walk(std::slice::from_ref(&file), false).unwrap()),
            ["b.txt"]
        );
        let both = walk(&[one.join("b.txt"), file], false).unwrap();
        assert_eq!(both.files.len(), 2);
        assert!(ids(&both)[0].ends_with("one/b.txt"));
        let missing = walk(&[root.path().join("three")], false)
            .unwrap_err()
            .to_string();
        assert!(
            missing.ends_with("three: no such file or folder"),
            "{missing}"
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_in_circles_and_odd_names_are_listed() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join(OsStr::from_bytes(b"caf\xe9.txt")), "x").unwrap();
        fs::write(root.path().join("line\nbreak.txt"), "x").unwrap();
        std::os::unix::fs::symlink(root.path(), root.path().join("circle")).unwrap();
        std::os::unix::fs::symlink("nowhere", root.path().join("broken")).unwrap();
        let found = walk(&[root.path().to_path_buf()], false).unwrap();
        assert_eq!(ids(&found), ["caf\\xE9.txt", "line\nbreak.txt"]);
        let mut skipped: Vec<&str> = found.skipped.iter().map(|one| one.id.as_str()).collect();
        skipped.sort_unstable();
        assert_eq!(skipped, ["broken", "circle"]);
        for link in &found.skipped {
            assert_eq!(link.error.to_string(), "link, not followed");
            assert_eq!(link.error.limit(), Some(Limit::Links));
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_if_that_is_asked_for() {
        use std::os::unix::fs::symlink;
        let root = tempfile::tempdir().unwrap();
        let [given, other] = ["given", "other"].map(|name| root.path().join(name));
        for folder in [&given, &other] {
            fs::create_dir(folder).unwrap();
        }
        fs::write(other.join("secret.txt"), "x").unwrap();
        symlink(other.join("secret.txt"), given.join("file.txt")).unwrap();
        symlink(&other, given.join("folder")).unwrap();
        symlink(&given, given.join("circle")).unwrap();
        let careful = walk(std::slice::from_ref(&given), false).unwrap();
        assert_eq!(ids(&careful), <[&str; 0]>::default());
        assert_eq!(careful.skipped.len(), 3);
        let followed = walk(std::slice::from_ref(&given), true).unwrap();
        assert_eq!(ids(&followed), ["file.txt", "folder/secret.txt"]);
        assert_eq!(followed.skipped.len(), 1, "{:?}", followed.skipped);
        // What was given itself is meant.
        let link = given.join("folder");
        assert_eq!(ids(&walk(&[link], false).unwrap()), ["secret.txt"]);
    }
}
