//! Base 64 with marks in it that do not belong there. Programs that show mail pass over them, as RFC 2045
//! asks; the parser would take such a part for text as it stands.

use std::borrow::Cow;
use std::ops::Range;

/// The message without marks between the letters of base 64.
pub(super) fn cleaned(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_stray = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"+/= \t\r\n".contains(byte);
    let mut bodies = bodies(bytes);
    bodies.retain(|body| bytes[body.clone()].iter().any(is_stray));
    if bodies.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut cleaned = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for body in bodies {
        cleaned.extend_from_slice(&bytes[done..body.start]);
        let letters = bytes[body.clone()].iter().filter(|byte| !is_stray(byte));
        cleaned.extend(letters);
        done = body.end;
    }
    cleaned.extend_from_slice(&bytes[done..]);
    Cow::Owned(cleaned)
}

/// Where the bodies of parts are that say they are in base 64.
fn bodies(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut bodies: Vec<Range<usize>> = Vec::new();
    let (mut is_header, mut is_encoded, mut is_body) = (true, false, false);
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        if line.starts_with(b"--") {
            (is_header, is_encoded, is_body) = (true, false, false);
        } else if is_header && line.trim_ascii().is_empty() {
            (is_header, is_body) = (false, is_encoded);
            if is_body {
                bodies.push(end..end);
            }
        } else if is_header {
            is_encoded |= says_encoded(line);
        } else if is_body && let Some(body) = bodies.last_mut() {
            body.end = end;
        }
        start = end;
    }
    bodies
}

fn says_encoded(line: &[u8]) -> bool {
    let line = line.to_ascii_lowercase();
    let value = line.strip_prefix(b"content-transfer-encoding:");
    value.is_some_and(|value| value.trim_ascii() == b"base64")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_between_letters() {
        let head = "Subject: a-b\r\nContent-Transfer-Encoding: BASE64\r\n\r\n";
        let part =
            "--x\nContent-Transfer-Encoding: base64\n\nR2F0*ZSBv!\n--x\n\nIt is -- *bold*!\n";
        for (given, expected) in [
            (format!("{head}R2F0ZS\r\nBvcGVu\r\n"), None),
            (
                format!("{head}!R2F0*ZS\r\nBv-cGVu\r\n"),
                Some(format!("{head}R2F0ZS\r\nBvcGVu\r\n")),
            ),
            (
                part.to_owned(),
                Some(part.replace("0*", "0").replace("v!", "v")),
            ),
            (
                "Subject: x\n\nContent-Transfer-Encoding: base64\n\n*!\n".to_owned(),
                None,
            ),
        ] {
            let cleaned = cleaned(given.as_bytes());
            let expected = expected.as_ref().unwrap_or(&given);
            assert_eq!(String::from_utf8_lossy(&cleaned), *expected);
        }
    }
}
