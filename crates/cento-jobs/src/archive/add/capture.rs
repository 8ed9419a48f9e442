//! What is to be added: pages from files and from the records of web archives.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cento::report::Skipped;
use cento_ingest::{Limits, WebRecord, WebRecords, size};
use sha1::{Digest as _, Sha1};

use crate::archive::store::digest;
use crate::archive::{base32, moment, name};
use crate::error::{At as _, Error, File as _, Result};

/// A page as it was at a time.
pub(super) struct Capture {
    /// What it is called in the archive.
    pub(super) name: String,
    pub(super) time: i64,
    pub(super) content: Content,
    /// What a web archive says about it, see [`Head`].
    pub(super) head: Option<Vec<u8>>,
    /// Whether its bytes are others than those that a web archive has the digest of.
    pub(super) is_altered: bool,
}

/// What was found at an address.
pub(super) enum Content {
    Page {
        page: Vec<u8>,
        /// The bytes that were transferred, if they are others.
        transfer: Option<Vec<u8>>,
    },
    /// The same as before, which a record refers to.
    Revisit(Reference),
}

/// How a record refers to an earlier one.
#[derive(Default)]
pub(super) struct Reference {
    /// The digest of what was transferred then, as `sha1:…` or `sha256:…`.
    pub(super) digest: Option<String>,
    pub(super) name: Option<String>,
    pub(super) time: Option<i64>,
}

/// A file with captures, or standard input, which can be read once only.
pub(super) enum Given {
    File(PathBuf),
    Input(Vec<u8>),
}

/// What is in it: a web archive or a page.
pub(super) enum Source {
    Records(WebRecords),
    Page { bytes: Vec<u8>, time: i64 },
}

impl Given {
    /// Says whether it is a web archive. Whatever cannot be opened is an error before anything is added.
    pub(super) fn look(path: &Path, limits: &Limits) -> Result<(Given, bool)> {
        if path.as_os_str() == "-" {
            let bytes = read(&mut std::io::stdin().lock(), limits).at("standard input")?;
            let stream = Box::new(Cursor::new(bytes.clone()));
            let mut records = WebRecords::new(stream, limits).at("standard input")?;
            return Ok((Given::Input(bytes), records.is_next()));
        }
        let file = File::open(path).of(path)?;
        if file.metadata().of(path)?.is_dir() {
            return Err(Error::refused("a folder; give files")).at(path.display());
        }
        let mut records = WebRecords::new(Box::new(file), limits).at(path.display())?;
        Ok((Given::File(path.to_owned()), records.is_next()))
    }

    /// Opens it.
    pub(super) fn open(self, is_web_archive: bool, limits: &Limits) -> Result<Source> {
        match (self, is_web_archive) {
            (Given::File(path), true) => {
                let file = File::open(&path).of(&path)?;
                let records = WebRecords::new(Box::new(file), limits).at(path.display())?;
                Ok(Source::Records(records))
            }
            (Given::File(path), false) => {
                let mut file = File::open(&path).of(&path)?;
                let time = moment::of(file.metadata().of(&path)?.modified().of(&path)?);
                let bytes = read(&mut file, limits).at(path.display())?;
                Ok(Source::Page { bytes, time })
            }
            (Given::Input(bytes), true) => {
                let records = WebRecords::new(Box::new(Cursor::new(bytes)), limits)?;
                Ok(Source::Records(records))
            }
            (Given::Input(bytes), false) => Ok(Source::Page {
                bytes,
                time: moment::of(SystemTime::now()),
            }),
        }
    }
}

/// Whether a file is a web archive, packed or not.
pub fn is_web_archive(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| {
        let records = WebRecords::new(Box::new(file), &Limits::default());
        records.is_ok_and(|mut records| records.is_next())
    })
}

fn read(stream: &mut dyn Read, limits: &Limits) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let limit = limits.file_size;
    let read = stream.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    if let Err(error) = read {
        return Err(Error::refused(format!("it cannot be read: {error}")));
    }
    if bytes.len() as u64 > limit {
        return Err(Error::refused(format!("it is larger than {}", size(limit))));
    }
    Ok(bytes)
}

/// What a record is a capture of; nothing if it is none, and why if it should be one and cannot.
pub(super) fn captured(record: WebRecord, limits: &Limits) -> Option<Result<Capture, Skipped>> {
    if !matches!(record.record_type(), "response" | "resource" | "revisit") {
        return None;
    }
    let address = record.address().to_owned();
    let skipped = |reason: String| Some(Err(Skipped::new(address.as_str(), reason)));
    let Ok(name) = name::canonical(&address) else {
        return skipped("a record without an address".to_owned());
    };
    let Ok(time) = moment::parsed(record.field("warc-date").unwrap_or_default()) else {
        return skipped("its WARC-Date is not a time".to_owned());
    };
    let is_revisit = record.record_type() == "revisit";
    let is_altered = is_altered(&record);
    let http_head = record.transfer().map_or(&[][..], |transfer| transfer.head);
    let head = Head {
        fields: record.fields.clone(),
        http: http_head.to_vec(),
    };
    let content = if is_revisit {
        let refers = |field: &str| record.field(field);
        Content::Revisit(Reference {
            digest: refers("warc-payload-digest").map(str::to_owned),
            name: refers("warc-refers-to-target-uri")
                .and_then(|address| name::canonical(address.trim_matches(['<', '>'])).ok()),
            time: refers("warc-refers-to-date").and_then(|time| moment::parsed(time).ok()),
        })
    } else if let Some(transfer) = record.transfer() {
        let packed = transfer.body.len() as u64;
        let most = packed.saturating_mul(limits.ratio);
        let most = most.max(Limits::ALWAYS_ALLOWED).min(limits.file_size);
        match transfer.page(most) {
            Ok(page) if *page == *transfer.body => Content::Page {
                page: page.into_owned(),
                transfer: None,
            },
            Ok(page) => Content::Page {
                page: page.into_owned(),
                transfer: Some(transfer.body.to_vec()),
            },
            // What cannot be unpacked, or to more than is allowed, is kept as it came.
            Err(_) => Content::Page {
                page: transfer.body.to_vec(),
                transfer: None,
            },
        }
    } else {
        Content::Page {
            page: record.block,
            transfer: None,
        }
    };
    Some(Ok(Capture {
        name,
        time,
        content,
        head: Some(head.encoded()),
        is_altered,
    }))
}

/// Whether a record has other bytes than when it was written, by the digest in its header.
fn is_altered(record: &WebRecord) -> bool {
    let stated = record.field("warc-block-digest");
    let Some((algorithm, digits)) = stated.and_then(|stated| stated.split_once(':')) else {
        return false;
    };
    let differs = |sum: &[u8]| {
        let stated = base32::decoded(digits, sum.len());
        stated.is_some_and(|stated| stated != sum)
    };
    match algorithm.trim().to_ascii_lowercase().as_str() {
        "sha1" => differs(&sum(&record.block)),
        "sha256" => differs(&digest(&record.block)),
        _ => false,
    }
}

/// What a web archive says about a capture: its own fields, and the headers of the transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::archive) struct Head {
    /// The header lines of the record.
    pub(in crate::archive) fields: Vec<u8>,
    /// The status line and the headers that a server sent, with the empty line.
    pub(in crate::archive) http: Vec<u8>,
}

impl Head {
    pub(in crate::archive) fn encoded(&self) -> Vec<u8> {
        let length = u32::try_from(self.fields.len()).unwrap_or(u32::MAX);
        [&length.to_le_bytes(), self.fields.as_slice(), &self.http].concat()
    }

    pub(in crate::archive) fn decoded(bytes: &[u8]) -> Option<Head> {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (fields, http) = rest.split_at_checked(length)?;
        Some(Head {
            fields: fields.to_vec(),
            http: http.to_vec(),
        })
    }
}

/// SHA-1 of what was transferred.
pub(in crate::archive) fn sum(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}
