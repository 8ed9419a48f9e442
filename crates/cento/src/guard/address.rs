//! The address of a page, taken apart.

use crate::digest::word_hash;

/// An address of the web.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The host in lower case, without `www.` and the usual ports.
    pub(super) host: String,
    /// What stands between the slashes; the last is empty if the path ends with one.
    pub(super) segments: Vec<String>,
    /// What comes after a semicolon in the path, and after the question mark.
    pub(super) parameters: Vec<Parameter>,
}

/// A name and its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) value: String,
    /// It stands in the path, after a semicolon.
    pub(super) is_in_path: bool,
}

/// No host name is longer.
const LONGEST_HOST: usize = 253;
/// Anything after so many segments is one.
const MOST_SEGMENTS: usize = 128;
const MOST_PARAMETERS: usize = 32;

impl Address {
    /// `None` for what is no `http` or `https` address.
    pub(super) fn parse(url: &str) -> Option<Address> {
        let url = url.trim();
        let (scheme, rest) = url.split_once("://")?;
        let usual_port = match scheme.to_ascii_lowercase().as_str() {
            "http" => ":80",
            "https" => ":443",
            _ => return None,
        };
        let rest = rest.split('#').next()?;
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let authority = authority.rsplit('@').next()?.to_lowercase();
        let host = authority.strip_suffix(usual_port).unwrap_or(&authority);
        let host = host.strip_prefix("www.").unwrap_or(host);
        if host.is_empty() || host.len() > LONGEST_HOST || host.contains(char::is_whitespace) {
            return None;
        }
        let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (path, in_path) = path.split_once(';').unwrap_or((path, ""));
        let path = path.strip_prefix('/').unwrap_or(path);
        let segments = path.splitn(MOST_SEGMENTS, '/').map(str::to_owned);
        let parameters = |text: &'_ str, is_in_path| -> Vec<Parameter> {
            let parts = text.split(['&', ';']).filter(|part| !part.is_empty());
            parts
                .map(|part| {
                    let (name, value) = part.split_once('=').unwrap_or((part, ""));
                    Parameter {
                        name: name.to_owned(),
                        value: value.to_owned(),
                        is_in_path,
                    }
                })
                .collect()
        };
        let mut all = parameters(in_path, true);
        all.extend(parameters(query, false));
        all.truncate(MOST_PARAMETERS);
        Some(Address {
            host: host.to_owned(),
            segments: segments.collect(),
            parameters: all,
        })
    }

    /// A number for the page that it names: `http` and `https`, with and without `www.`, and other
    /// orders of the parameters are one.
    pub(super) fn name(&self) -> u64 {
        self.name_of(|_| true, |segment| segment)
    }

    /// The same for an address with some parameters left out and other segments.
    pub(super) fn name_of<'a>(
        &'a self,
        is_kept: impl Fn(&Parameter) -> bool,
        segment: impl Fn(&'a str) -> &'a str,
    ) -> u64 {
        let mut name: Vec<u8> = Vec::new();
        for part in &self.segments {
            name.push(b'/');
            name.extend(segment(part).as_bytes());
        }
        let mut kept: Vec<&Parameter> = self.parameters.iter().filter(|p| is_kept(p)).collect();
        kept.sort();
        for parameter in kept {
            name.push(b'&');
            name.extend(parameter.name.as_bytes());
            name.push(b'=');
            name.extend(parameter.value.as_bytes());
        }
        word_hash(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_has_several_addresses() {
        let name =
            |url: &str| Address::parse(url).map(|address| (address.host.clone(), address.name()));
        let one = name("http://example.org/a/b?x=1&y=2");
        assert!(one.is_some());
        for other in [
            "https://example.org/a/b?x=1&y=2",
            "https://WWW.example.org:443/a/b?y=2&x=1#part",
            "http://www.example.org:80/a/b?x=1&y=2",
        ] {
            assert_eq!(name(other), one, "{other}");
        }
        for other in [
            "http://example.org:8080/a/b?x=1&y=2",
            "http://example.org/a/b/?x=1&y=2",
            "http://example.org/a/b?x=1&y=3",
        ] {
            assert_ne!(name(other), one, "{other}");
        }
    }

    #[test]
    fn what_is_no_address_of_the_web() {
        for text in [
            "",
            "dns:example.org",
            "ftp://example.org/",
            "http://",
            "example.org/a",
        ] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
    }
}
