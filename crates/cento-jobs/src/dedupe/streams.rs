//! Standard input and output. Each passes by once, so a temporary file stands for it meanwhile.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::error::{File as _, Result};
use crate::watch::Watch;

/// What standard input is called where tables have names.
pub(super) const STDIN: &str = "stdin.jsonl";

/// Whether a path means standard input or output.
pub(super) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What came from standard input, in a file that is removed in the end.
pub(super) struct StandardInput {
    folder: TempDir,
    pub(super) bytes: u64,
    hash: u64,
}

impl StandardInput {
    /// Reads all of it.
    pub(super) fn read(watch: &Watch<'_>) -> Result<StandardInput> {
        StandardInput::of(io::stdin().lock(), watch)
    }

    fn of(mut input: impl io::Read, watch: &Watch<'_>) -> Result<StandardInput> {
        let named = Path::new("standard input");
        let folder = private_folder().of(named)?;
        let path = folder.path().join(STDIN);
        let mut file = File::create(&path).of(&path)?;
        let mut hasher = DefaultHasher::new();
        let (mut bytes, mut block) = (0, Vec::new());
        loop {
            watch.go_on()?;
            // Whole blocks, so that the hash does not depend on how the bytes came.
            block.clear();
            let read = input.by_ref().take(1 << 20).read_to_end(&mut block);
            if read.of(named)? == 0 {
                break;
            }
            bytes += block.len() as u64;
            hasher.write(&block);
            file.write_all(&block).of(&path)?;
        }
        Ok(StandardInput {
            folder,
            bytes,
            hash: hasher.finish(),
        })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join(STDIN)
    }

    /// What tells it from other input: a run goes on if it gets the same bytes again.
    pub(super) fn description(&self) -> Value {
        json!(["-", self.bytes, self.hash.to_string()])
    }
}

/// A temporary folder that only its owner can look into: nobody else was given the data.
fn private_folder() -> io::Result<TempDir> {
    let mut folder = tempfile::Builder::new();
    folder.prefix("cento-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        folder.permissions(std::fs::Permissions::from_mode(0o700));
    }
    folder.tempdir()
}

/// What goes to standard output when everything is whole.
pub(super) struct StandardOutput(File);

impl StandardOutput {
    pub(super) fn new() -> Result<StandardOutput> {
        let file = tempfile::tempfile().of(Path::new("standard output"))?;
        Ok(StandardOutput(file))
    }

    /// Where more can be written, behind what is there.
    pub(super) fn file(&self) -> Result<File> {
        self.0.try_clone().of(Path::new("standard output"))
    }

    /// Prints all of it. A reader who has seen enough is no reason to fail.
    pub(super) fn print(mut self) -> Result<()> {
        let mut print = || {
            self.0.rewind()?;
            let mut out = io::stdout().lock();
            io::copy(&mut self.0, &mut out)?;
            out.flush()
        };
        match print() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            printed => printed.of(Path::new("standard output")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_bytes_are_the_same_input() {
        let read = |bytes: &[u8]| StandardInput::of(bytes, &Watch::NOBODY).unwrap();
        let long = "x".repeat(3 << 20);
        let one = read(long.as_bytes());
        assert_eq!(std::fs::read_to_string(one.path()).unwrap(), long);
        // In pieces.
        let (start, end) = long.as_bytes().split_at(1_000_001);
        let pieces = StandardInput::of(start.chain(end), &Watch::NOBODY).unwrap();
        assert_eq!(pieces.description(), one.description());
        assert_ne!(read(b"y").description(), read(b"z").description());
        let path = one.path();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = one.folder.path().metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700);
        }
        drop(one);
        assert!(!path.exists());
    }
}
