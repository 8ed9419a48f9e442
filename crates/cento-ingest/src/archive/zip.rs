//! Zip archives: members in any order, by their number.

use std::collections::BTreeSet;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};

use zip::ZipArchive;
use zip::result::ZipError;

use super::bytes::{Bytes, Cursor};
use super::container::{Member, Payload, read_limited};
use super::name::harmless;
use super::packed::too_much;
use crate::options::{Limits, size};
use crate::{Error, Limit};

/// A zip archive.
pub(crate) struct Zip {
    archive: ZipArchive<Cursor>,
    limits: Limits,
    /// Bytes that all members together may unpack to.
    budget: u64,
    /// The number of the next member to list, and what those before it unpack to.
    next: usize,
    listed: u64,
    bytes: Bytes,
    /// Members that cannot be taken, because a later one has the same name; known when all others are
    /// listed.
    hidden: Option<std::vec::IntoIter<String>>,
}

impl Zip {
    pub(crate) fn open(bytes: &Bytes, limits: &Limits) -> Result<Zip, Error> {
        let archive = ZipArchive::new(bytes.reader())
            .map_err(|error| Error::Damaged(format!("damaged zip archive ({error})")))?;
        Ok(Zip {
            archive,
            limits: *limits,
            budget: limits.unpacked(bytes.length()),
            next: 0,
            listed: 0,
            bytes: bytes.clone(),
            hidden: None,
        })
    }

    /// Whether it is a document that is packed like an archive, such as a DOCX file.
    pub(crate) fn is_document(&self) -> bool {
        let has = |name: &str| self.archive.index_for_name(name).is_some();
        has("[Content_Types].xml")
            || has("META-INF/container.xml")
            || has("content.xml") && (has("META-INF/manifest.xml") || has("mimetype"))
            || has("Index/Document.iwa")
            || has("index.apxl")
    }

    pub(crate) fn next_member(&mut self) -> Option<Member> {
        loop {
            let index = self.next;
            if index >= self.archive.len() {
                return self.next_hidden();
            }
            self.next += 1;
            if let Some(member) = self.member(index) {
                return Some(member);
            }
        }
    }

    /// A member that nobody can take, which is no reason not to list it.
    fn next_hidden(&mut self) -> Option<Member> {
        if self.hidden.is_none() {
            let mut directory = BufReader::new(self.bytes.reader());
            let start = SeekFrom::Start(self.archive.central_directory_start());
            let names = match directory.seek(start) {
                Ok(_) => repeated(&mut directory, self.limits.entries),
                Err(_) => Vec::new(),
            };
            self.hidden = Some(names.into_iter());
        }
        let name = self.hidden.as_mut()?.next()?;
        let reason = "another file of the archive has the same name, so it cannot be read; pack the \
                      archive again";
        let error = Error::NotOpened(reason.to_owned());
        Some(Member::skipped(self.next as u64, &name, error))
    }

    /// A member as it is listed; folders are not.
    fn member(&mut self, index: usize) -> Option<Member> {
        let step = index as u64;
        let file = match self.archive.by_index_data(index) {
            Ok(file) => file,
            Err(error) => {
                let name = format!("entry {}", index + 1);
                let damage = Error::Damaged(format!("damaged ({error})"));
                return Some(Member::skipped(step, &name, damage));
            }
        };
        // Old programs set no mark for UTF-8 but write it; other encodings are read as DOS has them.
        let name = match std::str::from_utf8(file.name_raw()) {
            Ok(name) => name.to_owned(),
            Err(_) => file.name().map(String::from).unwrap_or_default(),
        };
        let (name, warning) = harmless(name.as_bytes());
        if file.is_dir() {
            return None;
        }
        let unpacked = file.size();
        let error = if file.is_symlink() {
            Some(Error::NotOpened(
                "link in an archive, not followed".to_owned(),
            ))
        } else if file.encrypted() {
            Some(Error::Encrypted)
        } else if unpacked > self.limits.file_size {
            Some(too_large(&self.limits))
        } else {
            // The reader stops at the size that is stated, so what is stated can be counted on.
            self.listed = self.listed.saturating_add(unpacked);
            (self.listed > self.budget).then(|| too_much(&self.limits))
        };
        Some(match error {
            Some(error) => Member::skipped(step, &name, error),
            None => Member::file(step, &name, unpacked, warning),
        })
    }

    /// A member's bytes, or as many of them as were asked for.
    pub(crate) fn take(&mut self, step: u64, most: Option<u64>) -> Result<Payload, Error> {
        let index = usize::try_from(step).unwrap_or(usize::MAX);
        let file = self.archive.by_index(index).map_err(|error| match error {
            ZipError::InvalidPassword => Error::Encrypted,
            ZipError::UnsupportedArchive(reason) => {
                Error::Unsupported(format!("cannot be unpacked ({reason})"))
            }
            error => Error::Damaged(format!("damaged ({error})")),
        })?;
        let (name, _) = harmless(file.name_raw());
        let stated = file.size();
        let file = file.take(stated.saturating_add(1));
        match most {
            Some(most) => Payload::start(file.take(most), name),
            None => read_limited(file, name, &self.limits),
        }
    }
}

/// Names in a directory that were there before.
fn repeated(directory: &mut impl Read, most: u64) -> Vec<String> {
    const HEAD: usize = 46;
    let mut seen = BTreeSet::new();
    let mut repeated = Vec::new();
    let mut head = [0; HEAD];
    while (seen.len() + repeated.len()) as u64 <= most {
        if directory.read_exact(&mut head).is_err() || !head.starts_with(b"PK\x01\x02") {
            break;
        }
        let length = |at: usize| u16::from_le_bytes([head[at], head[at + 1]]);
        let mut name = vec![0; usize::from(length(28))];
        let rest = u64::from(length(30)) + u64::from(length(32));
        let skipped = directory.read_exact(&mut name).and_then(|()| {
            let mut rest = directory.by_ref().take(rest);
            io::copy(&mut rest, &mut io::sink())
        });
        if skipped.is_err() {
            break;
        }
        let (harmless, _) = harmless(&name);
        // A folder may be there for each of its files.
        if !seen.insert(name) && !harmless.ends_with('/') {
            repeated.push(harmless);
        }
    }
    repeated
}

/// The error of a file that is too large.
pub(crate) fn too_large(limits: &Limits) -> Error {
    Limit::FileSize.reached(format!("larger than {}", size(limits.file_size)))
}
