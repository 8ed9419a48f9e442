//! How files are looked for and read, and how much of anything is allowed.

use std::path::PathBuf;
use std::time::Duration;

use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};

use crate::format::Extract;

/// Which files count, what belongs together, and how it is read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How one file is read.
    pub reading: Reading,
    /// Which files make one document.
    pub grouping: Grouping,
    /// Only files that match one of these patterns, if there are any.
    pub include: Vec<String>,
    /// No files that match one of these patterns.
    pub exclude: Vec<String>,
    /// Where the parsers of foreign bytes run.
    pub isolation: Isolation,
}

/// Which files make one document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Grouping {
    /// Every file is a document, unless the layout is one that is known.
    #[default]
    Auto,
    /// Every child of a root, file or folder, is a document.
    PerFolder,
    /// Every file is a document, whatever the layout.
    PerFile,
}

/// Where the parsers of foreign bytes run.
#[derive(Clone, Debug, Default)]
pub enum Isolation {
    /// Here: a panic costs one file, but an endless loop or a stack overflow costs the run.
    #[default]
    InProcess,
    /// In processes of this program, which calls [`crate::serve`] when it is run with these
    /// arguments. Whatever happens in one of them costs one file.
    Worker {
        /// The program.
        program: PathBuf,
        /// What to run it with.
        arguments: Vec<String>,
    },
}

/// How one file is read.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// How much of anything is allowed.
    pub limits: Limits,
    /// The encoding of texts that do not say which they have; guessed without one.
    pub encoding: Option<&'static Encoding>,
    /// Which fields of tables are read.
    pub keys: Keys,
}

/// Which fields of a table's rows are read; usual names are tried where none is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keys {
    /// The field with the text.
    pub text: Option<String>,
    /// The field with the id.
    pub id: Option<String>,
}

/// How much of anything is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of a document, and of an archive inside another one, as they come out of it.
    pub file_size: u64,
    /// Bytes of a document's text.
    pub text_size: u64,
    /// How many times its own size anything may unpack to. What is small may always unpack to
    /// [`Limits::ALWAYS_ALLOWED`].
    pub ratio: u64,
    /// How many archives may be inside one another.
    pub nesting: usize,
    /// Entries of an archive.
    pub entries: u64,
    /// How long a file may take.
    pub time: Duration,
    /// Bytes of memory that a process which reads files may have.
    pub memory: u64,
}

impl Limits {
    /// Bytes that even a tiny file may unpack to.
    pub const ALWAYS_ALLOWED: u64 = 16 << 20;

    /// What `packed` bytes may unpack to.
    pub(crate) fn unpacked(&self, packed: u64) -> u64 {
        packed
            .saturating_mul(self.ratio)
            .max(Limits::ALWAYS_ALLOWED)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_size: 1 << 30,
            text_size: 256 << 20,
            ratio: 200,
            nesting: 3,
            entries: 100_000,
            time: Duration::from_mins(1),
            memory: 4 << 30,
        }
    }
}

impl Reading {
    pub(crate) fn extract(&self) -> Extract {
        Extract {
            encoding: self.encoding,
            text_limit: self.limits.text_size,
            unpacked_limit: self.limits.file_size,
            ratio_limit: self.limits.ratio,
        }
    }
}

/// A number of bytes for people: in whole units where that is exact.
pub fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.iter().find(|(shift, _)| bytes >> shift > 0);
    match unit {
        Some((shift, name)) if bytes.is_multiple_of(1 << shift) => {
            format!("{} {name}", bytes >> shift)
        }
        Some((shift, name)) => format!("{:.1} {name}", bytes as f64 / f64::from(1 << shift)),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_for_people() {
        let sizes = [0, 1023, 1024, 1536, 1 << 30].map(size);
        assert_eq!(
            sizes,
            ["0 bytes", "1023 bytes", "1 KiB", "1.5 KiB", "1 GiB"]
        );
    }
}
