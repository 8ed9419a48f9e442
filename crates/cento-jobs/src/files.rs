//! Files and folders that are safely on the disk, and what an interrupted run left of them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Makes a folder, with those above it. They are safely there when this returns.
pub fn make_folder(path: &Path) -> io::Result<()> {
    for folder in missing(path).iter().rev() {
        match fs::create_dir(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            made => made?,
        }
        sync_name(folder)?;
    }
    Ok(())
}

/// A folder and those above it, as far as they are not there.
pub(crate) fn missing(path: &Path) -> Vec<PathBuf> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing = path.ancestors().take_while(is_missing);
    missing.map(Path::to_owned).collect()
}

/// Makes the name of a file or a folder safe: that it is new, or stands for something else now. What
/// is in a file is safe when the file itself is synced.
pub fn sync_name(path: &Path) -> io::Result<()> {
    let above = path.parent().unwrap_or(Path::new("/"));
    let above = if above.as_os_str().is_empty() {
        Path::new(".")
    } else {
        above
    };
    sync_folder(above)
}

/// Makes all names in a folder safe.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    // Only there can a folder be opened like a file.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Makes all names in a folder and in those below it safe.
pub(crate) fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sync_folders(&path)?;
        }
    }
    sync_folder(folder)
}

/// How many files are in a folder and in those below it.
pub(crate) fn count(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let of = |path: &Path| if path.is_dir() { count(path) } else { 1 };
    entries.map(|entry| of(&entry.path())).sum()
}

/// The hidden name of a file or a folder while it is being written.
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = OsStr::new(".").to_owned();
    name.push(path.file_name().unwrap_or_default());
    name.push(".new");
    path.with_file_name(name)
}

/// Makes a file that only its owner can read and that is not there yet: whole or not at all.
pub(crate) fn make_secret(path: &Path, text: &str) -> io::Result<()> {
    let new = unfinished(path);
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || {
        let mut file = options.open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        // Unlike renaming, this never replaces the file of somebody who was faster.
        match fs::hard_link(&new, path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if !path.exists() => fs::rename(&new, path),
            made => made,
        }
    };
    let written = write();
    // A second name of a secret is no trifle.
    let removed = match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    };
    written.and(removed)?;
    sync_name(path)
}
