//! Web archives, record by record with all that is in them.

use std::io::Cursor;

use cento_ingest::{Limits, WebRecords};

use super::{Seed, Target, refused};

const RECORDS: &str = "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: <http://a.example/>\r\n\
    WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
    Content-Length: 60\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\r\n\r\n\
    WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: urn:x:y\r\nContent-Length: 4\r\n\r\ntext\r\n\r\n";

pub(super) fn target() -> Target {
    let packed = {
        use std::io::Write as _;
        let level = flate2::Compression::default();
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), level);
        // Writing to memory does not fail.
        let _ = packed.write_all(RECORDS.as_bytes());
        packed.finish().unwrap_or_default()
    };
    Target {
        name: "web-archives",
        seeds: vec![
            Seed::new("pages.warc", RECORDS),
            Seed {
                name: "pages.warc.gz".to_owned(),
                bytes: packed,
            },
        ],
        check,
    }
}

/// Records end, have no more bytes than there are, and their pages can be looked at.
fn check(_: &str, input: &[u8]) -> Result<(), String> {
    let limits = Limits {
        file_size: 1 << 20,
        ..Limits::default()
    };
    let records = match WebRecords::new(Box::new(Cursor::new(input.to_vec())), &limits) {
        Ok(records) => records,
        Err(error) => return refused(&error),
    };
    for (number, record) in records.enumerate() {
        if number > input.len() * 200 + 1000 {
            return Err("records without end".to_owned());
        }
        match record {
            Ok(record) => {
                if let Some(transfer) = record.transfer() {
                    if transfer.head.len() + transfer.body.len() != record.block.len() {
                        return Err("a transfer is not its block".to_owned());
                    }
                    let _ = transfer.page(limits.file_size);
                }
            }
            Err(error) => refused(&error)?,
        }
    }
    Ok(())
}
