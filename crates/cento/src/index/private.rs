//! Files and folders that nobody but their owner can read: what is kept of documents is theirs.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

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

/// Makes a folder, with those above it.
#[cfg(feature = "registry")]
pub(crate) fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
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
