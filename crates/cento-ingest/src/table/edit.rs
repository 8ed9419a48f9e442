//! Another text in a record; all other bytes stay as they are.

use std::fmt::Write as _;
use std::ops::Range;

use super::Form;
use super::lines::Layout;
use crate::Error;

/// The record with another text in its text field.
pub(super) fn with_text(layout: &Layout, record: &[u8], text: &str) -> Result<Vec<u8>, Error> {
    let name = &layout.columns.text;
    let (places, value) = match layout.form {
        Form::JsonLines => (
            json_values(record, name)
                .ok_or_else(|| Error::Changed("no longer a JSON object".to_owned()))?,
            json_text(text, record.is_ascii()),
        ),
        Form::Separated(delimiter) => {
            let fields = separated_values(record, delimiter);
            // Where a name is repeated, the last field that the row has is read.
            let mut names = layout.names.iter().take(fields.len());
            let place = names.rposition(|column| column == name);
            let place = place.map(|place| fields[place].clone());
            let place = place.ok_or_else(|| layout.columns.no_text())?;
            let is_quoted = record.get(place.start) == Some(&b'"');
            (vec![place], separated_text(text, delimiter, is_quoted))
        }
    };
    if places.is_empty() {
        return Err(layout.columns.no_text());
    }
    let mut edited = Vec::with_capacity(record.len());
    let mut at = 0;
    for place in places {
        edited.extend_from_slice(&record[at..place.start]);
        edited.extend_from_slice(value.as_bytes());
        at = place.end;
    }
    edited.extend_from_slice(&record[at..]);
    Ok(edited)
}

/// A JSON string, in ASCII where the row is.
fn json_text(text: &str, is_ascii: bool) -> String {
    let json = serde_json::Value::from(text).to_string();
    if !is_ascii || json.is_ascii() {
        return json;
    }
    let mut escaped = String::with_capacity(json.len());
    for c in json.chars() {
        if c.is_ascii() {
            escaped.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        }
    }
    escaped
}

fn separated_text(text: &str, delimiter: u8, is_quoted: bool) -> String {
    let must = |c: char| c == char::from(delimiter) || matches!(c, '"' | '\n' | '\r');
    if is_quoted || text.contains(must) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Where the values of a field are in a JSON object; a name may be repeated.
fn json_values(record: &[u8], name: &str) -> Option<Vec<Range<usize>>> {
    let mut scan = Scan { record, at: 0 };
    let mut places = Vec::new();
    scan.space();
    scan.expect(b'{')?;
    loop {
        scan.space();
        if scan.expect(b'}').is_some() {
            return Some(places);
        }
        let start = scan.at;
        scan.value()?;
        let key: String = serde_json::from_slice(&record[start..scan.at]).ok()?;
        scan.space();
        scan.expect(b':')?;
        scan.space();
        let start = scan.at;
        scan.value()?;
        if key == name {
            places.push(start..scan.at);
        }
        scan.space();
        if scan.expect(b',').is_none() && scan.peek() != Some(b'}') {
            return None;
        }
    }
}

/// Goes over JSON that has been found to be well formed.
struct Scan<'r> {
    record: &'r [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.record.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek() == Some(byte)).then(|| self.at += 1)
    }

    /// Passes over a value.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                byte if depth == 0 && !is_end(byte) => {
                    while self.peek().is_some_and(|byte| !is_end(byte)) {
                        self.at += 1;
                    }
                }
                _ if depth == 0 => return None,
                _ => self.at += 1,
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                _ => self.at += 1,
            }
        }
    }
}

/// Whether a number or a name ends before a byte.
fn is_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b':' | b'}' | b']')
}

/// Where the fields of a record are, quotation marks included; as `split` sees them.
fn separated_values(record: &[u8], delimiter: u8) -> Vec<Range<usize>> {
    let length = record.strip_suffix(b"\r").unwrap_or(record).len();
    let mut places = Vec::new();
    let mut start = 0;
    let mut is_empty = true;
    let mut is_quoted = false;
    let mut at = 0;
    while at < length {
        match record[at] {
            b'"' if is_quoted && at + 1 < length && record[at + 1] == b'"' => {
                is_empty = false;
                at += 1;
            }
            b'"' if is_quoted || is_empty => is_quoted = !is_quoted,
            byte if byte == delimiter && !is_quoted => {
                places.push(start..at);
                start = at + 1;
                is_empty = true;
            }
            _ => is_empty = false,
        }
        at += 1;
    }
    places.push(start..length);
    places
}

#[cfg(test)]
mod tests {
    use super::super::Columns;
    use super::super::separated::split;
    use super::*;

    fn layout(form: Form, names: &[&str]) -> Layout {
        Layout {
            form,
            columns: Columns {
                text: "text".to_owned(),
                id: None,
            },
            names: names.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    #[track_caller]
    fn check(form: Form, record: &str, text: &str, expected: &str) {
        let layout = layout(form, &["id", "text", "more"]);
        let edited = with_text(&layout, record.as_bytes(), text);
        assert_eq!(edited.as_deref(), Ok(expected.as_bytes()), "{record}");
    }

    #[test]
    fn json_keeps_all_other_bytes() {
        check(
            Form::JsonLines,
            r#" { "a" : [1, "}", {"text": "no"}] ,"text": "o\"ne\\" , "n": -1.50e1,"b":null}  "#,
            "new \"x\"",
            r#" { "a" : [1, "}", {"text": "no"}] ,"text": "new \"x\"" , "n": -1.50e1,"b":null}  "#,
        );
        check(
            Form::JsonLines,
            r#"{"t\u0065xt":"a"}"#,
            "é😀",
            r#"{"t\u0065xt":"\u00e9\ud83d\ude00"}"#,
        );
        check(Form::JsonLines, r#"{"text":"ä"}"#, "é", r#"{"text":"é"}"#);
        let broken = with_text(&layout(Form::JsonLines, &[]), b"{\"a\": ", "x");
        assert!(broken.is_err());
    }

    #[test]
    fn separated_values_keep_all_other_bytes() {
        let form = Form::Separated(b',');
        check(form, "1,one,\"x\"\"y\"\r", "two", "1,two,\"x\"\"y\"\r");
        check(form, "1,\"one, \"\"\",x", "two", "1,\"two\",x");
        check(form, "1,one", "two, three", "1,\"two, three\"");
        check(form, "\"a\"b\"c,d\",x,y", "z", "\"a\"b\"c,z,x,y");
    }

    #[test]
    fn of_fields_with_the_same_name_the_one_that_is_read_is_changed() {
        let layout = layout(Form::Separated(b','), &["id", "text", "more", "text"]);
        for (record, expected) in [("1,a,b,c", "1,a,b,new"), ("1,a,b", "1,new,b")] {
            let edited = with_text(&layout, record.as_bytes(), "new").unwrap();
            assert_eq!(edited, expected.as_bytes());
            assert_eq!(layout.row(&edited, (0, 1)).unwrap().text, "new");
        }
    }

    proptest::proptest! {
        #[test]
        fn fields_are_where_they_are_split(record in "[a,\"\\r]{0,20}") {
            let values = split(record.as_bytes(), b',');
            let places = separated_values(record.as_bytes(), b',');
            proptest::prop_assert_eq!(values.len(), places.len());
        }
    }
}
