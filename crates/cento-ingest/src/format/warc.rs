//! Web archives (WARC): the pages that were fetched, with their addresses.

mod web_record;

use std::io::{self, BufRead, Read};

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::draft::Draft;
use super::{Extract, Kind};
use crate::archive::Packing;
use crate::options::{Limits, size};
use crate::{Error, Limit};
pub use web_record::{Transfer, WebRecord, WebRecords};

/// A page or file from a web archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Where it came from.
    pub address: String,
    /// What it is, without the headers of the transfer.
    pub payload: Vec<u8>,
}

/// The responses, resources and conversions in a web archive, one after the other.
pub struct Records<R> {
    reader: R,
    limit: u64,
    is_done: bool,
}

impl<R: BufRead> Records<R> {
    /// Records of at most `limit` bytes; a larger one is an error, and the next one follows it.
    pub fn new(reader: R, limit: u64) -> Records<R> {
        Records {
            reader,
            limit,
            is_done: false,
        }
    }

    fn next_record(&mut self) -> Result<Option<Record>, Error> {
        loop {
            let Some(head) = self.head()? else {
                return Ok(None);
            };
            let length = head.number("content-length").unwrap_or(0);
            let is_wanted = matches!(
                head.get("warc-type"),
                Some("response" | "resource" | "conversion")
            );
            if !is_wanted || length > self.limit {
                self.skip(length)?;
                if is_wanted {
                    let limit = size(self.limit);
                    let message = format!("a record is larger than {limit} and left out");
                    return Err(Limit::FileSize.reached(message));
                }
                continue;
            }
            let mut block = Vec::new();
            let read = (&mut self.reader).take(length).read_to_end(&mut block);
            if read.map_err(|error| self.broken(&error))? as u64 != length {
                self.is_done = true;
            }
            let address = head.get("warc-target-uri").unwrap_or_default();
            let is_transfer = head
                .get("content-type")
                .is_some_and(|kind| kind.starts_with("application/http"));
            return Ok(Some(Record {
                address: address.trim_matches(['<', '>']).to_owned(),
                payload: if is_transfer {
                    body(&block, self.limit)?
                } else {
                    block
                },
            }));
        }
    }

    /// The headers of the next record; blank lines stand before them.
    fn head(&mut self) -> Result<Option<Head>, Error> {
        let mut head = Head::default();
        let mut line = Vec::new();
        loop {
            line.clear();
            let mut limited = (&mut self.reader).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut line);
            if read.map_err(|error| self.broken(&error))? == 0 {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            match (head.has_begun, text.is_empty()) {
                (false, false) if text.starts_with("WARC/") => head.has_begun = true,
                (false, false) => {
                    self.is_done = true;
                    let damage = "damaged web archive, read up to that point";
                    return Err(Error::Damaged(damage.to_owned()));
                }
                (true, true) => return Ok(Some(head)),
                (true, false) if head.lines.len() < MOST_LINES => head.add(text),
                (false, true) | (true, false) => {}
            }
        }
    }

    fn skip(&mut self, length: u64) -> Result<(), Error> {
        let skipped = io::copy(&mut (&mut self.reader).take(length), &mut io::sink());
        if skipped.map_err(|error| self.broken(&error))? < length {
            self.is_done = true;
        }
        Ok(())
    }

    fn broken(&mut self, error: &io::Error) -> Error {
        self.is_done = true;
        Error::damaged(error).at(Kind::WebArchive)
    }
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Result<Record, Error>> {
        if self.is_done {
            return None;
        }
        let next = self.next_record().transpose();
        self.is_done |= next.is_none();
        next
    }
}

/// The text of all records as one.
pub(super) fn read(mut bytes: &[u8], options: &Extract, draft: &mut Draft) {
    for record in Records::new(&mut bytes, options.unpacked_limit) {
        let text = record.and_then(|record| {
            match super::detect(&record.payload, &record.address, options)? {
                kind @ (Kind::WebArchive | Kind::Mailbox) => {
                    Err(Error::Unsupported(format!("a {kind} inside it")))
                }
                kind => super::read(kind, record.payload, options),
            }
        });
        match text {
            Ok(text) => draft.push(&text.content),
            Err(reason) => draft.warn(format!("a record is not read ({reason})")),
        }
        draft.paragraph();
        if draft.is_full() {
            break;
        }
    }
}

const LONGEST_LINE: u64 = 64 << 10;
const MOST_LINES: usize = 200;

/// Header lines with lower-case names.
#[derive(Default)]
struct Head {
    has_begun: bool,
    lines: Vec<(String, String)>,
}

impl Head {
    fn add(&mut self, line: &str) {
        if let Some((name, value)) = line.split_once(':') {
            let name = name.trim().to_ascii_lowercase();
            self.lines.push((name, value.trim().to_owned()));
        }
    }

    fn get(&self, name: &str) -> Option<&str> {
        let line = self.lines.iter().find(|(other, _)| other == name);
        line.map(|(_, value)| value.as_str())
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.get(name).and_then(|value| value.parse().ok())
    }
}

/// What a server sent, without its headers and unpacked.
fn body(block: &[u8], limit: u64) -> Result<Vec<u8>, Error> {
    let (head, rest) = block.split_at(transfer_head(block));
    body_of(head, rest, limit)
}

/// How many bytes the headers of a transfer have, with the empty line after them.
fn transfer_head(block: &[u8]) -> usize {
    let mut length = 0;
    while let Some(end) = block[length..].iter().position(|byte| *byte == b'\n') {
        let line = &block[length..length + end];
        length += end + 1;
        if line.trim_ascii().is_empty() {
            return length;
        }
    }
    length
}

/// The body of a transfer, in one piece and unpacked, as its headers say.
fn body_of(headers: &[u8], rest: &[u8], limit: u64) -> Result<Vec<u8>, Error> {
    let mut head = Head::default();
    for line in headers.split(|byte| *byte == b'\n').take(MOST_LINES) {
        head.add(String::from_utf8_lossy(line).trim());
    }
    let is_chunked = head
        .get("transfer-encoding")
        .is_some_and(|value| value.eq_ignore_ascii_case("chunked"));
    // Archives may keep the header and undo what it says.
    let bytes = if is_chunked {
        dechunked(rest).unwrap_or_else(|| rest.to_vec())
    } else {
        rest.to_vec()
    };
    match head
        .get("content-encoding")
        .map(str::to_ascii_lowercase)
        .as_deref()
    {
        Some("gzip" | "x-gzip") if bytes.starts_with(&[0x1f, 0x8b]) => {
            unpacked(MultiGzDecoder::new(bytes.as_slice()), limit)
        }
        Some("deflate") if bytes.starts_with(&[0x78]) => {
            unpacked(ZlibDecoder::new(bytes.as_slice()), limit)
        }
        Some("deflate") => unpacked(DeflateDecoder::new(bytes.as_slice()), limit),
        Some("zstd") if Packing::of(&bytes) == Some(Packing::Zstd) => {
            let packed = Box::new(io::Cursor::new(bytes));
            unpacked(Packing::Zstd.unpack(packed, &Limits::default()), limit)
        }
        Some("br") if std::str::from_utf8(&bytes).is_err() => Err(Error::Unsupported(
            "compressed with br, which is not read".to_owned(),
        )),
        _ => Ok(bytes),
    }
}

fn unpacked(reader: impl Read, limit: u64) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let outcome = reader.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    if bytes.len() as u64 > limit {
        let message = format!("unpacks to more than {}", size(limit));
        Err(Limit::FileSize.reached(message))
    } else if bytes.is_empty() && outcome.is_err() {
        Err(Error::Damaged("damaged".to_owned()))
    } else {
        Ok(bytes)
    }
}

/// A body that was sent in chunks, each after a line with its size.
fn dechunked(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        let line = std::str::from_utf8(&rest[..end]).ok()?;
        let size = line.split(';').next()?.trim();
        let size = usize::from_str_radix(size, 16).ok()?;
        rest = &rest[end + 1..];
        if size == 0 || rest.is_empty() {
            return Some(bytes);
        }
        let chunk = &rest[..size.min(rest.len())];
        bytes.extend_from_slice(chunk);
        rest = &rest[chunk.len()..];
        rest = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.strip_prefix(b"\n"))
            .unwrap_or(rest);
        if rest.is_empty() {
            return Some(bytes);
        }
    }
}
