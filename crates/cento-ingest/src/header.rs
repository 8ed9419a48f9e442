//! The header of a message as bytes: a field taken out, or put in, and every other byte as it was.

use std::ops::Range;

/// A message without the fields of a name, whatever their case and however many lines they have; and how
/// many there were. A line `From …` before the header, as mailboxes have it, stays.
pub fn without_field(message: &[u8], name: &str) -> (Vec<u8>, usize) {
    let fields = fields(message);
    let mut rest = Vec::with_capacity(message.len());
    let mut kept = 0;
    let mut removed = 0;
    for field in fields {
        if is_named(&message[field.clone()], name) {
            rest.extend_from_slice(&message[kept..field.start]);
            kept = field.end;
            removed += 1;
        }
    }
    rest.extend_from_slice(&message[kept..]);
    (rest, removed)
}

/// A message with one more field, before all others. Its lines end as those of the message do.
///
/// Lines that continue nothing stay before it: whoever wrote them must not continue the new field.
pub fn with_field(message: &[u8], name: &str, value: &str) -> Vec<u8> {
    let mut start = after_envelope(message);
    let is_stray = |line: &&[u8]| line.starts_with(b" ") || line.starts_with(b"\t");
    while let Some(line) = line_at(message, start).filter(is_stray) {
        start += line.len();
    }
    let first = message.iter().position(|byte| *byte == b'\n');
    let has_return = first.is_some_and(|end| end > 0 && message[end - 1] == b'\r');
    let end = if has_return { "\r\n" } else { "\n" };
    // A last line may have no end, and is no part of the field.
    let before = match message[..start].last() {
        None | Some(b'\n') => "",
        Some(_) => end,
    };
    let field = format!("{before}{name}: {value}{end}");
    [&message[..start], field.as_bytes(), &message[start..]].concat()
}

/// Where the fields of a header are, each with its continued lines.
fn fields(message: &[u8]) -> Vec<Range<usize>> {
    let mut fields: Vec<Range<usize>> = Vec::new();
    let mut start = after_envelope(message);
    while let Some(line) = line_at(message, start) {
        let text = line.trim_ascii_end();
        if text.is_empty() {
            break;
        }
        let end = start + line.len();
        match fields.last_mut() {
            Some(field) if text[0] == b' ' || text[0] == b'\t' => field.end = end,
            _ => fields.push(start..end),
        }
        start = end;
    }
    fields
}

fn after_envelope(message: &[u8]) -> usize {
    match line_at(message, 0) {
        Some(line) if line.starts_with(b"From ") => line.len(),
        _ => 0,
    }
}

/// The line that begins at a place, with its end.
fn line_at(message: &[u8], start: usize) -> Option<&[u8]> {
    let rest = message.get(start..).filter(|rest| !rest.is_empty())?;
    let length = rest.iter().position(|byte| *byte == b'\n');
    Some(&rest[..length.map_or(rest.len(), |length| length + 1)])
}

/// Old rules allow blanks before the colon.
fn is_named(field: &[u8], name: &str) -> bool {
    let colon = field.iter().position(|byte| *byte == b':');
    colon.is_some_and(|colon| {
        field[..colon]
            .trim_ascii_end()
            .eq_ignore_ascii_case(name.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_field_goes_with_all_its_lines_and_nothing_else_changes() {
        let message =
            b"From x Mon Jan  1 10:00:00 2026\nSubject: a\nX-CENTO-bulk : forged\n\tmore\n \
                        and more\nTo: b\nx-cento-bulk: again\n\nX-Cento-Bulk: text\n";
        let (rest, removed) = without_field(message, "X-Cento-Bulk");
        assert_eq!(removed, 2);
        let expected =
            b"From x Mon Jan  1 10:00:00 2026\nSubject: a\nTo: b\n\nX-Cento-Bulk: text\n";
        assert_eq!(rest, expected);
    }

    #[test]
    fn a_field_is_put_first_in_the_lines_of_the_message() {
        let put = |message: &str| {
            let with = with_field(message.as_bytes(), "X-A", "1");
            String::from_utf8_lossy(&with).into_owned()
        };
        assert_eq!(put("To: b\r\n\r\nc\r\n"), "X-A: 1\r\nTo: b\r\n\r\nc\r\n");
        assert_eq!(put("From x\nTo: b\n"), "From x\nX-A: 1\nTo: b\n");
        assert_eq!(put("\nonly text"), "X-A: 1\n\nonly text");
        assert_eq!(put(""), "X-A: 1\n");
        // What continues nothing must not continue this.
        assert_eq!(
            put(" wanted\n\tx\nTo: b\n"),
            " wanted\n\tx\nX-A: 1\nTo: b\n"
        );
        assert_eq!(put(" wanted"), " wanted\nX-A: 1\n");
        assert_eq!(put("From x"), "From x\nX-A: 1\n");
    }

    proptest! {
        #[test]
        fn what_was_put_in_comes_out_again(
            message in prop::collection::vec(prop::sample::select(b"aF:\r\n \tx-".to_vec()), 0..80),
        ) {
            let (clean, _) = without_field(&message, "x");
            prop_assert_eq!(without_field(&clean, "x").1, 0);
            let with = with_field(&clean, "X", "1");
            // Where a header begins with lines that continue nothing there may be no header.
            if !clean.starts_with(b" ") && !clean.starts_with(b"\t") {
                prop_assert_eq!(without_field(&with, "x"), (clean, 1));
            }
        }
    }
}
