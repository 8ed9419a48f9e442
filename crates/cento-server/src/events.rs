//! What happens, told to a command of whoever runs the server: JSON on its standard input. Nothing of
//! an event is ever an argument, and no shell is between; the command may take its time, up to a limit,
//! and whatever it does, no job fails for it.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::error::Error;
use crate::log;
use crate::time;

/// How many run at a time, how many events wait, and how long one may take.
const AT_ONCE: usize = 2;
const WAITING: usize = 1000;
const LONGEST: Duration = Duration::from_secs(30);
/// Finds of one job that are told one by one; the job says how many there are.
pub(crate) const FINDS: usize = 100;
/// How often it is looked whether a command has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The way to the command; there may be none.
pub(crate) struct Events {
    queue: Option<SyncSender<String>>,
    /// Those that wait or run.
    pending: Arc<AtomicUsize>,
}

impl Events {
    /// Lets this command, a program and its arguments, hear of everything.
    pub(crate) fn start(command: &[String]) -> Result<Events, Error> {
        let pending = Arc::new(AtomicUsize::new(0));
        if command.is_empty() {
            return Ok(Events {
                queue: None,
                pending,
            });
        }
        let (queue, waiting) = sync_channel(WAITING);
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..AT_ONCE {
            let (waiting, pending) = (Arc::clone(&waiting), Arc::clone(&pending));
            let command = command.to_vec();
            let thread = std::thread::Builder::new().name(format!("event {number}"));
            let thread = thread.spawn(move || serve(&command, &waiting, &pending));
            thread.map_err(Error::System)?;
        }
        Ok(Events {
            queue: Some(queue),
            pending,
        })
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
        self.pending.fetch_add(1, Ordering::SeqCst);
        if queue.try_send(event.to_string()).is_err() {
            self.pending.fetch_sub(1, Ordering::SeqCst);
            log::fault("on-event", &"too many events wait, so one is dropped");
        }
    }

    /// Whether everything was told.
    pub(crate) fn are_told(&self) -> bool {
        self.pending.load(Ordering::SeqCst) == 0
    }
}

fn serve(command: &[String], waiting: &Mutex<Receiver<String>>, pending: &AtomicUsize) {
    loop {
        let next = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok(event) = next else {
            return;
        };
        if let Err(reason) = run(command, event) {
            log::fault("on-event", &reason);
        }
        pending.fetch_sub(1, Ordering::SeqCst);
    }
}

fn run(command: &[String], event: String) -> Result<(), String> {
    let [program, arguments @ ..] = command else {
        return Ok(());
    };
    let child = Command::new(program)
        .args(arguments)
        // Whoever writes the command need not know the key.
        .env_remove("CENTO_KEY")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut child = child.map_err(|error| format!("the command cannot be started: {error}"))?;
    if let Some(mut input) = child.stdin.take() {
        // A command that does not read must not hold up the one who counts the time.
        let writing = std::thread::Builder::new();
        let _ = writing.spawn(move || {
            let _ = input.write_all(event.as_bytes());
            let _ = input.write_all(b"\n");
        });
    }
    let status = wait(&mut child)?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("the command failed: {status}"))
    }
}

fn wait(child: &mut Child) -> Result<std::process::ExitStatus, String> {
    let end = Instant::now() + LONGEST;
    loop {
        let looked = child.try_wait();
        match looked.map_err(|error| format!("the command cannot be waited for: {error}"))? {
            Some(status) => return Ok(status),
            None if Instant::now() < end => std::thread::sleep(LOOK),
            None => {
                let _ = child.kill();
                let _ = child.wait();
                let limit = time::span(LONGEST);
                return Err(format!(
                    "the command took longer than {limit} and was ended"
                ));
            }
        }
    }
}
