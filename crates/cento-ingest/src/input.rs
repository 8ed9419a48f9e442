//! Documents that can be read again and again.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::{Concealed, Document, Error, FoundDocument, PartSpan, Program, Readers, Root, Token};

/// A document that can be read, again and again.
pub struct Input {
    found: FoundDocument,
    readers: Arc<Readers>,
    kept: OnceLock<Result<Document, Error>>,
    parts: OnceLock<Vec<PartSpan>>,
    concealed: OnceLock<Concealed>,
}

impl Input {
    /// A document that was found, and who reads it.
    pub fn new(found: FoundDocument, readers: &Arc<Readers>) -> Input {
        Input {
            found,
            readers: Arc::clone(readers),
            kept: OnceLock::new(),
            parts: OnceLock::new(),
            concealed: OnceLock::new(),
        }
    }

    /// Its id, which no other document has.
    pub fn id(&self) -> &str {
        &self.found.id
    }

    /// What people call it.
    pub fn label(&self) -> &str {
        &self.found.label
    }

    /// When it was made, if that is known.
    pub fn date(&self) -> Option<&str> {
        self.found.date.as_deref()
    }

    /// What was found.
    pub fn found(&self) -> &FoundDocument {
        &self.found
    }

    /// Adds the files of other documents to this one.
    pub fn absorb(&mut self, others: impl IntoIterator<Item = Input>) {
        let parts = others.into_iter().flat_map(|input| input.found.parts);
        self.found.parts.extend(parts);
        self.found.is_submission = true;
    }

    /// The same document under another id.
    #[must_use]
    pub fn renamed(mut self, id: String) -> Input {
        self.found.id = id;
        self
    }

    /// Its file, if it is one whole file.
    pub fn file(&self) -> Option<&Path> {
        match self.found.parts.as_slice() {
            [part] if part.place.steps.is_empty() => match &part.place.root {
                Root::File(path) => Some(path),
                Root::Memory(_) => None,
            },
            _ => None,
        }
    }

    /// How many bytes there are to read.
    pub fn size(&self) -> u64 {
        self.found.size()
    }

    /// Whether both are the same file, however their paths are written.
    pub fn is_same_file(&self, other: &Input) -> bool {
        let path = |input: &Input| input.file()?.canonicalize().ok();
        path(self).is_some_and(|own| Some(own) == path(other))
    }

    /// Which bytes of its text come from which file, if it was put together from files and has been
    /// read.
    pub fn parts(&self) -> &[PartSpan] {
        self.parts.get().map_or(&[], Vec::as_slice)
    }

    /// What its files have and do not show, if it has been read and there is anything.
    pub fn concealed(&self) -> Option<&Concealed> {
        self.concealed.get()
    }

    /// Its text.
    ///
    /// Plain text is read from its file every time, which is cheap. What a parser extracted is kept
    /// while there is room, and so is the error of a document that cannot be read.
    pub fn read(&self) -> Result<Document, Error> {
        if let Some(kept) = self.kept.get() {
            return kept.clone();
        }
        let read = self.readers.read(&self.found);
        if let Ok(document) = &read
            && !document.parts.is_empty()
        {
            let _ = self.parts.set(document.parts.clone());
        }
        if let Ok(document) = &read
            && !document.concealed.is_empty()
        {
            let _ = self.concealed.set(document.concealed.clone());
        }
        let is_kept = match &read {
            Ok(document) => {
                let is_foreign = self.found.parts.iter().any(|part| part.place.is_foreign);
                (is_foreign || !document.programs.is_empty())
                    && self.readers.take_room(room_for(document))
            }
            Err(_) => true,
        };
        if is_kept {
            let _ = self.kept.set(read.clone());
        }
        read
    }
}

/// Bytes that a document takes while it is kept: of a program mostly its tokens.
fn room_for(document: &Document) -> u64 {
    let tokens = |program: &Program| program.letters.len() + program.structure.len();
    let programs = document.programs.iter();
    let tokens: usize = programs
        .filter_map(|part| part.program.as_ref().map(tokens))
        .sum();
    (document.content.len() + tokens * size_of::<Token>()) as u64
}
