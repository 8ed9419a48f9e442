//! From a connection to a handler: what is accepted, what is refused, what every answer says.

pub(crate) mod body;
pub(crate) mod extract;
pub(crate) mod guard;
pub(crate) mod hosts;
pub(crate) mod listen;
pub(crate) mod metrics;
pub(crate) mod pool;
pub(crate) mod rates;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// Where a connection comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

impl Peer {
    pub(crate) fn address(self) -> IpAddr {
        self.0.ip()
    }
}

impl Default for Peer {
    fn default() -> Peer {
        Peer(SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)))
    }
}
