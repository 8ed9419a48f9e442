//! Comma-separated values (RFC 4180), and those with semicolons or tabs.

/// A record of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    pub(crate) fields: Vec<String>,
    /// What stands between the fields.
    pub(crate) delimiter: u8,
}

/// The records of a small table that is in memory. The delimiter is the one that the first line
/// has most of, unless it is known.
pub(crate) fn records(bytes: &[u8], delimiter: Option<u8>) -> impl Iterator<Item = Record> {
    let mut rest = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = &rest[..end_of_record(rest, &mut false).unwrap_or(rest.len())];
    let delimiter = delimiter.unwrap_or_else(|| guess(first));
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = end_of_record(rest, &mut false).unwrap_or(rest.len());
            let record = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if !record.trim_ascii().is_empty() {
                let fields = split(record, delimiter);
                return Some(Record { fields, delimiter });
            }
        }
        None
    })
}

/// Where the line break after a record is. `is_quoted` is carried from one piece of a record to the
/// next.
pub(super) fn end_of_record(bytes: &[u8], is_quoted: &mut bool) -> Option<usize> {
    bytes.iter().position(|byte| {
        *is_quoted ^= *byte == b'"';
        *byte == b'\n' && !*is_quoted
    })
}

/// The fields of a record, without their quotation marks.
pub(super) fn split(record: &[u8], delimiter: u8) -> Vec<String> {
    let record = record.strip_suffix(b"\r").unwrap_or(record);
    let mut fields = Vec::new();
    let mut field = Vec::new();
    let mut is_quoted = false;
    let mut bytes = record.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' if is_quoted && bytes.peek() == Some(&b'"') => {
                field.push(b'"');
                bytes.next();
            }
            b'"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            byte if byte == delimiter && !is_quoted => {
                fields.push(text(&field));
                field.clear();
            }
            byte => field.push(byte),
        }
    }
    fields.push(text(&field));
    fields
}

fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

fn guess(line: &[u8]) -> u8 {
    let count = |delimiter: u8| memchr::memchr_iter(delimiter, line).count();
    let candidates = [b',', b';', b'\t'];
    // The first of equals wins: `max_by_key` would take the last.
    let best = candidates
        .into_iter()
        .rev()
        .max_by_key(|delimiter| count(*delimiter));
    best.unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hold_delimiters_quotes_and_line_breaks() {
        let table = b"\xef\xbb\xbfname;text\r\na;\"b;\"\"c\"\"\nd\"\n\n;\n";
        let found: Vec<Vec<String>> = records(table, None).map(|record| record.fields).collect();
        assert_eq!(
            found,
            [vec!["name", "text"], vec!["a", "b;\"c\"\nd"], vec!["", ""]]
        );
    }
}
