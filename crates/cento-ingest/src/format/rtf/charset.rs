//! The numbers by which rich text names its encodings.

use encoding_rs::Encoding;

/// The encoding of a Windows or DOS code page.
pub(super) fn by_code_page(number: i32) -> Option<&'static Encoding> {
    let label = match number {
        437 | 850 | 1252 => "windows-1252",
        866 => "ibm866",
        874 => "windows-874",
        932 => "shift_jis",
        936 => "gbk",
        949 => "euc-kr",
        950 => "big5",
        1250 => "windows-1250",
        1251 => "windows-1251",
        1253 => "windows-1253",
        1254 => "windows-1254",
        1255 => "windows-1255",
        1256 => "windows-1256",
        1257 => "windows-1257",
        1258 => "windows-1258",
        10000 => "macintosh",
        10007 => "x-mac-cyrillic",
        65001 => "utf-8",
        _ => return None,
    };
    Encoding::for_label(label.as_bytes())
}

/// The encoding of a font's character set; none for the default one.
pub(super) fn by_font(number: i32) -> Option<&'static Encoding> {
    by_code_page(match number {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}
