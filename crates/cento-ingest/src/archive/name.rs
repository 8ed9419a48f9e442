//! Names of archive members, made harmless as parts of an id.

use std::fmt::Write as _;

/// A member's name as the part of an id, and a warning if it was not one already.
///
/// Nothing is ever written under such a name. But ids are shown, and become file names where
/// somebody exports them, so they lead neither up nor to the root.
pub(crate) fn harmless(raw: &[u8]) -> (String, Option<String>) {
    // Windows programs write the other slash; what `readable` writes is none.
    let slashed = raw
        .iter()
        .map(|byte| if *byte == b'\\' { b'/' } else { *byte });
    let name = readable(&slashed.collect::<Vec<u8>>());
    let is_drive = |part: &str| {
        let part = part.as_bytes();
        part.len() == 2 && part[0].is_ascii_alphabetic() && part[1] == b':'
    };
    let parts: Vec<&str> = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | "..") && !is_drive(part))
        .collect();
    let leads_out = name.starts_with('/')
        || name.split('/').any(|part| part == "..")
        || name.split('/').next().is_some_and(is_drive);
    let warning = leads_out.then(|| {
        let name = name.escape_debug();
        format!(
            "its name in the archive is `{name}`, which leads outside; nothing is written there"
        )
    });
    let harmless = parts.join("/");
    if harmless.is_empty() {
        return ("unnamed".to_owned(), warning);
    }
    (harmless, warning)
}

/// A name as text. Bytes that are not UTF-8 are written as `\xFF`, so that different names stay
/// different.
pub(crate) fn readable(name: &[u8]) -> String {
    let mut text = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02X}");
        }
    }
    text
}

/// Files that operating systems leave beside those of people.
pub(crate) fn is_litter(path: &str) -> bool {
    path.split('/').any(|part| {
        matches!(part, "__MACOSX" | ".DS_Store" | "Thumbs.db" | "desktop.ini")
            || part.starts_with("~$")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere() {
        for (raw, expected) in [
            ("a/b.txt", "a/b.txt"),
            ("../../etc/passwd", "etc/passwd"),
            ("/etc/passwd", "etc/passwd"),
            ("C:\\Users\\x.txt", "Users/x.txt"),
            ("./a//b", "a/b"),
            ("..", "unnamed"),
        ] {
            let (name, warning) = harmless(raw.as_bytes());
            assert_eq!(name, expected);
            assert_eq!(
                warning.is_some(),
                raw.contains("..") || raw.contains("etc") || raw.contains(':')
            );
        }
        assert_eq!(harmless(b"caf\xe9").0, "caf\\xE9");
    }

    #[test]
    fn litter() {
        for path in ["__MACOSX/a/._b.txt", "a/.DS_Store", "~$essay.docx"] {
            assert!(is_litter(path), "{path}");
        }
        assert!(!is_litter("a/.hidden"));
    }
}
