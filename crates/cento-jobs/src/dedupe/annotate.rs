//! Records of tables with more in them than they had; all that they had stays as it was.

use serde_json::Value;

use crate::error::{Error, Result};

/// The field that is added to the rows of JSON lines.
pub(super) const JSON_FIELD: &str = "cento";

/// The error of a column, or of a field of rows, that is there already.
pub(super) fn taken(what: &str, name: &str) -> Error {
    Error::refused(format!(
        "it already has a {what} {name}; rename that one to annotate"
    ))
}

/// A JSON object with one more field, `cento`, as a line.
pub(super) fn with_json(record: &[u8], what: &Value) -> Result<Vec<u8>> {
    let trimmed = record.trim_ascii_end();
    let Some(object) = trimmed.strip_suffix(b"}") else {
        return Err(Error::refused(
            "a row is no longer an object: the input has changed",
        ));
    };
    if has_field(trimmed) {
        return Err(taken("field", JSON_FIELD));
    }
    let comma = if object.trim_ascii_end().ends_with(b"{") {
        ""
    } else {
        ", "
    };
    let more = format!("{comma}\"{JSON_FIELD}\": {what}}}\n");
    Ok([object, more.as_bytes()].concat())
}

/// Whether an object has the field that is to be added. Few rows have to be parsed for it.
fn has_field(object: &[u8]) -> bool {
    let may_have_it = object
        .windows(JSON_FIELD.len())
        .any(|bytes| bytes == JSON_FIELD.as_bytes());
    let parsed = || serde_json::from_slice::<Value>(object);
    may_have_it && parsed().is_ok_and(|object| object.get(JSON_FIELD).is_some())
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
        let within = with("{\"text\":\"cento\",\"a\":{\"cento\":1}}");
        assert!(within.ends_with(", \"cento\": {\"n\":1}}\n"), "{within}");
        let error = with_json(b"{\"cento\":null,\"a\":1}", &json!(1)).unwrap_err();
        assert!(error.sentence().contains("already has a field cento"));
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
