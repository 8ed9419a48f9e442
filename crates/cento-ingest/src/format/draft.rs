//! Text as a reader puts it together: words, lines, paragraphs, asides, never more than allowed.

use super::{Extract, Kind};
use crate::concealed::MOST_PLACES;
use crate::options::size;
use crate::{CodeSpan, Concealed, ConcealedText, Concealment, Error, Limit, Scope, Text};

/// The text of a document while it is being read.
#[derive(Default)]
pub(super) struct Draft {
    text: String,
    /// Bytes that may still be added.
    left: u64,
    limit: u64,
    is_full: bool,
    /// What is interrupted by an aside.
    interrupted: Vec<(String, Vec<ConcealedText>)>,
    /// Asides that wait for the end of their paragraph.
    asides: String,
    /// What is not shown, and where in the text; that of other parts waits with them.
    concealed: Concealed,
    concealed_aside: Vec<ConcealedText>,
    /// How many places of it there are, in the text and beside it.
    places: usize,
    /// What of the document is its text.
    pub(super) scope: Scope,
    /// What is odd about the document.
    pub(super) warnings: Vec<String>,
    code: Vec<CodeSpan>,
}

impl Draft {
    pub(super) fn new(options: &Extract) -> Draft {
        Draft {
            left: options.text_limit,
            limit: options.text_limit,
            scope: options.scope,
            ..Draft::default()
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
            self.truncate(self.text.len() - 1);
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
        if self.interrupted.is_empty() {
            let start = self.text.len();
            self.text.push_str(&std::mem::take(&mut self.asides));
            let aside = std::mem::take(&mut self.concealed_aside);
            self.concealed.places.extend(moved(aside, start));
        }
    }

    /// What follows is a footnote or a text box: it stands after the paragraph that it is in, so
    /// that the sentence around it stays whole.
    pub(super) fn open_aside(&mut self) {
        let places = std::mem::take(&mut self.concealed.places);
        self.interrupted
            .push((std::mem::take(&mut self.text), places));
    }

    pub(super) fn close_aside(&mut self) {
        if let Some((outer, places)) = self.interrupted.pop() {
            let aside = std::mem::replace(&mut self.text, outer);
            let mut places = std::mem::replace(&mut self.concealed.places, places);
            let before = aside.len() - aside.trim_start().len();
            let aside = aside.trim();
            for place in &mut places {
                let at = (place.at as usize).saturating_sub(before);
                place.at = position(at.min(aside.len()));
            }
            self.concealed_aside
                .extend(moved(places, self.asides.len()));
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

    /// Leaves out text that the document does not show, and remembers where it would stand.
    ///
    /// A word around it stays whole, as it does to a reader; only what has the colour of the
    /// background leaves a gap.
    pub(super) fn conceal(&mut self, why: Concealment, text: &str) {
        let is_inside_word = why != Concealment::Background
            && !text.contains(char::is_whitespace)
            && self.text.ends_with(char::is_alphanumeric);
        if !is_inside_word {
            self.space();
        }
        self.place(ConcealedText::new(why, text));
    }

    /// Remembers text that is not shown here.
    pub(super) fn place(&mut self, mut concealed: ConcealedText) {
        if concealed.characters == 0 {
            return;
        }
        let characters = u64::from(concealed.characters);
        self.concealed.count(concealed.why, characters);
        concealed.at = position(self.text.len());
        match self.concealed.places.last_mut() {
            Some(last) if last.at == concealed.at && last.why == concealed.why => {
                let all = last.characters.saturating_add(concealed.characters);
                last.add(&concealed.text);
                last.characters = all;
            }
            _ if self.places < MOST_PLACES => {
                self.places += 1;
                self.concealed.places.push(concealed);
            }
            _ => {}
        }
    }

    /// Counts characters that are not shown and cannot be told from the others.
    pub(super) fn count_concealed(&mut self, why: Concealment, characters: u64) {
        self.concealed.count(why, characters);
    }

    /// Adds what was read apart.
    pub(super) fn append(&mut self, text: &str, concealed: Concealed) {
        let start = self.text.len();
        self.push(text);
        self.places += concealed.places.len();
        self.concealed.append(concealed, start);
    }

    /// What is not shown of the text that there is so far.
    pub(super) fn take_concealed(&mut self) -> Concealed {
        self.places = 0;
        std::mem::take(&mut self.concealed)
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
            scope: self.scope,
            ..Draft::default()
        }
    }

    /// Adds program text as it is, and remembers where it stands.
    pub(super) fn push_code(&mut self, text: &str, language: &str) {
        let start = position(self.text.len());
        self.push(text.trim_end());
        self.code.push(CodeSpan {
            start,
            end: position(self.text.len()),
            language: language.to_owned(),
        });
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
        self.truncate(self.text.trim_end().len());
        if self.text.is_empty() {
            let message = if !self.concealed.is_empty() {
                format!("{kind} that shows none of its text")
            } else if let Some(warning) = self.warnings.into_iter().next() {
                // A document that is damaged and gives nothing is not read at all.
                format!("{kind}: {warning}")
            } else {
                format!("{kind} without text")
            };
            return Err(match kind {
                Kind::Mail => Error::EmptyMessage(message),
                _ => Error::Empty(message),
            });
        }
        Ok(Text {
            content: self.text,
            kind,
            encoding: None,
            warnings: self.warnings,
            concealed: self.concealed,
            code: self.code,
        })
    }

    fn trim_line(&mut self) {
        let end = self.text.trim_end_matches([' ', '\t']).len();
        self.truncate(end);
    }

    /// Cuts the text off, and moves what would stand behind its end there.
    fn truncate(&mut self, end: usize) {
        self.text.truncate(end);
        let places = self.concealed.places.iter_mut().rev();
        for place in places.take_while(|place| place.at as usize > end) {
            place.at = position(end);
        }
    }
}

/// Places in a text that was put behind another.
fn moved(places: Vec<ConcealedText>, start: usize) -> impl Iterator<Item = ConcealedText> {
    places.into_iter().map(move |place| ConcealedText {
        at: place.at.saturating_add(position(start)),
        ..place
    })
}

fn position(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
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
