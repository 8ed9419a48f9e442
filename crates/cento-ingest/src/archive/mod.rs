//! Files in files: archives, compressed files, mailboxes, web archives and tables.
//!
//! Everything is read in memory or as a stream. Nothing is ever unpacked to disk, so a name in an
//! archive can do no harm.

mod bytes;
mod container;
mod look;
mod name;
mod packed;
mod tar;
mod xz;
mod zip;

use std::path::{Path, PathBuf};

pub(crate) use bytes::Bytes;
#[cfg(feature = "parquet")]
pub(crate) use bytes::Cursor;
pub(crate) use container::{FoundInFile, Leaf, Member, Payload, PayloadContent};
pub(crate) use look::is_archive;
pub(crate) use name::{is_litter, readable};
pub(crate) use packed::{Packing, Stream};

use self::container::{Container, MemberContent, Taken};
use self::look::{Content, look, may_hold_documents, too_deep};
use crate::isolate::fault;
use crate::options::Reading;
use crate::{Concealed, Error, Kind, Limit, Text, detect, extract};

/// Looks into files and reads what is in them.
///
/// It keeps open what it opened last, so members that are asked for in their order cost one pass.
pub(crate) struct Reader {
    reading: Reading,
    path: PathBuf,
    levels: Vec<Level>,
}

/// A container that is open.
struct Level {
    bytes: Bytes,
    name: String,
    container: Container,
    /// The member that the next level is.
    step: Option<u64>,
}

/// Is told of everything that is found.
pub(crate) type Each<'e> = &'e mut dyn FnMut(FoundInFile);

impl Reader {
    pub(crate) fn new(reading: Reading) -> Reader {
        Reader {
            reading,
            path: PathBuf::new(),
            levels: Vec::new(),
        }
    }

    /// Lists the documents in a file, the file itself if it is one.
    pub(crate) fn list(&mut self, path: &Path, each: Each<'_>) {
        let name = file_name(path);
        match Bytes::open(path) {
            Ok(bytes) => self.list_bytes(bytes, &name, &Leaf::default(), each),
            Err(error) => each(FoundInFile::Skipped {
                suffix: String::new(),
                error: Error::cannot_open(&error),
            }),
        }
    }

    /// The text of a document in a file.
    pub(crate) fn read(&mut self, path: &Path, steps: &[u64]) -> Result<Text, Error> {
        let payload = self.member(path, steps);
        let text = payload.and_then(|payload| self.text(payload));
        if text.is_err() {
            // What failed may be in any state.
            self.levels.clear();
        }
        text
    }

    /// The bytes of a document in a file.
    pub(crate) fn take(&mut self, path: &Path, steps: &[u64]) -> Result<Vec<u8>, Error> {
        let payload = self.member(path, steps);
        if payload.is_err() {
            self.levels.clear();
        }
        Ok(payload?.into_bytes())
    }

    fn member(&mut self, path: &Path, steps: &[u64]) -> Result<Payload, Error> {
        let Some((last, way)) = steps.split_last() else {
            let bytes = Bytes::open(path).map_err(|error| Error::cannot_open(&error))?;
            return self.document(bytes, &file_name(path));
        };
        if self.path != path {
            self.levels.clear();
            path.clone_into(&mut self.path);
        }
        // Stay at the levels that are on the way.
        let same = self
            .levels
            .iter()
            .zip(way)
            .take_while(|(level, step)| level.step == Some(**step));
        let same = same.count();
        self.levels.truncate(same + 1);
        if self.levels.is_empty() {
            let bytes = Bytes::open(path).map_err(|error| Error::cannot_open(&error))?;
            self.open(bytes, file_name(path))?;
        }
        for step in &way[self.levels.len() - 1..] {
            let payload = self.take_step(*step)?;
            if let Some(level) = self.levels.last_mut() {
                level.step = Some(*step);
            }
            let name = payload.name.clone();
            self.open(Bytes::Memory(payload.into_bytes().into()), name)?;
        }
        let payload = self.take_step(*last)?;
        if matches!(payload.content, PayloadContent::Text(_)) {
            return Ok(payload);
        }
        let (name, warnings) = (payload.name.clone(), payload.warnings.clone());
        let mut inner = self.document(Bytes::Memory(payload.into_bytes().into()), &name)?;
        inner.warnings.splice(0..0, warnings);
        Ok(inner)
    }

    /// The text of bytes that are a document, from standard input for example. A mailbox or a web
    /// archive is one document here.
    pub(crate) fn read_bytes(&mut self, bytes: Vec<u8>, name: &str) -> Result<Text, Error> {
        let options = self.reading.extract();
        if let Ok(Kind::Mailbox | Kind::WebArchive) = detect(&bytes, name, &options) {
            return extract(bytes, name, &options);
        }
        let payload = self.document(Bytes::Memory(bytes.into()), name)?;
        self.text(payload)
    }

    fn list_bytes(&self, bytes: Bytes, name: &str, at: &Leaf, each: Each<'_>) {
        let size = bytes.length();
        let skipped = |error| FoundInFile::Skipped {
            suffix: at.suffix.clone(),
            error,
        };
        let mut container = match look(bytes, name, &self.reading) {
            Ok(Content::Document(_)) => {
                return each(FoundInFile::Document(Leaf { size, ..at.clone() }));
            }
            Ok(Content::Container(container)) => container,
            Err(error) => return each(skipped(error)),
        };
        let limits = &self.reading.limits;
        if at.steps.len() >= limits.nesting {
            return each(skipped(too_deep(limits.nesting)));
        }
        let is_archive = matches!(container, Container::Zip(_) | Container::Tar(_));
        let (mut entries, mut told) = (0, 0);
        while let Some(member) = container.next_member(limits) {
            entries += 1;
            if is_archive && entries > limits.entries {
                let most = limits.entries;
                return each(skipped(Limit::Entries.reached(format!(
                    "has more than {most} entries; the rest is not read"
                ))));
            }
            if !is_litter(&member.suffix) {
                self.list_member(&mut container, member, at, each);
                told += 1;
            }
        }
        if told == 0 {
            each(skipped(Error::Empty("contains no documents".to_owned())));
        }
    }

    fn list_member(&self, container: &mut Container, member: Member, at: &Leaf, each: Each<'_>) {
        let mut leaf = Leaf {
            suffix: format!("{}{}", at.suffix, member.suffix),
            id: member.id,
            size: member.size,
            warning: member.warning,
            is_record: matches!(member.content, MemberContent::Record),
            ..at.clone()
        };
        leaf.steps.push(member.step);
        leaf.archive_ends.push(at.suffix.len());
        let skipped = |leaf: Leaf, error| FoundInFile::Skipped {
            suffix: leaf.suffix,
            error,
        };
        match member.content {
            MemberContent::Record => return each(FoundInFile::Document(leaf)),
            MemberContent::Skipped(error) => return each(skipped(leaf, error)),
            MemberContent::File => {}
        }
        let name = &member.suffix[1..];
        let head = match container.peek(member.step) {
            Ok(head) => head,
            Err(error) => return each(skipped(leaf, error)),
        };
        if !may_hold_documents(&head, name, &self.reading) {
            return each(FoundInFile::Document(leaf));
        }
        match container.take(member.step, &self.reading.limits) {
            Ok(Taken::Payload(payload)) => {
                let bytes = Bytes::Memory(payload.into_bytes().into());
                self.list_bytes(bytes, name, &leaf, each);
            }
            Ok(Taken::Behind) => {
                let damage = Error::Damaged("damaged archive".to_owned());
                each(skipped(leaf, damage));
            }
            Err(error) => each(skipped(leaf, error)),
        }
    }

    fn open(&mut self, bytes: Bytes, name: String) -> Result<(), Error> {
        match look(bytes.clone(), &name, &self.reading)? {
            Content::Container(container) => {
                self.levels.push(Level {
                    bytes,
                    name,
                    container,
                    step: None,
                });
                Ok(())
            }
            Content::Document(_) => Err(Error::Changed("no longer an archive".to_owned())),
        }
    }

    /// A member of the innermost container that is open.
    fn take_step(&mut self, step: u64) -> Result<Payload, Error> {
        let level = self.levels.last_mut().ok_or_else(Error::no_longer_there)?;
        level.step = None;
        if let Taken::Payload(payload) = level.container.take(step, &self.reading.limits)? {
            return Ok(payload);
        }
        let level = self.levels.pop().ok_or_else(Error::no_longer_there)?;
        self.open(level.bytes, level.name)?;
        let level = self.levels.last_mut().ok_or_else(Error::no_longer_there)?;
        match level.container.take(step, &self.reading.limits)? {
            Taken::Payload(payload) => Ok(payload),
            Taken::Behind => Err(Error::no_longer_there()),
        }
    }

    fn document(&self, bytes: Bytes, name: &str) -> Result<Payload, Error> {
        match look(bytes, name, &self.reading)? {
            Content::Document(document) => document.read(&self.reading),
            Content::Container(_) => Err(Error::Unsupported(
                "an archive of documents, where one document is wanted".to_owned(),
            )),
        }
    }

    fn text(&self, payload: Payload) -> Result<Text, Error> {
        let mut text = match payload.content {
            PayloadContent::Bytes(bytes) => {
                fault(&payload.name);
                extract(bytes, &payload.name, &self.reading.extract())?
            }
            PayloadContent::Text(content) => Text {
                content,
                kind: Kind::Plain,
                encoding: None,
                warnings: Vec::new(),
                concealed: Concealed::default(),
                code: Vec::new(),
            },
        };
        text.warnings.splice(0..0, payload.warnings);
        Ok(text)
    }
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    readable(name.as_encoded_bytes())
}
