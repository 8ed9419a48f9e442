//! Digests as web archives write them: in base 32.

const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Bytes in base 32, without padding.
pub(super) fn encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for five in bytes.chunks(5) {
        let mut group = [0; 8];
        group[3..3 + five.len()].copy_from_slice(five);
        let number = u64::from_be_bytes(group);
        let letters = (five.len() * 8).div_ceil(5);
        for place in 0..letters {
            let index = (number >> (35 - 5 * place)) & 31;
            text.push(char::from(LETTERS[index as usize]));
        }
    }
    text
}

/// The bytes of a text in base 32 or in hexadecimal digits.
pub(super) fn decoded(text: &str, length: usize) -> Option<Vec<u8>> {
    let text = text.trim().trim_end_matches('=');
    let is_hex = text.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_hex && text.len() == length * 2 {
        let digits = text.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        return digits.map(byte).collect();
    }
    let mut bytes = Vec::new();
    let (mut buffer, mut bits) = (0_u32, 0);
    for letter in text.bytes() {
        let letter = letter.to_ascii_uppercase();
        let index = LETTERS.iter().position(|other| *other == letter)?;
        buffer = (buffer << 5 | u32::try_from(index).ok()?) & 0xffff;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits).to_le_bytes()[0]);
        }
    }
    (bytes.len() == length).then_some(bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    #[test]
    fn examples_of_the_standard() {
        for (plain, text) in [
            ("", ""),
            ("f", "MY"),
            ("fo", "MZXQ"),
            ("foo", "MZXW6"),
            ("foob", "MZXW6YQ"),
            ("fooba", "MZXW6YTB"),
            ("foobar", "MZXW6YTBOI"),
        ] {
            assert_eq!(encoded(plain.as_bytes()), text);
            assert_eq!(decoded(text, plain.len()).unwrap(), plain.as_bytes());
        }
        assert_eq!(decoded("mzxw6===", 3).unwrap(), b"foo");
        assert_eq!(decoded("666f6f", 3).unwrap(), b"foo");
        assert_eq!(decoded("1", 1), None);
        assert_eq!(decoded("MY", 2), None);
    }
}
