//! Text that says in which direction it is to be shown.

use std::borrow::Cow;

/// From here on every letter stands to the left of the one before it.
pub(in crate::format) const BACKWARDS: char = '\u{202e}';
/// The end of that.
pub(in crate::format) const BACKWARDS_END: char = '\u{202c}';

/// The text in the order in which a reader sees it: what is to be shown backwards is turned round.
pub(super) fn as_seen(text: &str) -> Cow<'_, str> {
    if !text.contains(BACKWARDS) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut parts = line.split(BACKWARDS);
        seen.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let end = part.find([BACKWARDS_END, '\n']).unwrap_or(part.len());
            seen.extend(part[..end].chars().rev());
            seen.push_str(part[end..].trim_start_matches(BACKWARDS_END));
        }
    }
    Cow::Owned(seen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backwards_is_forwards_to_a_reader() {
        let check = |text: &str, expected: &str| assert_eq!(as_seen(text), expected);
        check("nothing of that", "nothing of that");
        check("a \u{202e}etag wen\u{202c} opens", "a new gate opens");
        check(
            "a \u{202e}wen\n\u{202e}etag\u{202c}\u{202c}s",
            "a new\ngates",
        );
    }
}
