//! Archives for tests, honest and otherwise.

#![allow(dead_code, reason = "not every test needs every kind")]

use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A zip archive of these members.
pub(crate) fn zip(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    for (name, content) in members {
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// An entry of a tar archive.
pub(crate) enum Entry<'e> {
    File(&'e str, &'e [u8]),
    Link(&'e str, &'e str),
    Device(&'e str),
}

/// A tar archive of these entries.
pub(crate) fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut archive = Vec::new();
    for entry in entries {
        let (name, kind, link, content) = match entry {
            Entry::File(name, content) => (name, b'0', "", *content),
            Entry::Link(name, link) => (name, b'2', *link, &b""[..]),
            Entry::Device(name) => (name, b'3', "", &b""[..]),
        };
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = kind;
        header[157..157 + link.len()].copy_from_slice(link.as_bytes());
        header[257..263].copy_from_slice(b"ustar\0");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        archive.extend_from_slice(&header);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

/// What `xz` makes of "A text that was compressed." and a line break.
pub(crate) const XZ: &[u8] =
    b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F\x02\x00!\x01\x1c\x00\x00\x00\x10\xcfX\xcc\x01\x00\
    \x1bA text that was compressed.\x0a\x000\xf8\xa0\xf3\x0b\xe5\x94>\x00\x014\x1c\x93\
    \x1a\xad\x8f\x1f\xb6\xf3}\x01\x00\x00\x00\x00\x04YZ";
