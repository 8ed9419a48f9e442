//! XML → a walk over its elements, flat and bounded whatever the bytes are.
//!
//! Entities that a document declares are never expanded, so none can grow; nesting is counted, not
//! recursed into.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use quick_xml::Reader;
use quick_xml::escape::resolve_html5_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// What to do with an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    Enter,
    /// Skip the element and everything in it.
    Skip,
}

/// Sees the elements and the text of a document in order, by their local names.
pub(super) trait Visitor {
    fn open(&mut self, element: &Element<'_>) -> Visit;
    fn text(&mut self, text: &str);
    /// Comes for every element that was entered.
    fn close(&mut self, name: &str);
}

/// An element with its attributes.
pub(super) struct Element<'a>(&'a BytesStart<'a>);

impl Element<'_> {
    pub(super) fn name(&self) -> &str {
        local(self.0.name().0)
    }

    /// What stands before the local name.
    pub(super) fn prefix(&self) -> &str {
        self.0
            .name()
            .0
            .rsplit_once(':')
            .map_or("", |(prefix, _)| prefix)
    }

    /// The value of the first attribute of this local name.
    pub(super) fn attribute(&self, name: &str) -> Option<String> {
        self.find(|key| local(key) == name)
    }

    /// The value of the first attribute whose whole name ends like this.
    pub(super) fn attribute_ending(&self, end: &str) -> Option<String> {
        self.find(|key| key.ends_with(end))
    }

    fn find(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        // Looking for duplicates would take time that grows with their square.
        let mut attributes = self.0.attributes();
        let attributes = attributes.with_checks(false).flatten();
        let mut wanted = attributes.filter(|attribute| is_wanted(attribute.key.0));
        wanted
            .next()
            .map(|attribute| unescape(&attribute.value).into_owned())
    }

    /// Whether the switch that this element stands for is on: it says nothing, or not "off".
    pub(super) fn is_on(&self) -> bool {
        !matches!(
            self.attribute("val").as_deref(),
            Some("0" | "false" | "off" | "none")
        )
    }
}

/// Shows a document to a visitor. Says where it broke off, if it did.
pub(super) fn walk(bytes: &[u8], visitor: &mut impl Visitor) -> Option<String> {
    walk_text(&decode(bytes), visitor)
}

/// The same for a document that is decoded.
pub(super) fn walk_text(text: &str, visitor: &mut impl Visitor) -> Option<String> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    config.expand_empty_elements = true;
    let mut depth = 0_usize;
    // The depth of the element that is being skipped.
    let mut skipped = usize::MAX;
    loop {
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => return Some(format!("damaged XML ({error}), read up to that point")),
        };
        let visible = depth < skipped;
        match event {
            Event::Start(start) => {
                depth += 1;
                if depth > DEEPEST {
                    return Some(format!(
                        "XML nested deeper than {DEEPEST} levels, read up to that point"
                    ));
                }
                if visible && visitor.open(&Element(&start)) == Visit::Skip {
                    skipped = depth;
                }
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                if visible {
                    visitor.close(local(end.name().0));
                } else if depth < skipped {
                    skipped = usize::MAX;
                }
            }
            Event::Text(text) if visible => visitor.text(&text),
            Event::CData(data) if visible => visitor.text(&data),
            Event::GeneralRef(reference) if visible => {
                if let Some(text) = resolve(&reference) {
                    visitor.text(&text);
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    (depth > 0).then(|| "XML that ends too early, read up to that point".to_owned())
}

/// Text with the entities of HTML replaced; what only looks like one stays as it is.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('&') {
        result.push_str(&rest[..start]);
        rest = &rest[start..];
        let name = entity_name(&rest[1..]);
        if let Some(character) = name.and_then(entity) {
            result.push_str(&character);
            rest = &rest[1 + name.map_or(0, str::len)..];
            rest = rest.strip_prefix(';').unwrap_or(rest);
        } else {
            result.push('&');
            rest = &rest[1..];
        }
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// Deeper than any document that a person wrote.
const DEEPEST: usize = 1000;

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    entity(reference)
}

/// The name of an entity that a text begins with; none is longer than 32 letters.
fn entity_name(text: &str) -> Option<&str> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let length = text
        .bytes()
        .take(32)
        .take_while(|byte| is_part(byte))
        .count();
    (length > 0).then(|| &text[..length])
}

fn entity(name: &str) -> Option<String> {
    let Some(number) = name.strip_prefix('#') else {
        return resolve_html5_entity(name).map(str::to_owned);
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
        None => number.parse(),
    };
    let code = code.ok()?;
    // Pages of old give Windows characters by their byte.
    if let Ok(byte @ 0x80..=0x9f) = u8::try_from(code) {
        return Some(encoding_rs::WINDOWS_1252.decode(&[byte]).0.into_owned());
    }
    char::from_u32(code)
        .filter(|c| *c != '\0')
        .map(String::from)
}

/// The encoding that a document declares.
pub(super) fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(256)]);
    let (_, rest) = head.split_once("encoding=")?;
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let label = rest[1..].split(quote).next()?;
    // A declaration that can be read byte by byte is not in UTF-16, whatever it says.
    Encoding::for_label(label.as_bytes()).filter(|encoding| encoding.is_ascii_compatible())
}

/// XML as text: by its byte order mark, by what it declares, else UTF-8.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let encoding = match bytes {
        [b'<', 0, ..] => UTF_16LE,
        [0, b'<', ..] => UTF_16BE,
        _ => declared_encoding(bytes).unwrap_or(UTF_8),
    };
    encoding.decode(bytes).0
}
