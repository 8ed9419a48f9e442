//! Files that are replaced as a whole: whatever happens, the old one or the new one is there.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use cento_jobs::{Remark, files};

use crate::output;

/// Who may read a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Whoever the system lets.
    Usual,
    /// Nobody but its owner.
    Owner,
}

/// Writes a file, or replaces one: a full disk or a kill leaves the old one, and when this returns no
/// power cut brings the old one back.
pub(crate) fn file(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    bytes(path, text.as_bytes(), readers)
}

/// The same for what is not text.
pub(crate) fn bytes(path: &Path, content: &[u8], readers: Readers) -> io::Result<()> {
    // A link stays a link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        // A pipe or a device has nothing to lose.
        return fs::write(path, content);
    }
    let new = files::unfinished(path);
    // Whoever may not read the old one shall not read the new one while it is written.
    let at_first = match &before {
        Some(_) => Readers::Owner,
        None => readers,
    };
    let mut file = begin(&new, at_first)?;
    let mut write = || {
        file.set_len(0)?;
        if let Some(before) = before.as_ref().filter(|_| readers == Readers::Usual) {
            fs::set_permissions(&new, before.permissions())?;
        }
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })?;
    files::sync_name(path)
}

/// Opens a file that takes the place of another one. It has the same name every time, so that whatever
/// an interrupted run left is used up; two runs take turns.
fn begin(new: &Path, readers: Readers) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    loop {
        let is_left = new.exists();
        let file = options.open(new)?;
        // Some file systems have no locks; there, runs at the same time are at their own risk.
        let _ = file.lock();
        if !is_at(&file, new) {
            // Who had the lock has put it in place.
            continue;
        }
        if is_left {
            #[cfg(unix)]
            if readers == Readers::Owner {
                let closed = std::os::unix::fs::PermissionsExt::from_mode(0o600);
                file.set_permissions(closed)?;
            }
            let place = new.to_owned();
            output::message(&Remark::CleanedUp { place, files: 1 }.to_string());
        }
        return Ok(file);
    }
}

/// Whether a path still leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        let [open, there] = [file.metadata(), fs::metadata(path)].map(|found| found.ok().map(id));
        open == there
    }
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    #[test]
    fn a_link_stays_a_link_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let [report, link] = ["report.json", "latest.json"].map(|name| folder.path().join(name));
        fs::write(&report, "old").unwrap();
        fs::set_permissions(&report, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("report.json", &link).unwrap();
        file(&link, "new", Readers::Usual).unwrap();
        assert_eq!(fs::read_to_string(&report).unwrap(), "new");
        assert!(link.is_symlink());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&report), 0o640);
        file(&folder.path().join("key.csv"), "key", Readers::Owner).unwrap();
        assert_eq!(mode(&folder.path().join("key.csv")), 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
        file(Path::new("/dev/null"), "nothing", Readers::Usual).unwrap();
    }

    #[test]
    fn what_cannot_be_written_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("no such folder/report.json");
        assert!(file(&path, "new", Readers::Usual).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
