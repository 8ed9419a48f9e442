//! Where a request comes from when proxies pass it on: what `Forwarded` (RFC 7239) or
//! `X-Forwarded-For` says, as far as somebody who is trusted says it.
//!
//! Anyone can write these fields. Each proxy adds at the end whom it heard from, so they are read from
//! the end, and what is left of the first address that is not a trusted proxy is what that address made
//! up.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::http::HeaderMap;

/// An address, or a range of addresses, whose word about where requests come from is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proxy {
    address: IpAddr,
    /// How many of the first bits have to agree.
    bits: u32,
}

impl Proxy {
    fn has(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                own.to_bits() & mask == address.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                own.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl FromStr for Proxy {
    type Err = String;

    fn from_str(text: &str) -> Result<Proxy, String> {
        let wrong =
            || format!("{text} is not an address such as 10.0.0.7, 10.0.0.0/24 or fd00::/8");
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => most,
            // A sign would be read as a part of the number.
            Some(bits) if bits.starts_with('+') => return Err(wrong()),
            Some(bits) => bits.parse().map_err(|_| wrong())?,
        };
        if bits > most {
            return Err(wrong());
        }
        Ok(Proxy { address, bits })
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

/// Whether an address is a proxy that is trusted.
pub(crate) fn is_trusted(proxies: &[Proxy], address: IpAddr) -> bool {
    proxies.iter().any(|proxy| proxy.has(address))
}

/// Where a request comes from that arrived from `peer`.
pub(crate) fn client(proxies: &[Proxy], peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    let peer = peer.to_canonical();
    if !is_trusted(proxies, peer) {
        return peer;
    }
    let told = ["forwarded", "x-forwarded-for"].map(|name| {
        let lines = headers.get_all(name).iter();
        // What is no text is no address.
        let lines: Vec<&str> = lines.map(|line| line.to_str().unwrap_or("?")).collect();
        (!lines.is_empty()).then(|| lines.join(","))
    });
    match told {
        [None, None] => peer,
        [Some(forwarded), None] => walk(proxies, peer, &forwarded, forwarded_for),
        [None, Some(addresses)] => walk(proxies, peer, &addresses, node),
        [Some(forwarded), Some(addresses)] => {
            // A proxy writes one of them and may pass on the other as the client sent it. Which is
            // which cannot be seen, so what only one of them says counts for nothing.
            let one = walk(proxies, peer, &forwarded, forwarded_for);
            let other = walk(proxies, peer, &addresses, node);
            if one == other { one } else { peer }
        }
    }
}

/// The last address in a list that is not a trusted proxy, or the last before something unreadable.
fn walk(
    proxies: &[Proxy],
    peer: IpAddr,
    elements: &str,
    read: impl Fn(&str) -> Option<IpAddr>,
) -> IpAddr {
    let mut last = peer;
    for element in split(elements, ',').iter().rev() {
        // RFC 9110, 5.6.1: empty elements do not count.
        if element.is_empty() {
            continue;
        }
        let Some(address) = read(element) else {
            break;
        };
        last = address;
        if !is_trusted(proxies, address) {
            break;
        }
    }
    last
}

/// The address in `for=192.0.2.60;proto=http;by=203.0.113.43`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let mut found = None;
    for pair in split(element, ';') {
        let (name, value) = pair.split_once('=')?;
        if name.trim().eq_ignore_ascii_case("for") {
            // Each name at most once (RFC 7239, 4).
            if found.is_some() {
                return None;
            }
            found = Some(node(&unquoted(value.trim())?)?);
        }
    }
    found
}

/// An address with or without a port: `192.0.2.60`, `192.0.2.60:80`, `[2001:db8::1]:4711`, and without
/// brackets as some proxies write it. `unknown` and made-up names are none.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = || text.parse::<IpAddr>().ok();
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    let in_brackets = || {
        let inside = text.strip_prefix('[')?.strip_suffix(']')?;
        inside.parse::<Ipv6Addr>().ok().map(IpAddr::from)
    };
    let address = bare().or_else(with_port).or_else(in_brackets)?;
    Some(address.to_canonical())
}

/// A token as it is, a quoted string without its quotes and escapes.
fn unquoted(value: &str) -> Option<String> {
    let Some(rest) = value.strip_prefix('"') else {
        return Some(value.to_owned());
    };
    let inside = rest.strip_suffix('"')?;
    let mut text = String::new();
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => letters.next()?,
            letter => letter,
        });
    }
    Some(text)
}

/// The parts of a list, without blanks around them; what is in quotes is not taken apart.
fn split(list: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, letter) in list.char_indices() {
        if is_escaped {
            is_escaped = false;
        } else if is_quoted && letter == '\\' {
            is_escaped = true;
        } else if letter == '"' {
            is_quoted = !is_quoted;
        } else if letter == separator && !is_quoted {
            parts.push(list[from..at].trim());
            from = at + letter.len_utf8();
        }
    }
    parts.push(list[from..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    const PROXIES: [&str; 3] = ["127.0.0.1", "10.0.0.0/8", "fd00::/8"];

    fn check(peer: &str, headers: &[(&str, &str)], expected: &str) {
        let proxies = PROXIES.map(|text| text.parse().unwrap());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: HeaderName = name.parse().unwrap();
            map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        let found = client(&proxies, peer.parse().unwrap(), &map);
        assert_eq!(found.to_string(), expected, "{peer} {headers:?}");
    }

    #[test]
    fn only_proxies_are_believed() {
        check(
            "198.51.100.9",
            &[("x-forwarded-for", "1.2.3.4")],
            "198.51.100.9",
        );
        check(
            "198.51.100.9",
            &[("forwarded", "for=1.2.3.4")],
            "198.51.100.9",
        );
        check("127.0.0.1", &[], "127.0.0.1");
        check("127.0.0.1", &[("x-forwarded-for", "1.2.3.4")], "1.2.3.4");
        check(
            "::ffff:127.0.0.1",
            &[("x-forwarded-for", "1.2.3.4")],
            "1.2.3.4",
        );
        check("fd12::1", &[("forwarded", "for=1.2.3.4")], "1.2.3.4");
        check("fe80::1", &[("forwarded", "for=1.2.3.4")], "fe80::1");
    }

    #[test]
    fn what_the_client_made_up_does_not_count() {
        let list = [("x-forwarded-for", "8.8.8.8, 127.0.0.1, 192.0.2.1, 10.1.2.3")];
        check("127.0.0.1", &list, "192.0.2.1");
        let list = [("forwarded", "for=8.8.8.8, for=192.0.2.1, for=10.1.2.3")];
        check("127.0.0.1", &list, "192.0.2.1");
        // All of them proxies: the first is the client.
        check(
            "127.0.0.1",
            &[("x-forwarded-for", "10.9.9.9, 10.1.2.3")],
            "10.9.9.9",
        );
    }

    #[test]
    fn several_lines_are_one_list() {
        let lines = [
            ("x-forwarded-for", "8.8.8.8"),
            ("x-forwarded-for", "192.0.2.1,10.0.0.5"),
        ];
        check("127.0.0.1", &lines, "192.0.2.1");
        let lines = [("forwarded", "for=8.8.8.8"), ("forwarded", "for=192.0.2.7")];
        check("10.0.0.1", &lines, "192.0.2.7");
    }

    #[test]
    fn ports_brackets_and_quotes() {
        for (text, expected) in [
            ("192.0.2.60:4711", "192.0.2.60"),
            ("2001:db8::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("[2001:db8::1]:4711", "2001:db8::1"),
            ("::ffff:192.0.2.60", "192.0.2.60"),
            (" 192.0.2.60 ,, ", "192.0.2.60"),
        ] {
            check("127.0.0.1", &[("x-forwarded-for", text)], expected);
        }
        for (text, expected) in [
            ("For=\"[2001:db8:cafe::17]:4711\"", "2001:db8:cafe::17"),
            ("for=192.0.2.43;proto=https;by=203.0.113.43", "192.0.2.43"),
            ("proto=https; for=\"192.0.2.43:80\"", "192.0.2.43"),
            (
                "for=1.1.1.1;by=\"a,b;c\\\",d\", for=192.0.2.43;secret=\"x, for=9.9.9.9\"",
                "192.0.2.43",
            ),
            ("for=\"192.0.2.\\43\"", "192.0.2.43"),
        ] {
            check("127.0.0.1", &[("forwarded", text)], expected);
        }
    }

    #[test]
    fn what_cannot_be_read_ends_the_walk() {
        for text in [
            "",
            "unknown",
            "_hidden",
            "1.2.3",
            "1.2.3.4:x",
            "[::1",
            "1.2.3.4 5.6.7.8",
            "ü",
        ] {
            check("127.0.0.1", &[("x-forwarded-for", text)], "127.0.0.1");
        }
        for text in [
            "for",
            "for=unknown",
            "for=\"1.2.3.4",
            "proto=http",
            "for=1.2.3.4;for=5.6.7.8",
        ] {
            check("127.0.0.1", &[("forwarded", text)], "127.0.0.1");
        }
        // Up to there it is true.
        check(
            "127.0.0.1",
            &[("x-forwarded-for", "8.8.8.8, ?, 10.1.2.3")],
            "10.1.2.3",
        );
        check(
            "127.0.0.1",
            &[("forwarded", "for=8.8.8.8, for=_x, for=10.1.2.3")],
            "10.1.2.3",
        );
    }

    #[test]
    fn two_fields_have_to_agree() {
        let both =
            |forwarded, addresses| [("forwarded", forwarded), ("x-forwarded-for", addresses)];
        check(
            "127.0.0.1",
            &both("for=192.0.2.1", "192.0.2.1"),
            "192.0.2.1",
        );
        check("127.0.0.1", &both("for=8.8.8.8", "192.0.2.1"), "127.0.0.1");
        check("127.0.0.1", &both("for=192.0.2.1", "8.8.8.8"), "127.0.0.1");
    }

    #[test]
    fn ranges() {
        let has = |range: &str, address: &str| {
            range
                .parse::<Proxy>()
                .unwrap()
                .has(address.parse().unwrap())
        };
        assert!(has("10.0.0.0/24", "10.0.0.255") && !has("10.0.0.0/24", "10.0.1.0"));
        assert!(has("0.0.0.0/0", "1.2.3.4") && !has("0.0.0.0/0", "::1"));
        assert!(has("::/0", "::1") && has("fd00::/7", "fc00::1"));
        assert!(has("10.0.0.7", "10.0.0.7") && !has("10.0.0.7", "10.0.0.6"));
        for wrong in [
            "",
            "proxy",
            "10.0.0.0/33",
            "::/129",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0.0/-1",
        ] {
            assert!(wrong.parse::<Proxy>().is_err(), "{wrong}");
        }
    }
}
