//! Data → base64 of what deflate makes of them, as browsers can inflate it, and back.

use std::io::{Read as _, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// Compressed and written in letters.
pub(super) fn packed(data: &[u8]) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(7));
    let written = encoder.write_all(data).and_then(|()| encoder.finish());
    BASE64.encode(written.expect("writing to memory does not fail"))
}

/// One line for each text; an empty line for none.
pub(super) fn lines(texts: &[Option<String>]) -> String {
    let lines: Vec<String> = texts
        .iter()
        .map(|text| {
            text.as_ref()
                .map_or_else(String::new, |text| packed(text.as_bytes()))
        })
        .collect();
    lines.join("\n")
}

/// The data again, if they have at most so many bytes.
pub(super) fn unpacked(letters: &str, most: u64) -> Option<Vec<u8>> {
    let bytes = BASE64.decode(letters.trim()).ok()?;
    let mut data = Vec::new();
    let mut decoder = DeflateDecoder::new(bytes.as_slice()).take(most + 1);
    decoder.read_to_end(&mut data).ok()?;
    (data.len() as u64 <= most).then_some(data)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        for text in ["", "a", &"canal ".repeat(10_000)] {
            let letters = packed(text.as_bytes());
            assert_eq!(unpacked(&letters, 60_000), Some(text.as_bytes().to_vec()));
        }
        assert_eq!(unpacked(&packed(&[0; 100]), 99), None);
        assert_eq!(unpacked("no base64!", 99), None);
        assert_eq!(unpacked("QUJD", 99), None);
    }
}
