//! Finds documents in files and folders, and reads their text, whatever format they are in.
//!
//! [`find_inputs`] walks the paths that a person gives, looks into archives, mailboxes and tables,
//! and puts together the files that are one document. Each [`Input`] that it returns can be read, as
//! often as it is needed: [`Input::read`] gives a [`Document`], which is the text as UTF-8 with what
//! it was read as and what is odd about it. What cannot be read ends no run: it is listed as a
//! [`SkippedFile`], and its [`Error`] says what a person can do about it.
//!
//! [`Options`] say which files count, which of them make one document ([`Grouping`]), how much of
//! anything is allowed ([`Limits`]), and where parsers run ([`Isolation`]). [`Readers`] do the
//! reading: this process reads plain text, and processes of their own read foreign formats, so that
//! a broken file costs that file only. A program that wants such processes calls [`serve`] in them.
//! Formats that are not read here may be converted by programs that a user has named, [`Converters`].
//!
//! ```
//! use std::sync::Arc;
//!
//! use cento_ingest::{Options, Readers, find_inputs};
//!
//! let folder = tempfile::tempdir()?;
//! std::fs::write(folder.path().join("essay.txt"), "A canal needs water.")?;
//! std::fs::write(folder.path().join("page.html"), "<html><p>A page needs <b>words</b>.</p>")?;
//! std::fs::write(folder.path().join("photo.jpg"), b"\xff\xd8\xff\xe0")?;
//!
//! let options = Options::default();
//! let readers = Arc::new(Readers::new(&options));
//! let found = find_inputs(&[folder.path().to_owned()], &options, &readers)?;
//! let mut read = Vec::new();
//! for input in &found.inputs {
//!     read.push(match input.read() {
//!         Ok(document) => format!("{}: {}", input.id(), document.content),
//!         Err(error) => format!("{} cannot be read: {error}", input.id()),
//!     });
//! }
//! assert_eq!(
//!     read,
//!     [
//!         "essay.txt: A canal needs water.",
//!         "page.html: A page needs words.",
//!         "photo.jpg cannot be read: JPEG image: run OCR on it first, for example `tesseract`",
//!     ]
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Underneath, in the order of the data: [`find`] returns [`FoundDocument`]s, which
//! [`Readers::read`] reads; [`detect`] and [`extract`] take bytes from anywhere, and [`Messages`] and
//! [`Records`] take mailboxes and web archives apart; [`WebRecords`] keeps all that is in them, and
//! [`CrawledPages`] reads a crawl as it comes. A table is a document a row: [`Rows`] and
//! `ParquetRows` read one, and a [`Shard`] is read and written again as it was. [`PanCorpus`] reads
//! the corpora of the PAN competitions.

mod archive;
mod concealed;
mod convert;
mod crawl;
mod error;
mod format;
mod header;
mod isolate;
mod layout;
mod pan;
pub mod process;
mod program;
mod table;
mod text;
mod walk;

mod find;
mod input;
mod options;

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use concealed::{Concealed, ConcealedText, Concealment};
pub use convert::{Converters, Convertible};
pub use crawl::{BadPage, CrawledContent, CrawledPage, CrawledPages};
pub use encoding_rs::Encoding;
pub use error::{Error, FieldKey, Limit, PatternList};
pub use find::{Finding, Inputs, find, find_inputs};
pub use format::{
    Extract, Kind, Messages, Record, Records, Transfer, WebRecord, WebRecords, detect, extract,
    message,
};
pub use header::{with_field, without_field};
pub use input::Input;
pub use isolate::{Readers, serve};
pub use layout::{LayoutNote, Platform};
pub use options::{
    Grouping, Isolation, Keys, Limits, Options, Reading, Scope, not_a_size, parse_size, size,
};
pub use pan::{PanCase, PanCorpus, PanFolder, PanPair, parse_truth};
pub use program::{
    Class, Disguise, GRAMMAR_REVISION, Highlight, Program, ProgramPart, Programs, Subroutine,
    Token, language_of,
};
#[cfg(feature = "parquet")]
pub use table::{AddedColumn, AddedValues, ParquetEdit, ParquetRows};
pub use table::{
    BadLine, BadRow, Columns, Form, Listed, PackedWriter, Row, Rows, Shard, TableRecord,
    TableRecords, manifest,
};

/// A document that was found and can be read: a file, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDocument {
    /// The path relative to what was given, `/`-separated. No other document has it.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Which of the paths given it was found under.
    pub argument: usize,
    /// What it consists of.
    pub parts: Vec<Part>,
    /// When it was made, if that is known.
    pub date: Option<String>,
    /// It is put together from files, be it only one.
    pub is_submission: bool,
    /// Whose it is, if the layout says that: a name in an export, or a folder per submission.
    pub owner: Option<String>,
}

impl FoundDocument {
    /// A document in memory, under the name that people know it by.
    pub fn in_memory(name: &str, bytes: Vec<u8>) -> FoundDocument {
        FoundDocument {
            id: name.to_owned(),
            label: name.to_owned(),
            argument: 0,
            parts: vec![Part {
                file: name.to_owned(),
                size: bytes.len() as u64,
                place: Place {
                    root: Root::Memory(Arc::new(bytes)),
                    steps: Vec::new(),
                    is_foreign: true,
                },
                warning: None,
            }],
            date: None,
            is_submission: false,
            owner: None,
        }
    }

    /// A text in memory, under the name that people know it by. It is taken as it is, whatever format
    /// it may look like.
    pub fn text(name: &str, text: Arc<str>) -> FoundDocument {
        FoundDocument {
            id: name.to_owned(),
            label: name.to_owned(),
            argument: 0,
            parts: vec![Part {
                file: name.to_owned(),
                size: text.len() as u64,
                place: Place {
                    root: Root::Text(text),
                    steps: Vec::new(),
                    is_foreign: false,
                },
                warning: None,
            }],
            date: None,
            is_submission: false,
            owner: None,
        }
    }

    /// How many bytes there are to read, as far as that is known.
    pub fn size(&self) -> u64 {
        self.parts.iter().map(|part| part.size).sum()
    }
}

/// Something that was found and cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedFile {
    /// The path relative to what was given, `/`-separated.
    pub id: String,
    /// Why.
    pub error: Error,
}

/// A file of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The path relative to what was given, `/`-separated.
    pub file: String,
    /// Where it is.
    pub place: Place,
    /// How many bytes it has.
    pub size: u64,
    /// What is odd about it before it is read.
    pub warning: Option<String>,
}

/// Where a part is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub root: Root,
    /// Which member of the file to take, which member of that member, and so on.
    pub steps: Vec<u64>,
    /// It may be in a foreign format, so a process of its own reads it.
    pub is_foreign: bool,
}

/// Where reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A file.
    File(PathBuf),
    /// Bytes in memory, from standard input for example.
    Memory(Arc<Vec<u8>>),
    /// A text in memory.
    Text(Arc<str>),
}

/// A document that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The text of all parts as UTF-8.
    pub content: String,
    /// What it was read as, if it is one file.
    pub kind: Option<Kind>,
    /// The encoding of its characters, if there is one for all of them.
    pub encoding: Option<&'static str>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What its files have and do not show.
    pub concealed: Concealed,
    /// Which bytes of the text come from which file, if it was put together.
    pub parts: Vec<PartSpan>,
    /// The programs in it, if programs are looked for.
    pub programs: Vec<ProgramPart>,
}

/// Where the text of a file is in that of its document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartSpan {
    /// The path relative to what was given, `/`-separated.
    pub file: String,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// The text of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text as UTF-8.
    pub content: String,
    /// What it was read as.
    pub kind: Kind,
    /// The encoding of its characters, if there is one for all of them.
    pub encoding: Option<&'static str>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What the file has and does not show.
    pub concealed: Concealed,
    /// Where programs are in it, if it says so itself.
    pub code: Vec<CodeSpan>,
}

/// Where a program is in a text that has more than one thing in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The name of its language.
    pub language: String,
}

/// Texts must be shorter than this: their positions are 32-bit numbers.
const LARGEST: u64 = u32::MAX as u64 - 1;
