//! A crawl as a stream: web archives, or JSON lines with an address and a page each.

use std::io::{self, BufRead, BufReader, Read};

use serde::Deserialize;

use crate::archive::{Packing, Stream};
use crate::format::Records;
use crate::options::{Limits, size};
use crate::{Error, Limit};

/// A page that was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrawledPage {
    /// Where it is from.
    pub url: String,
    /// What it is.
    pub content: CrawledContent,
}

/// What came from an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrawledContent {
    /// A file in any format, mostly a web page.
    File(Vec<u8>),
    /// A text without markup.
    Text(String),
}

/// A line or a record that is no page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPage {
    /// Which line or record, from 1.
    pub at: u64,
    /// What is wrong with it.
    pub error: Error,
}

/// The pages of a crawl in their order, each as soon as it is there.
pub struct CrawledPages {
    form: CrawlForm,
    at: u64,
}

enum CrawlForm {
    Archive(Records<BufReader<Stream>>),
    Lines {
        reader: BufReader<Stream>,
        limit: u64,
        is_done: bool,
    },
}

impl CrawledPages {
    /// The first bytes say whether it is a web archive or lines, compressed or not.
    ///
    /// # Errors
    ///
    /// Fails if nothing can be read.
    pub fn open(stream: impl Read + Send + 'static, limits: &Limits) -> io::Result<CrawledPages> {
        let mut reader = BufReader::new(Box::new(stream) as Stream);
        if let Some(packing) = Packing::of(reader.fill_buf()?) {
            let unpacked = packing.unpack(Box::new(reader), limits);
            reader = BufReader::new(unpacked);
        }
        let limit = limits.file_size;
        let form = if reader.fill_buf()?.starts_with(b"WARC/") {
            CrawlForm::Archive(Records::new(reader, limit))
        } else {
            CrawlForm::Lines {
                reader,
                limit,
                is_done: false,
            }
        };
        Ok(CrawledPages { form, at: 0 })
    }

    /// Whether it consists of lines rather than records.
    pub fn has_lines(&self) -> bool {
        matches!(self.form, CrawlForm::Lines { .. })
    }
}

impl Iterator for CrawledPages {
    type Item = Result<CrawledPage, BadPage>;

    fn next(&mut self) -> Option<Result<CrawledPage, BadPage>> {
        let page = match &mut self.form {
            CrawlForm::Archive(records) => {
                self.at += 1;
                records.next()?.map(|record| CrawledPage {
                    url: record.address,
                    content: CrawledContent::File(record.payload),
                })
            }
            CrawlForm::Lines {
                reader,
                limit,
                is_done,
            } => loop {
                if *is_done {
                    return None;
                }
                self.at += 1;
                match next_line(reader, *limit) {
                    Ok(None) => return None,
                    Ok(Some(line)) if line.trim_ascii().is_empty() => {}
                    Ok(Some(line)) => break parse(&line),
                    Err(LineError::TooLong) => {
                        let reason = format!("a line is longer than {}", size(*limit));
                        break Err(Limit::FileSize.reached(reason));
                    }
                    Err(LineError::Broken(error)) => {
                        *is_done = true;
                        break Err(Error::damaged(&error).and(", read up to that point"));
                    }
                }
            },
        };
        let at = self.at;
        Some(page.map_err(|error| BadPage { at, error }))
    }
}

enum LineError {
    TooLong,
    Broken(io::Error),
}

/// The next line; one that is too long is passed over.
fn next_line(reader: &mut impl BufRead, limit: u64) -> Result<Option<Vec<u8>>, LineError> {
    let mut line = Vec::new();
    let mut limited = reader.by_ref().take(limit.saturating_add(1));
    let read = limited.read_until(b'\n', &mut line);
    if read.map_err(LineError::Broken)? == 0 {
        return Ok(None);
    }
    if line.ends_with(b"\n") || line.len() as u64 <= limit {
        return Ok(Some(line));
    }
    reader.skip_until(b'\n').map_err(LineError::Broken)?;
    Err(LineError::TooLong)
}

#[derive(Deserialize)]
struct Line {
    url: Option<String>,
    html: Option<String>,
    text: Option<String>,
}

fn parse(line: &[u8]) -> Result<CrawledPage, Error> {
    let line = line.trim_ascii_end();
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let damaged = |reason: &str| Error::Damaged(reason.to_owned());
    let is_object = line.trim_ascii_start().starts_with(b"{");
    if !is_object && serde_json::from_slice::<serde::de::IgnoredAny>(line).is_ok() {
        return Err(damaged("not JSON with a page: no object"));
    }
    let line: Line = serde_json::from_slice(line)
        .map_err(|error| damaged(&format!("not JSON with a page: {}", without_line(&error))))?;
    let url = line.url.ok_or_else(|| damaged("no `url`"))?;
    let content = match (line.html, line.text) {
        (Some(html), _) => CrawledContent::File(as_page(&html)),
        (None, Some(text)) => CrawledContent::Text(text),
        (None, None) => return Err(damaged("neither `html` nor `text`")),
    };
    Ok(CrawledPage { url, content })
}

/// What is wrong with a line of JSON; where it is in the crawl is told elsewhere.
fn without_line(error: &serde_json::Error) -> String {
    error
        .to_string()
        .replace(" at line 1 column ", " at column ")
}

/// A part of a page may not look like one. The mark in front says that it is UTF-8, whatever the page
/// says: it was in JSON.
fn as_page(html: &str) -> Vec<u8> {
    let start = html.trim_start().as_bytes();
    let begins = |with: &[u8]| {
        let start = start.get(..with.len()).unwrap_or_default();
        start.eq_ignore_ascii_case(with)
    };
    let is_page = begins(b"<!doctype") || begins(b"<html");
    let kind = if is_page { "" } else { "<!DOCTYPE html>" };
    format!("\u{feff}{kind}{html}").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(bytes: &[u8], limits: &Limits) -> Vec<String> {
        let pages = CrawledPages::open(io::Cursor::new(bytes.to_vec()), limits).unwrap();
        let told = |page: Result<CrawledPage, BadPage>| match page {
            Ok(page) => match page.content {
                CrawledContent::File(file) => {
                    format!("{} {}", page.url, String::from_utf8_lossy(&file))
                }
                CrawledContent::Text(text) => format!("{} {text}", page.url),
            },
            Err(bad) => format!("{}: {}", bad.at, bad.error),
        };
        pages.map(told).collect()
    }

    #[test]
    fn lines_and_broken_ones() {
        let lines = "\u{feff}{\"url\":\"http://a/\",\"html\":\"<html>x\"}\n\n{\"url\":\n\
                     {\"url\":\"http://b/\",\"text\":\"y\"}\n{\"url\":\"http://c/\"}\n{\"html\":\"\"}";
        assert_eq!(
            pages(lines.as_bytes(), &Limits::default()),
            [
                "http://a/ \u{feff}<html>x",
                "3: not JSON with a page: EOF while parsing a value at column 7",
                "http://b/ y",
                "5: neither `html` nor `text`",
                "6: no `url`",
            ]
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let limits = Limits {
            file_size: 40,
            ..Limits::default()
        };
        let lines = format!(
            "{{\"url\":\"{}\"}}\n{{\"url\":\"b\",\"text\":\"c\"}}\n",
            "a".repeat(99)
        );
        assert_eq!(
            pages(lines.as_bytes(), &limits),
            ["1: a line is longer than 40 bytes", "b c"]
        );
    }

    #[test]
    fn archives_packed_or_not() {
        use std::io::Write as _;
        let archive = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a/\r\n\
                       Content-Length: 4\r\n\r\npage\r\n\r\n";
        assert_eq!(
            pages(archive.as_bytes(), &Limits::default()),
            ["http://a/ page"]
        );
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(archive.as_bytes()).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(
            pages(&packed.repeat(2), &Limits::default()),
            ["http://a/ page"; 2]
        );
    }
}
