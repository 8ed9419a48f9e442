//! Text as a reader puts it together: words, lines, paragraphs, asides, never more than allowed.

use super::{Extract, Kind};
use crate::options::size;
use crate::{Error, Limit, Text};

/// The text of a document while it is being read.
#[derive(Default)]
pub(super) struct Draft {
    text: String,
    /// Bytes that may still be added.
    left: u64,
    limit: u64,
    is_full: bool,
    /// What is interrupted by an aside.
    interrupted: Vec<String>,
    /// Asides that wait for the end of their paragraph.
    asides: String,
    /// What is odd about the document.
    pub(super) warnings: Vec<String>,
}

impl Draft {
    pub(super) fn new(options: &Extract) -> Draft {
        Draft {
            text: String::new(),
            left: options.text_limit,
            limit: options.text_limit,
            is_full: false,
            interrupted: Vec::new(),
            asides: String::new(),
            warnings: Vec::new(),
        }
    }

    /// Adds text as it is. Past the limit nothing is added, and the document is refused at the end.
    pub(super) fn push(&mut self, text: &str) {
        match self.left.checked_sub(text.len() as u64) {
            Some(left) if !self.is_full => {
                self.left = left;
                self.text.push_str(text);
            }
            _ => self.is_full = true,
        }
    }

    pub(super) fn push_char(&mut self, character: char) {
        self.push(character.encode_utf8(&mut [0; 4]));
    }

    /// Adds text whose white space means no more than one space.
    pub(super) fn push_flowing(&mut self, text: &str) {
        for (number, word) in text.split(is_flowing_space).enumerate() {
            if number > 0 {
                self.space();
            }
            self.push(word);
        }
    }

    /// A space, unless there is white space or nothing before it.
    pub(super) fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with([' ', '\n', '\t']) {
            self.push(" ");
        }
    }

    /// Takes back the space that was put after the last word.
    pub(super) fn unspace(&mut self) {
        if self.text.ends_with(' ') {
            self.text.pop();
        }
    }

    /// The next text begins a line.
    pub(super) fn line(&mut self) {
        self.trim_line();
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.push("\n");
        }
    }

    /// The next text begins a paragraph; asides of the one that ends come before it.
    pub(super) fn paragraph(&mut self) {
        self.line();
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.push("\n");
        }
        if self.interrupted.is_empty() && !self.asides.is_empty() {
            self.text.push_str(&std::mem::take(&mut self.asides));
        }
    }

    /// What follows is a footnote or a text box: it stands after the paragraph that it is in, so
    /// that the sentence around it stays whole.
    pub(super) fn open_aside(&mut self) {
        self.interrupted.push(std::mem::take(&mut self.text));
    }

    pub(super) fn close_aside(&mut self) {
        if let Some(outer) = self.interrupted.pop() {
            let aside = std::mem::replace(&mut self.text, outer);
            let aside = aside.trim();
            if !aside.is_empty() {
                self.asides.push_str(aside);
                self.asides.push_str(ASIDE_END);
                // The aside itself has been counted word by word.
                let left = self.left.checked_sub(ASIDE_END.len() as u64);
                self.is_full |= left.is_none();
                self.left = left.unwrap_or(0);
            }
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// An empty draft with the room that is left in this one.
    pub(super) fn fresh(&self) -> Draft {
        Draft {
            left: self.left,
            limit: self.limit,
            ..Draft::default()
        }
    }

    /// The document has more text than allowed.
    pub(super) fn refuse(&mut self) {
        self.is_full = true;
    }

    /// Adds a warning, unless it is there already.
    pub(super) fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The text, or why there is none.
    pub(super) fn finish(mut self, kind: Kind) -> Result<Text, Error> {
        while !self.interrupted.is_empty() {
            self.close_aside();
        }
        self.paragraph();
        if self.is_full {
            return Err(over_limit(self.limit));
        }
        self.text.truncate(self.text.trim_end().len());
        if self.text.is_empty() {
            // A document that is damaged and gives nothing is not read at all.
            if let Some(warning) = self.warnings.into_iter().next() {
                return Err(Error::Empty(format!("{kind}: {warning}")));
            }
            return Err(Error::Empty(format!("{kind} without text")));
        }
        Ok(Text {
            content: self.text,
            kind,
            encoding: None,
            warnings: self.warnings,
        })
    }

    fn trim_line(&mut self) {
        let end = self.text.trim_end_matches([' ', '\t']).len();
        self.text.truncate(end);
    }
}

/// What stands behind an aside.
const ASIDE_END: &str = "\n\n";

pub(super) fn over_limit(limit: u64) -> Error {
    Limit::TextSize.reached(format!("more than {} of text", size(limit)))
}

/// White space that a line break may stand for; a no-break space is a character.
fn is_flowing_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0c')
}
