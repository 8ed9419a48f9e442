//! Files that appear together: written into a folder that nobody looks at, and moved last.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{At as _, Error, File as _, Result};
use crate::files;
use crate::watch::Watch;

/// How the names of work folders begin; the process and a number follow.
const PREFIX: &str = ".cento-";

/// Files on their way into a folder. Those that never arrive are removed.
pub(crate) struct Staged {
    /// The folder.
    target: PathBuf,
    /// Where they are until then.
    work: PathBuf,
}

/// What becomes of a file that has the name of a new one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Namesakes {
    /// The new one replaces it.
    Replace,
    /// It stays, and none of the new ones appears.
    Keep,
}

impl Staged {
    /// Begins beside the folder, or in it if it is there already: files can be moved within a file
    /// system only.
    ///
    /// What an interrupted run left there is removed.
    pub(crate) fn new(target: &Path, watch: &Watch<'_>) -> Result<Staged> {
        let near = target.ancestors().find(|place| place.exists());
        let near = match near {
            Some(place) if !place.as_os_str().is_empty() => place,
            _ => Path::new("."),
        };
        // An interrupted run may have made folders on the way, and then have been further up.
        for folder in target.ancestors().chain([near]) {
            let folder = if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            };
            for left in left_in(folder) {
                fs::remove_dir_all(&left).of(&left)?;
                watch.cleaned_up(&left, 1);
            }
        }
        for number in 0_u32.. {
            let work = near.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match fs::create_dir(&work) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => {
                    made.of(target)?;
                    let target = target.to_owned();
                    return Ok(Staged { target, work });
                }
            }
        }
        Err(Error::refused("no name is left for a temporary folder")).at(near.display())
    }

    /// Writes a file that will have this name in the folder.
    pub(crate) fn write(&self, name: &Path, text: &str) -> Result<()> {
        let path = self.work.join(name);
        let shown = self.target.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).of(&shown)?;
        }
        let write = || {
            let mut file = fs::File::create(&path)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().of(&shown)
    }

    /// Moves the files of these names into the folder: all of them, whoever wants to stop now.
    pub(crate) fn finish(self, names: &[PathBuf], namesakes: Namesakes) -> Result<()> {
        if names.is_empty() {
            return Ok(());
        }
        if !self.target.exists() {
            let missing = files::missing(&self.target);
            return self.appear().inspect_err(|_| {
                for folder in missing {
                    let _ = fs::remove_dir(folder);
                }
            });
        }
        let mut folders = BTreeSet::new();
        let mut moved = Vec::with_capacity(names.len());
        for name in names {
            let path = self.target.join(name);
            match self.move_to(name, &path, namesakes) {
                Ok(()) => {
                    folders.extend(path.parent().map(Path::to_owned));
                    moved.push(path);
                }
                Err(error) => {
                    if namesakes == Namesakes::Keep {
                        // None of them was there before.
                        for path in moved {
                            let _ = fs::remove_file(path);
                        }
                    }
                    return Err(error);
                }
            }
        }
        for folder in folders {
            files::sync_folder(&folder).of(&folder)?;
        }
        Ok(())
    }

    /// Becomes the folder, all at once.
    fn appear(&self) -> Result<()> {
        if let Some(parent) = self.target.parent() {
            files::make_folder(parent).of(&self.target)?;
        }
        files::sync_folders(&self.work)
            .and_then(|()| fs::rename(&self.work, &self.target))
            .and_then(|()| files::sync_name(&self.target))
            .of(&self.target)
    }

    fn move_to(&self, name: &Path, path: &Path, namesakes: Namesakes) -> Result<()> {
        if namesakes == Namesakes::Keep {
            expect_nothing(path)?;
        }
        if let Some(parent) = path.parent() {
            files::make_folder(parent).of(path)?;
        }
        fs::rename(self.work.join(name), path).of(path)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // It is gone already if it became the folder itself.
        let _ = fs::remove_dir_all(&self.work);
    }
}

/// Work folders of runs that are over.
fn left_in(folder: &Path) -> Vec<PathBuf> {
    let is_over = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let of = name.and_then(|name| name.strip_prefix(PREFIX)?.split_once('-'));
        let process = of.and_then(|(process, _)| process.parse::<u32>().ok());
        // Only where processes can be looked up is it known that one is over.
        let processes = Path::new("/proc/self");
        process.is_some_and(|process| {
            processes.exists() && !processes.with_file_name(process.to_string()).exists()
        })
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut left: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_over).collect();
    left.sort();
    left
}

/// An error if something has this path.
pub(crate) fn expect_nothing(path: &Path) -> Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(Error::Refused(format!(
            "{} is there already, and nothing is overwritten; choose another folder",
            path.display()
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    /// Every file under a folder, hidden ones too.
    fn files(folder: &Path) -> Vec<String> {
        let mut all = Vec::new();
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                let below = files(&path).into_iter();
                all.extend(below.map(|below| format!("{name}/{below}")));
            }
            all.push(name);
        }
        all.sort();
        all
    }

    #[test]
    fn files_appear_together_or_not_at_all() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path().join("deep/out");
        let staged = Staged::new(&target, &Watch::NOBODY).unwrap();
        staged.write(Path::new("a/x.txt"), "x").unwrap();
        assert!(!target.exists());
        drop(staged);
        assert_eq!(files(root.path()), Vec::<String>::new());
        let staged = Staged::new(&target, &Watch::NOBODY).unwrap();
        staged.write(Path::new("a/x.txt"), "x").unwrap();
        staged
            .finish(&names(&["a/x.txt"]), Namesakes::Keep)
            .unwrap();
        assert_eq!(
            files(root.path()),
            ["deep", "deep/out", "deep/out/a", "deep/out/a/x.txt"]
        );
    }

    #[test]
    fn a_folder_that_is_there_gets_all_or_keeps_its_own() {
        let root = tempfile::tempdir().unwrap();
        let target = root.path();
        fs::write(target.join("b.txt"), "mine").unwrap();
        let write = |namesakes| {
            let staged = Staged::new(target, &Watch::NOBODY).unwrap();
            for name in ["a.txt", "b.txt"] {
                staged.write(Path::new(name), "new").unwrap();
            }
            staged.finish(&names(&["a.txt", "b.txt"]), namesakes)
        };
        let error = write(Namesakes::Keep).unwrap_err().sentence();
        assert!(error.contains("b.txt is there already"), "{error}");
        assert_eq!(files(target), ["b.txt"]);
        assert_eq!(fs::read_to_string(target.join("b.txt")).unwrap(), "mine");
        write(Namesakes::Replace).unwrap();
        assert_eq!(files(target), ["a.txt", "b.txt"]);
        assert_eq!(fs::read_to_string(target.join("b.txt")).unwrap(), "new");
    }
}
