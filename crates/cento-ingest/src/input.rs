//! Documents that can be read again and again.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::{Document, Options, PartSpan, Readers, Root, Source};

/// Who reads, and what is kept of what was read.
pub struct Shelf {
    readers: Readers,
    /// Bytes that may still be kept.
    room: AtomicU64,
}

impl Shelf {
    /// Texts that were hard to come by are kept up to this size, all together.
    const ROOM: u64 = 256 << 20;

    /// A shelf with nothing on it.
    pub fn new(options: &Options) -> Shelf {
        Shelf {
            readers: Readers::new(options),
            room: AtomicU64::new(Shelf::ROOM),
        }
    }

    /// Who reads.
    pub fn readers(&self) -> &Readers {
        &self.readers
    }

    /// Whether there is room for so much.
    fn take_room(&self, bytes: u64) -> bool {
        let less = |room: u64| room.checked_sub(bytes);
        let order = Ordering::Relaxed;
        self.room.fetch_update(order, order, less).is_ok()
    }
}

/// A document that can be read, again and again.
pub struct Input {
    source: Source,
    shelf: Arc<Shelf>,
    kept: OnceLock<Result<Document, String>>,
    parts: OnceLock<Vec<PartSpan>>,
}

impl Input {
    /// What was found, to be read by the readers of a shelf.
    pub fn new(source: Source, shelf: &Arc<Shelf>) -> Input {
        Input {
            source,
            shelf: Arc::clone(shelf),
            kept: OnceLock::new(),
            parts: OnceLock::new(),
        }
    }

    /// Its id, different from all others.
    pub fn id(&self) -> &str {
        &self.source.id
    }

    /// What people call it.
    pub fn label(&self) -> &str {
        &self.source.label
    }

    /// When it was made, if somebody says so.
    pub fn date(&self) -> Option<&str> {
        self.source.date.as_deref()
    }

    /// What was found.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Takes the files of others into this document.
    pub fn absorb(&mut self, others: impl IntoIterator<Item = Input>) {
        let parts = others.into_iter().flat_map(|input| input.source.parts);
        self.source.parts.extend(parts);
        self.source.is_submission = true;
    }

    /// The file that it is, if it is a whole one.
    pub fn file(&self) -> Option<&Path> {
        match self.source.parts.as_slice() {
            [part] if part.place.steps.is_empty() => match &part.place.root {
                Root::File(path) => Some(path),
                Root::Stdin(_) => None,
            },
            _ => None,
        }
    }

    /// How many bytes there are to read.
    pub fn size(&self) -> u64 {
        self.source.size()
    }

    /// Whether both are the same file, however their paths are written.
    pub fn is_same_file(&self, other: &Input) -> bool {
        let path = |input: &Input| input.file()?.canonicalize().ok();
        path(self).is_some_and(|own| Some(own) == path(other))
    }

    /// Which bytes of its text come from which file, once it has been read, if it was put together.
    pub fn parts(&self) -> &[PartSpan] {
        self.parts.get().map_or(&[], Vec::as_slice)
    }

    /// Plain text is read from its file again, which is cheap. What a parser had to make is kept
    /// as long as there is room, and so is what cannot be read at all.
    pub fn read(&self) -> Result<Document, String> {
        if let Some(kept) = self.kept.get() {
            return kept.clone();
        }
        let read = self.shelf.readers.read(&self.source);
        if let Ok(document) = &read
            && !document.parts.is_empty()
        {
            let _ = self.parts.set(document.parts.clone());
        }
        let is_kept = match &read {
            Ok(document) => {
                self.source.parts.iter().any(|part| part.place.is_foreign)
                    && self.shelf.take_room(document.content.len() as u64)
            }
            Err(_) => true,
        };
        if is_kept {
            let _ = self.kept.set(read.clone());
        }
        read
    }
}
