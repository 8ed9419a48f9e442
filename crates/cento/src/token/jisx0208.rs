//! Japanese characters in the order of JIS X 0208, as Chinese ones in that of GB 2312.

use super::Builder;

/// The two-byte code of a Japanese character in JIS X 0208: hiragana and katakana (rows 4 and 5)
/// and kanji (rows 16 to 84); `None` for anything else.
///
/// Both bytes are as in EUC-JP. Kana come before kanji, and rare kanji come last.
pub fn jisx0208_code(c: char) -> Option<u16> {
    if !matches!(c, '\u{3041}'..='\u{30f6}' | '\u{4e00}'..='\u{9fff}') {
        return None;
    }
    let mut utf8 = [0; 4];
    let (bytes, _, unmappable) = encoding_rs::EUC_JP.encode(c.encode_utf8(&mut utf8));
    match *bytes {
        [high @ (0xA4 | 0xA5 | 0xB0..=0xF4), low @ 0xA1..=0xFE] if !unmappable => {
            Some(u16::from_be_bytes([high, low]))
        }
        _ => None,
    }
}

/// Whether only Japanese is written with it.
pub(crate) fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30f6}')
}

pub(super) fn tokenize(builder: &mut Builder<'_>) {
    let text = builder.text;
    for (start, c) in text.char_indices() {
        if jisx0208_code(c).is_some() {
            let end = start + c.len_utf8();
            builder.push(start..end, &text[start..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kana_before_kanji_and_rare_kanji_last() {
        assert_eq!(jisx0208_code('ぁ'), Some(0xA4A1));
        assert_eq!(jisx0208_code('ヶ'), Some(0xA5F6));
        assert_eq!(jisx0208_code('亜'), Some(0xB0A1)); // the first kanji of level one
        assert_eq!(jisx0208_code('腕'), Some(0xCFD3)); // the last of level one
        assert_eq!(jisx0208_code('熙'), Some(0xF4A6)); // the last of level two
        for other in ['a', '、', 'ー', 'ｱ', '图', '\u{3095}'] {
            assert_eq!(jisx0208_code(other), None, "{other}");
        }
    }
}
