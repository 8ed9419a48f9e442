//! What a document is: its content decides, and its name where the content does not.

mod advice;

use std::borrow::Cow;

use encoding_rs::Encoding;

use self::advice::{foreign, old_office};
use super::mail::is_separator;
use super::package::Package;
use super::{Extract, Kind};
use crate::text::empty_file;
use crate::{Error, Scope};

/// What a document is, or why it cannot be read and what to do about it.
pub fn detect(bytes: &[u8], name: &str, options: &Extract) -> Result<Kind, Error> {
    let end = extension(name);
    // Where messages are read, nothing that a sender writes into a header makes it something else.
    let as_mail = match options.scope {
        Scope::Message => mail(&head(bytes), &end),
        Scope::MainText | Scope::AllButCode | Scope::Shown => None,
    };
    if bytes.is_empty() {
        Err(empty_file())
    } else if let Some(kind) = as_mail {
        Ok(kind)
    } else if is_pdf(bytes, &end) {
        Ok(Kind::Pdf)
    } else if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        package(bytes, &end, options)
    } else if bytes.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1") {
        Err(old_office(bytes))
    } else if let Some(error) = foreign(bytes) {
        Err(error)
    } else if bytes.trim_ascii_start().starts_with(b"{\\rtf") {
        Ok(Kind::Rtf)
    } else if bytes.starts_with(b"WARC/") {
        Ok(Kind::WebArchive)
    } else {
        Ok(text(bytes, &end))
    }
}

/// The extension of a name in lower case, without the query of an address.
fn extension(name: &str) -> String {
    let name = name.split(['?', '#']).next().unwrap_or_default();
    let name = name.rsplit('/').next().unwrap_or_default();
    let end = name.rsplit_once('.').map(|(_, end)| end);
    end.unwrap_or_default().to_ascii_lowercase()
}

/// Some programs put bytes of their own before the document.
fn is_pdf(bytes: &[u8], end: &str) -> bool {
    let start = &bytes[..bytes.len().min(1024)];
    let Some(at) = start.windows(5).position(|part| part == b"%PDF-") else {
        return false;
    };
    let has_end = || {
        let tail = &bytes[bytes.len().saturating_sub(4096)..];
        tail.windows(9).any(|part| part == b"startxref")
    };
    start[..at].trim_ascii().is_empty() || end == "pdf" || has_end()
}

/// Which kind of document a zip archive is.
fn package(bytes: &[u8], end: &str, options: &Extract) -> Result<Kind, Error> {
    let by_name = match end {
        "docx" | "docm" | "dotx" => Some(Kind::Word),
        "pptx" | "pptm" | "ppsx" | "potx" => Some(Kind::Slides),
        "xlsx" | "xlsm" | "xltx" => Some(Kind::Sheet),
        "odt" | "odp" | "ods" | "ott" | "odm" => Some(Kind::OpenDocument),
        "epub" => Some(Kind::Epub),
        _ => None,
    };
    let mut package = Package::open(bytes, options).map_err(|error| match by_name {
        Some(kind) => error.at(kind),
        None => error,
    })?;
    // The first lines of a package say what it is; some are written without.
    let kind = package
        .read("mimetype", &mut Vec::new())?
        .unwrap_or_default();
    if kind.starts_with(b"application/epub+zip") || package.has("META-INF/container.xml") {
        return Ok(Kind::Epub);
    }
    if kind.starts_with(b"application/vnd.oasis.opendocument")
        || package.has("content.xml") && package.has("META-INF/manifest.xml")
    {
        return Ok(Kind::OpenDocument);
    }
    if package.has("Index/Document.iwa") || package.has("index.apxl") {
        return Err(Error::Unsupported(
            "Pages, Numbers or Keynote document: export it as DOCX, XLSX, PPTX or PDF".to_owned(),
        ));
    }
    if package.has("xl/workbook.bin") {
        let advice = "binary Excel workbook: save it as XLSX";
        return Err(Error::Unsupported(advice.to_owned()));
    }
    let has_folder = |folder: &str| package.names().any(|name| name.starts_with(folder));
    if package.has("[Content_Types].xml") {
        for (folder, kind) in [
            ("word/", Kind::Word),
            ("ppt/", Kind::Slides),
            ("xl/", Kind::Sheet),
        ] {
            if has_folder(folder) {
                return Ok(kind);
            }
        }
    }
    by_name.ok_or_else(|| Error::Unsupported("zip archive: unpack it first".to_owned()))
}

/// Which kind of document a text is.
fn text(bytes: &[u8], end: &str) -> Kind {
    let head = head(bytes);
    let head = head.as_ref();
    if is_html(head) {
        Kind::Html
    } else if is_notebook(bytes, head) {
        Kind::Notebook
    } else if let Some(kind) = mail(head, end) {
        kind
    } else if is_info(head) {
        Kind::Info
    } else if is_troff(head, end) {
        Kind::Troff
    } else if is_latex(head) {
        Kind::Latex
    } else {
        match end {
            "html" | "htm" | "xhtml" | "shtml" if head.contains('<') => Kind::Html,
            _ if is_xml(head, end) => Kind::Xml,
            "tex" | "latex" | "ltx" => Kind::Latex,
            "md" | "markdown" | "mdown" | "mkd" => Kind::Markdown,
            _ => Kind::Plain,
        }
    }
}

/// Bytes of a text that are looked at.
const HEAD: usize = 16 << 10;

/// The beginning of a text.
fn head(bytes: &[u8]) -> Cow<'_, str> {
    let start = &bytes[..bytes.len().min(HEAD)];
    match Encoding::for_bom(start) {
        Some((encoding, mark)) => encoding.decode_without_bom_handling(&start[mark..]).0,
        None => String::from_utf8_lossy(start),
    }
}

/// Whether a text is a mailbox or a message.
fn mail(head: &str, end: &str) -> Option<Kind> {
    if is_mailbox(head) {
        Some(Kind::Mailbox)
    } else {
        is_mail(head, end).then_some(Kind::Mail)
    }
}

fn is_html(head: &str) -> bool {
    let mut rest = head.trim_start();
    loop {
        let end = if rest.starts_with("<?xml") {
            "?>"
        } else if rest.starts_with("<!--") {
            "-->"
        } else {
            break;
        };
        let Some((_, after)) = rest.split_once(end) else {
            return false;
        };
        rest = after.trim_start();
    }
    ["<!doctype html", "<html", "<head", "<body"]
        .iter()
        .any(|tag| {
            rest.get(..tag.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(tag))
        })
}

/// It declares itself, is a TEI document, or has a tag first and the name of one.
fn is_xml(head: &str, end: &str) -> bool {
    let head = head.trim_start();
    let is_named = matches!(
        end,
        "xml" | "tei" | "dbk" | "docbook" | "rss" | "atom" | "jats" | "svg"
    );
    ["<?xml ", "<TEI ", "<TEI>", "<TEI.2"]
        .iter()
        .any(|start| head.starts_with(start))
        || is_named && head.starts_with('<')
}

fn is_notebook(bytes: &[u8], head: &str) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(4096)..];
    let has_version = |bytes: &[u8]| bytes.windows(10).any(|part| part == b"\"nbformat\"");
    head.trim_start().starts_with('{')
        && (head.contains("\"cells\"") || head.contains("\"worksheets\""))
        && (has_version(tail) || has_version(head.as_bytes()))
}

fn is_mailbox(head: &str) -> bool {
    let mut lines = head.trim_start().lines();
    let is_first = lines
        .next()
        .is_some_and(|line| is_separator(line.as_bytes()));
    is_first
        && lines
            .next()
            .is_some_and(|line| header(line).is_some() || line.starts_with(">From "))
}

/// Header lines up to a blank one, among them some that only mail has.
fn is_mail(head: &str, end: &str) -> bool {
    let is_named = matches!(end, "eml" | "mht" | "mhtml");
    let mut usual = 0;
    let mut certain = 0;
    for (number, line) in head.lines().enumerate() {
        if line.trim().is_empty() {
            break;
        }
        if number > 0 && line.starts_with([' ', '\t']) {
            continue;
        }
        let Some(name) = header(line) else {
            // The body of a message may follow without an empty line.
            if is_named {
                break;
            }
            return false;
        };
        match name.to_ascii_lowercase().as_str() {
            "from"
            | "to"
            | "subject"
            | "date"
            | "content-type"
            | "content-transfer-encoding"
            | "reply-to"
            | "sender"
            | "cc"
            | "references"
            | "in-reply-to"
            | "newsgroups" => {
                usual += 1;
            }
            "received" | "message-id" | "mime-version" | "return-path" | "delivered-to"
            | "x-mailer" | "dkim-signature" => certain += 1,
            _ => {}
        }
    }
    certain > 0 && usual + certain >= 3 || is_named && usual + certain > 0
}

/// The name of a header line: all that mail allows, with blanks before the colon as old rules do.
fn header(line: &str) -> Option<&str> {
    let (name, _) = line.split_once(':')?;
    let name = name.trim_end_matches([' ', '\t']);
    let is_name = |byte: u8| byte.is_ascii_graphic();
    (!name.is_empty() && name.bytes().all(is_name)).then_some(name)
}

/// Requests from the first line to the title of a manual page. Under the name of one, the title
/// may come later.
fn is_troff(head: &str, end: &str) -> bool {
    let is_title = |line: &str| line.starts_with(".TH ") || line.starts_with(".Dd ");
    let mut lines = head.lines().filter(|line| !line.trim().is_empty());
    let first = lines.find(|line| is_title(line) || !line.starts_with(['.', '\'']));
    let is_named = matches!(
        end.as_bytes(),
        [b'1'..=b'9', ..] | b"man" | b"mdoc" | b"roff" | b"ms"
    );
    first.is_some_and(is_title)
        || is_named
            && head
                .lines()
                .any(|line| is_title(line) || line.starts_with(".SH"))
}

fn is_info(head: &str) -> bool {
    let mut nodes = head.split('\x1f').skip(1).map(str::trim_start);
    nodes.any(|node| node.starts_with("File:") || node.starts_with("Indirect:"))
}

fn is_latex(head: &str) -> bool {
    let mut lines = head.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
    let starts = [
        "\\documentclass",
        "\\documentstyle",
        "\\NeedsTeXFormat",
        "\\RequirePackage",
    ];
    first.is_some_and(|line| starts.iter().any(|start| line.starts_with(start)))
}
