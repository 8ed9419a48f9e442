//! Files with documents in them, and how to get at each.

use std::io::{BufReader, ErrorKind, Read};

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use super::name::harmless;
use super::packed::Stream;
use super::tar::{EntryKind, Tar};
use super::zip::{Zip, too_large};
use crate::isolate::too_much_memory;
use crate::options::{Limits, Reading};
#[cfg(feature = "parquet")]
use crate::table::ParquetRows;
use crate::table::{BadRow, Form, Row, Rows};
use crate::{Error, Messages, Records};

/// Something that has documents in it.
pub(crate) enum Container {
    Zip(Zip),
    Tar(TarMembers),
    /// A mailbox, and the number of the next message.
    Mailbox(Messages<BufReader<Stream>>, u64),
    /// A web archive, and the number of the next record.
    Web(Records<BufReader<Stream>>, u64),
    Table(LineTable),
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetRows>),
}

/// A document in a container, or an archive in an archive.
pub(crate) struct Member {
    /// What the container finds it by.
    pub(crate) step: u64,
    /// What comes after the container's name in its id.
    pub(crate) suffix: String,
    /// Its id, if it has one of its own.
    pub(crate) id: Option<String>,
    pub(crate) size: u64,
    pub(crate) content: MemberContent,
    pub(crate) warning: Option<String>,
}

pub(crate) enum MemberContent {
    /// A file, which may be an archive itself.
    File,
    /// A message, a page or a row.
    Record,
    /// It is not read, for this reason.
    Skipped(Error),
}

/// A document's bytes, or its text where it has no other form.
pub(crate) struct Payload {
    pub(crate) content: PayloadContent,
    pub(crate) name: String,
    pub(crate) warnings: Vec<String>,
}

pub(crate) enum PayloadContent {
    Bytes(Vec<u8>),
    Text(String),
}

/// What a container does when it is asked for a member.
pub(crate) enum Taken {
    Payload(Payload),
    /// It has read past it and must be opened again.
    Behind,
}

impl Member {
    pub(crate) fn file(step: u64, name: &str, size: u64, warning: Option<String>) -> Member {
        Member {
            step,
            suffix: format!("/{name}"),
            id: None,
            size,
            content: MemberContent::File,
            warning,
        }
    }

    pub(crate) fn skipped(step: u64, name: &str, error: Error) -> Member {
        Member {
            content: MemberContent::Skipped(error),
            ..Member::file(step, name, 0, None)
        }
    }

    pub(crate) fn record(step: u64, suffix: String, id: Option<String>, size: u64) -> Member {
        Member {
            step,
            suffix,
            id,
            size,
            content: MemberContent::Record,
            warning: None,
        }
    }
}

impl Payload {
    /// The first bytes only.
    pub(crate) fn start(mut reader: impl Read, name: String) -> Result<Payload, Error> {
        let mut bytes = Vec::new();
        // What is damaged later on is told when it is read.
        let outcome = reader.read_to_end(&mut bytes);
        match outcome {
            Err(error) if bytes.is_empty() => Err(Error::damaged(&error)),
            _ => Ok(Payload {
                content: PayloadContent::Bytes(bytes),
                name,
                warnings: Vec::new(),
            }),
        }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        match self.content {
            PayloadContent::Bytes(bytes) => bytes,
            PayloadContent::Text(text) => text.into_bytes(),
        }
    }
}

/// All bytes, unless they are too many. What comes before damage is kept, with a warning.
pub(crate) fn read_limited(
    reader: impl Read,
    name: String,
    limits: &Limits,
) -> Result<Payload, Error> {
    let mut bytes = Vec::new();
    let limited = &mut reader.take(limits.file_size.saturating_add(1));
    let outcome = limited.read_to_end(&mut bytes);
    if bytes.len() as u64 > limits.file_size {
        return Err(too_large(limits));
    }
    let mut warnings = Vec::new();
    if let Err(error) = outcome {
        if error.kind() == ErrorKind::OutOfMemory {
            return Err(too_much_memory(limits.memory));
        }
        let error = Error::damaged(&error);
        if error.limit().is_some() || bytes.is_empty() {
            return Err(error);
        }
        warnings.push(format!("{error}, read up to that point"));
    }
    Ok(Payload {
        content: PayloadContent::Bytes(bytes),
        name,
        warnings,
    })
}

impl Container {
    /// The next member in the order of the container.
    pub(crate) fn next_member(&mut self, limits: &Limits) -> Option<Member> {
        match self {
            Container::Zip(zip) => zip.next_member(),
            Container::Tar(tar) => tar.next_member(limits),
            Container::Mailbox(messages, next) => {
                let message = messages.next()?;
                *next += 1;
                Some(match message {
                    Ok(bytes) => {
                        Member::record(*next - 1, format!("/{next}"), None, bytes.len() as u64)
                    }
                    Err(error) => Member::skipped(*next - 1, &next.to_string(), error),
                })
            }
            Container::Web(records, next) => {
                let record = records.next()?;
                *next += 1;
                Some(match record {
                    Ok(record) => {
                        let length = record.payload.len() as u64;
                        Member::record(*next - 1, format!("/{}", record.address), None, length)
                    }
                    Err(error) => Member::skipped(*next - 1, &next.to_string(), error),
                })
            }
            Container::Table(table) => table.rows.next().map(row_member),
            #[cfg(feature = "parquet")]
            Container::Parquet(rows) => rows.next().map(row_member),
        }
    }

    /// A member's bytes or text.
    pub(crate) fn take(&mut self, step: u64, limits: &Limits) -> Result<Taken, Error> {
        let bytes = |bytes, name| {
            Taken::Payload(Payload {
                content: PayloadContent::Bytes(bytes),
                name,
                warnings: Vec::new(),
            })
        };
        match self {
            Container::Zip(zip) => zip.take(step, None).map(Taken::Payload),
            Container::Tar(tar) => tar.take(step, limits),
            Container::Mailbox(_, next) | Container::Web(_, next) if *next > step => {
                Ok(Taken::Behind)
            }
            Container::Mailbox(messages, next) => {
                let skipped = usize::try_from(step - *next).unwrap_or(usize::MAX);
                *next = step + 1;
                let message = messages.nth(skipped).ok_or_else(Error::no_longer_there)?;
                Ok(bytes(message?, format!("{next}.eml")))
            }
            Container::Web(records, next) => {
                let skipped = usize::try_from(step - *next).unwrap_or(usize::MAX);
                *next = step + 1;
                let record = records.nth(skipped).ok_or_else(Error::no_longer_there)??;
                Ok(bytes(record.payload, record.address))
            }
            Container::Table(table) => table.take(step),
            #[cfg(feature = "parquet")]
            Container::Parquet(rows) => {
                rows.seek(step);
                taken(rows.next())
            }
        }
    }

    /// The first bytes of the member that was listed last.
    pub(crate) fn peek(&mut self, step: u64) -> Result<Vec<u8>, Error> {
        match self {
            Container::Zip(zip) => zip.take(step, Some(HEAD)).map(Payload::into_bytes),
            Container::Tar(tar) => tar.peek(),
            _ => Ok(Vec::new()),
        }
    }
}

/// Bytes that are enough to tell an archive from a document.
pub(crate) const HEAD: u64 = 4096;

/// A tar archive and the start of its current member.
pub(crate) struct TarMembers {
    tar: Tar,
    name: String,
    start: Vec<u8>,
    /// Nothing of the current member has been given out.
    is_fresh: bool,
    is_done: bool,
}

impl TarMembers {
    pub(crate) fn new(stream: Stream) -> TarMembers {
        TarMembers {
            tar: Tar::new(stream),
            name: String::new(),
            start: Vec::new(),
            is_fresh: false,
            is_done: false,
        }
    }

    fn next_member(&mut self, limits: &Limits) -> Option<Member> {
        loop {
            if self.is_done {
                return None;
            }
            let step = self.tar.position();
            let entry = match self.tar.next_entry() {
                Ok(entry) => entry?,
                Err(error) => {
                    self.is_done = true;
                    let error = Error::damaged(&error).and(", read up to that point");
                    return Some(Member::skipped(step, "(rest)", error));
                }
            };
            let (name, warning) = harmless(&entry.name);
            self.name.clone_from(&name);
            self.start.clear();
            self.is_fresh = true;
            return Some(match entry.kind {
                EntryKind::Folder => continue,
                EntryKind::File if entry.size > limits.file_size => {
                    Member::skipped(step, &name, too_large(limits))
                }
                EntryKind::File => Member::file(step, &name, entry.size, warning),
                EntryKind::Link(to) => {
                    let to = String::from_utf8_lossy(&to).escape_debug().to_string();
                    let reason = format!("link to `{to}` in an archive, not followed");
                    Member::skipped(step, &name, Error::NotOpened(reason))
                }
                EntryKind::Other => {
                    let reason = "not a regular file".to_owned();
                    Member::skipped(step, &name, Error::NotOpened(reason))
                }
            });
        }
    }

    fn peek(&mut self) -> Result<Vec<u8>, Error> {
        let start = Payload::start(self.tar.by_ref().take(HEAD), String::new())?;
        self.start = start.into_bytes();
        Ok(self.start.clone())
    }

    fn take(&mut self, step: u64, limits: &Limits) -> Result<Taken, Error> {
        if !(self.is_fresh && self.tar.position() == step + 1) {
            if self.tar.position() > step || self.is_done {
                return Ok(Taken::Behind);
            }
            while self.tar.position() <= step {
                let entry = self
                    .tar
                    .next_entry()
                    .map_err(|error| Error::damaged(&error))?;
                let entry = entry.ok_or_else(Error::no_longer_there)?;
                self.name = harmless(&entry.name).0;
                self.start.clear();
            }
        }
        self.is_fresh = false;
        let start = std::mem::take(&mut self.start);
        let whole = start.chain(self.tar.by_ref());
        read_limited(whole, self.name.clone(), limits).map(Taken::Payload)
    }
}

/// JSON lines or separated values.
pub(crate) struct LineTable {
    rows: Rows<BufReader<Stream>>,
    /// The table itself, where a row can be gone to.
    seekable: Option<Bytes>,
    limit: u64,
}

impl LineTable {
    pub(crate) fn open(
        stream: Stream,
        seekable: Option<Bytes>,
        form: Form,
        reading: &Reading,
    ) -> Result<LineTable, Error> {
        let limit = reading.limits.file_size;
        let buffered = BufReader::with_capacity(1 << 16, stream);
        Ok(LineTable {
            rows: Rows::open(buffered, form, &reading.keys, limit)?,
            seekable,
            limit,
        })
    }

    fn take(&mut self, offset: u64) -> Result<Taken, Error> {
        use std::io::{Seek as _, SeekFrom};
        let row = if let Some(bytes) = &self.seekable {
            let mut reader = bytes.reader();
            let sought = reader.seek(SeekFrom::Start(offset));
            sought.map_err(|error| Error::cannot_read(&error))?;
            let reader = BufReader::new(reader);
            Rows::resume(reader, offset, self.rows.layout(), self.limit).next()
        } else {
            if self.rows.offset() > offset {
                return Ok(Taken::Behind);
            }
            let is_wanted =
                |row: &Result<Row, _>| row.as_ref().is_ok_and(|row| row.offset >= offset);
            self.rows.by_ref().find(is_wanted)
        };
        taken(row)
    }
}

/// A row as it is listed.
fn row_member(row: Result<Row, BadRow>) -> Member {
    match row {
        Ok(row) => {
            let suffix = format!(":{}", row.line);
            Member::record(row.offset, suffix, row.id, row.text.len() as u64)
        }
        Err(bad) => Member {
            suffix: format!(":{}", bad.line),
            ..Member::skipped(0, "", bad.error)
        },
    }
}

/// The text of a row.
fn taken(row: Option<Result<Row, BadRow>>) -> Result<Taken, Error> {
    let row = row.ok_or_else(Error::no_longer_there)?;
    let row = row.map_err(|bad| bad.error)?;
    Ok(Taken::Payload(Payload {
        content: PayloadContent::Text(row.text),
        name: String::new(),
        warnings: row.warnings,
    }))
}

/// What is found in a file when it is looked into.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FoundInFile {
    Document(Leaf),
    Skipped {
        /// What comes after the file's name in its id.
        suffix: String,
        error: Error,
    },
}

/// A document in a file, or the file itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Leaf {
    /// Which member to take at every level.
    pub(crate) steps: Vec<u64>,
    /// What comes after the file's name in its id.
    pub(crate) suffix: String,
    /// Its id, if it has one of its own.
    pub(crate) id: Option<String>,
    pub(crate) size: u64,
    /// How much of the suffix is the names of archives inside the file.
    pub(crate) archive_ends: Vec<usize>,
    /// It is a message, a page or a row rather than a file.
    pub(crate) is_record: bool,
    pub(crate) warning: Option<String>,
}
