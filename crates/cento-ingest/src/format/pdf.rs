//! PDF: the text layer, page by page.

use std::ops::ControlFlow;

use unpdf::{Error, Page, PageStreamOptions, ParseEvent, ParseOptions, PdfParser};

use super::draft::Draft;
use super::package::ENCRYPTED;
use super::quality::looks_garbled;

pub(super) fn read(bytes: &[u8], draft: &mut Draft) -> Result<(), String> {
    // Places in the file are counted from its first line, which others may have put theirs before.
    let start = bytes.windows(5).position(|part| part == b"%PDF-");
    let bytes = &bytes[start.unwrap_or(0)..];
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

fn reason(error: &Error) -> String {
    match error {
        Error::Encrypted | Error::InvalidPassword => ENCRYPTED.to_owned(),
        Error::UnknownFormat => "damaged PDF".to_owned(),
        Error::PdfParse(reason) | Error::Corrupted(reason) => format!("damaged PDF ({reason})"),
        error => format!("damaged PDF ({error})"),
    }
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
        self.invisible += u64::from(page.invisible_text_chars);
        self.unreadable += page.suppressed_text_runs;
        self.pieces += usize::try_from(page.text_op_count).unwrap_or(usize::MAX);
        self.undecodable += page.undecodable_content_streams;
    }

    fn judge(&self, draft: &mut Draft) -> Result<(), String> {
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
            draft.warn("part of the text is in fonts without a map to characters and left out");
        }
        if self.invisible > 0 {
            draft.warn(if self.painted < self.invisible && self.with_images > 0 {
                "its text is an invisible layer over pictures, as OCR makes it".to_owned()
            } else {
                format!("{} invisible characters, read as well", self.invisible)
            });
        }
        if looks_garbled(draft.text()) {
            draft.warn("the text looks garbled: its fonts may lie about their characters");
        }
        Ok(())
    }

    fn without_text(&self) -> String {
        let read = pages(self.read);
        if self.unreadable > 0 {
            format!(
                "its fonts do not say what characters they have; print it and run OCR on {read}"
            )
        } else if self.with_images > 0 {
            format!("no text layer: {read} of images; run OCR first, for example `ocrmypdf`")
        } else {
            format!("no text layer: {read} without text or images")
        }
    }
}

/// Words per page, below which a document with pictures may be a scan.
const FEW: usize = 10;

fn pages(count: usize) -> String {
    match count {
        1 => "1 page".to_owned(),
        count => format!("{count} pages"),
    }
}
