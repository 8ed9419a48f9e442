//! Add versions of pages.

mod capture;
mod decide;

use std::path::PathBuf;

use cento::report::Skipped;
use cento_ingest::{Limits, WebRecords};
use serde::{Deserialize, Serialize};

pub use self::capture::is_web_archive;
use self::capture::{Capture, Content, Given, Source, captured};
pub(super) use self::capture::{Head, sum};
use self::decide::Adder;
use super::{ArchiveOptions, Kind, moment, name, store::Store};
use crate::error::{At as _, Error, Result};
use crate::watch::{Step, Watch};

/// What to add.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Options {
    /// Where to.
    pub archive: ArchiveOptions,
    /// The name or the address of the page. Without one the files must be web archives, whose records
    /// name their pages; with one, only their records of that page are taken.
    pub name: Option<String>,
    /// Pages, one version after the other, or web archives; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// When the pages were fetched; otherwise what web archives say, or when the files were changed.
    pub time: Option<String>,
    /// From this similarity on a change is insignificant; otherwise as the archive was made.
    pub level: Option<f64>,
    /// How pages are read.
    pub input: cento_ingest::Options,
}

/// What was added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The versions, in the order in which they were added.
    pub added: Vec<Added>,
    /// What was not added, and why.
    pub skipped: Vec<Skipped>,
}

/// A version that was added.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Added {
    /// The page.
    pub name: String,
    /// The number of the version.
    pub version: u64,
    /// How it differs from what came before.
    pub kind: Kind,
    /// What is stored of it.
    pub stored: Stored,
    /// How many bytes that takes.
    pub bytes: u64,
    /// How many bytes are stored besides: the fields of a web archive, the headers of the transfer, and
    /// what was transferred where that is not the page itself.
    pub headers: u64,
    /// How many bytes the page has.
    pub length: u64,
    /// Why it was decided so.
    pub reason: String,
    /// Whether it came from a web archive with the digest of other bytes: somebody or something has
    /// changed one of them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_altered: bool,
    /// When it was fetched.
    pub time: String,
    /// How similar it is to the version stored whole before it, from 0 to 1.
    pub similarity: Option<f64>,
    /// The digest of its text.
    pub digest: Option<String>,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Whether it was not in the archive before: the same bytes of the same time are one version.
    #[serde(rename = "new")]
    pub is_new: bool,
}

/// What is stored of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stored {
    /// Nothing: the bytes were there already.
    Nothing,
    /// The difference from an earlier version.
    Patch,
    /// All of it.
    Whole,
}

/// What is added before it is committed: so many versions, or so many bytes.
const BATCH: (usize, usize) = (1000, 64 << 20);

/// Adds versions. What is told is committed; if it is stopped, versions that were committed stay.
pub fn run(options: &Options, watch: &Watch<'_>) -> Result<Outcome> {
    let time = options.time.as_deref().map(moment::parsed).transpose();
    let time = time.map_err(|reason| Error::option("time", reason))?;
    if let Some(level) = options.level.filter(|level| !(0.0..=1.0).contains(level)) {
        return Err(Error::option(
            "level",
            format!("{level} is not from 0 to 1"),
        ));
    }
    let page = options.name.as_deref().map(name::canonical).transpose()?;
    let limits = options.input.reading.limits;
    let mut given = Vec::new();
    for path in &options.files {
        let (file, is_web_archive) = Given::look(path, &limits)?;
        if page.is_none() && !is_web_archive {
            let reason = "it is not a web archive, so it does not say which page it is; give the \
                          name or the address of the page before it";
            return Err(Error::refused(reason)).at(path.display());
        }
        given.push((path.display().to_string(), file, is_web_archive));
    }
    let mut store = Store::write(&options.archive, "archive add", watch)?;
    let rules = Adder::new(&store, options)?;
    let captures = given.into_iter().flat_map(|(place, file, is_web_archive)| {
        let captures = match file.open(is_web_archive, &limits) {
            Ok(source) => Captures::new(source, &place, page.clone(), limits),
            Err(error) => Captures::None(Some(Skipped::new(place.as_str(), error.sentence()))),
        };
        captures.map(move |capture| (place.clone(), capture))
    });
    let captures = captures.map(|(place, mut capture)| {
        if let (Ok(capture), Some(time)) = (&mut capture, time) {
            capture.time = time;
        }
        (place, capture)
    });
    add_all(&mut store, &rules, captures, page.as_deref(), watch)
}

fn add_all(
    store: &mut Store,
    rules: &Adder,
    captures: impl Iterator<Item = (String, Result<Capture, Skipped>)>,
    page: Option<&str>,
    watch: &Watch<'_>,
) -> Result<Outcome> {
    watch.begin(Step::Archiving, 0, 0);
    let mut captures = captures.peekable();
    let mut outcome = Outcome::default();
    let mut others = 0_u64;
    while captures.peek().is_some() {
        watch.go_on()?;
        let (added, skipped) = store.change(|tables| {
            let (mut added, mut skipped) = (Vec::new(), Vec::new());
            let mut bytes = 0;
            while added.len() < BATCH.0 && bytes < BATCH.1 && !watch.is_stopped() {
                let Some((place, capture)) = captures.next() else {
                    break;
                };
                let capture = match capture {
                    Ok(capture) if page.is_some_and(|page| page != capture.name) => {
                        others += 1;
                        continue;
                    }
                    Ok(capture) => capture,
                    Err(reason) => {
                        skipped.push(reason);
                        continue;
                    }
                };
                if let Content::Page { page, .. } = &capture.content {
                    bytes += page.len();
                }
                match rules.add(tables, capture)? {
                    Ok(one) => added.push(one),
                    Err(reason) => skipped.push(of_file(&place, reason)),
                }
                watch.advance(1, 0);
            }
            Ok((added, skipped))
        })?;
        outcome.added.extend(added);
        outcome.skipped.extend(skipped);
    }
    watch.end();
    if let (Some(page), true, true) = (page, outcome.added.is_empty(), others > 0) {
        let page = page.escape_debug();
        let others = cento_report::counted(others, "record");
        let reason = format!("there is no record of {page}, but {others} of other pages");
        return Err(Error::refused(reason));
    }
    Ok(outcome)
}

/// What was skipped, with the file that it is in.
fn of_file(place: &str, skipped: Skipped) -> Skipped {
    let id = match skipped.id.as_str() {
        "" => place.to_owned(),
        address => format!("{place}: {address}"),
    };
    Skipped { id, ..skipped }
}

/// The captures of a file, one after the other.
enum Captures {
    /// It cannot be read.
    None(Option<Skipped>),
    One(Option<Capture>),
    Many {
        records: WebRecords,
        place: String,
        limits: Limits,
    },
}

impl Captures {
    fn new(source: Source, place: &str, page: Option<String>, limits: Limits) -> Captures {
        match (source, page) {
            (Source::Records(records), _) => Captures::Many {
                records,
                place: place.to_owned(),
                limits,
            },
            (Source::Page { bytes, time }, page) => Captures::One(page.map(|name| Capture {
                name,
                time,
                content: Content::Page {
                    page: bytes,
                    transfer: None,
                },
                head: None,
                is_altered: false,
            })),
        }
    }
}

impl Iterator for Captures {
    type Item = Result<Capture, Skipped>;

    fn next(&mut self) -> Option<Self::Item> {
        let (records, place, limits) = match self {
            Captures::None(reason) => return reason.take().map(Err),
            Captures::One(capture) => return capture.take().map(Ok),
            Captures::Many {
                records,
                place,
                limits,
            } => (records, place, limits),
        };
        loop {
            return match records.next()? {
                Err(error) => {
                    let reason = Error::from(error).sentence();
                    Some(Err(Skipped::new(place.as_str(), reason)))
                }
                Ok(record) => match captured(record, limits) {
                    None => continue,
                    Some(capture) => Some(capture.map_err(|skipped| of_file(place, skipped))),
                },
            };
        }
    }
}
