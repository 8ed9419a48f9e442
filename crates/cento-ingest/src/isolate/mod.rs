//! Who reads: this process reads plain text, and processes of their own read foreign formats.
//!
//! A parser of foreign bytes can panic, loop, overflow its stack or ask for all memory there is.
//! In a process of its own that costs one file, with a reason, and the process is replaced.

mod fault;
mod protocol;
mod serve;
mod worker;

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cento_code::Language;

pub(crate) use fault::fault;
pub(crate) use protocol::{Setup, send};
pub use serve::serve;

use self::serve::careful;
use self::worker::{LastRead, Lost, Worker};
use crate::archive::{FoundInFile, Reader, is_archive};
use crate::convert::{Converters, convert};
use crate::options::{Isolation, Limits, Options, Reading, Scope, size};
use crate::program::Disguise;
use crate::{
    Convertible, Error, Kind, Limit, Place, Program, Root, Text, detect, extract, program,
};

/// Reads documents, for any number of threads.
///
/// A run needs one of these. It starts the processes that read foreign formats, and counts how much
/// memory is left for texts that are worth keeping.
pub struct Readers {
    reading: Reading,
    isolation: Isolation,
    converters: Converters,
    /// Readers of foreign bytes that have nothing to do, and where each of them was last.
    idle: Mutex<Vec<(LastRead, Foreign)>>,
    /// The same for tables of plain text.
    idle_here: Mutex<Vec<(LastRead, Reader)>>,
    /// Bytes of text that may still be kept.
    room: AtomicU64,
}

enum Foreign {
    Here(Box<Reader>),
    Away(Box<Worker>),
}

/// The error of a parser that panicked.
pub(crate) fn failed() -> Error {
    Error::Failed("the reader failed on it".to_owned())
}

impl Readers {
    /// Texts that were hard to come by are kept up to this size, all together.
    const ROOM: u64 = 256 << 20;

    /// Readers with these options; processes start when they are needed.
    pub fn new(options: &Options) -> Readers {
        Readers {
            reading: options.reading.clone(),
            isolation: options.isolation.clone(),
            converters: options.converters.clone(),
            idle: Mutex::default(),
            idle_here: Mutex::default(),
            room: AtomicU64::new(Readers::ROOM),
        }
    }

    /// Takes room for a text that is to be kept, if there is enough.
    pub(crate) fn take_room(&self, bytes: u64) -> bool {
        let less = |room: u64| room.checked_sub(bytes);
        let order = Ordering::Relaxed;
        self.room.fetch_update(order, order, less).is_ok()
    }

    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The text of one file, member, message or row, of what a program makes of it if a user has named
    /// one.
    pub(crate) fn text(&self, place: &Place) -> Result<Text, Error> {
        let text = self.text_of(place);
        let converter = text.as_ref().err().and_then(|error| self.converter(error));
        let Some((format, command)) = converter else {
            return text;
        };
        let bytes = self.bytes_of(place)?;
        let output = convert(
            &bytes,
            format,
            command,
            &self.reading.limits,
            &self.isolation,
        )?;
        let program = command.first().map_or("", String::as_str);
        let mut text = self
            .text_of_bytes(output, "-")
            .map_err(|error| error.at(format_args!("what `{program}` has made of it")))?;
        text.warnings.push(format!("converted by `{program}`"));
        Ok(text)
    }

    /// The command for a file that cannot be read without one, if a user has named it.
    pub(crate) fn converter(&self, error: &Error) -> Option<(Convertible, &[String])> {
        let format = error.format()?;
        Some((format, self.converters.of(format)?))
    }

    /// The bytes of one file or member.
    fn bytes_of(&self, place: &Place) -> Result<Vec<u8>, Error> {
        let path = match &place.root {
            Root::File(path) => path,
            Root::Memory(bytes) => return Ok(bytes.to_vec()),
            Root::Text(text) => return Ok(text.as_bytes().to_vec()),
        };
        if !place.is_foreign && place.steps.is_empty() {
            return read_file(path, self.reading.limits.file_size, Limit::FileSize);
        }
        self.foreign(path, &place.steps, |reader| match reader {
            Foreign::Here(reader) => Ok(careful(reader, &self.reading, |reader| {
                reader.take(path, &place.steps)
            })),
            Foreign::Away(worker) => worker.take(path, &place.steps),
        })
    }

    fn text_of(&self, place: &Place) -> Result<Text, Error> {
        let path = match &place.root {
            Root::File(path) => path,
            Root::Memory(bytes) => {
                // Where messages are read, a header as short as it may be says that it is one.
                let name = match self.reading.scope {
                    Scope::Message => "-.eml",
                    _ => "-",
                };
                return self.text_of_bytes(bytes.to_vec(), name);
            }
            Root::Text(text) => return plain_text(text, self.reading.limits.text_size),
        };
        if place.is_foreign {
            return self.foreign(path, &place.steps, |reader| match reader {
                Foreign::Here(reader) => Ok(careful(reader, &self.reading, |reader| {
                    reader.read(path, &place.steps)
                })),
                Foreign::Away(worker) => worker.read(path, &place.steps),
            });
        }
        if !place.steps.is_empty() {
            let (_, mut reader) = take_near(&self.idle_here, path, &place.steps)
                .unwrap_or_else(|| (LastRead::default(), Reader::new(self.reading.clone())));
            let text = reader.read(path, &place.steps);
            let last = (path.clone(), place.steps.clone());
            lock(&self.idle_here).push((last, reader));
            return text;
        }
        plain(path, &self.reading).unwrap_or_else(|| {
            self.text_of(&Place {
                is_foreign: true,
                ..place.clone()
            })
        })
    }

    /// The code tokens of a program, or why there are none.
    pub(crate) fn parse(&self, text: &str, language: Language) -> Result<Program, String> {
        let parsed = self.foreign(Path::new("-"), &[], |reader| match reader {
            Foreign::Here(reader) => Ok(careful(reader, &self.reading, |_| {
                Ok(program::parse(text, language))
            })),
            Foreign::Away(worker) => worker.parse(text, language).map(Ok),
        });
        parsed.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// A program after a disguise, or why there is none.
    pub fn disguise(&self, text: &str, disguise: Disguise) -> Result<String, String> {
        let disguised = self.foreign(Path::new("-"), &[], |reader| match reader {
            Foreign::Here(reader) => Ok(careful(reader, &self.reading, |_| {
                Ok(program::disguise(text, disguise))
            })),
            Foreign::Away(worker) => worker.disguise(text, disguise).map(Ok),
        });
        disguised.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// What documents are in a file that may be an archive.
    pub(crate) fn list(&self, path: &Path, each: &mut dyn FnMut(FoundInFile)) {
        let listed = self.foreign(path, &[], |reader| match reader {
            Foreign::Here(reader) => Ok(careful(reader, &self.reading, |reader| {
                reader.list(path, each);
                Ok(())
            })),
            Foreign::Away(worker) => worker.list(path, each).map(Ok),
        });
        if let Err(error) = listed {
            each(FoundInFile::Skipped {
                suffix: String::new(),
                error,
            });
        }
    }

    /// What documents are in a table of plain text.
    pub(crate) fn list_here(&self, path: &Path, each: &mut dyn FnMut(FoundInFile)) {
        Reader::new(self.reading.clone()).list(path, each);
    }

    fn text_of_bytes(&self, bytes: Vec<u8>, name: &str) -> Result<Text, Error> {
        let options = self.reading.extract();
        let is_plain = !is_archive(&bytes)
            && matches!(
                detect(&bytes, name, &options),
                Ok(Kind::Plain | Kind::Markdown)
            );
        if is_plain {
            return extract(bytes, name, &options);
        }
        self.foreign(Path::new("-"), &[], |reader| match reader {
            Foreign::Here(reader) => Ok(careful(reader, &self.reading, |reader| {
                reader.read_bytes(bytes, name)
            })),
            Foreign::Away(worker) => worker.read_bytes(&bytes, name),
        })
    }

    /// Does something with a reader of foreign bytes. One that is lost is not used again.
    fn foreign<T>(
        &self,
        path: &Path,
        steps: &[u64],
        act: impl FnOnce(&mut Foreign) -> Result<Result<T, Error>, Lost>,
    ) -> Result<T, Error> {
        let idle = take_near(&self.idle, path, steps);
        let mut reader = match idle {
            Some((_, reader)) => reader,
            None => self.start().map_err(|Lost(error)| error)?,
        };
        let outcome = act(&mut reader).map_err(|Lost(error)| error)?;
        lock(&self.idle).push(((path.to_owned(), steps.to_vec()), reader));
        outcome
    }

    fn start(&self) -> Result<Foreign, Lost> {
        Ok(match &self.isolation {
            Isolation::InProcess => Foreign::Here(Box::new(Reader::new(self.reading.clone()))),
            Isolation::Worker { program, arguments } => {
                Foreign::Away(Box::new(Worker::start(program, arguments, &self.reading)?))
            }
        })
    }
}

/// The text of a file that is plain; `None` if it turns out not to be.
fn plain(path: &Path, reading: &Reading) -> Option<Result<Text, Error>> {
    let bytes = match read_plain(path, reading) {
        Ok(bytes) => bytes,
        Err(error) => return Some(Err(error)),
    };
    let name = crate::archive::file_name(path);
    let options = reading.extract();
    match detect(&bytes, &name, &options) {
        Ok(Kind::Plain | Kind::Markdown) | Err(_) => Some(extract(bytes, &name, &options)),
        Ok(_) => None,
    }
}

/// A text that needs no reading.
fn plain_text(text: &str, limit: u64) -> Result<Text, Error> {
    if text.is_empty() {
        return Err(Error::Empty("empty text".to_owned()));
    }
    if text.len() as u64 > limit {
        return Err(Limit::TextSize.reached(format!("larger than {}", size(limit))));
    }
    crate::text::decode(text.as_bytes().to_vec(), Some(encoding_rs::UTF_8))
}

fn read_plain(path: &Path, reading: &Reading) -> Result<Vec<u8>, Error> {
    let Limits {
        file_size,
        text_size,
        ..
    } = reading.limits;
    if file_size < text_size {
        read_file(path, file_size, Limit::FileSize)
    } else {
        read_file(path, text_size, Limit::TextSize)
    }
}

fn read_file(path: &Path, limit: u64, name: Limit) -> Result<Vec<u8>, Error> {
    use std::io::Read as _;
    let too_large = || name.reached(format!("larger than {}", size(limit)));
    let file = std::fs::File::open(path).map_err(|error| Error::cannot_open(&error))?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    if length > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
    // A file may grow while it is read.
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    let count = read.map_err(|error| Error::cannot_read(&error))?;
    if count as u64 > limit {
        Err(too_large())
    } else {
        Ok(bytes)
    }
}

/// The reader that is nearest before this place, or else any.
fn take_near<R>(
    idle: &Mutex<Vec<(LastRead, R)>>,
    path: &Path,
    steps: &[u64],
) -> Option<(LastRead, R)> {
    let mut idle = lock(idle);
    let is_before = |(last, _): &&(LastRead, R)| last.0 == path && last.1.as_slice() <= steps;
    let nearest = idle
        .iter()
        .filter(is_before)
        .map(|(last, _)| last.1.clone())
        .max();
    let position = nearest.and_then(|nearest| {
        let is_nearest = |(last, _): &(LastRead, R)| last.0 == path && last.1 == nearest;
        idle.iter().position(is_nearest)
    });
    match position {
        Some(position) => Some(idle.swap_remove(position)),
        None => idle.pop(),
    }
}

/// Bytes of memory for reading a file.
fn memory_for_file(path: &Path, limits: &Limits) -> u64 {
    let length = path.metadata().map_or(u64::MAX, |metadata| metadata.len());
    limits.memory_for(length)
}

/// The error of a file that takes more memory than a reader may have for it.
pub(crate) fn too_much_memory(allowed: u64) -> Error {
    let memory = size(allowed);
    Limit::Memory.reached(format!("takes more than {memory} of memory to read"))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
