//! One writer at a time, and who it is.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::error::{At as _, Error, File as _, Result};

/// The right to write to an archive, until it is dropped or the process ends, however it ends.
pub(super) struct Lock {
    // The system gives the lock back when the file is closed.
    _file: File,
}

impl Lock {
    /// Takes the right to write; others are told that `job` is running.
    pub(super) fn take(archive: &Path, job: &str) -> Result<Lock> {
        let path = archive.join("lock");
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path).of(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.take(1000).read_to_string(&mut holder);
                let holder = match holder.trim() {
                    "" => "another process",
                    holder => holder,
                };
                let holder = holder.escape_debug();
                let reason = format!(
                    "{holder} is writing to it, and an archive has one writer at a time; try again \
                     when it is done"
                );
                return Err(Error::refused(reason)).at(archive.display());
            }
            Err(TryLockError::Error(source)) => return Err(source).of(&path),
        }
        let mut write = || {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "process {}, `{job}`,", std::process::id())
        };
        write().of(&path)?;
        Ok(Lock { _file: file })
    }
}
