//! From a connection to a handler: what is accepted, what is refused, what every answer says.

pub(crate) mod body;
pub(crate) mod extract;
pub(crate) mod guard;
pub(crate) mod hosts;
pub(crate) mod listen;
pub(crate) mod metrics;
pub(crate) mod pool;
pub(crate) mod proxies;
pub(crate) mod rates;

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

/// Where a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Peer {
    pub(crate) fn address(self) -> IpAddr {
        self.0.ip()
    }
}

/// Where a request comes from: its connection, or what the proxies in between say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// Whether the connection is one of a proxy that is trusted.
    pub(crate) is_through_proxy: bool,
}

impl Default for Client {
    fn default() -> Client {
        Client {
            address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            is_through_proxy: false,
        }
    }
}

impl Client {
    /// Whom the address counts for.
    pub(crate) fn network(self) -> IpAddr {
        network(self.address)
    }
}

/// Whom an address counts for: whoever has one address of version 6 mostly has 2^64.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let network = address.to_bits() & (u128::MAX << 64);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

impl Default for Peer {
    fn default() -> Peer {
        Peer(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)))
    }
}
