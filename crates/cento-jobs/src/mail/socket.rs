//! The socket in the folder of a store, through which the process that has it open answers others.
//!
//! A request is a line of JSON, and so is the reply. The folder is closed to other people, and so is the
//! socket.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use super::wire::{Reply, Request};

const NAME: &str = "socket";
/// No request and no reply is longer.
const LONGEST: u64 = 256 << 10;
/// Those who ask at the same time.
const MOST: usize = 64;
/// How long a process that asks may take over half a line, and how long an answer may.
const PATIENCE: Duration = Duration::from_secs(20);

/// A way to the process that has a store open.
pub(super) struct Client {
    stream: BufReader<UnixStream>,
}

impl Client {
    pub(super) fn connect(store: &Path) -> io::Result<Client> {
        let stream = UnixStream::connect(store.join(NAME))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Client {
            stream: BufReader::new(stream),
        })
    }

    pub(super) fn ask(&mut self, request: &Request) -> io::Result<Reply> {
        let mut line = serde_json::to_vec(request)?;
        line.push(b'\n');
        self.stream.get_mut().write_all(&line)?;
        match read_line(&mut self.stream)? {
            Some(line) => Ok(serde_json::from_slice(&line)?),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// Answers others until it is dropped.
pub(super) struct Host {
    path: PathBuf,
    is_over: Arc<AtomicBool>,
}

impl Host {
    /// Begins to answer. Whoever has the store open may replace what another has left.
    pub(super) fn start(
        store: &Path,
        answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
    ) -> io::Result<Host> {
        let path = store.join(NAME);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = UnixListener::bind(&path)?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600))?;
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let answer = Arc::new(answer);
        std::thread::Builder::new()
            .name("mail store".to_owned())
            .spawn(move || listen(&listener, &answer, &over))?;
        Ok(Host { path, is_over })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that listens.
        let _ = UnixStream::connect(&self.path);
        let _ = std::fs::remove_file(&self.path);
    }
}

fn listen<A: Fn(&Request) -> Reply + Send + Sync + 'static>(
    listener: &UnixListener,
    answer: &Arc<A>,
    is_over: &Arc<AtomicBool>,
) {
    let busy = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Out of files, for example: others may end soon.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if busy.fetch_add(1, Ordering::Relaxed) >= MOST {
            busy.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (answer, over, left) = (Arc::clone(answer), Arc::clone(is_over), Arc::clone(&busy));
        let serve = move || {
            let _ = serve(stream, answer.as_ref(), &over);
            left.fetch_sub(1, Ordering::Relaxed);
        };
        if std::thread::Builder::new().spawn(serve).is_err() {
            busy.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

fn serve(
    stream: UnixStream,
    answer: &impl Fn(&Request) -> Reply,
    is_over: &AtomicBool,
) -> io::Result<()> {
    // Front ends stay connected between messages.
    stream.set_read_timeout(Some(Duration::from_mins(10)))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut stream = BufReader::new(stream);
    while let Some(line) = read_line(&mut stream)? {
        let reply = match serde_json::from_slice(&line) {
            _ if is_over.load(Ordering::Relaxed) => return Ok(()),
            Ok(request) => answer(&request),
            Err(_) => Reply::Failed("the request is none of this version".to_owned()),
        };
        let mut line = serde_json::to_vec(&reply)?;
        line.push(b'\n');
        stream.get_mut().write_all(&line)?;
    }
    Ok(())
}

/// A whole line; `None` at the end.
fn read_line(stream: &mut BufReader<UnixStream>) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    stream.take(LONGEST).read_until(b'\n', &mut line)?;
    match line.last() {
        Some(b'\n') => Ok(Some(line)),
        None => Ok(None),
        Some(_) => Err(io::Error::other("half a line")),
    }
}
