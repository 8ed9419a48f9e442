//! Tar archives, read from front to back: the old, POSIX and GNU forms.
//!
//! A reader of our own, because it must own its stream: the next member is often asked for long
//! after the last one, and starting again would mean unpacking everything again.

use std::io::{self, Read};

use super::packed::Stream;

/// A tar archive and how far it has been read.
pub(crate) struct Tar {
    stream: Stream,
    /// The number of the next member.
    next: u64,
    /// Bytes of the current member that have not been read, and the padding after them.
    left: u64,
    padding: u64,
}

/// What an entry of a tar archive is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The raw name.
    pub(crate) name: Vec<u8>,
    pub(crate) size: u64,
    pub(crate) kind: EntryKind,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    File,
    Folder,
    /// A link, with what it leads to.
    Link(Vec<u8>),
    /// A device, a pipe or something that only some programs know.
    Other,
}

/// Whether a file begins as a tar archive does.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    head.len() >= BLOCK && checksum_fits(&head[..BLOCK])
}

impl Tar {
    pub(crate) fn new(stream: Stream) -> Tar {
        Tar {
            stream,
            next: 0,
            left: 0,
            padding: 0,
        }
    }

    /// The number of the next entry.
    pub(crate) fn position(&self) -> u64 {
        self.next
    }

    /// Goes to the next entry; its bytes can then be read from this.
    pub(crate) fn next_entry(&mut self) -> io::Result<Option<Entry>> {
        let mut long = Long::default();
        loop {
            self.skip()?;
            let mut header = [0; BLOCK];
            if !self.block(&mut header)? {
                return Ok(None);
            }
            if header.iter().all(|byte| *byte == 0) {
                return Ok(None);
            }
            if !checksum_fits(&header) {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "no tar header"));
            }
            self.left = long.size.unwrap_or_else(|| number(&header[124..136]));
            self.padding = self.left.wrapping_neg() % BLOCK as u64;
            match header[156] {
                b'L' => long.name = Some(zero_ended(&self.text()?).to_vec()),
                b'K' => long.link = Some(zero_ended(&self.text()?).to_vec()),
                b'x' => long.extend(&self.text()?),
                // Defaults for all entries; names and sizes are never among them.
                b'g' => {}
                kind => {
                    self.next += 1;
                    return Ok(Some(long.entry(&header, kind, self.left)));
                }
            }
        }
    }

    /// Past what is left of the current entry.
    fn skip(&mut self) -> io::Result<()> {
        let rest = self.left.saturating_add(self.padding);
        let skipped = io::copy(&mut (&mut self.stream).take(rest), &mut io::sink())?;
        self.left = 0;
        self.padding = 0;
        if skipped < rest {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    /// A header block; none at the end of the stream.
    fn block(&mut self, header: &mut [u8; BLOCK]) -> io::Result<bool> {
        let mut filled = 0;
        while filled < BLOCK {
            match self.stream.read(&mut header[filled..])? {
                0 if filled == 0 => return Ok(false),
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => filled += count,
            }
        }
        Ok(true)
    }

    /// The bytes of an entry that describes the next one.
    fn text(&mut self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let limit = self.left.min(LONGEST_DESCRIPTION);
        self.by_ref().take(limit).read_to_end(&mut text)?;
        Ok(text)
    }
}

impl Read for Tar {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let most = most.min(buffer.len());
        if most == 0 {
            return Ok(0);
        }
        let count = self.stream.read(&mut buffer[..most])?;
        self.left -= count as u64;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}

const BLOCK: usize = 512;
const LONGEST_DESCRIPTION: u64 = 1 << 20;

/// What entries say about the one after them.
#[derive(Default)]
struct Long {
    name: Option<Vec<u8>>,
    link: Option<Vec<u8>>,
    size: Option<u64>,
}

impl Long {
    /// Takes in POSIX records: `length key=value` and a line break.
    fn extend(&mut self, mut records: &[u8]) {
        while let Some(space) = records.iter().position(|byte| *byte == b' ') {
            let length = std::str::from_utf8(&records[..space]).ok();
            let length = length.and_then(|length| length.parse::<usize>().ok());
            let Some(record) = length.and_then(|length| records.get(space + 1..length)) else {
                return;
            };
            records = &records[space + 1 + record.len()..];
            let record = record.strip_suffix(b"\n").unwrap_or(record);
            let Some(equals) = record.iter().position(|byte| *byte == b'=') else {
                continue;
            };
            let value = &record[equals + 1..];
            match &record[..equals] {
                b"path" => self.name = Some(value.to_vec()),
                b"linkpath" => self.link = Some(value.to_vec()),
                b"size" => self.size = std::str::from_utf8(value).ok().and_then(|v| v.parse().ok()),
                _ => {}
            }
        }
    }

    fn entry(self, header: &[u8; BLOCK], kind: u8, size: u64) -> Entry {
        let name = self.name.unwrap_or_else(|| {
            let name = zero_ended(&header[..100]);
            let prefix = zero_ended(&header[345..500]);
            // The GNU form has other things where the POSIX form has the prefix.
            if &header[257..263] == b"ustar\0" && !prefix.is_empty() {
                [prefix, b"/", name].concat()
            } else {
                name.to_vec()
            }
        });
        let link = || {
            self.link
                .unwrap_or_else(|| zero_ended(&header[157..257]).to_vec())
        };
        let kind = match kind {
            b'0' | 0 | b'7' if name.ends_with(b"/") => EntryKind::Folder,
            b'0' | 0 | b'7' => EntryKind::File,
            b'1' | b'2' => EntryKind::Link(link()),
            b'5' | b'D' => EntryKind::Folder,
            _ => EntryKind::Other,
        };
        Entry { name, size, kind }
    }
}

fn zero_ended(bytes: &[u8]) -> &[u8] {
    bytes.split(|byte| *byte == 0).next().unwrap_or_default()
}

/// Octal digits, or after a set first bit a number in base 256.
fn number(field: &[u8]) -> u64 {
    if field[0] & 0x80 != 0 {
        let low = field[field.len() - 8..].iter();
        return low.fold(0, |sum, byte| sum << 8 | u64::from(*byte));
    }
    let digits = field.iter().skip_while(|byte| **byte == b' ');
    digits
        .take_while(|byte| byte.is_ascii_digit())
        .fold(0_u64, |sum, byte| {
            sum.wrapping_mul(8).wrapping_add(u64::from(byte - b'0'))
        })
}

/// The sum of the header's bytes, its own field counted as spaces.
fn checksum_fits(header: &[u8]) -> bool {
    let stated = number(&header[148..156]);
    let sum: u64 = header.iter().map(|byte| u64::from(*byte)).sum();
    let own: u64 = header[148..156].iter().map(|byte| u64::from(*byte)).sum();
    header[0] != 0 && stated == sum - own + 8 * u64::from(b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One entry as `tar` would write it.
    fn entry(name: &str, kind: u8, link: &str, content: &[u8]) -> Vec<u8> {
        let mut header = [0; BLOCK];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = kind;
        header[157..157 + link.len()].copy_from_slice(link.as_bytes());
        header[257..263].copy_from_slice(b"ustar\0");
        header[148..156].fill(b' ');
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let padding = content.len().next_multiple_of(BLOCK) - content.len();
        [&header[..], content, &vec![0; padding]].concat()
    }

    fn names(bytes: Vec<u8>) -> io::Result<Vec<String>> {
        let mut tar = Tar::new(Box::new(io::Cursor::new(bytes)));
        let mut names = Vec::new();
        while let Some(entry) = tar.next_entry()? {
            names.push(String::from_utf8_lossy(&entry.name).into_owned());
        }
        Ok(names)
    }

    #[test]
    fn entries_come_one_after_the_other() {
        let record = "30 path=a name beyond ASCII: ž\n".replace("30", "32");
        assert_eq!(record.len(), 32);
        let archive = [
            entry("a.txt", b'0', "", b"first"),
            entry("folder/", b'5', "", b""),
            entry("x", b'x', "", record.as_bytes()),
            entry("short", b'0', "", b"second"),
            entry("link", b'2', "/etc/passwd", b""),
            entry("L", b'L', "", b"a/long/name\0"),
            entry("a/lo", b'0', "", &[b'x'; 600]),
            vec![0; 1024],
        ]
        .concat();
        assert!(is_tar(&archive));
        let mut tar = Tar::new(Box::new(io::Cursor::new(archive.clone())));
        let first = tar.next_entry().unwrap().unwrap();
        assert_eq!((first.name.as_slice(), first.size), (&b"a.txt"[..], 5));
        let mut content = String::new();
        tar.read_to_string(&mut content).unwrap();
        assert_eq!(content, "first");
        let all = [
            "a.txt",
            "folder/",
            "a name beyond ASCII: ž",
            "link",
            "a/long/name",
        ];
        assert_eq!(names(archive).unwrap(), all);
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let archive = [entry("a", b'0', "", b"one"), entry("b", b'0', "", b"two")].concat();
        for length in 0..archive.len() {
            let _ = names(archive[..length].to_vec());
        }
        for place in 0..archive.len() {
            let mut damaged = archive.clone();
            damaged[place] ^= 0xff;
            let _ = names(damaged);
        }
        assert!(names(archive[..700].to_vec()).is_err());
    }
}
