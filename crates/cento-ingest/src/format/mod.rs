//! One document's bytes → its text, whatever format it is in.
//!
//! [`detect`] says what the bytes are, one file per format family reads them, and a [`Draft`] puts
//! the text together within the limits. The same readers serve files, members of archives, parts
//! of messages and pages of web archives.

mod detect;
mod draft;
mod epub;
mod html;
mod info;
mod mail;
mod markdown;
mod notebook;
mod open_document;
mod package;
mod paint;
mod pdf;
mod quality;
mod rtf;
mod sheet;
mod slides;
mod tex;
mod troff;
mod warc;
mod word;
mod xml;
mod xml_text;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};

pub use detect::detect;
use draft::Draft;
pub use mail::Messages;
pub use warc::{Record, Records, Transfer, WebRecord, WebRecords};

use crate::text::decode;
use crate::{Error, Scope, Text};

/// How documents are read, and how much one of them may unpack to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extract {
    /// The encoding of texts that have no byte order mark; guessed without one.
    ///
    /// It applies to plain text and to formats that are written as plain text, not to those that
    /// name their own encoding.
    pub encoding: Option<&'static Encoding>,
    /// What of a marked-up document is its text.
    pub scope: Scope,
    /// Bytes of text that a document may have.
    pub text_limit: u64,
    /// Bytes that the packed parts of a document may unpack to, all together.
    pub unpacked_limit: u64,
    /// How many times its own size a document may unpack to. Small documents often pack
    /// well, so 16 MiB are always allowed.
    pub ratio_limit: u64,
}

impl Default for Extract {
    fn default() -> Extract {
        Extract {
            encoding: None,
            scope: Scope::MainText,
            text_limit: crate::LARGEST,
            unpacked_limit: 1 << 30,
            ratio_limit: 200,
        }
    }
}

/// What a document was read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// Text as it is, source code and markup of unknown kinds included.
    Plain,
    /// Text as it is, with marks for headings and lists.
    Markdown,
    /// A web page.
    Html,
    /// Text between tags of any other kind.
    Xml,
    /// Pages with a text layer.
    Pdf,
    /// Word since 2007.
    Word,
    /// PowerPoint since 2007.
    Slides,
    /// Excel since 2007.
    Sheet,
    /// Text, slides or a sheet of LibreOffice and its kin.
    OpenDocument,
    /// An electronic book.
    Epub,
    /// Rich text.
    Rtf,
    /// A manual page.
    Troff,
    /// A manual for the info reader.
    Info,
    /// The source of a typeset text.
    Latex,
    /// Text and code in cells.
    Notebook,
    /// One message.
    Mail,
    /// Many messages in one file.
    Mailbox,
    /// Many web pages in one file.
    WebArchive,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Plain => "plain text",
            Kind::Markdown => "Markdown",
            Kind::Html => "HTML",
            Kind::Xml => "XML",
            Kind::Pdf => "PDF",
            Kind::Word => "Word document (DOCX)",
            Kind::Slides => "PowerPoint presentation (PPTX)",
            Kind::Sheet => "Excel workbook (XLSX)",
            Kind::OpenDocument => "OpenDocument file (ODT, ODP, ODS)",
            Kind::Epub => "electronic book (EPUB)",
            Kind::Rtf => "rich text (RTF)",
            Kind::Troff => "manual page (troff)",
            Kind::Info => "info manual",
            Kind::Latex => "LaTeX source",
            Kind::Notebook => "Jupyter notebook",
            Kind::Mail => "mail message (EML)",
            Kind::Mailbox => "mailbox (mbox)",
            Kind::WebArchive => "web archive (WARC)",
        })
    }
}

/// The text of a document.
///
/// The content decides what it is, the name only where the content does not. A mailbox or a web archive
/// comes out as one text here; [`Messages`] and [`Records`] take them apart.
pub fn extract(bytes: Vec<u8>, name: &str, options: &Extract) -> Result<Text, Error> {
    let kind = detect(&bytes, name, options)?;
    // The readers are written not to panic; this is for what they are built on.
    catch_unwind(AssertUnwindSafe(|| read(kind, bytes, options)))
        .unwrap_or_else(|_| Err(crate::isolate::failed().at(kind)))
}

/// The text of a mail message as the recipe `mail` takes it, whatever the bytes look like.
pub fn message(bytes: &[u8], options: &Extract) -> Result<Text, Error> {
    let options = Extract {
        scope: Scope::Message,
        ..options.clone()
    };
    catch_unwind(AssertUnwindSafe(|| {
        let mut draft = Draft::new(&options);
        mail::read(bytes, &mut draft)?;
        draft.finish(Kind::Mail)
    }))
    .unwrap_or_else(|_| Err(crate::isolate::failed().at(Kind::Mail)))
}

fn read(kind: Kind, bytes: Vec<u8>, options: &Extract) -> Result<Text, Error> {
    let mut draft = Draft::new(options);
    match kind {
        Kind::Plain | Kind::Markdown => return plain(kind, bytes, options),
        Kind::Xml => return xml_text::read(bytes, options),
        Kind::Html | Kind::Troff | Kind::Info | Kind::Latex | Kind::Notebook => {
            return marked_up(kind, bytes, options);
        }
        Kind::Pdf => pdf::read(&bytes, &mut draft)?,
        Kind::Word => word::read(&bytes, options, &mut draft)?,
        Kind::Slides => slides::read(&bytes, options, &mut draft)?,
        Kind::Sheet => sheet::read(&bytes, options, &mut draft)?,
        Kind::OpenDocument => open_document::read(&bytes, options, &mut draft)?,
        Kind::Epub => epub::read(&bytes, options, &mut draft)?,
        Kind::Rtf => rtf::read(&bytes, &mut draft)?,
        Kind::Mail => mail::read(&bytes, &mut draft)?,
        Kind::Mailbox => mail::read_mailbox(&bytes, options, &mut draft)?,
        Kind::WebArchive => warc::read(&bytes, options, &mut draft),
    }
    draft.finish(kind)
}

fn plain(kind: Kind, bytes: Vec<u8>, options: &Extract) -> Result<Text, Error> {
    let text = decode(bytes, options.encoding)?;
    if text.content.len() as u64 > options.text_limit {
        return Err(draft::over_limit(options.text_limit));
    }
    let content = match (kind, options.scope) {
        (Kind::Markdown, Scope::AllButCode) => markdown::without_code(&text.content),
        _ => text.content,
    };
    Ok(Text {
        content,
        kind,
        ..text
    })
}

/// Formats that are plain text with commands in it.
fn marked_up(kind: Kind, bytes: Vec<u8>, options: &Extract) -> Result<Text, Error> {
    let encoding = match (options.encoding, kind) {
        (None, Kind::Html) => html::declared_encoding(&bytes),
        (None, Kind::Notebook) => Some(encoding_rs::UTF_8),
        (chosen, _) => chosen,
    };
    let source = decode(bytes, encoding)?;
    let mut draft = Draft::new(options);
    draft.warnings = source.warnings;
    match kind {
        Kind::Html => html::text(&source.content, &mut draft),
        Kind::Troff => troff::read(&source.content, &mut draft),
        Kind::Info => info::read(&source.content, &mut draft),
        Kind::Latex => tex::read(&source.content, &mut draft),
        _ => notebook::read(&source.content, &mut draft)?,
    }
    let mut text = draft.finish(kind)?;
    text.encoding = source.encoding;
    Ok(text)
}
