//! Bytes → text: encodings, and telling text from anything else.

mod central;

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use self::central::{Verdict, judge};
use crate::{Concealed, Error, Kind, Text};

/// The text in the bytes of a file.
///
/// A byte order mark decides. Without one, it is the encoding that was asked for. If none was, UTF-8
/// is recognised reliably, and other encodings are guessed, with a warning. Broken bytes become
/// U+FFFD, with a warning too.
pub(crate) fn decode(bytes: Vec<u8>, encoding: Option<&'static Encoding>) -> Result<Text, Error> {
    if bytes.is_empty() {
        return Err(empty_file());
    }
    if let Some((encoding, mark)) = Encoding::for_bom(&bytes) {
        return Ok(decode_as(encoding, &bytes[mark..], None));
    }
    if let Some(encoding) = encoding {
        // Half the bytes of UTF-16 may be zeros.
        if encoding.is_ascii_compatible() && is_binary(&bytes) {
            return Err(binary_file());
        }
        return Ok(decode_as(encoding, &bytes, None));
    }
    if let Some(encoding) = utf16_without_mark(&bytes) {
        return Ok(decode_as(encoding, &bytes, Some(guessed(encoding))));
    }
    if is_binary(&bytes) {
        return Err(binary_file());
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(content) => {
            return Ok(Text {
                content,
                kind: Kind::Plain,
                encoding: Some(UTF_8.name()),
                warnings: Vec::new(),
                concealed: Concealed::default(),
                code: Vec::new(),
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
    Ok(match judge(&bytes, guess) {
        Verdict::Keep => decode_as(guess, &bytes, Some(guessed(guess))),
        Verdict::Instead(better) => decode_as(better, &bytes, Some(guessed(better))),
        Verdict::Perhaps(other) => {
            let question = format!(
                "{}; it may be {}: if so, name that encoding",
                guessed(guess),
                other.name()
            );
            decode_as(guess, &bytes, Some(question))
        }
    })
}

pub(crate) fn empty_file() -> Error {
    Error::Empty("empty file".to_owned())
}

fn binary_file() -> Error {
    Error::Unsupported("binary file, not text".to_owned())
}

fn guessed(encoding: &'static Encoding) -> String {
    format!("read as {}, a guess", encoding.name())
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
        warnings.push(replaced(broken, encoding.name()));
    }
    Text {
        content: content.into_owned(),
        kind: Kind::Plain,
        encoding: Some(encoding.name()),
        warnings,
        concealed: Concealed::default(),
        code: Vec::new(),
    }
}

/// What is told of characters that could not be decoded.
pub(crate) fn replaced(count: usize, encoding: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} broken {encoding} character{s} replaced")
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
/// as old text files have at the ends of lines.
fn is_binary(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(8192)];
    let count = |is: fn(&&u8) -> bool| start.iter().filter(is).count();
    let control = count(|byte| matches!(byte, 0x01..=0x07 | 0x0e..=0x1a | 0x1c..=0x1f));
    let nul = count(|byte| **byte == 0);
    control * 50 > start.len() || nul * 10 > start.len() * 3
}

/// UTF-16 as Windows programs write it, without saying so: in texts of the Latin script every other
/// byte is zero.
fn utf16_without_mark(bytes: &[u8]) -> Option<&'static Encoding> {
    let pairs = bytes[..bytes.len().min(8192)].chunks_exact(2);
    let (mut first, mut second) = (0, 0);
    let count = pairs.len();
    for pair in pairs {
        first += usize::from(pair[0] == 0);
        second += usize::from(pair[1] == 0);
    }
    let is_text = |zeros: usize, other: usize| zeros * 10 > count * 7 && other * 50 < count;
    let encoding = match () {
        () if is_text(second, first) => UTF_16LE,
        () if is_text(first, second) => UTF_16BE,
        () => return None,
    };
    let (text, is_broken) =
        encoding.decode_without_bom_handling(&bytes[..bytes.len().min(8192) & !1]);
    let is_control = |c: char| c.is_control() && !c.is_whitespace();
    (count >= 8 && !is_broken && !text.contains(is_control)).then_some(encoding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str, warnings: &[&str]) {
        let text = decode(bytes.to_vec(), None).unwrap();
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
            &["1 broken UTF-8 character replaced"],
        );
    }

    #[test]
    fn a_few_words_of_central_europe() {
        let text = "Podobnost dokumentů se počítá z úseků";
        let (bytes, ..) = encoding_rs::WINDOWS_1250.encode(text);
        check(&bytes, text, &["read as windows-1250, a guess"]);
        let asked =
            "read as windows-1254, a guess; it may be windows-1250: if so, name that encoding";
        check(b"Dobr\xfd den", "Dobrı den", &[asked]);
    }

    #[test]
    fn what_is_not_text_says_so() {
        let reason = |bytes: &[u8]| decode(bytes.to_vec(), None).unwrap_err().to_string();
        assert_eq!(reason(b""), "empty file");
        assert_eq!(reason(b"a\x00b\x00c\x00"), "binary file, not text");
    }

    #[test]
    fn an_encoding_that_is_asked_for_is_used() {
        let (bytes, ..) = encoding_rs::KOI8_R.encode("Кто рано встаёт");
        let text = decode(bytes.to_vec(), Some(encoding_rs::KOI8_R)).unwrap();
        assert_eq!(text.content, "Кто рано встаёт");
        assert_eq!((text.encoding, text.warnings.len()), (Some("KOI8-R"), 0));
        // A byte order mark knows better.
        let marked = decode(b"\xef\xbb\xbfabc".to_vec(), Some(encoding_rs::GBK)).unwrap();
        assert_eq!(
            (marked.content.as_str(), marked.encoding),
            ("abc", Some("UTF-8"))
        );
    }

    #[test]
    fn utf16_without_a_byte_order_mark() {
        let text = "Written by a program that leaves the mark out.\r\n";
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        check(&little, text, &["read as UTF-16LE, a guess"]);
        check(&big, text, &["read as UTF-16BE, a guess"]);
    }
}
