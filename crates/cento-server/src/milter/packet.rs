//! The packets of the milter protocol: a length, a letter, and what the letter says.
//!
//! This is version 6 of the protocol, as Sendmail defined it and Postfix speaks it, as far as a filter needs
//! it that reads messages and writes header fields.

use std::io::{self, Read};

/// No packet is longer. A mail server sends a message in pieces of 64 KiB.
const LONGEST: u32 = 1 << 20;

/// What a mail server says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// What it can do: its version, what a filter may change, what it may leave out.
    Negotiate([u32; 3]),
    /// A field of the header.
    Header {
        name: Vec<u8>,
        value: Vec<u8>,
    },
    /// The header is over.
    EndOfHeader,
    /// A piece of the body.
    Body(Vec<u8>),
    /// The last piece, which may be empty: now is the time to answer.
    End(Vec<u8>),
    /// Forget this message.
    Abort,
    /// Forget this connection; another one comes through the same.
    QuitAndGoOn,
    Quit,
    /// Values of macros, which nobody answers.
    Macro,
    /// A step that needs an answer and is nothing to us.
    Other,
}

/// What a filter says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Negotiate([u32; 3]),
    Continue,
    /// One more field.
    Add {
        name: &'static str,
        value: String,
    },
    /// The n-th field of a name, from 1 on, is to go.
    Delete {
        name: &'static str,
        place: u32,
    },
}

/// The next packet; `None` where the connection ends between two.
pub(super) fn read(stream: &mut impl Read) -> io::Result<Option<Command>> {
    let mut length = [0; 4];
    let first = stream.read(&mut length)?;
    if first == 0 {
        return Ok(None);
    }
    stream.read_exact(&mut length[first..])?;
    let length = u32::from_be_bytes(length);
    if length == 0 || length > LONGEST {
        return Err(io::Error::other(format!("a packet of {length} bytes")));
    }
    let mut packet = Vec::new();
    stream.take(u64::from(length)).read_to_end(&mut packet)?;
    if packet.len() as u64 != u64::from(length) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    parse(&packet)
        .map(Some)
        .ok_or_else(|| io::Error::other("a packet that makes no sense"))
}

fn parse(packet: &[u8]) -> Option<Command> {
    let (letter, rest) = packet.split_first()?;
    Some(match letter {
        b'O' => Command::Negotiate(numbers(rest)?),
        b'L' => {
            let mut parts = rest.split(|byte| *byte == 0);
            let (name, value) = (parts.next()?.to_vec(), parts.next()?.to_vec());
            Command::Header { name, value }
        }
        b'B' => Command::Body(rest.to_vec()),
        b'E' => Command::End(rest.to_vec()),
        b'A' => Command::Abort,
        b'K' => Command::QuitAndGoOn,
        b'Q' => Command::Quit,
        b'D' => Command::Macro,
        b'N' => Command::EndOfHeader,
        b'C' | b'H' | b'M' | b'R' | b'T' | b'U' => Command::Other,
        _ => return None,
    })
}

fn numbers(bytes: &[u8]) -> Option<[u32; 3]> {
    let number = |place: usize| {
        let bytes = bytes.get(4 * place..4 * place + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    };
    Some([number(0)?, number(1)?, number(2)?])
}

impl Reply {
    /// As it goes over the wire.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut packet = Vec::new();
        match self {
            Reply::Negotiate(numbers) => {
                packet.push(b'O');
                packet.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
            }
            Reply::Continue => packet.push(b'c'),
            Reply::Add { name, value } => {
                packet.push(b'h');
                push_text(&mut packet, name);
                push_text(&mut packet, value);
            }
            Reply::Delete { name, place } => {
                packet.push(b'm');
                packet.extend(place.to_be_bytes());
                push_text(&mut packet, name);
                // A field without a value is deleted.
                push_text(&mut packet, "");
            }
        }
        let length = u32::try_from(packet.len()).unwrap_or(0);
        [length.to_be_bytes().as_slice(), &packet].concat()
    }
}

fn push_text(packet: &mut Vec<u8>, text: &str) {
    packet.extend_from_slice(text.as_bytes());
    packet.push(0);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

    use super::*;

    #[test]
    fn packets_are_read() {
        let mut stream =
            b"\0\0\0\x0dO\0\0\0\x06\0\0\x01\xff\0\x1f\xff\xff\0\0\0\x09LTo\0a\n b\0".as_slice();
        let numbers = [6, 0x1ff, 0x001f_ffff];
        assert_eq!(
            read(&mut stream).unwrap(),
            Some(Command::Negotiate(numbers))
        );
        let (name, value) = (b"To".to_vec(), b"a\n b".to_vec());
        assert_eq!(
            read(&mut stream).unwrap(),
            Some(Command::Header { name, value })
        );
        assert_eq!(read(&mut [].as_slice()).unwrap(), None);
    }

    #[test]
    fn hostile_packets_are_refused() {
        for packet in [
            b"\0\0\0\0".as_slice(),
            b"\xff\xff\xff\xffB",
            b"\0\0\0\x05B",
            b"\0\0",
            b"\0\0\0\x02O\0",
            b"\0\0\0\x01L",
            b"\0\0\0\x03Lab",
            b"\0\0\0\x01\x07",
        ] {
            assert!(read(&mut { packet }).is_err(), "{packet:?}");
        }
    }

    #[test]
    fn replies_are_packets() {
        assert_eq!(Reply::Continue.bytes(), b"\0\0\0\x01c");
        let name = "X-A";
        let value = "1".to_owned();
        assert_eq!(Reply::Add { name, value }.bytes(), b"\0\0\0\x07hX-A\x001\0");
        let place = 2;
        assert_eq!(
            Reply::Delete { name, place }.bytes(),
            b"\0\0\0\x0am\0\0\0\x02X-A\0\0"
        );
    }
}
