//! Bytes → text: encodings, and telling text from anything else.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8};

use crate::Text;

/// The text in the bytes of a file, or the reason why there is none.
///
/// UTF-8 and UTF-16 with a byte order mark are recognised for certain; other encodings are guessed,
/// and the guess is a warning. Broken bytes become U+FFFD, which is a warning too.
pub fn decode(bytes: Vec<u8>) -> Result<Text, String> {
    if bytes.is_empty() {
        return Err("empty file".to_owned());
    }
    if let Some((encoding, mark)) = Encoding::for_bom(&bytes) {
        return Ok(decode_as(encoding, &bytes[mark..], None));
    }
    if let Some(format) = known_format(&bytes) {
        return Err(format!(
            "{format}, not plain text; convert it to text first"
        ));
    }
    if is_binary(&bytes) {
        return Err("binary file, not text".to_owned());
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(content) => {
            return Ok(Text {
                content,
                warnings: Vec::new(),
            });
        }
        Err(error) => error.into_bytes(),
    };
    if is_damaged_utf8(&bytes) {
        return Ok(decode_as(UTF_8, &bytes, None));
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(&bytes, true);
    let guess = detector.guess(None, Utf8Detection::Allow);
    Ok(decode_as(
        guess,
        &bytes,
        Some(format!("read as {}, a guess", guess.name())),
    ))
}

fn decode_as(encoding: &'static Encoding, bytes: &[u8], warning: Option<String>) -> Text {
    let (content, _) = encoding.decode_without_bom_handling(bytes);
    let mut warnings: Vec<String> = warning.into_iter().collect();
    let broken = match &content {
        // Borrowed means that the bytes were valid UTF-8.
        Cow::Borrowed(_) => 0,
        Cow::Owned(text) => text.matches(char::REPLACEMENT_CHARACTER).count(),
    };
    if broken > 0 {
        warnings.push(format!(
            "{broken} broken {} characters replaced",
            encoding.name()
        ));
    }
    Text {
        content: content.into_owned(),
        warnings,
    }
}

/// UTF-8 with a few broken bytes, rather than another encoding: characters beyond ASCII are mostly
/// well formed.
fn is_damaged_utf8(bytes: &[u8]) -> bool {
    let mut whole = 0;
    let mut broken = 0;
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    whole >= 4 * broken
}

/// Its start is more than a fiftieth control codes, or nearly a third NULs. Fewer NULs are padding,
/// as old text files have it at the ends of lines.
fn is_binary(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(8192)];
    let count = |is: fn(&&u8) -> bool| start.iter().filter(is).count();
    let control = count(|byte| matches!(byte, 0x01..=0x07 | 0x0e..=0x1a | 0x1c..=0x1f));
    let nul = count(|byte| **byte == 0);
    control * 50 > start.len() || nul * 10 > start.len() * 3
}

/// The name of a format that often has no NUL near its start.
fn known_format(bytes: &[u8]) -> Option<&'static str> {
    let formats: [(&[u8], &str); 10] = [
        (b"%PDF-", "PDF"),
        (b"%!PS", "PostScript"),
        (b"PK\x03\x04", "zip archive or office document"),
        (b"{\\rtf", "RTF"),
        (b"\xd0\xcf\x11\xe0", "old office document"),
        (b"\x1f\x8b", "gzip"),
        (b"BZh", "bzip2"),
        (b"\xfd7zXZ", "xz"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\x7fELF", "program"),
    ];
    formats
        .iter()
        .find(|(magic, _)| bytes.starts_with(magic))
        .map(|(_, name)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str, warnings: &[&str]) {
        let text = decode(bytes.to_vec()).unwrap();
        assert_eq!(text.content, expected);
        assert_eq!(text.warnings, warnings);
    }

    #[test]
    fn encodings() {
        check("Žluťoučký".as_bytes(), "Žluťoučký", &[]);
        check(b"\xef\xbb\xbfabc", "abc", &[]);
        check(b"\xff\xfea\x00b\x00", "ab", &[]);
        check(b"\xfe\xff\x00a\x00b", "ab", &[]);
        check(b"padded\0\0 with NULs\0\0", "padded\0\0 with NULs\0\0", &[]);
        let latin = b"Le caf\xe9 est pr\xe8s de l'\xe9glise, o\xf9 la rivi\xe8re passe.";
        check(
            latin,
            "Le café est près de l'église, où la rivière passe.",
            &["read as windows-1252, a guess"],
        );
        check(
            "Ž\u{159}\u{161}\u{10d} a"
                .as_bytes()
                .iter()
                .copied()
                .chain(*b"\xff b")
                .collect::<Vec<_>>()
                .as_slice(),
            "Žřšč a\u{fffd} b",
            &["1 broken UTF-8 characters replaced"],
        );
    }

    #[test]
    fn what_is_not_text_says_so() {
        let reason = |bytes: &[u8]| decode(bytes.to_vec()).unwrap_err();
        assert_eq!(reason(b""), "empty file");
        assert_eq!(reason(b"a\x00b\x00c\x00"), "binary file, not text");
        assert_eq!(
            reason(b"%PDF-1.7 ..."),
            "PDF, not plain text; convert it to text first"
        );
    }
}
