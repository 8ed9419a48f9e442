//! Records of tables with more in them than they had; all that they had stays as it was.

use serde_json::Value;

use crate::error::{Error, Result};

/// A JSON object with one more field, `cento`, as a line.
pub(super) fn with_json(record: &[u8], what: &Value) -> Result<Vec<u8>> {
    let trimmed = record.trim_ascii_end();
    let Some(object) = trimmed.strip_suffix(b"}") else {
        return Err(Error::refused(
            "a row is no longer an object: the input has changed",
        ));
    };
    let comma = if object.trim_ascii_end().ends_with(b"{") {
        ""
    } else {
        ", "
    };
    let more = format!("{comma}\"cento\": {what}}}\n");
    Ok([object, more.as_bytes()].concat())
}

/// A record with more fields behind the others, as a line.
pub(super) fn with_fields(record: &[u8], values: &[&str], delimiter: u8) -> Vec<u8> {
    let trimmed = record.strip_suffix(b"\n").unwrap_or(record);
    let (trimmed, end) = match trimmed.strip_suffix(b"\r") {
        Some(trimmed) => (trimmed, &b"\r\n"[..]),
        None => (trimmed, &b"\n"[..]),
    };
    let mut line = trimmed.to_owned();
    for value in values {
        line.push(delimiter);
        line.extend_from_slice(field(value).as_bytes());
    }
    line.extend_from_slice(end);
    line
}

/// A field of a table with any delimiter, in quotes where it must be.
fn field(value: &str) -> String {
    if value.contains([',', ';', '\t', '"', '\n', '\r']) {
        format!("\"{}\"", value.replace('"', "\"\""))
    } else {
        value.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_keep_what_they_have() {
        let with = |record: &str| {
            let line = with_json(record.as_bytes(), &json!({"n": 1})).unwrap();
            String::from_utf8(line).unwrap()
        };
        assert_eq!(
            with("{\"a\": 1.50 }\r\n"),
            "{\"a\": 1.50 , \"cento\": {\"n\":1}}\n"
        );
        assert_eq!(with("{ }"), "{ \"cento\": {\"n\":1}}\n");
        assert!(with_json(b"[1]", &json!(1)).is_err());
    }

    #[test]
    fn fields_are_quoted_where_they_must_be() {
        let with = |record: &str, delimiter| {
            let line = with_fields(record.as_bytes(), &["a", "b;\"c\""], delimiter);
            String::from_utf8(line).unwrap()
        };
        assert_eq!(with("1,x\r\n", b','), "1,x,a,\"b;\"\"c\"\"\"\r\n");
        assert_eq!(with("1;x", b';'), "1;x;a;\"b;\"\"c\"\"\"\n");
    }
}
