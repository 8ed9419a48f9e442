//! What happens, told to a command of whoever runs the server: JSON on its standard input. Nothing of
//! an event is ever an argument, and no shell is between; the command may take its time, up to a limit
//! that ends all that it has started, and whatever it does, no job fails for it.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cento_ingest::process;
use serde_json::{Value, json};

use crate::error::Error;
use crate::log;
use crate::time;

/// How many run at a time, and how many events wait.
const AT_ONCE: usize = 2;
const WAITING: usize = 1000;
/// Finds of one job that are told one by one; the job says how many there are.
pub(crate) const FINDS: usize = 100;
/// How long commands that are ended may take for that.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often it is looked whether a command has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The way to the command; there may be none.
pub(crate) struct Events {
    queue: Option<SyncSender<String>>,
    state: Arc<Telling>,
}

/// How far telling is.
#[derive(Default)]
struct Telling {
    /// Events that wait or are told.
    pending: AtomicUsize,
    /// Whether the server ends, and nobody is told anything any more.
    is_over: AtomicBool,
}

impl Events {
    /// Lets this command, a program and its arguments, hear of everything; each time it may take so long.
    pub(crate) fn start(command: &[String], longest: Duration) -> Result<Events, Error> {
        let state = Arc::new(Telling::default());
        if command.is_empty() {
            let queue = None;
            return Ok(Events { queue, state });
        }
        let (queue, waiting) = sync_channel(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..AT_ONCE {
            let waiting = Arc::clone(&waiting);
            let listener = Listener {
                command: command.to_vec(),
                longest,
                state: Arc::clone(&state),
            };
            let thread = std::thread::Builder::new().name(format!("event {number}"));
            let thread = thread.spawn(move || listener.serve(&waiting));
            thread.map_err(Error::System)?;
        }
        let queue = Some(queue);
        Ok(Events { queue, state })
    }

    /// Whether anybody listens.
    pub(crate) fn are_heard(&self) -> bool {
        self.queue.is_some()
    }

    /// Tells something. `what` says what it is, `about` what there is to know.
    pub(crate) fn tell(&self, what: &str, about: Value) {
        let Some(queue) = &self.queue else {
            return;
        };
        let mut event = json!({
            "schema": "cento.event/1",
            "event": what,
            "time": time::now_text(),
        });
        if let (Value::Object(event), Value::Object(about)) = (&mut event, about) {
            event.extend(about);
        }
        self.state.pending.fetch_add(1, Ordering::SeqCst);
        if queue.try_send(event.to_string()).is_err() {
            self.state.pending.fetch_sub(1, Ordering::SeqCst);
            log::fault("on-event", &"too many events wait, so one is dropped");
        }
    }

    /// Whether everything was told.
    pub(crate) fn are_told(&self) -> bool {
        self.state.pending.load(Ordering::SeqCst) == 0
    }

    /// Ends what still runs, and tells nothing more; what was not told is in the log.
    pub(crate) fn end(&self) {
        self.state.is_over.store(true, Ordering::SeqCst);
        let end = Instant::now() + FAREWELL;
        while !self.are_told() && Instant::now() < end {
            std::thread::sleep(LOOK);
        }
    }
}

/// The command, and what it is told by.
struct Listener {
    command: Vec<String>,
    longest: Duration,
    state: Arc<Telling>,
}

impl Listener {
    fn serve(&self, waiting: &Mutex<Receiver<String>>) {
        loop {
            let next = waiting
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .recv();
            let Ok(event) = next else {
                return;
            };
            if let Err(reason) = self.run(event) {
                log::fault("on-event", &reason);
            }
            self.state.pending.fetch_sub(1, Ordering::SeqCst);
        }
    }

    fn run(&self, event: String) -> Result<(), String> {
        let [program, arguments @ ..] = self.command.as_slice() else {
            return Ok(());
        };
        if self.state.is_over.load(Ordering::SeqCst) {
            return Err("the server ends, so an event is not told".to_owned());
        }
        let mut command = Command::new(program);
        command
            .args(arguments)
            // Whoever writes the command need not know the key.
            .env_remove("CENTO_KEY")
            .stdin(Stdio::piped())
            .stdout(Stdio::null());
        process::lead_group(&mut command);
        let child = command.spawn();
        let mut child = child.map_err(|error| format!("the command cannot be started: {error}"))?;
        if let Some(mut input) = child.stdin.take() {
            // A command that does not read must not hold up the one who counts the time.
            let writing = std::thread::Builder::new();
            let _ = writing.spawn(move || {
                let _ = input.write_all(event.as_bytes());
                let _ = input.write_all(b"\n");
            });
        }
        let status = self.wait(&mut child)?;
        if status.success() {
            Ok(())
        } else {
            Err(format!("the command failed: {status}"))
        }
    }

    fn wait(&self, child: &mut Child) -> Result<std::process::ExitStatus, String> {
        let end = Instant::now() + self.longest;
        let reason = loop {
            let looked = child.try_wait();
            match looked.map_err(|error| format!("the command cannot be waited for: {error}"))? {
                Some(status) => return Ok(status),
                None if self.state.is_over.load(Ordering::SeqCst) => {
                    break "the server ends, so the command was ended".to_owned();
                }
                None if Instant::now() < end => std::thread::sleep(LOOK),
                None => {
                    let limit = time::span(self.longest);
                    break format!("the command took longer than {limit} and was ended");
                }
            }
        };
        process::kill_group(child);
        let _ = child.wait();
        Err(reason)
    }
}
