//! The streams of an xz file, one after the other.
//!
//! The decoder is asked piece by piece, because its own reader never returns where a damaged stream
//! gives neither output nor an error.

use std::io::{self, BufRead as _, BufReader, Read};

use lzma_rust2::{Action, Status, XzStream};

pub(super) struct Xz<R> {
    packed: BufReader<R>,
    stream: XzStream,
    is_done: bool,
}

impl<R: Read> Xz<R> {
    /// Unpacks with no more memory than so many KiB.
    pub(super) fn new(packed: R, memory: u32) -> Xz<R> {
        Xz {
            packed: BufReader::new(packed),
            stream: XzStream::new_mem_limit(true, memory),
            is_done: false,
        }
    }
}

impl<R: Read> Read for Xz<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while !self.is_done {
            let input = self.packed.fill_buf()?;
            let is_end = input.is_empty();
            let action = if is_end { Action::Finish } else { Action::Run };
            let result = self.stream.process(input, buffer, action)?;
            self.packed.consume(result.bytes_consumed);
            self.is_done = result.status == Status::StreamEnd;
            if result.bytes_produced > 0 {
                return Ok(result.bytes_produced);
            }
            if !self.is_done && result.bytes_consumed == 0 {
                return Err(if is_end {
                    io::ErrorKind::UnexpectedEof.into()
                } else {
                    io::Error::new(io::ErrorKind::InvalidData, "xz without progress")
                });
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_without_properties_ends_the_reading() {
        let mut writer =
            lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::with_preset(0)).unwrap();
        io::Write::write_all(&mut writer, b"words that do not compress").unwrap();
        let whole = writer.finish().unwrap();
        let mut text = String::new();
        Xz::new(&whole[..], 1 << 16)
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "words that do not compress");
        // The end of the chunks becomes the start of one that needs what nobody has said.
        let end = whole.windows(8).position(|part| part == b"compress");
        let mut damaged = whole.clone();
        damaged[end.unwrap() + 8] = 0xb7;
        let outcome = Xz::new(&damaged[..], 1 << 16).read_to_end(&mut Vec::new());
        assert!(outcome.is_err());
        let cut = &whole[..whole.len() - 20];
        let outcome = Xz::new(cut, 1 << 16).read_to_end(&mut Vec::new());
        assert!(outcome.is_err());
    }
}
