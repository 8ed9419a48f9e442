//! Files and folders → documents. Every parser of foreign bytes lives in this crate.
//!
//! [`walk`] lists what there is under the paths that a person gave, with an id for each file;
//! [`read`] turns one of them into text, or says why it cannot; [`extract`] does the same for bytes
//! from anywhere, whatever format they are in. [`PanCorpus`] is the layout of the PAN competitions.

mod format;
mod pan;
mod text;
mod walk;

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

pub use encoding_rs::Encoding;
pub use format::{Extract, Kind, Messages, Record, Records, detect, extract};
pub use pan::{PanCase, PanCorpus, PanFolder, PanPair, parse_truth};
pub use walk::{Walk, WalkError, walk};

/// Something to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path relative to what was given, `/`-separated.
    pub id: String,
    /// Where it is.
    pub place: Place,
    /// Which of the paths given it was found under.
    pub argument: usize,
}

/// Where a source is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// What was read.
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

/// The text of a source, or the reason why it has none.
pub fn read(source: &Source) -> Result<Text, String> {
    let bytes = match &source.place {
        Place::File(path) => {
            let file = File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
            let size = file.metadata().map_or(0, |metadata| metadata.len());
            if size > LARGEST {
                return Err(too_large());
            }
            read_all(file, usize::try_from(size).unwrap_or(0))?
        }
        Place::Stdin => read_all(std::io::stdin().lock(), 0)?,
    };
    extract(bytes, &source.id, &Extract::default())
}

fn read_all(reader: impl Read, size: usize) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(size);
    // A file may grow while it is read.
    let read = reader.take(LARGEST + 1).read_to_end(&mut bytes);
    let count = read.map_err(|error| format!("cannot be read: {error}"))?;
    if count as u64 > LARGEST {
        Err(too_large())
    } else {
        Ok(bytes)
    }
}

fn too_large() -> String {
    "larger than 4 GiB; split it into documents".to_owned()
}
