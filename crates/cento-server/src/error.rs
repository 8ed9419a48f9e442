//! Why the server does not start, or has to stop.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// An error with what a person needs to act on it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Other machines could reach it, and nobody would have to log in.
    #[error(
        "{address} can be reached from other machines, and there are no accounts; make one with \
         `cento serve user add NAME`, or say --allow-anyone-on-the-network if you mean it"
    )]
    Exposed {
        /// Where it would have listened.
        address: SocketAddr,
    },
    /// The address cannot be listened on.
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// A file or folder cannot be read or written.
    #[error("{} cannot be read or written: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The server's own database cannot be read or written.
    #[error("{} cannot be read or written: {source}", path.display())]
    Store {
        /// The file.
        path: PathBuf,
        /// What the database said.
        source: rusqlite::Error,
    },
    /// Another process serves from the same folder.
    #[error("{} is in use by another `cento serve`; give --data another folder", path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// An account is not what it should be.
    #[error("{0}")]
    Account(String),
    /// People cannot log in the way that was asked for.
    #[error("{0}")]
    SignIn(String),
    /// There is nothing to look after.
    #[error("--check-every and --backup-every need a registry; `cento registry init` makes one")]
    NoRegistry,
    /// The registry cannot be opened.
    #[error(transparent)]
    Registry(#[from] cento::Error),
    /// The store of messages cannot be opened.
    #[error("{}", .0.sentence())]
    Mail(cento_jobs::Error),
    /// The system has no random numbers.
    #[error("no random numbers: {0}")]
    Random(String),
    /// The system refused something that every server needs.
    #[error("the server cannot run: {0}")]
    System(#[from] io::Error),
}
