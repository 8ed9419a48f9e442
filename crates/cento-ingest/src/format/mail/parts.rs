//! The parts of a message whose last one is not closed. Programs that show mail show it all the same;
//! the parser would leave it out.

use std::borrow::Cow;

/// The message with a line for each kind of part that is opened and never closed.
pub(super) fn closed(bytes: &[u8]) -> Cow<'_, [u8]> {
    let mut missing: Vec<Vec<u8>> = Vec::new();
    let mut at = 0;
    for _ in 0..MOST {
        let Some(start) = find(&bytes[at..], b"boundary=") else {
            break;
        };
        at += start + b"boundary=".len();
        let Some(name) = name(&bytes[at..]) else {
            continue;
        };
        let opening = [b"\n--", name].concat();
        let closing = [b"--", name, b"--"].concat();
        if find(bytes, &opening).is_some()
            && find(bytes, &closing).is_none()
            && !missing.contains(&closing)
        {
            missing.push(closing);
        }
    }
    if missing.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut closed = bytes.to_vec();
    // The inner ones are opened last.
    for closing in missing.into_iter().rev() {
        closed.push(b'\n');
        closed.extend(closing);
        closed.push(b'\n');
    }
    Cow::Owned(closed)
}

/// So many names of parts are looked at.
const MOST: usize = 16;

/// What stands between the parts, by the value of a parameter.
fn name(value: &[u8]) -> Option<&[u8]> {
    let (value, end): (&[u8], &[u8]) = match value.split_first() {
        Some((b'"', rest)) => (rest, b"\"\r\n"),
        _ => (value, b"; \t\r\n\""),
    };
    let length = value.iter().position(|byte| end.contains(byte))?;
    // RFC 2046 has at most 70 characters.
    (1..=100).contains(&length).then(|| &value[..length])
}

/// Where a text begins, whatever the case of its letters.
fn find(bytes: &[u8], text: &[u8]) -> Option<usize> {
    let (first, rest) = text.split_first()?;
    let mut at = 0;
    while let Some(next) = bytes[at..]
        .iter()
        .position(|byte| byte.eq_ignore_ascii_case(first))
    {
        let behind = at + next + 1;
        if bytes[behind..]
            .get(..rest.len())
            .is_some_and(|part| part.eq_ignore_ascii_case(rest))
        {
            return Some(behind - 1);
        }
        at = behind;
    }
    None
}
