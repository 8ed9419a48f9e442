//! Mail: the text of a message, and the messages of a mailbox.
//!
//! The text of a message is its subject and its body, plain text rather than HTML where it has both.
//! Attachments are named in a warning. For [`Scope::Message`] it is what the sender wrote to everybody,
//! as a reader sees it ([`sifted`]).

mod charset;
mod direction;
mod encoded;
mod footer;
mod links;
mod parts;
mod sifted;

use std::borrow::Cow;
use std::io::{self, BufRead};

use mail_parser::{Message, MessageParser, MessagePart, MimeHeaders, PartType};

pub(super) use self::direction::{BACKWARDS, BACKWARDS_END};
use self::sifted::{Envelope, sifted};
use super::draft::Draft;
use super::{Extract, html};
use crate::options::size;
use crate::{Error, Limit, Scope};

pub(super) fn read(bytes: &[u8], draft: &mut Draft) -> Result<(), Error> {
    let closed = parts::closed(bytes);
    let cleaned = encoded::cleaned(&closed);
    let Some(message) = MessageParser::default().parse(&*cleaned) else {
        return Err(Error::Damaged("damaged mail message".to_owned()));
    };
    match draft.scope {
        Scope::Message => push_sifted(&message, draft, 0),
        Scope::MainText | Scope::AllButCode | Scope::Shown => push_message(&message, draft, 0),
    }
    if message.text_body_count() == 0 && is_encrypted(&message) {
        return Err(Error::Encrypted);
    }
    Ok(())
}

/// All messages of a mailbox as one text.
pub(super) fn read_mailbox(
    mut bytes: &[u8],
    options: &Extract,
    draft: &mut Draft,
) -> Result<(), Error> {
    for message in Messages::new(&mut bytes, options.unpacked_limit) {
        if let Err(reason) = read(&message?, draft) {
            draft.warn(format!("a message is not read ({reason})"));
        }
        draft.paragraph();
    }
    Ok(())
}

/// The messages of a mailbox (mbox), one after the other, without the lines that separate them.
pub struct Messages<R> {
    reader: R,
    limit: u64,
    line: Vec<u8>,
    is_done: bool,
}

impl<R: BufRead> Messages<R> {
    /// Messages of at most `limit` bytes; a larger one is an error, and the last item.
    pub fn new(reader: R, limit: u64) -> Messages<R> {
        Messages {
            reader,
            limit,
            line: Vec::new(),
            is_done: false,
        }
    }

    /// Puts the next line into `self.line`, as much of it as a message may have.
    fn next_line(&mut self) -> Result<bool, Error> {
        self.line.clear();
        let mut limited = io::Read::take(&mut self.reader, self.limit.saturating_add(1));
        let read = limited.read_until(b'\n', &mut self.line);
        Ok(read.map_err(|error| Error::damaged(&error))? > 0)
    }

    fn next_message(&mut self) -> Result<Option<Vec<u8>>, Error> {
        // The separator before this message has been read, unless this is the first one.
        while self.line.is_empty() || !is_separator(&self.line) && self.line.trim_ascii().is_empty()
        {
            if !self.next_line()? {
                return Ok(None);
            }
        }
        let mut message = Vec::new();
        if !is_separator(&self.line) {
            message.extend_from_slice(&self.line);
        }
        let mut is_after_blank = false;
        while self.next_line()? {
            if is_after_blank && is_separator(&self.line) {
                return Ok(Some(message));
            }
            is_after_blank = self.line.trim_ascii().is_empty();
            message.extend_from_slice(&self.line[usize::from(is_marked(&self.line))..]);
            if message.len() as u64 > self.limit {
                let limit = size(self.limit);
                return Err(Limit::FileSize.reached(format!("a message is larger than {limit}")));
            }
        }
        self.is_done = true;
        Ok(Some(message))
    }
}

impl<R: BufRead> Iterator for Messages<R> {
    type Item = Result<Vec<u8>, Error>;

    fn next(&mut self) -> Option<Result<Vec<u8>, Error>> {
        if self.is_done {
            return None;
        }
        let next = self.next_message().transpose();
        self.is_done |= !matches!(next, Some(Ok(_)));
        next
    }
}

/// `From somebody` and a date, at the beginning of a line.
pub(super) fn is_separator(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"From ") else {
        return false;
    };
    // A time of day and a year are in every such line.
    let has_time = rest
        .windows(3)
        .any(|part| part[0].is_ascii_digit() && part[1] == b':' && part[2].is_ascii_digit());
    let digits = |word: &[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_digit);
    has_time && rest.split(u8::is_ascii_whitespace).any(digits)
}

/// A line of text that would look like a separator, with a mark before it.
fn is_marked(line: &[u8]) -> bool {
    let marks = line.iter().take_while(|byte| **byte == b'>').count();
    marks > 0 && line[marks..].starts_with(b"From ")
}

/// Messages that are nested deeper than this are left out.
const DEEPEST: usize = 5;

fn push_message(message: &Message<'_>, draft: &mut Draft, depth: usize) {
    if let Some(subject) = message.subject() {
        draft.push(subject);
        draft.paragraph();
    }
    for part in message.text_bodies() {
        match &part.body {
            PartType::Text(text) => {
                let text = charset::readable(message, part, text);
                draft.push(&with_plain_lines(&text));
            }
            PartType::Html(page) => html::text(&charset::readable(message, part, page), draft),
            _ => {}
        }
        if part.is_encoding_problem {
            draft.warn("part of the message is damaged");
        }
        draft.paragraph();
    }
    for inner in attached(message, draft, depth) {
        push_message(inner, draft, depth + 1);
    }
}

/// Adds what the sender wrote to everybody. Programs that show mail prefer HTML, and so does this.
fn push_sifted(message: &Message<'_>, draft: &mut Draft, depth: usize) {
    let envelope = envelope(message);
    if let Some(subject) = message.subject() {
        draft.push(&sifted(sifted::subject(subject), &envelope));
        draft.paragraph();
    }
    if push_bodies(message, message.html_bodies(), &envelope, draft) == 0 {
        push_bodies(message, message.text_bodies(), &envelope, draft);
    }
    for inner in attached(message, draft, depth) {
        push_sifted(inner, draft, depth + 1);
    }
}

/// Who the header says that a message was sent to, and through which lists.
fn envelope(message: &Message<'_>) -> Envelope {
    let mut envelope = Envelope::default();
    for address in [message.to(), message.cc()].into_iter().flatten() {
        for one in address.iter() {
            envelope.add(one.name(), one.address());
        }
    }
    for name in LIST_FIELDS {
        if let Some(field) = message.header_raw(name) {
            envelope.add_list(field);
        }
    }
    envelope
}

/// Fields of a header that say which list a message came through.
const LIST_FIELDS: [&str; 6] = [
    "List-Id",
    "List-Post",
    "List-Unsubscribe",
    "X-BeenThere",
    "Mailing-List",
    "X-Mailing-List",
];

/// Adds the bodies of a message; returns how many letters they show.
fn push_bodies<'m>(
    message: &'m Message<'m>,
    parts: impl Iterator<Item = &'m MessagePart<'m>>,
    envelope: &Envelope,
    draft: &mut Draft,
) -> usize {
    let mut shown = 0;
    for part in parts {
        let mut body = draft.fresh();
        match &part.body {
            PartType::Text(text) => {
                let text = charset::readable(message, part, text);
                body.push(&with_plain_lines(&text));
            }
            PartType::Html(page) => {
                html::letter(&charset::readable(message, part, page), &mut body);
            }
            _ => {}
        }
        if body.is_full() {
            draft.refuse();
            return shown;
        }
        let mut concealed = body.take_concealed();
        // What is left out moves everything else.
        concealed.places.iter_mut().for_each(|place| place.at = 0);
        let text = sifted(body.text(), envelope);
        shown += text.chars().filter(|c| c.is_alphanumeric()).count();
        draft.append(&text, concealed);
        if part.is_encoding_problem {
            draft.warn("part of the message is damaged");
        }
        draft.paragraph();
    }
    shown
}

/// The messages attached to one; other attachments are named in a warning.
fn attached<'m>(message: &'m Message<'m>, draft: &mut Draft, depth: usize) -> Vec<&'m Message<'m>> {
    let mut messages = Vec::new();
    let mut unread = Vec::new();
    for part in message.attachments() {
        match &part.body {
            PartType::Message(inner) if depth < DEEPEST => messages.push(inner),
            _ => unread.push(
                part.attachment_name()
                    .unwrap_or("one without a name")
                    .to_owned(),
            ),
        }
    }
    if !unread.is_empty() {
        let more = unread.len().saturating_sub(NAMED);
        unread.truncate(NAMED);
        let names = unread.join(", ");
        draft.warn(match more {
            0 => format!("attachments not read: {names}"),
            more => format!("attachments not read: {names} and {more} more"),
        });
    }
    messages
}

/// Attachments that a warning names.
const NAMED: usize = 5;

fn with_plain_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn is_encrypted(message: &Message<'_>) -> bool {
    message.parts.iter().any(|part| {
        part.content_type().is_some_and(|kind| {
            let subtype = kind.subtype().unwrap_or_default();
            subtype == "encrypted" || subtype.ends_with("pkcs7-mime")
        })
    })
}
