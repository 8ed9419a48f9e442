//! Files that are replaced as a whole: whatever happens, the old one or the new one is there.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

/// Who may read a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Whoever the system lets.
    Usual,
    /// Nobody but its owner.
    Owner,
}

/// Writes a file, or replaces one: a full disk or a kill leaves the old one.
pub(crate) fn file(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    // A link stays a link.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(path).ok();
    if before.as_ref().is_some_and(|before| !before.is_file()) {
        // A pipe or a device has nothing to lose.
        return fs::write(path, text);
    }
    let mut name = OsStr::new(".").to_owned();
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.new", std::process::id()));
    let new = path.with_file_name(name);
    // Whoever may not read the old one shall not read the new one while it is written.
    let at_first = match &before {
        Some(_) => Readers::Owner,
        None => readers,
    };
    let written = write(&new, text, at_first).and_then(|()| {
        if let Some(before) = before.filter(|_| readers == Readers::Usual) {
            fs::set_permissions(&new, before.permissions())?;
        }
        fs::rename(&new, path)
    });
    written.inspect_err(|_| {
        let _ = fs::remove_file(&new);
    })
}

fn write(path: &Path, text: &str, readers: Readers) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    if readers == Readers::Owner {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
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
