//! PDF: the text layer, page by page.

use std::ops::ControlFlow;

use unpdf::{Page, PageStreamOptions, ParseEvent, ParseOptions, PdfParser};

use super::draft::Draft;
use super::quality::looks_garbled;
use crate::{Concealment, Convertible, Error};

pub(super) fn read(bytes: &[u8], draft: &mut Draft) -> Result<(), Error> {
    // Places in the file are counted from its first line, which others may have put theirs before.
    let start = bytes.windows(5).position(|part| part == b"%PDF-");
    let bytes = &bytes[start.unwrap_or(0)..];
    if is_too_deep(bytes) {
        let damage = format!("damaged PDF: nested deeper than {DEEPEST} levels");
        return Err(Error::Damaged(damage));
    }
    let parser = PdfParser::from_bytes_with_options(bytes, ParseOptions::new().lenient())
        .map_err(|error| reason(&error))?;
    let options = PageStreamOptions {
        // Documents are read side by side already.
        parallel: false,
        ..PageStreamOptions::default()
    };
    let mut pages = Pages::default();
    let outcome = parser.for_each_page(options, |event| {
        match event {
            ParseEvent::PageParsed(page) => {
                pages.count(&page);
                draft.push(&page.plain_text());
                draft.paragraph();
            }
            ParseEvent::PageFailed { .. } => pages.failed += 1,
            _ => {}
        }
        if draft.is_full() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    let quality = outcome.map_err(|error| reason(&error))?;
    if quality.pages_incomplete {
        draft.warn("damaged: pages are missing");
    }
    pages.judge(draft)
}

/// Real documents nest their objects a few levels deep.
const DEEPEST: usize = 500;

/// Whether arrays and dictionaries are nested so deep that the parser, which calls itself for each
/// of them, would overflow its stack.
///
/// Only what stands in the file as text is looked at: what is packed is left to the process that
/// reads it.
fn is_too_deep(bytes: &[u8]) -> bool {
    let mut depth = 0_usize;
    // How many parentheses are open: brackets in a string are text.
    let mut quoted = 0_usize;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        match byte {
            // Packed data, where brackets are chance.
            0..=8 | 14..=31 | 127.. => (depth, quoted) = (0, 0),
            b'\\' if quoted > 0 => at += 1,
            b'(' => quoted += 1,
            b')' => quoted = quoted.saturating_sub(1),
            _ if quoted > 0 => {}
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'<' if next == Some(&b'<') => (depth, at) = (depth + 1, at + 1),
            b'>' if next == Some(&b'>') => (depth, at) = (depth.saturating_sub(1), at + 1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
        at += 1;
    }
    false
}

fn reason(error: &unpdf::Error) -> Error {
    Error::Damaged(match error {
        unpdf::Error::Encrypted | unpdf::Error::InvalidPassword => return Error::Encrypted,
        unpdf::Error::UnknownFormat => "damaged PDF".to_owned(),
        unpdf::Error::PdfParse(reason) | unpdf::Error::Corrupted(reason) => {
            format!("damaged PDF ({reason})")
        }
        error => format!("damaged PDF ({error})"),
    })
}

/// What was seen on the pages.
#[derive(Default)]
struct Pages {
    read: usize,
    failed: usize,
    with_images: usize,
    /// Text that was drawn, and text that was only put there.
    painted: u64,
    invisible: u64,
    /// The same on pages of images, where it is what OCR has read in them.
    recognised: u64,
    /// Pieces of text in fonts that do not say what their shapes mean.
    unreadable: usize,
    /// Pieces of text, readable or not.
    pieces: usize,
    undecodable: usize,
}

impl Pages {
    fn count(&mut self, page: &Page) {
        self.read += 1;
        self.with_images += usize::from(page.image_op_count > 0);
        self.painted += u64::from(page.painted_text_chars);
        let invisible = u64::from(page.invisible_text_chars);
        let is_recognised =
            page.image_op_count > 0 && page.painted_text_chars < page.invisible_text_chars;
        if is_recognised {
            self.recognised += invisible;
        } else {
            self.invisible += invisible;
        }
        self.unreadable += page.suppressed_text_runs;
        self.pieces += usize::try_from(page.text_op_count).unwrap_or(usize::MAX);
        self.undecodable += page.undecodable_content_streams;
    }

    fn judge(&self, draft: &mut Draft) -> Result<(), Error> {
        let words = draft.text().split_whitespace().count();
        if words == 0 && self.failed + self.undecodable == 0 {
            return Err(self.without_text());
        }
        if self.failed > 0 {
            draft.warn(format!("damaged: {} cannot be read", pages(self.failed)));
        }
        if self.undecodable > 0 {
            draft.warn("damaged: part of a page cannot be read");
        }
        if words < FEW * self.read && self.with_images > 0 {
            let few = format!("few words: {words} on {}", pages(self.read));
            draft.warn(format!("{few}; if they are scans, run OCR first"));
        }
        // A sign or two of a formula is in most books.
        if self.unreadable * 50 > self.pieces {
            draft.warn("part of the text is left out: its fonts have no map to characters");
        }
        if self.invisible > 0 {
            draft.count_concealed(Concealment::Hidden, self.invisible);
            draft.warn("its hidden characters count: which they are cannot be told in a PDF");
        }
        if self.painted < self.recognised {
            draft.warn("its text is an invisible layer over images, as OCR makes it");
        }
        if looks_garbled(draft.text()) {
            draft.warn("the text looks garbled: its fonts may name the wrong characters");
        }
        Ok(())
    }

    fn without_text(&self) -> Error {
        let read = pages(self.read);
        let message = if self.unreadable > 0 {
            format!(
                "its fonts do not say which characters they hold; print it and run OCR on {read}"
            )
        } else if self.with_images > 0 {
            format!("no text layer: {read} of images; run OCR first, for example `ocrmypdf`")
        } else {
            return Error::Empty(format!("no text layer: {read} without text or images"));
        };
        Error::Unconverted {
            format: Convertible::Scan,
            message,
        }
    }
}

/// A document with images and fewer words a page than this may be a scan.
const FEW: usize = 10;

fn pages(count: usize) -> String {
    match count {
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    }
}

#[cfg(test)]
mod tests {
    use super::is_too_deep;

    #[test]
    fn depth_is_that_of_arrays_and_dictionaries() {
        let nested = |open: &str, close: &str, count: usize| {
            is_too_deep(format!("{}{}", open.repeat(count), close.repeat(count)).as_bytes())
        };
        assert!(nested("[", "]", 501) && nested("<< /F1 ", ">>", 501));
        assert!(!nested("[", "]", 500) && !nested("[(\\() ] ", "", 900));
        assert!(!nested("([) ", "", 900) && !nested("[\u{1}", "", 900));
        assert!(!nested("<AB>", "", 900));
    }
}
