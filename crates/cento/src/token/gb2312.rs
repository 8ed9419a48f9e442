//! Chinese characters in the order of GB 2312 (Kellogg, section 4.1).

use super::Builder;

/// The two-byte GB 2312 code of a Chinese character, rows 16 to 87; `None` for anything else.
///
/// The table comes with the GBK encoding, which holds GB 2312 unchanged in this range.
pub fn gb2312_code(c: char) -> Option<u16> {
    // All of them are in this block; GBK has private characters in the gaps of the last rows.
    if !('\u{4e00}'..='\u{9fff}').contains(&c) {
        return None;
    }
    let mut utf8 = [0; 4];
    let (bytes, _, unmappable) = encoding_rs::GBK.encode(c.encode_utf8(&mut utf8));
    match *bytes {
        [high @ 0xB0..=0xF7, low @ 0xA1..=0xFE] if !unmappable => {
            Some(u16::from_be_bytes([high, low]))
        }
        _ => None,
    }
}

pub(super) fn tokenize(builder: &mut Builder<'_>) {
    let text = builder.text;
    for (start, c) in text.char_indices() {
        if gb2312_code(c).is_some() {
            let end = start + c.len_utf8();
            builder.push(start..end, &text[start..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_by_row_and_column() {
        assert_eq!(gb2312_code('啊'), Some(0xB0A1)); // the first character of level one
        assert_eq!(gb2312_code('座'), Some(0xD7F9)); // the last of level one
        assert_eq!(gb2312_code('齄'), Some(0xF7FE)); // the last of level two
        for other in ['a', '，', 'ア', '龘', 'é', '\u{e810}'] {
            assert_eq!(gb2312_code(other), None, "{other}");
        }
    }
}
