//! Files that say what to do: they are read whole, so they must have an end.

use std::io::{self, Read as _};
use std::path::Path;

use crate::error::{File as _, Result};

/// The text of such a file of at most so many bytes. Devices, and pipes that nobody may ever write
/// to, are refused; what a shell passes as a file is read.
pub fn read_settings(path: &Path, most: u64) -> Result<String> {
    let bytes = read_bytes(path, most)?;
    let text = String::from_utf8(bytes).map_err(|_| io::Error::other("it is not text in UTF-8"));
    text.of(path)
}

pub(crate) fn read_bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let read = || {
        expect_end(path)?;
        let mut bytes = Vec::new();
        std::fs::File::open(path)?
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            let most = cento_ingest::size(most);
            return Err(io::Error::other(format!("it is larger than {most}")));
        }
        Ok(bytes)
    };
    read().of(path)
}

#[cfg(unix)]
pub(crate) fn expect_end(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt as _;
    let kind = path.metadata()?.file_type();
    // A shell's own pipes are links to what they are.
    let is_pipe = path.symlink_metadata()?.file_type().is_fifo();
    if is_pipe || kind.is_char_device() || kind.is_block_device() || kind.is_socket() {
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn expect_end(_: &Path) -> io::Result<()> {
    Ok(())
}
