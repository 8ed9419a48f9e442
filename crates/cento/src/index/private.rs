//! Files and folders that nobody but their owner can read: what is kept of documents is theirs.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
#[cfg(feature = "registry")]
use std::path::PathBuf;

/// A file to write, new or emptied.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    options().write(true).create(true).truncate(true).open(path)
}

/// How files are opened that are made if they are missing.
pub(crate) fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Makes a folder, with those above it. They are safely there when this returns.
#[cfg(feature = "registry")]
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    for folder in missing_folders(path).iter().rev() {
        match builder.create(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
        sync_entry(folder)?;
    }
    Ok(())
}

/// A folder and those above it, as far as they are not there.
#[cfg(feature = "registry")]
pub(crate) fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing = path.ancestors().take_while(is_missing);
    missing.map(Path::to_owned).collect()
}

/// Makes the entries of a folder safe: what is new, renamed or removed there.
#[cfg(feature = "registry")]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Makes the name of a file or a folder safe.
#[cfg(feature = "registry")]
pub(crate) fn sync_entry(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(above) if above.as_os_str().is_empty() => sync_folder(Path::new(".")),
        Some(above) => sync_folder(above),
        None => Ok(()),
    }
}

/// Whether its permissions let anybody but the owner of a file or a folder at it. What is neither, such
/// as a pipe, is nobody's to find.
#[cfg(feature = "registry")]
pub fn is_open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        path.metadata().is_ok_and(|metadata| {
            let is_kept = metadata.is_file() || metadata.is_dir();
            is_kept && metadata.permissions().mode() & 0o077 != 0
        })
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Keeps others from a file or a folder that was made otherwise. Whoever does not own it cannot, and
/// has to do without.
#[cfg(feature = "registry")]
pub(crate) fn tighten(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let Ok(metadata) = path.symlink_metadata() else {
            return;
        };
        let mode = metadata.permissions().mode();
        if !metadata.is_symlink() && mode & 0o077 != 0 {
            let closed = std::fs::Permissions::from_mode(mode & 0o700);
            let _ = std::fs::set_permissions(path, closed);
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
