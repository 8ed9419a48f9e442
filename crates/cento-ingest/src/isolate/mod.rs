//! Who reads: this process what is plain text, and processes of their own the formats of others.
//!
//! A parser of foreign bytes can panic, loop, overflow its stack or ask for all memory there is.
//! In a process of its own that costs one file, with a reason, and the process is replaced.

mod fault;
mod limit;
mod protocol;
mod serve;
mod worker;

use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub(crate) use fault::fault;
pub use serve::serve;

use self::serve::careful;
use self::worker::{LastRead, Lost, Worker};
use crate::archive::{Found, Reader, is_archive};
use crate::options::{Isolation, Limits, Options, Reading, size};
use crate::{Kind, Place, Root, Text, detect, extract};

/// Reads documents, from as many threads as there are.
pub struct Readers {
    reading: Reading,
    isolation: Isolation,
    /// Readers of foreign bytes that have nothing to do, and where each of them was last.
    idle: Mutex<Vec<(LastRead, Foreign)>>,
    /// The same for tables of plain text.
    idle_here: Mutex<Vec<(LastRead, Reader)>>,
}

enum Foreign {
    Here(Box<Reader>),
    Away(Box<Worker>),
}

/// What a parser is told to have done that panicked.
const FAILED: &str = "the reader failed on it";

impl Readers {
    /// Readers that read like this; processes start when they are needed.
    pub fn new(options: &Options) -> Readers {
        Readers {
            reading: options.reading.clone(),
            isolation: options.isolation.clone(),
            idle: Mutex::default(),
            idle_here: Mutex::default(),
        }
    }

    pub(crate) fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The text of one file, member, message or row.
    pub(crate) fn text(&self, place: &Place) -> Result<Text, String> {
        let path = match &place.root {
            Root::File(path) => path,
            Root::Stdin(bytes) => return self.text_of_bytes(bytes.to_vec(), "-"),
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
            self.text(&Place {
                is_foreign: true,
                ..place.clone()
            })
        })
    }

    /// What documents are in a file that may be an archive.
    pub(crate) fn list(&self, path: &Path, each: &mut dyn FnMut(Found)) {
        let listed = self.foreign(path, &[], |reader| match reader {
            Foreign::Here(reader) => Ok(careful(reader, &self.reading, |reader| {
                reader.list(path, each);
                Ok(())
            })),
            Foreign::Away(worker) => worker.list(path, each).map(Ok),
        });
        if let Err(reason) = listed {
            each(Found::Skipped {
                suffix: String::new(),
                reason,
            });
        }
    }

    /// What documents are in a table of plain text.
    pub(crate) fn list_here(&self, path: &Path, each: &mut dyn FnMut(Found)) {
        Reader::new(self.reading.clone()).list(path, each);
    }

    fn text_of_bytes(&self, bytes: Vec<u8>, name: &str) -> Result<Text, String> {
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
        act: impl FnOnce(&mut Foreign) -> Result<Result<T, String>, Lost>,
    ) -> Result<T, String> {
        let idle = take_near(&self.idle, path, steps);
        let mut reader = match idle {
            Some((_, reader)) => reader,
            None => self.start().map_err(|Lost(reason)| reason)?,
        };
        let outcome = act(&mut reader).map_err(|Lost(reason)| reason)?;
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
fn plain(path: &Path, reading: &Reading) -> Option<Result<Text, String>> {
    let bytes = match read_plain(path, reading) {
        Ok(bytes) => bytes,
        Err(reason) => return Some(Err(reason)),
    };
    let name = crate::archive::file_name(path);
    let options = reading.extract();
    match detect(&bytes, &name, &options) {
        Ok(Kind::Plain | Kind::Markdown) | Err(_) => Some(extract(bytes, &name, &options)),
        Ok(_) => None,
    }
}

fn read_plain(path: &Path, reading: &Reading) -> Result<Vec<u8>, String> {
    use std::io::Read as _;
    let limit = reading.limits.text_size.min(reading.limits.file_size);
    let too_large = || {
        let (limit, flag) = if reading.limits.file_size < reading.limits.text_size {
            (reading.limits.file_size, "--max-file-size")
        } else {
            (reading.limits.text_size, "--max-text-size")
        };
        format!("larger than {}; {flag} allows more", size(limit))
    };
    let file = std::fs::File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    // A file may grow while it is read.
    let read = file.take(limit + 1).read_to_end(&mut bytes);
    let count = read.map_err(|error| format!("cannot be read: {error}"))?;
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

/// What asks for more memory than a reader may have.
pub(crate) fn too_much_memory(limits: &Limits) -> String {
    let memory = size(limits.memory);
    format!("takes more than {memory} of memory to read; --max-reader-memory allows more")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
