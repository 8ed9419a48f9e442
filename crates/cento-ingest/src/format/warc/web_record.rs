//! Records of web archives as they are, with all that their headers say: for those who keep them.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};

use super::{Head, LONGEST_LINE, MOST_LINES, body_of, transfer_head};
use crate::archive::{Packing, Stream};
use crate::options::{Limits, size};
use crate::{Error, Kind, Limit};

/// A record of a web archive, whatever its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebRecord {
    /// Its header lines as they are, the line with the version first, without the empty line.
    pub fields: Vec<u8>,
    /// What follows its headers, as it is.
    pub block: Vec<u8>,
    lines: Vec<(String, String)>,
}

/// What a server sent: its headers and the body, as they were transferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer<'r> {
    /// The status line and the headers, with the empty line.
    pub head: &'r [u8],
    /// What follows, perhaps in chunks and compressed.
    pub body: &'r [u8],
}

impl WebRecord {
    /// A record of headers as they are stored and a block.
    pub fn new(fields: Vec<u8>, block: Vec<u8>) -> WebRecord {
        let mut head = Head::default();
        for line in fields.split(|byte| *byte == b'\n').skip(1) {
            head.add(String::from_utf8_lossy(line).trim());
        }
        WebRecord {
            fields,
            block,
            lines: head.lines,
        }
    }

    /// What a header says; its name in lower case.
    pub fn field(&self, name: &str) -> Option<&str> {
        let line = self.lines.iter().find(|(other, _)| other == name);
        line.map(|(_, value)| value.as_str())
    }

    /// What kind of record it is, such as `response`.
    pub fn record_type(&self) -> &str {
        self.field("warc-type").unwrap_or_default()
    }

    /// The address that it is about.
    pub fn address(&self) -> &str {
        let address = self.field("warc-target-uri").unwrap_or_default();
        address.trim_matches(['<', '>'])
    }

    /// What a server sent, if the block is that.
    pub fn transfer(&self) -> Option<Transfer<'_>> {
        let kind = self.field("content-type")?;
        if !kind.to_ascii_lowercase().starts_with("application/http") {
            return None;
        }
        let (head, body) = self.block.split_at(transfer_head(&self.block));
        Some(Transfer { head, body })
    }
}

impl Transfer<'_> {
    /// The body as a reader gets it: in one piece and unpacked.
    pub fn page(&self, limit: u64) -> Result<Cow<'_, [u8]>, Error> {
        let page = body_of(self.head, self.body, limit)?;
        Ok(if page == self.body {
            Cow::Borrowed(self.body)
        } else {
            Cow::Owned(page)
        })
    }
}

/// All records of a web archive, one after the other; it may be packed as a whole or record by record.
pub struct WebRecords {
    reader: BufReader<Stream>,
    limit: u64,
    is_done: bool,
}

impl WebRecords {
    /// Records of at most so many bytes as a file may have; a larger one is an error, and the next one
    /// follows it.
    pub fn new(stream: Box<dyn Read + Send>, limits: &Limits) -> Result<WebRecords, Error> {
        let mut reader = BufReader::new(stream);
        let head = reader
            .fill_buf()
            .map_err(|error| Error::cannot_read(&error))?;
        let packing = Packing::of(head);
        let stream: Stream = match packing {
            Some(packing) => packing.unpack(Box::new(reader), limits),
            None => Box::new(reader),
        };
        Ok(WebRecords {
            reader: BufReader::new(stream),
            limit: limits.file_size,
            is_done: false,
        })
    }

    /// Whether these are the bytes of a web archive.
    pub fn is_next(&mut self) -> bool {
        let head = self.reader.fill_buf().unwrap_or_default();
        head.starts_with(b"WARC/")
    }

    fn next_record(&mut self) -> Result<Option<WebRecord>, Error> {
        let Some(fields) = self.fields()? else {
            return Ok(None);
        };
        let mut record = WebRecord::new(fields, Vec::new());
        let length = record.field("content-length").map(str::parse::<u64>);
        let Some(Ok(length)) = length else {
            self.is_done = true;
            let damage = "damaged web archive: a record does not say how long it is; read up to it";
            return Err(Error::Damaged(damage.to_owned()));
        };
        if length > self.limit {
            self.skip(length)?;
            let limit = size(self.limit);
            let address = record.address().escape_debug();
            let message = format!("the record of {address} is larger than {limit} and left out");
            return Err(Limit::FileSize.reached(message));
        }
        let read = (&mut self.reader)
            .take(length)
            .read_to_end(&mut record.block);
        let read = read.map_err(|error| self.broken(&error))?;
        if read as u64 != length {
            self.is_done = true;
            let address = record.address().escape_debug();
            return Err(Error::Damaged(format!(
                "damaged web archive: the record of {address} should have {length} bytes and has \
                 {read}; read up to it"
            )));
        }
        Ok(Some(record))
    }

    /// The headers of the next record; blank lines stand before them.
    fn fields(&mut self) -> Result<Option<Vec<u8>>, Error> {
        let mut fields: Vec<u8> = Vec::new();
        let mut lines = 0;
        loop {
            let start = fields.len();
            let mut limited = (&mut self.reader).take(LONGEST_LINE);
            let read = limited.read_until(b'\n', &mut fields);
            let read = read.map_err(|error| self.broken(&error))?;
            let line = fields[start..].trim_ascii();
            match (start > 0, line.is_empty()) {
                _ if read == 0 && start == 0 => return Ok(None),
                (false, true) => fields.clear(),
                (false, false) if line.starts_with(b"WARC/") => {}
                (true, true) if read > 0 => {
                    fields.truncate(start);
                    return Ok(Some(fields));
                }
                (true, false) if read > 0 && lines < MOST_LINES => {}
                _ => {
                    self.is_done = true;
                    let damage = "damaged web archive, read up to that point";
                    return Err(Error::Damaged(damage.to_owned()));
                }
            }
            lines += 1;
        }
    }

    fn skip(&mut self, length: u64) -> Result<(), Error> {
        let mut rest = (&mut self.reader).take(length);
        let skipped = std::io::copy(&mut rest, &mut std::io::sink());
        if skipped.map_err(|error| self.broken(&error))? < length {
            self.is_done = true;
        }
        Ok(())
    }

    fn broken(&mut self, error: &std::io::Error) -> Error {
        self.is_done = true;
        Error::damaged(error).at(Kind::WebArchive)
    }
}

impl Iterator for WebRecords {
    type Item = Result<WebRecord, Error>;

    fn next(&mut self) -> Option<Result<WebRecord, Error>> {
        if self.is_done {
            return None;
        }
        let next = self.next_record().transpose();
        self.is_done |= next.is_none();
        next
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    fn records(bytes: &[u8]) -> Vec<Result<WebRecord, String>> {
        let stream = Box::new(std::io::Cursor::new(bytes.to_vec()));
        let records = WebRecords::new(stream, &Limits::default()).unwrap();
        let records = records.map(|record| record.map_err(|error| error.to_string()));
        records.take(10).collect()
    }

    const RESPONSE: &str = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a/>\r\n\
        Content-Type: application/http; msgtype=response\r\nContent-Length: 60\r\n\r\n\
        HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\r\n\r\n\r\n";

    #[test]
    fn records_are_kept_as_they_are() {
        let all = records(format!("{RESPONSE}{RESPONSE}").as_bytes());
        assert_eq!(all.len(), 2);
        let record = all[1].as_ref().unwrap();
        assert_eq!(record.record_type(), "response");
        assert_eq!(record.address(), "http://a/");
        assert_eq!(record.fields.len(), 131);
        let transfer = record.transfer().unwrap();
        assert_eq!(transfer.head.len(), 47);
        assert_eq!(transfer.body.len(), 13);
        assert_eq!(&*transfer.page(100).unwrap(), b"abc");
    }

    #[test]
    fn lies_about_lengths_are_told() {
        for (from, to, said) in [
            ("Length: 60", "Length: 6500", "should have 6500 bytes"),
            ("Length: 60", "Length: -5", "does not say how long"),
            ("Length: 60", "Length: 50", "damaged web archive"),
            ("Length: 60", "Length: 99999999999999", "larger than"),
            ("Content-Length: 60\r\n", "", "does not say how long"),
        ] {
            let all = records(RESPONSE.replace(from, to).as_bytes());
            let last = all.last().unwrap().as_ref().unwrap_err();
            assert!(last.contains(said), "{to}: {last}");
        }
        assert!(records(b"").is_empty());
        assert!(records(b"WARC/1.0\r\n")[0].is_err());
        assert!(records(&RESPONSE.as_bytes()[..60])[0].is_err());
    }
}
