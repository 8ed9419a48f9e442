//! Names of pages, and how a version is named.

use std::fmt::Write as _;

use crate::error::{Error, Result};

/// What the address of a page begins with that has a name and no address, in web archives.
const OWN_SCHEME: &str = "urn:x-cento:";
/// Longer names are a mistake.
const LONGEST: usize = 64 << 10;

/// The form under which a name is kept. Addresses that must mean the same page are one name: the case
/// of scheme and host does not count, nor does the usual port, a missing path, or what stands behind #.
pub(super) fn canonical(name: &str) -> Result<String> {
    let name = name.trim();
    if name.is_empty() {
        return Err(Error::refused("a page needs a name or an address"));
    }
    if name.len() > LONGEST {
        return Err(Error::refused("a name of more than 64 KiB is refused"));
    }
    if let Some(own) = name.strip_prefix(OWN_SCHEME) {
        return Ok(percent_decoded(own).unwrap_or_else(|| name.to_owned()));
    }
    Ok(canonical_address(name).unwrap_or_else(|| name.to_owned()))
}

fn canonical_address(name: &str) -> Option<String> {
    let (scheme, rest) = name.split_once("://")?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    if !scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        || !scheme.bytes().all(is_scheme)
    {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    let rest = rest.split('#').next().unwrap_or_default();
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (format!("{user}@"), host),
        None => (String::new(), authority),
    };
    let usual_port = match scheme.as_str() {
        "http" => ":80",
        "https" => ":443",
        _ => ":",
    };
    let host = host.strip_suffix(usual_port).unwrap_or(host);
    let host = host.to_ascii_lowercase();
    let slash = if path.starts_with('/') { "" } else { "/" };
    Some(format!("{scheme}://{user}{host}{slash}{path}"))
}

/// The address under which a web archive has a name: itself, if it is one.
pub(super) fn address(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>');
    let is_address = name.split_once(':').is_some_and(|(scheme, rest)| {
        let mut bytes = scheme.bytes();
        !rest.is_empty()
            && scheme.len() > 1
            && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
    });
    if is_address && name.bytes().all(is_plain) && !name.starts_with(OWN_SCHEME) {
        return name.to_owned();
    }
    let mut address = OWN_SCHEME.to_owned();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    address
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// A name and, behind the last `@`, the number of a version: both ways to read it.
pub(super) fn versioned(text: &str) -> (&str, Option<(&str, u64)>) {
    let versioned = text.rsplit_once('@').and_then(|(name, version)| {
        let is_number = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        let number = version
            .parse()
            .ok()
            .filter(|_| is_number && !name.is_empty())?;
        Some((name, number))
    });
    (text, versioned)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
mod tests {
    use super::*;

    #[test]
    fn one_page_has_one_name() {
        for (name, expected) in [
            ("http://Example.ORG", "http://example.org/"),
            ("HTTP://example.org:80/#top", "http://example.org/"),
            (
                "https://example.org:443/A/b?C=d#e",
                "https://example.org/A/b?C=d",
            ),
            ("http://example.org:8080?q", "http://example.org:8080/?q"),
            ("http://User@Example.org/", "http://User@example.org/"),
            ("http://example.org/../a", "http://example.org/../a"),
            ("notes/../page", "notes/../page"),
            ("two\nlines", "two\nlines"),
            ("a@5", "a@5"),
            ("urn:x-cento:two%0Alines", "two\nlines"),
        ] {
            let found = canonical(name).unwrap();
            assert_eq!(found, expected);
            assert_eq!(canonical(&found).unwrap(), found);
            assert_eq!(canonical(&address(&found)).unwrap(), found);
        }
        assert!(canonical(" \n").is_err());
        assert_eq!(address("two lines"), "urn:x-cento:two%20lines");
        assert_eq!(address("http://a/b"), "http://a/b");
        assert_eq!(address("c:/page.html"), "urn:x-cento:c%3A/page.html");
    }

    #[test]
    fn versions_are_behind_the_last_at() {
        assert_eq!(versioned("page@3"), ("page@3", Some(("page", 3))));
        assert_eq!(versioned("a@b@12").1, Some(("a@b", 12)));
        for plain in [
            "page",
            "user@host",
            "@3",
            "page@",
            "page@-1",
            "p@99999999999999999999",
        ] {
            assert_eq!(versioned(plain).1, None, "{plain}");
        }
    }
}
