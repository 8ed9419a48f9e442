//! A milter: Postfix and Sendmail hand over each message, and it gets a field with how often it was seen.
//!
//! Nothing is refused and nothing is held back. A message that cannot be checked, for whatever reason, passes
//! without a verdict, and the reason is logged.

mod packet;
mod session;

use std::fmt;
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use cento_jobs::InMemory;
use cento_jobs::mail::{Desk, HEADER};

use self::session::{Given, Session, Step};

/// Where a milter listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MilterAddress {
    /// `inet:8893@127.0.0.1`: a host and a port.
    Inet(String, u16),
    /// `unix:/run/cento/milter`: a socket in a folder.
    Unix(PathBuf),
}

impl FromStr for MilterAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<MilterAddress, String> {
        let wrong = || {
            format!(
                "{text} is no address of a milter; give one such as inet:8893@127.0.0.1 or \
                 unix:/run/cento/milter"
            )
        };
        if let Some(path) = text.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(MilterAddress::Unix(PathBuf::from(path)));
        }
        let inet = text.strip_prefix("inet:").ok_or_else(wrong)?;
        let (port, host) = inet.split_once('@').ok_or_else(wrong)?;
        let port = port.parse().map_err(|_| wrong())?;
        if host.is_empty() {
            return Err(wrong());
        }
        Ok(MilterAddress::Inet(host.to_owned(), port))
    }
}

impl fmt::Display for MilterAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MilterAddress::Inet(host, port) => write!(f, "inet:{port}@{host}"),
            MilterAddress::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

/// How much of anything a milter allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MilterLimits {
    /// Bytes of a message; longer ones pass without a verdict.
    pub message: usize,
    /// Connections at the same time; others are closed at once.
    pub connections: usize,
    /// How long a mail server may be silent in the middle of a connection.
    pub silence: Duration,
    /// Seen so often in a day, a message is bulk.
    pub bulk_from: u64,
}

/// A milter that listens.
pub struct Milter {
    listener: Listener,
    address: MilterAddress,
}

enum Listener {
    Inet(TcpListener),
    #[cfg(unix)]
    Unix(UnixListener),
}

impl Milter {
    /// Begins to listen. A socket that an ended process has left is replaced.
    pub fn bind(address: &MilterAddress) -> io::Result<Milter> {
        let (listener, address) = match address {
            MilterAddress::Inet(host, port) => {
                let listener = TcpListener::bind((host.as_str(), *port))?;
                let port = listener.local_addr()?.port();
                let address = MilterAddress::Inet(host.clone(), port);
                (Listener::Inet(listener), address)
            }
            #[cfg(unix)]
            MilterAddress::Unix(path) => {
                use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
                let is_socket = path
                    .symlink_metadata()
                    .is_ok_and(|metadata| metadata.file_type().is_socket());
                if is_socket && UnixStream::connect(path).is_err() {
                    std::fs::remove_file(path)?;
                }
                let listener = UnixListener::bind(path)?;
                // Who may reach the folder of the socket and is of its group may use it.
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o660))?;
                (Listener::Unix(listener), address.clone())
            }
            #[cfg(not(unix))]
            MilterAddress::Unix(_) => return Err(io::ErrorKind::Unsupported.into()),
        };
        Ok(Milter { listener, address })
    }

    /// Where it listens; the port is the one that the system has chosen, if it was asked to.
    pub fn address(&self) -> &MilterAddress {
        &self.address
    }

    /// Serves mail servers for as long as this process runs. What a person should know goes to `log`.
    pub fn serve(
        &self,
        desk: &Arc<Desk>,
        limits: MilterLimits,
        log: impl Fn(&str) + Clone + Send + 'static,
    ) -> io::Result<()> {
        let busy = Arc::new(AtomicUsize::new(0));
        loop {
            let connection = match self.accept(limits.silence) {
                Ok(connection) => connection,
                Err(error) => {
                    // Out of files, for example: others may end soon.
                    log(&format!("a connection failed: {error}"));
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
            };
            if busy.load(Ordering::Relaxed) >= limits.connections {
                log(
                    "too many connections; one was closed, so its messages pass as the mail server's \
                     settings say",
                );
                continue;
            }
            let place = Place::take(&busy);
            let (desk, own_log) = (Arc::clone(desk), log.clone());
            let serve = move || {
                let _place = place;
                if let Err(error) = converse(connection, &desk, limits, &own_log) {
                    own_log(&format!("a connection ended: {error}"));
                }
            };
            if let Err(error) = std::thread::Builder::new().spawn(serve) {
                log(&format!("a connection failed: {error}"));
            }
        }
    }

    fn accept(&self, silence: Duration) -> io::Result<Connection> {
        match &self.listener {
            Listener::Inet(listener) => {
                let stream = listener.accept()?.0;
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(silence))?;
                stream.set_write_timeout(Some(silence))?;
                Ok(Connection::Inet(stream))
            }
            #[cfg(unix)]
            Listener::Unix(listener) => {
                let stream = listener.accept()?.0;
                stream.set_read_timeout(Some(silence))?;
                stream.set_write_timeout(Some(silence))?;
                Ok(Connection::Unix(stream))
            }
        }
    }
}

/// One of the connections that there may be at a time, given back however it ends.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(busy: &Arc<AtomicUsize>) -> Place {
        busy.fetch_add(1, Ordering::Relaxed);
        Place(Arc::clone(busy))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

enum Connection {
    Inet(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Connection::Inet(stream) => stream.read(buffer),
            #[cfg(unix)]
            Connection::Unix(stream) => stream.read(buffer),
        }
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Connection::Inet(stream) => stream.write(bytes),
            #[cfg(unix)]
            Connection::Unix(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Answers one connection to its end.
fn converse(
    connection: Connection,
    desk: &Desk,
    limits: MilterLimits,
    log: &impl Fn(&str),
) -> io::Result<()> {
    let mut session = Session::new(HEADER, limits.message);
    let mut stream = BufReader::new(connection);
    while let Some(command) = packet::read(&mut stream)? {
        let verdict = |given: Given<'_>| verdict(given, desk, limits, log);
        match session.step(command, verdict) {
            Step::Close => break,
            Step::Reply(replies) => {
                let bytes: Vec<u8> = replies.iter().flat_map(packet::Reply::bytes).collect();
                if !bytes.is_empty() {
                    stream.get_mut().write_all(&bytes)?;
                }
            }
        }
    }
    Ok(())
}

/// The value of a message's field; none if it cannot be checked, and why goes to the log.
fn verdict(
    given: Given<'_>,
    desk: &Desk,
    limits: MilterLimits,
    log: &impl Fn(&str),
) -> Option<String> {
    let Given::Message(message) = given else {
        log("a message is longer than allowed; it passes without a verdict");
        return None;
    };
    let message = InMemory {
        name: "message".to_owned(),
        bytes: message.to_vec(),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |time| time.as_secs());
    match desk.check(&message, now, true, limits.bulk_from) {
        Ok(checked) => Some(checked.header()),
        Err(error) => {
            log(&format!(
                "a message could not be checked and passes without a verdict: {}",
                error.sentence()
            ));
            None
        }
    }
}
