//! Documents that can be read again and again.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::{
    Concealed, Document, Error, FoundDocument, Part, PartSpan, Program, Readers, Root, Token,
    language_of,
};

/// A document that can be read, again and again.
pub struct Input {
    found: FoundDocument,
    readers: Arc<Readers>,
    /// Only what is written beside its programs.
    is_beside: bool,
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
            is_beside: false,
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

    /// Whose it is, if the layout says that.
    pub fn owner(&self) -> Option<&str> {
        self.found.owner.as_deref()
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

    /// What is written beside the programs in it, as a document of its own, if there may be anything: the
    /// texts of a submission of programs, and those of a notebook.
    pub fn beside_programs(&self) -> Option<Input> {
        if !has_both(&self.found) {
            return None;
        }
        let mut found = self.found.clone();
        for name in [&mut found.id, &mut found.label] {
            name.push_str(" (text)");
        }
        let mut beside = Input::new(found, &self.readers);
        beside.is_beside = true;
        Some(beside)
    }

    /// Whether it is what is written beside the programs of another document.
    pub fn is_beside(&self) -> bool {
        self.is_beside
    }

    /// Its file, if it is one whole file.
    pub fn file(&self) -> Option<&Path> {
        match self.found.parts.as_slice() {
            [part] if part.place.steps.is_empty() => match &part.place.root {
                Root::File(path) => Some(path),
                Root::Memory(_) | Root::Text(_) => None,
            },
            _ => None,
        }
    }

    /// Whether it is a text that somebody gave, and no file.
    pub fn is_given(&self) -> bool {
        let root = self.found.parts.first().map(|part| &part.place.root);
        matches!(root, Some(Root::Text(_)))
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
        let mut read = self.readers.read(&self.found);
        if self.is_beside {
            read = read.map(beside);
        }
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

/// Whether a document may have programs and texts in it, by the names of its files.
fn has_both(found: &FoundDocument) -> bool {
    let is_program = |part: &Part| language_of(&part.file, "").is_some();
    let is_text = |part: &Part| Path::new(&part.file).extension().is_some() && !is_program(part);
    let is_notebook = |part: &Part| part.file.to_lowercase().ends_with(".ipynb");
    let parts = &found.parts;
    parts.iter().any(is_notebook) || parts.iter().any(is_program) && parts.iter().any(is_text)
}

/// What is left of a document without its programs; nothing if it has none.
fn beside(mut document: Document) -> Document {
    let programs = std::mem::take(&mut document.programs);
    let whole = PartSpan {
        file: String::new(),
        start: 0,
        end: u32::try_from(document.content.len()).unwrap_or(u32::MAX),
    };
    let mut parts = std::mem::take(&mut document.parts);
    let has_parts = !parts.is_empty();
    if programs.is_empty() {
        parts.clear();
    } else if !has_parts {
        parts.push(whole);
    }
    let mut content = String::new();
    for part in parts {
        let mut text = String::new();
        let mut from = part.start;
        let inside = programs
            .iter()
            .filter(|program| program.start >= part.start && program.end <= part.end);
        for bytes in inside
            .map(|program| program.start..program.end)
            .chain(std::iter::once(part.end..part.end))
        {
            let words = document.content.get(from as usize..bytes.start as usize);
            text.push_str(words.unwrap_or_default());
            from = from.max(bytes.end);
        }
        if text.trim().is_empty() {
            continue;
        }
        if !content.is_empty() {
            content.push_str("\n\n");
        }
        let place = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        let start = place(&content);
        content.push_str(&text);
        if has_parts {
            let (file, end) = (part.file, place(&content));
            document.parts.push(PartSpan { file, start, end });
        }
    }
    // They are about the programs, or said of them, too.
    document.warnings.clear();
    document.content = content;
    document
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
