//! The other side of a process that reads files: asks, waits as long as it may take, and says what
//! happened if there is no answer.

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use cento_code::Language;

use super::protocol::{RawPath, Reply, Request, Setup, parse, receive, send, send_bytes};
use super::{memory_for_file, too_much_memory};
use crate::archive::FoundInFile;
use crate::options::{Limits, Reading};
use crate::program::Disguise;
use crate::{Error, Limit, Program, Text};

/// A process that reads files for this one.
pub(super) struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<io::Result<Vec<u8>>>,
    /// The last words that it wrote to standard error.
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Ends when nothing more will come.
    listener: JoinHandle<()>,
    limits: Limits,
    /// Bytes of memory for what it is doing.
    memory: u64,
}

/// It gave no answer; it is of no more use.
pub(super) struct Lost(pub(super) Error);

impl Worker {
    pub(super) fn start(
        program: &Path,
        arguments: &[String],
        reading: &Reading,
    ) -> Result<Worker, Lost> {
        let cannot = |error: io::Error| {
            Lost(Error::Failed(format!(
                "the process that reads files cannot be started: {error}"
            )))
        };
        let mut child = Command::new(program)
            .args(arguments)
            .env(crate::process::PARENT, std::process::id().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(cannot)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut requests), Some(output), Some(errors)) = pipes else {
            return Err(cannot(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, replies) = channel();
        // No text or file is longer than what is allowed, and listings come in batches.
        let most = reading
            .limits
            .text_size
            .saturating_mul(2)
            .max(reading.limits.file_size)
            .saturating_add(1 << 28);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = receive(&mut output, most).transpose() {
                let is_last = message.is_err();
                if sender.send(message).is_err() || is_last {
                    break;
                }
            }
        });
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let listener = listen(errors, &last_words);
        send(&mut requests, &Setup::Read(reading.clone())).map_err(cannot)?;
        Ok(Worker {
            child,
            requests,
            replies,
            last_words,
            listener,
            limits: reading.limits,
            memory: reading.limits.memory,
        })
    }

    pub(super) fn list(
        &mut self,
        path: &Path,
        each: &mut dyn FnMut(FoundInFile),
    ) -> Result<(), Lost> {
        self.memory = memory_for_file(path, &self.limits);
        self.ask(&Request::List(RawPath::new(path)))?;
        loop {
            match self.reply()? {
                Reply::Found(found) => found.into_iter().for_each(&mut *each),
                Reply::Listed => return Ok(()),
                Reply::Text(_) | Reply::Taken(_) | Reply::Program(_) | Reply::Disguised(_) => {
                    return Err(self.lost("it gave a wrong answer"));
                }
            }
        }
    }

    pub(super) fn read(&mut self, path: &Path, steps: &[u64]) -> Result<Result<Text, Error>, Lost> {
        self.memory = memory_for_file(path, &self.limits);
        self.ask(&Request::Read(RawPath::new(path), steps.to_vec()))?;
        self.text()
    }

    pub(super) fn read_bytes(
        &mut self,
        bytes: &[u8],
        name: &str,
    ) -> Result<Result<Text, Error>, Lost> {
        self.memory = self.limits.memory_for(bytes.len() as u64);
        self.ask(&Request::ReadBytes(name.to_owned()))?;
        if send_bytes(&mut self.requests, bytes).is_err() {
            return Err(self.post_mortem());
        }
        self.text()
    }

    /// The bytes of a document.
    pub(super) fn take(
        &mut self,
        path: &Path,
        steps: &[u64],
    ) -> Result<Result<Vec<u8>, Error>, Lost> {
        self.memory = memory_for_file(path, &self.limits);
        self.ask(&Request::Take(RawPath::new(path), steps.to_vec()))?;
        match self.reply()? {
            Reply::Taken(Ok(())) => self.message().map(Ok),
            Reply::Taken(Err(error)) => Ok(Err(error)),
            Reply::Text(_)
            | Reply::Found(_)
            | Reply::Listed
            | Reply::Program(_)
            | Reply::Disguised(_) => Err(self.lost("it gave a wrong answer")),
        }
    }

    /// The code tokens of a program, or why there are none.
    pub(super) fn parse(
        &mut self,
        text: &str,
        language: Language,
    ) -> Result<Result<Program, String>, Lost> {
        self.memory = self.limits.memory_for(text.len() as u64);
        self.ask(&Request::Parse(language))?;
        if send_bytes(&mut self.requests, text.as_bytes()).is_err() {
            return Err(self.post_mortem());
        }
        match self.reply()? {
            Reply::Program(program) => Ok(program.map(|program| *program)),
            Reply::Text(_)
            | Reply::Found(_)
            | Reply::Listed
            | Reply::Taken(_)
            | Reply::Disguised(_) => Err(self.lost("it gave a wrong answer")),
        }
    }

    /// A program after a disguise, or why there is none.
    pub(super) fn disguise(
        &mut self,
        text: &str,
        disguise: Disguise,
    ) -> Result<Result<String, String>, Lost> {
        self.memory = self.limits.memory_for(text.len() as u64);
        self.ask(&Request::Disguise(disguise))?;
        if send_bytes(&mut self.requests, text.as_bytes()).is_err() {
            return Err(self.post_mortem());
        }
        match self.reply()? {
            Reply::Disguised(Ok(())) => String::from_utf8(self.message()?)
                .map(Ok)
                .map_err(|_| self.lost("it gave a wrong answer")),
            Reply::Disguised(Err(reason)) => Ok(Err(reason)),
            Reply::Text(_)
            | Reply::Found(_)
            | Reply::Listed
            | Reply::Taken(_)
            | Reply::Program(_) => Err(self.lost("it gave a wrong answer")),
        }
    }

    fn text(&mut self) -> Result<Result<Text, Error>, Lost> {
        match self.reply()? {
            Reply::Text(text) => Ok(text.map(Into::into)),
            Reply::Found(_)
            | Reply::Listed
            | Reply::Taken(_)
            | Reply::Program(_)
            | Reply::Disguised(_) => Err(self.lost("it gave a wrong answer")),
        }
    }

    fn ask(&mut self, request: &Request) -> Result<(), Lost> {
        match send(&mut self.requests, request) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.post_mortem()),
        }
    }

    fn reply(&mut self) -> Result<Reply, Lost> {
        let bytes = self.message()?;
        parse(&bytes).map_err(|_| self.lost("it gave a wrong answer"))
    }

    fn message(&mut self) -> Result<Vec<u8>, Lost> {
        match self.replies.recv_timeout(self.limits.time) {
            Ok(Ok(bytes)) => Ok(bytes),
            // It is still there, perhaps waiting for us; so nobody waits for it.
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => {
                Err(self.lost("it gave a wrong answer"))
            }
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.post_mortem()),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                Err(Lost(too_long(&self.limits)))
            }
        }
    }

    fn lost(&mut self, reason: &str) -> Lost {
        let _ = self.child.kill();
        Lost(Error::Failed(format!("the reader failed on it: {reason}")))
    }

    /// Why it is gone.
    fn post_mortem(&mut self) -> Lost {
        let _ = self.requests_end();
        let status = self.child.wait();
        // Its last words may still be on their way; a process of its own may keep the way open.
        let patience = Instant::now() + Duration::from_secs(2);
        while !self.listener.is_finished() && Instant::now() < patience {
            thread::sleep(Duration::from_millis(5));
        }
        let words = self
            .last_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let words = String::from_utf8_lossy(&words);
        Lost(match status {
            _ if words.contains("overflowed its stack") => {
                Error::Failed("the reader ran out of stack on it".to_owned())
            }
            _ if words.contains("memory allocation of") => too_much_memory(self.memory),
            Ok(status) => ended(status, &self.limits),
            Err(error) => Error::Failed(format!("the reader failed on it ({error})")),
        })
    }

    fn requests_end(&mut self) -> io::Result<()> {
        io::Write::flush(&mut self.requests)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps the last of what a process has to say.
fn listen(mut errors: ChildStderr, last_words: &Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    const ENOUGH: usize = 4096;
    let last_words = Arc::clone(last_words);
    thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(count @ 1..) = errors.read(&mut buffer) {
            let mut words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
            words.extend_from_slice(&buffer[..count]);
            let surplus = words.len().saturating_sub(ENOUGH);
            words.drain(..surplus);
        }
    })
}

fn too_long(limits: &Limits) -> Error {
    let seconds = limits.time.as_secs_f64();
    Limit::Time.reached(format!("takes longer than {seconds} s to read"))
}

#[cfg(unix)]
fn ended(status: ExitStatus, limits: &Limits) -> Error {
    use std::os::unix::process::ExitStatusExt as _;
    const OUT_OF_TIME: i32 = 24;
    match status.signal() {
        Some(OUT_OF_TIME) => too_long(limits),
        Some(signal) => Error::Failed(format!("the reader crashed on it (signal {signal})")),
        None => Error::Failed(format!("the reader failed on it ({status})")),
    }
}

#[cfg(not(unix))]
fn ended(status: ExitStatus, _: &Limits) -> Error {
    Error::Failed(format!("the reader failed on it ({status})"))
}

/// The place of a reader: what it has open is near to what comes after.
pub(super) type LastRead = (PathBuf, Vec<u64>);
