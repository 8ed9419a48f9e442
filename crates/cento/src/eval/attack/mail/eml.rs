//! A message as a file.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{Encoding, Message, sign_number};

impl Message {
    /// The message as an EML file: plain text, or HTML if there is anything that it does not show.
    pub fn eml(&self) -> String {
        let name = self.recipient.as_deref().unwrap_or("Reader");
        let address = name.to_lowercase().replace(' ', ".");
        let kind = if self.unseen.is_empty() {
            "plain"
        } else {
            "html"
        };
        let encoding = match self.encoding {
            Encoding::EightBit => "8bit",
            Encoding::Base64 => "base64",
            Encoding::QuotedPrintable => "quoted-printable",
        };
        let mut eml = String::new();
        let _ = write!(
            eml,
            "From: sender@example.com\nTo: {name} <{address}@example.org>\nSubject: {}\n\
             MIME-Version: 1.0\nContent-Type: text/{kind}; charset=utf-8\n\
             Content-Transfer-Encoding: {encoding}\n\n",
            header(&self.subject)
        );
        let body = if self.unseen.is_empty() {
            self.body.clone()
        } else {
            self.html()
        };
        match self.encoding {
            Encoding::EightBit => eml.push_str(&body),
            Encoding::Base64 => push_base64(&body, &mut eml),
            Encoding::QuotedPrintable => push_quoted_printable(&body, &mut eml),
        }
        if !eml.ends_with('\n') {
            eml.push('\n');
        }
        eml
    }

    fn html(&self) -> String {
        let mut html = String::from("<html><body>\n");
        for c in self.body.chars() {
            match sign_number(c).and_then(|number| self.unseen.get(number)) {
                Some(unseen) => html.push_str(unseen),
                None if c == '\n' => html.push_str("<br>\n"),
                None => html.push_str(&escaped(c.encode_utf8(&mut [0; 4]))),
            }
        }
        html + "</body></html>\n"
    }
}

/// Text as HTML has it.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A header, in encoded words if it has anything but ASCII.
fn header(text: &str) -> String {
    if text.is_ascii() && !text.contains("=?") {
        return text.to_owned();
    }
    let mut words = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        // An encoded word has at most 75 characters.
        let end = rest.floor_char_boundary(42);
        words.push(format!("=?utf-8?b?{}?=", STANDARD.encode(&rest[..end])));
        rest = &rest[end..];
    }
    words.join("\n ")
}

fn push_base64(body: &str, out: &mut String) {
    const BYTES: usize = 57;
    for line in body.as_bytes().chunks(BYTES) {
        out.push_str(&STANDARD.encode(line));
        out.push('\n');
    }
}

fn push_quoted_printable(body: &str, out: &mut String) {
    const COLUMNS: usize = 72;
    for line in body.split_inclusive('\n') {
        let text = line.strip_suffix('\n').unwrap_or(line);
        let mut column = 0;
        for (place, byte) in text.bytes().enumerate() {
            let is_last = place + 1 == text.len();
            let is_plain = matches!(byte, b'!'..=b'<' | b'>'..=b'~')
                || matches!(byte, b' ' | b'\t') && !is_last;
            if is_plain {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "={byte:02X}");
            }
            column += if is_plain { 1 } else { 3 };
            if column >= COLUMNS && !is_last {
                out.push_str("=\n");
                column = 0;
            }
        }
        if line.ends_with('\n') {
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfer_encodings() {
        let mut out = String::new();
        push_quoted_printable("Fluß = 1 \nx", &mut out);
        assert_eq!(out, "Flu=C3=9F =3D 1=20\nx");
        let mut out = String::new();
        push_base64("Über den Fluß", &mut out);
        assert_eq!(out, "w5xiZXIgZGVuIEZsdcOf\n");
        assert_eq!(header("Café"), "=?utf-8?b?Q2Fmw6k=?=");
    }

    #[test]
    fn a_file() {
        let eml = Message::new("News", "One & two.\n").eml();
        assert!(
            eml.starts_with("From: ") && eml.ends_with("\n\nOne & two.\n"),
            "{eml}"
        );
    }
}
