//! The names of this server. A page of another site can make a browser call us by its own name; so
//! names that are not ours are refused.

use std::net::{IpAddr, SocketAddr};

use crate::config::Openness;

/// How the server may be called.
pub(crate) struct Hosts {
    /// Names with ports, in lower case.
    names: Vec<String>,
    port: u16,
    /// Whether every address with our port will do.
    any_address: bool,
    is_https: bool,
}

impl Hosts {
    pub(crate) fn new(
        address: SocketAddr,
        given: &[String],
        openness: Openness,
        is_https: bool,
    ) -> Hosts {
        let port = address.port();
        let mut names = vec![address.to_string()];
        if address.ip().is_loopback() {
            names.extend([
                format!("localhost:{port}"),
                format!("127.0.0.1:{port}"),
                format!("[::1]:{port}"),
            ]);
        }
        for name in given {
            // A proxy that speaks for us says its own port, or none where that is the usual one.
            names.push(name.to_lowercase());
            names.push(format!("{}:{port}", name.to_lowercase()));
        }
        Hosts {
            names,
            port,
            any_address: openness == Openness::Anyone,
            is_https,
        }
    }

    /// Whether a request with this Host is for us.
    pub(crate) fn has(&self, host: &str) -> bool {
        let host = host.to_lowercase();
        if self.names.contains(&host) {
            return true;
        }
        let is_plain = self.port == 80 && self.names.contains(&format!("{host}:80"));
        is_plain || (self.any_address && self.is_address(&host))
    }

    /// Whether a page from there is one of ours.
    pub(crate) fn is_own_origin(&self, origin: &str) -> bool {
        let scheme = if self.is_https { "https://" } else { "http://" };
        let host = origin.strip_prefix(scheme);
        host.is_some_and(|host| self.has(host))
    }

    fn is_address(&self, host: &str) -> bool {
        match host.parse::<SocketAddr>() {
            Ok(address) => address.port() == self.port,
            Err(_) => self.port == 80 && host.parse::<IpAddr>().is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_names_only() {
        let address = "127.0.0.1:8077".parse().unwrap();
        let hosts = Hosts::new(
            address,
            &["cento.example".to_owned()],
            Openness::Closed,
            false,
        );
        for own in [
            "127.0.0.1:8077",
            "LOCALHOST:8077",
            "[::1]:8077",
            "cento.example",
        ] {
            assert!(hosts.has(own), "{own}");
        }
        for other in [
            "evil.example",
            "localhost",
            "localhost:80",
            "192.168.1.2:8077",
            "",
        ] {
            assert!(!hosts.has(other), "{other}");
        }
        assert!(hosts.is_own_origin("http://localhost:8077"));
        for other in ["https://localhost:8077", "http://evil.example", "null"] {
            assert!(!hosts.is_own_origin(other), "{other}");
        }
        let open = Hosts::new(
            "0.0.0.0:8077".parse().unwrap(),
            &[],
            Openness::Anyone,
            false,
        );
        assert!(open.has("192.168.1.2:8077") && !open.has("evil.example:8077"));
    }
}
