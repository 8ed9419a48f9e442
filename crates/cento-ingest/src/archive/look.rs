//! What bytes are: a document, or something with documents in it.

use std::io::Read;

use super::bytes::Bytes;
use super::container::{
    Container, HEAD, LineTable, Payload, PayloadContent, TarMembers, read_limited,
};
use super::packed::{Packing, Stream};
use super::tar::is_tar;
use super::zip::{Zip, too_large};
use crate::options::Reading;
use crate::table;
use crate::{Error, Kind, Limit, Messages, Records, detect};

/// What bytes are.
pub(crate) enum Content {
    Document(Document),
    Container(Container),
}

/// A document's bytes, which have not been read yet.
pub(crate) struct Document {
    content: Unread,
    pub(crate) name: String,
}

/// Where a document's bytes come from.
enum Unread {
    Bytes(Bytes),
    Stream(Stream),
}

/// Undoes compression and looks at what is there.
pub(crate) fn look(bytes: Bytes, name: &str, reading: &Reading) -> Result<Content, Error> {
    let limits = &reading.limits;
    let mut name = name.to_owned();
    let mut head = start_of(&mut bytes.reader())?;
    let mut unpacked: Option<Stream> = None;
    let mut layers = 0;
    while let Some(packing) = Packing::of(&head) {
        layers += 1;
        if layers > limits.nesting {
            return Err(too_deep(limits.nesting));
        }
        let packed = unpacked.take().unwrap_or_else(|| Box::new(bytes.reader()));
        let mut stream = packing.unpack(packed, limits);
        name = packing.strip(&name);
        head = start_of(&mut stream)?;
        unpacked = Some(Box::new(std::io::Cursor::new(head.clone()).chain(stream)));
    }
    let form = Shape::of(&head, &name, reading);
    if matches!(form, Shape::Document) {
        let content = unpacked.map_or(Unread::Bytes(bytes), Unread::Stream);
        return Ok(Content::Document(Document { content, name }));
    }
    if matches!(form, Shape::Zip | Shape::Parquet) {
        // They must be read from the end.
        let bytes = match unpacked {
            Some(stream) => {
                let payload = read_limited(stream, String::new(), limits)?;
                Bytes::Memory(payload.into_bytes().into())
            }
            None => bytes,
        };
        return match form {
            Shape::Zip => zip(bytes, name, reading),
            _ => parquet(bytes, reading),
        };
    }
    let seekable = unpacked.is_none().then(|| bytes.clone());
    let stream = unpacked.unwrap_or_else(|| Box::new(bytes.reader()));
    let buffered = |stream| std::io::BufReader::with_capacity(1 << 16, stream);
    Ok(Content::Container(match form {
        Shape::Table(form) => Container::Table(LineTable::open(stream, seekable, form, reading)?),
        Shape::Mailbox => Container::Mailbox(Messages::new(buffered(stream), limits.file_size), 0),
        Shape::Web => Container::Web(Records::new(buffered(stream), limits.file_size), 0),
        Shape::Document | Shape::Zip | Shape::Parquet | Shape::Tar => {
            Container::Tar(TarMembers::new(Box::new(buffered(stream))))
        }
    }))
}

impl Document {
    /// The bytes, unless they are too many.
    pub(crate) fn read(self, reading: &Reading) -> Result<Payload, Error> {
        let limits = &reading.limits;
        match self.content {
            Unread::Stream(stream) => read_limited(stream, self.name, limits),
            Unread::Bytes(Bytes::Memory(bytes)) => Ok(Payload {
                content: PayloadContent::Bytes(
                    std::sync::Arc::try_unwrap(bytes).unwrap_or_else(|bytes| bytes.to_vec()),
                ),
                name: self.name,
                warnings: Vec::new(),
            }),
            Unread::Bytes(bytes) if bytes.length() > limits.file_size => Err(too_large(limits)),
            Unread::Bytes(bytes) => read_limited(bytes.reader(), self.name, limits),
        }
    }
}

/// Whether a member of an archive must be opened to know what it is.
pub(crate) fn may_hold_documents(head: &[u8], name: &str, reading: &Reading) -> bool {
    Packing::of(head).is_some()
        || match Shape::of(head, name, reading) {
            Shape::Document => false,
            Shape::Zip => !is_office_name(head, name),
            _ => true,
        }
}

/// Whether a file begins as an archive does. It may still be a document that is packed like one.
pub(crate) fn is_archive(head: &[u8]) -> bool {
    is_zip(head) || is_tar(head)
}

fn is_zip(head: &[u8]) -> bool {
    head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06")
}

/// The error of an archive that is nested too deep.
pub(crate) fn too_deep(nesting: usize) -> Error {
    Limit::Nesting.reached(format!("nested in more than {nesting} archives"))
}

/// What the first bytes and the name say.
enum Shape {
    Document,
    Zip,
    Tar,
    Mailbox,
    Web,
    Table(table::Form),
    Parquet,
}

impl Shape {
    fn of(head: &[u8], name: &str, reading: &Reading) -> Shape {
        if is_zip(head) {
            return Shape::Zip;
        }
        if is_tar(head) {
            return Shape::Tar;
        }
        if table::is_parquet(head) {
            return Shape::Parquet;
        }
        if let Some(form) = table::form(head, name, &reading.keys) {
            return Shape::Table(form);
        }
        match detect(head, name, &reading.extract()) {
            Ok(Kind::Mailbox) => Shape::Mailbox,
            Ok(Kind::WebArchive) => Shape::Web,
            _ => Shape::Document,
        }
    }
}

/// Office documents and books are zip archives too; most begin in a way that says so.
fn is_office_name(head: &[u8], name: &str) -> bool {
    let first = head.get(30..).unwrap_or_default();
    let starts = [
        &b"[Content_Types].xml"[..],
        b"mimetypeapplication/",
        b"_rels/.rels",
    ];
    let ends = [
        "docx", "docm", "dotx", "pptx", "pptm", "ppsx", "potx", "xlsx", "xlsm", "xltx", "odt",
        "odp", "ods", "ott", "epub",
    ];
    let end = name
        .rsplit_once('.')
        .map(|(_, end)| end.to_ascii_lowercase());
    starts.iter().any(|start| first.starts_with(start))
        && end.is_some_and(|end| ends.contains(&end.as_str()))
}

fn zip(bytes: Bytes, name: String, reading: &Reading) -> Result<Content, Error> {
    let zip = Zip::open(&bytes, &reading.limits)?;
    if zip.is_document() {
        let content = Unread::Bytes(bytes);
        return Ok(Content::Document(Document { content, name }));
    }
    Ok(Content::Container(Container::Zip(zip)))
}

#[cfg(feature = "parquet")]
fn parquet(bytes: Bytes, reading: &Reading) -> Result<Content, Error> {
    use table::{Carried, ParquetRows};
    let limit = reading.limits.file_size;
    let rows = ParquetRows::new(bytes, &reading.keys, limit, &Carried::Needed)?;
    Ok(Content::Container(Container::Parquet(Box::new(rows))))
}

/// Nothing has this shape.
#[cfg(not(feature = "parquet"))]
fn parquet(_: Bytes, _: &Reading) -> Result<Content, Error> {
    Err(Error::Unsupported("Parquet table".to_owned()))
}

fn start_of(reader: &mut impl Read) -> Result<Vec<u8>, Error> {
    let mut head = Vec::new();
    let outcome = reader.take(HEAD).read_to_end(&mut head);
    match outcome {
        Err(error) if head.is_empty() => Err(Error::damaged(&error)),
        _ => Ok(head),
    }
}
