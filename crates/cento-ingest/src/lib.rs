//! Files and folders → documents. Every parser of foreign bytes lives in this crate.
//!
//! The way of the data: [`find`] walks the paths that a person gave, looks into archives and tables,
//! and lays out what belongs together; [`Readers`] read one of the documents, plain text here and
//! the formats of others in a process of their own, or say why they cannot. [`extract`] is what is
//! behind them: the text in bytes from anywhere, whatever format they are in.
//! [`PanCorpus`] is the layout of the PAN competitions.

mod archive;
mod format;
mod isolate;
mod layout;
mod pan;
mod table;
mod text;
mod walk;

mod find;
mod input;
mod options;

use std::path::PathBuf;
use std::sync::Arc;

pub use encoding_rs::Encoding;
pub use find::{Finding, find};
pub use format::{Extract, Kind, Messages, Record, Records, detect, extract};
pub use input::{Input, Shelf};
pub use isolate::{Readers, serve};
pub use options::{Grouping, Isolation, Keys, Limits, Options, Reading, size};
pub use pan::{PanCase, PanCorpus, PanFolder, PanPair, parse_truth};
#[cfg(feature = "parquet")]
pub use table::{AddedColumn, AddedValues, ParquetEdit, ParquetRows};
pub use table::{
    BadLine, BadRow, Columns, Form, Listed, PackedWriter, Row, Rows, Shard, TableRecord,
    TableRecords, manifest,
};
pub use walk::WalkError;

/// A document to read: a file, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path relative to what was given, `/`-separated; different from all others.
    pub id: String,
    /// What people call it.
    pub label: String,
    /// Which of the paths given it was found under.
    pub argument: usize,
    /// What it consists of.
    pub parts: Vec<Part>,
    /// When it was made, if somebody says so.
    pub date: Option<String>,
    /// It is put together from files, even if it is only one.
    pub is_submission: bool,
}

impl Source {
    /// How many bytes there are to read, as far as that is known.
    pub fn size(&self) -> u64 {
        self.parts.iter().map(|part| part.size).sum()
    }
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
    /// Which member to take of the file, which member of that member, and so on.
    pub steps: Vec<u64>,
    /// Its format is not ours: parsers of foreign bytes read it.
    pub is_foreign: bool,
}

/// Where reading begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// A file.
    File(PathBuf),
    /// What came on standard input.
    Stdin(Arc<Vec<u8>>),
}

/// A document that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// The text of all parts as UTF-8.
    pub content: String,
    /// What it was read as, if it is one file.
    pub kind: Option<Kind>,
    /// How its characters were coded, if that is one encoding for all of them.
    pub encoding: Option<&'static str>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// Which bytes of the text come from which file, if it was put together.
    pub parts: Vec<PartSpan>,
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
    /// How its characters were coded, where that is one encoding for all of them.
    pub encoding: Option<&'static str>,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

/// Texts must be shorter than this: their positions are 32-bit numbers.
const LARGEST: u64 = u32::MAX as u64 - 1;
