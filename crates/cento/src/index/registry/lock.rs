//! One writer at a time, and who it is.

use std::fs::{File, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};

use super::Folder;
use crate::error::Error;
use crate::index::private;

/// The right to write to a registry, until it is dropped or the process ends, however it ends.
pub(in crate::index) struct Lock {
    // The system gives the lock back when the file is closed.
    _file: File,
}

impl Lock {
    /// An error if somebody is writing.
    pub(super) fn expect_free(folder: &Folder) -> Result<(), Error> {
        let path = folder.lock();
        if path.exists() {
            Lock::open(folder)?;
        }
        Ok(())
    }

    /// Takes the right to write; `holder` is what others are told about us.
    pub(in crate::index) fn take(folder: &Folder, holder: &str) -> Result<Lock, Error> {
        let mut file = Lock::open(folder)?;
        let mut write = || {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "process {}, {holder}", std::process::id())
        };
        write().map_err(|source| Error::Io {
            path: folder.lock(),
            source,
        })?;
        Ok(Lock { _file: file })
    }

    /// The file, locked.
    fn open(folder: &Folder) -> Result<File, Error> {
        let path = folder.lock();
        let io = |source| Error::Io {
            path: path.clone(),
            source,
        };
        let options = &mut private::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                let mut text = String::new();
                let _ = file.take(1000).read_to_string(&mut text);
                let holder = text.trim();
                let holder = if holder.is_empty() {
                    "another process"
                } else {
                    holder
                };
                Err(Error::Locked {
                    path: folder.path().to_owned(),
                    holder: holder.escape_debug().to_string(),
                })
            }
            Err(TryLockError::Error(source)) => Err(io(source)),
        }
    }
}
