//! The text of a part that is in another character set than it says, or does not say in which.

use std::borrow::Cow;

use encoding_rs::{Encoding, WINDOWS_1252};
use mail_parser::{Message, MessagePart, MimeHeaders};

use crate::text::decode;

/// The text of a part as a reader can read it.
///
/// What is valid UTF-8 beyond ASCII is that, whatever its part says; and what has broken characters is
/// guessed like a file that says nothing.
pub(super) fn readable<'t>(
    message: &Message<'_>,
    part: &MessagePart<'_>,
    text: &'t str,
) -> Cow<'t, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let better = if text.contains(char::REPLACEMENT_CHARACTER) {
        guessed(message, part)
    } else {
        as_utf8(part, text)
    };
    better.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The text by a guess, where its bytes are at hand.
fn guessed(message: &Message<'_>, part: &MessagePart<'_>) -> Option<String> {
    if part.encoding != mail_parser::Encoding::None {
        return None;
    }
    let place = |offset: u32| usize::try_from(offset).ok();
    let bytes = place(part.raw_body_offset())?..place(part.raw_end_offset())?;
    let bytes = message.raw_message().get(bytes)?;
    let text = decode(bytes.to_vec(), None).ok()?.content;
    (!text.contains(char::REPLACEMENT_CHARACTER)).then_some(text)
}

/// The text of bytes that were read as Western letters and are UTF-8.
fn as_utf8(part: &MessagePart<'_>, text: &str) -> Option<String> {
    let label = part.content_type()?.attribute("charset")?;
    if Encoding::for_label(label.as_bytes()) != Some(WINDOWS_1252) {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    for letter in text.chars() {
        if let Ok(byte) = u8::try_from(letter) {
            bytes.push(byte);
            continue;
        }
        let letter = letter.to_string();
        let (byte, _, is_unknown) = WINDOWS_1252.encode(&letter);
        if is_unknown {
            return None;
        }
        bytes.extend_from_slice(&byte);
    }
    String::from_utf8(bytes).ok()
}
