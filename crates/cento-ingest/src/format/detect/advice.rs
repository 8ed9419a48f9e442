//! Formats that are not read here, and what to do about them.

use crate::{Convertible, Error};

/// What a file that begins like this is, and how to make a readable one of it.
pub(super) fn foreign(bytes: &[u8]) -> Option<Error> {
    let picture = "run OCR on it first, for example `tesseract`";
    let archive = "unpack it first";
    let parquet = if cfg!(feature = "parquet") {
        "give it as a file"
    } else {
        "save it as JSON lines"
    };
    let formats: [(usize, &[u8], &str, &str); 31] = [
        (0, b"%!PS", "PostScript", "convert it with `ps2pdf`"),
        (
            0,
            b"\xc5\xd0\xd3\xc6",
            "PostScript",
            "convert it with `ps2pdf`",
        ),
        (0, b"\x04%!PS", "PostScript", "convert it with `ps2pdf`"),
        (0, b"AT&TFORM", "DjVu", "extract its text with `djvutxt`"),
        (0, b"\xf7\x02", "DVI", "convert it with `dvipdf`"),
        (
            0,
            b"\xffWPC",
            "WordPerfect document",
            "convert it with `soffice --convert-to docx`",
        ),
        (
            60,
            b"BOOKMOBI",
            "Kindle book",
            "convert it with `ebook-convert` to EPUB",
        ),
        (
            0,
            b"ITSF",
            "compiled help (CHM)",
            "convert it with `ebook-convert` to EPUB",
        ),
        (0, b"\x89PNG\r\n", "PNG image", picture),
        (0, b"\xff\xd8\xff", "JPEG image", picture),
        (0, b"GIF8", "GIF image", picture),
        (0, b"II*\0", "TIFF image", picture),
        (0, b"MM\0*", "TIFF image", picture),
        (8, b"WEBP", "WebP image", picture),
        (0, b"\x1f\x8b", "gzip file", archive),
        (0, b"BZh", "bzip2 file", archive),
        (0, b"\xfd7zXZ\0", "xz file", archive),
        (0, b"\x28\xb5\x2f\xfd", "zstd file", archive),
        (0, b"7z\xbc\xaf\x27\x1c", "7z archive", archive),
        (0, b"Rar!\x1a\x07", "RAR archive", archive),
        (257, b"ustar", "tar archive", archive),
        (0, b"!<arch>\n", "library or package", "it has no text"),
        (0, b"\x7fELF", "program", "it has no text"),
        (0, b"\xca\xfe\xba\xbe", "program", "it has no text"),
        (
            0,
            b"SQLite format 3\0",
            "SQLite database",
            "export its texts first",
        ),
        (0, b"PAR1", "Parquet table", parquet),
        (
            0,
            b"PARE",
            "encrypted Parquet table",
            "remove the encryption first",
        ),
        (0, b"OggS", "audio or video", "it has no text"),
        (0, b"ID3", "audio", "it has no text"),
        (0, b"fLaC", "audio", "it has no text"),
        (4, b"ftyp", "audio or video", "it has no text"),
    ];
    let is = |at: usize, magic: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(magic));
    let (.., name, advice) = formats.iter().find(|(at, magic, ..)| is(*at, magic))?;
    let message = format!("{name}: {advice}");
    Some(match convertible(name) {
        Some(format) => Error::Unconverted { format, message },
        None => Error::Unsupported(message),
    })
}

/// The format of these that other programs convert.
fn convertible(name: &str) -> Option<Convertible> {
    Some(match name {
        "PostScript" => Convertible::Ps,
        "DjVu" => Convertible::Djvu,
        "DVI" => Convertible::Dvi,
        "WordPerfect document" => Convertible::Wpd,
        "Kindle book" => Convertible::Mobi,
        "compiled help (CHM)" => Convertible::Chm,
        name if name.ends_with(" image") => Convertible::Image,
        _ => return None,
    })
}

/// What a container of the old office programs holds.
pub(super) fn old_office(bytes: &[u8]) -> Error {
    // The names of its streams are in it, in UTF-16.
    let has = |name: &str| {
        let wide: Vec<u8> = name.bytes().flat_map(|byte| [byte, 0]).collect();
        bytes.windows(wide.len()).any(|part| part == wide)
    };
    if has("EncryptedPackage") || has("EncryptionInfo") {
        return Error::Encrypted;
    }
    let (format, advice) = if has("WordDocument") {
        (
            Convertible::Doc,
            "Word 97-2003 document: save it as DOCX, or `soffice --convert-to docx`",
        )
    } else if has("PowerPoint Document") {
        (
            Convertible::Ppt,
            "PowerPoint 97-2003 presentation: save it as PPTX, or `soffice --convert-to pptx`",
        )
    } else if has("Workbook") || has("Book") {
        (
            Convertible::Xls,
            "Excel 97-2003 workbook: save it as XLSX, or `soffice --convert-to xlsx`",
        )
    } else if has("__substg1.0_") {
        (Convertible::Msg, "Outlook message: save it as EML")
    } else {
        let advice = "document of an old office program: save it in a current format";
        return Error::Unsupported(advice.to_owned());
    };
    Error::Unconverted {
        format,
        message: advice.to_owned(),
    }
}
