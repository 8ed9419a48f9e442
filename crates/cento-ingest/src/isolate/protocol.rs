//! What a process that reads files is asked, and what it answers.
//!
//! A message is its length in eight bytes and then its content, which is JSON. The first one says
//! what the process is for: it is a [`Setup`] and has no reply. Then requests and replies alternate;
//! a listing may take several replies.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cento_code::Language;
use encoding_rs::Encoding;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::archive::FoundInFile;
use crate::convert::Conversion;
use crate::options::Reading;
use crate::program::Disguise;
use crate::{CodeSpan, Concealed, Error, Kind, Program, Text};

/// What a process is for. It is the first message, and has no reply.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Setup {
    /// Reads files as this says.
    Read(Reading),
    /// Becomes the program that converts a file.
    Convert(Conversion),
}

/// What is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// What documents are in this file?
    List(RawPath),
    /// What is the text of this document in the file?
    Read(RawPath, Vec<u64>),
    /// What is the text of the bytes in the next message, which have this name?
    ReadBytes(String),
    /// What are the bytes of this document in the file?
    Take(RawPath, Vec<u64>),
    /// What are the code tokens of the program in the next message, which is in this language?
    Parse(Language),
    /// What is the program in the next message after this?
    Disguise(Disguise),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// Some of what is in the file.
    Found(Vec<FoundInFile>),
    /// That was all.
    Listed,
    Text(Result<WireText, Error>),
    /// The bytes are the next message.
    Taken(Result<(), Error>),
    /// Or why there are none.
    Program(Result<Box<Program>, String>),
    /// The text is the next message, unless there is none.
    Disguised(Result<(), String>),
}

/// A path, whatever bytes it is made of.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RawPath(Vec<u8>);

impl RawPath {
    #[cfg(unix)]
    pub(super) fn new(path: &Path) -> RawPath {
        use std::os::unix::ffi::OsStrExt as _;
        RawPath(path.as_os_str().as_bytes().to_vec())
    }

    #[cfg(not(unix))]
    pub(super) fn new(path: &Path) -> RawPath {
        RawPath(path.to_string_lossy().into_owned().into_bytes())
    }

    #[cfg(unix)]
    pub(super) fn path(self) -> PathBuf {
        use std::os::unix::ffi::OsStringExt as _;
        std::ffi::OsString::from_vec(self.0).into()
    }

    #[cfg(not(unix))]
    pub(super) fn path(self) -> PathBuf {
        String::from_utf8_lossy(&self.0).into_owned().into()
    }
}

/// A [`Text`] on its way.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct WireText {
    content: String,
    kind: Kind,
    encoding: Option<String>,
    warnings: Vec<String>,
    concealed: Concealed,
    code: Vec<CodeSpan>,
}

impl From<Text> for WireText {
    fn from(text: Text) -> WireText {
        WireText {
            content: text.content,
            kind: text.kind,
            encoding: text.encoding.map(str::to_owned),
            warnings: text.warnings,
            concealed: text.concealed,
            code: text.code,
        }
    }
}

impl From<WireText> for Text {
    fn from(text: WireText) -> Text {
        let encoding = text.encoding;
        let encoding = encoding.and_then(|name| Encoding::for_label(name.as_bytes()));
        Text {
            content: text.content,
            kind: text.kind,
            encoding: encoding.map(Encoding::name),
            warnings: text.warnings,
            concealed: text.concealed,
            code: text.code,
        }
    }
}

/// Writes a message.
pub(crate) fn send(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    send_bytes(to, &serde_json::to_vec(message)?)
}

/// Writes a message that is not JSON.
pub(super) fn send_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Reads a message's bytes; none at the end of the stream.
pub(super) fn receive(from: &mut impl Read, most: u64) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let length = u64::from_le_bytes(length);
    if length > most {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "message too long",
        ));
    }
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(bytes))
}

/// What a message says.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    Ok(serde_json::from_slice(bytes)?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::archive::Leaf;
    use crate::{ConcealedText, Concealment};

    /// One message of every kind, as it is sent.
    fn messages() -> Vec<Vec<u8>> {
        let text = Text {
            content: "words".to_owned(),
            kind: Kind::Rtf,
            encoding: Some("windows-1252"),
            warnings: vec!["odd".to_owned()],
            concealed: Concealed {
                hidden: 3,
                places: vec![ConcealedText::new(Concealment::Hidden, "not")],
                ..Concealed::default()
            },
            code: vec![CodeSpan {
                start: 0,
                end: 5,
                language: "python".to_owned(),
            }],
        };
        let found = vec![FoundInFile::Document(Leaf::default())];
        let path = || RawPath::new(Path::new("folder/file"));
        let mut messages = vec![Vec::new(); 6];
        let [setup, list, read, bytes, listing, reply] = messages.as_mut_slice() else {
            return messages;
        };
        send(setup, &Setup::Read(Reading::default())).unwrap();
        send(list, &Request::List(path())).unwrap();
        send(read, &Request::Read(path(), vec![0, u64::MAX])).unwrap();
        send(bytes, &Request::ReadBytes("-".to_owned())).unwrap();
        send(listing, &Reply::Found(found)).unwrap();
        send(reply, &Reply::Text(Ok(text.into()))).unwrap();
        messages
    }

    /// Reads a stream of messages as both sides do; how many bytes it kept.
    fn read_all(mut stream: &[u8]) -> usize {
        const MOST: u64 = 1 << 16;
        let mut kept = 0;
        while let Ok(Some(message)) = receive(&mut stream, MOST) {
            assert!(message.len() as u64 <= MOST);
            kept += message.len();
            let _ = parse::<Setup>(&message);
            if let Ok(Request::List(path) | Request::Read(path, _)) = parse(&message) {
                path.path();
            }
            if let Ok(Reply::Text(Ok(text))) = parse(&message) {
                let _ = Text::from(text);
            }
        }
        kept
    }

    #[test]
    fn whole_messages_arrive() {
        let all = messages().concat();
        assert_eq!(read_all(&all), all.len() - 8 * messages().len());
    }

    proptest! {
        #[test]
        fn damaged_messages_are_errors_and_no_more(
            which in 0..6_usize,
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20),
            length in any::<prop::sample::Index>(),
        ) {
            let mut message = messages().swap_remove(which);
            for (place, byte) in changes {
                let place = place.index(message.len());
                message[place] = byte;
            }
            message.truncate(length.index(message.len() + 1));
            prop_assert!(read_all(&message) <= message.len());
        }
    }
}
