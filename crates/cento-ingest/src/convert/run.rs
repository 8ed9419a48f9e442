//! Runs the program that a user has named for a format.
//!
//! It gets a copy of the file in a folder that nobody else can look into, under a name of ours: a name
//! that a stranger chose would be dangerous where the user's command is one of a shell. Whatever else
//! it leaves in that folder goes with it. A process of our own starts it, because limits can only be
//! set from within.

use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Converters, Convertible};
use crate::isolate::{Setup, send};
use crate::options::{Isolation, Limits, size};
use crate::{Error, Limit, process};

/// A command that is to be run under limits by the process that is told of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Conversion {
    command: Vec<String>,
    limits: Limits,
}

/// What such a process says when there is no such program.
const CANNOT_RUN: &str = "cannot be run: ";

impl Conversion {
    /// Runs the command in this process's place, and ends as it does.
    pub(crate) fn run(&self) -> io::Result<()> {
        process::end_group_with_parent();
        process::limit_files(self.limits.file_size);
        process::limit_memory(self.limits.memory);
        process::allow_time(self.limits.time);
        let status = match self.command.as_slice() {
            [program, arguments @ ..] => Command::new(program)
                .args(arguments)
                .env_remove(process::PARENT)
                .stdin(Stdio::null())
                .status(),
            [] => Err(io::ErrorKind::InvalidInput.into()),
        };
        match status {
            Ok(status) => std::process::exit(code(status)),
            Err(error) => {
                write!(io::stderr(), "{CANNOT_RUN}{error}")?;
                std::process::exit(127)
            }
        }
    }
}

/// What a program makes of the bytes of a file.
pub(crate) fn convert(
    bytes: &[u8],
    format: Convertible,
    command: &[String],
    limits: &Limits,
    isolation: &Isolation,
) -> Result<Vec<u8>, Error> {
    let failed = |reason: String| {
        let program = command.first().map_or("", String::as_str);
        Error::Failed(format!("`{program}`, which is to convert it, {reason}"))
    };
    let cannot = |error: io::Error| failed(format!("{CANNOT_RUN}{error}"));
    let folder = PrivateFolder::make().map_err(|error| {
        let place = std::env::temp_dir();
        Error::Io(format!(
            "no folder for its copy can be made in {}: {error}",
            place.display()
        ))
    })?;
    let file = folder.0.join(format!("document.{}", format.ending()));
    std::fs::write(&file, bytes)
        .map_err(|error| Error::Io(format!("it cannot be copied: {error}")))?;
    let copy = file.to_string_lossy();
    let with_file = |word: &String| word.replace(Converters::FILE, &copy);
    let command: Vec<String> = command.iter().map(with_file).collect();
    let mut child = start(command, &folder.0, limits, isolation).map_err(cannot)?;
    let ended = wait(&mut child, limits).map_err(cannot)?;
    match ended {
        Ended::TooLate => {
            let seconds = limits.time.as_secs_f64();
            let program = "the program that converts it";
            Err(Limit::Time.reached(format!("{program} takes longer than {seconds} s")))
        }
        Ended::TooMuch => Err(Limit::TextSize.reached(format!(
            "the program that converts it makes more than {} of it",
            size(limits.text_size)
        ))),
        Ended::Done { output, status, .. } if status.success() => Ok(output),
        Ended::Done { status, words, .. } => {
            // The name of the folder differs from run to run.
            let words = words.replace(&*copy, Converters::FILE);
            let words = words.trim();
            Err(match words.strip_prefix(CANNOT_RUN) {
                Some(why) => failed(format!("{CANNOT_RUN}{why}")),
                None => failed(format!("failed ({status}){}", last_line(words))),
            })
        }
    }
}

fn start(
    command: Vec<String>,
    folder: &Path,
    limits: &Limits,
    isolation: &Isolation,
) -> io::Result<Child> {
    let mut starting = match (isolation, command.as_slice()) {
        (Isolation::Worker { program, arguments }, _) => {
            let mut starting = Command::new(program);
            starting.args(arguments);
            starting.env(process::PARENT, std::process::id().to_string());
            starting
        }
        (Isolation::InProcess, [program, arguments @ ..]) => {
            let mut starting = Command::new(program);
            starting.args(arguments);
            starting
        }
        (Isolation::InProcess, []) => return Err(io::ErrorKind::InvalidInput.into()),
    };
    process::lead_group(&mut starting);
    // As many programs run as Cento has threads, and if each of them had as many again, they would
    // mostly wait for one another: on two busy cores tesseract took several times as long.
    if std::env::var_os(OPENMP_THREADS).is_none() {
        starting.env(OPENMP_THREADS, "1");
    }
    let mut child = starting
        // The secret key is nobody's business.
        .env_remove("CENTO_KEY")
        .env("TMPDIR", folder)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let (Isolation::Worker { .. }, Some(mut requests)) = (isolation, child.stdin.take()) {
        let conversion = Conversion {
            command,
            limits: *limits,
        };
        if let Err(error) = send(&mut requests, &Setup::Convert(conversion)) {
            end(&mut child);
            return Err(error);
        }
    }
    Ok(child)
}

/// What says to programs that use OpenMP how many threads they may have.
const OPENMP_THREADS: &str = "OMP_THREAD_LIMIT";

/// How a program ended.
enum Ended {
    Done {
        output: Vec<u8>,
        status: ExitStatus,
        /// What it wrote to standard error, as far as anybody would read it.
        words: String,
    },
    TooLate,
    TooMuch,
}

fn wait(child: &mut Child, limits: &Limits) -> io::Result<Ended> {
    const ENOUGH: u64 = 4096;
    let deadline = Instant::now().checked_add(limits.time);
    let most = limits.text_size;
    let (sender, output) = channel();
    if let Some(stdout) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.take(most.saturating_add(1)).read_to_end(&mut bytes);
            let _ = sender.send(read.map(|_| bytes));
        });
    }
    let (said, words) = channel();
    if let Some(mut stderr) = child.stderr.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = (&mut stderr).take(ENOUGH).read_to_end(&mut bytes);
            let _ = said.send(String::from_utf8_lossy(&bytes).into_owned());
            // The program must not wait for somebody to listen.
            let _ = io::copy(&mut stderr, &mut io::sink());
        });
    }
    let output = output.recv_timeout(limits.time);
    let is_too_much = matches!(&output, Ok(Ok(bytes)) if bytes.len() as u64 > most);
    let (Ok(output), false) = (output, is_too_much) else {
        end(child);
        return Ok(if is_too_much {
            Ended::TooMuch
        } else {
            Ended::TooLate
        });
    };
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            end(child);
            return Ok(Ended::TooLate);
        }
        thread::sleep(Duration::from_millis(5));
    };
    if status.code() == Some(OUT_OF_TIME) {
        return Ok(Ended::TooLate);
    }
    Ok(Ended::Done {
        output: output?,
        status,
        words: words
            .recv_timeout(Duration::from_secs(1))
            .unwrap_or_default(),
    })
}

fn end(child: &mut Child) {
    process::kill_group(child);
    let _ = child.wait();
}

/// The code of a program that the system ended because it took too much processor time.
const OUT_OF_TIME: i32 = 128 + 24;

/// The code of a process that ends as another one did.
fn code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return 128 + signal;
    }
    status.code().unwrap_or(1)
}

/// The last thing that a program said, as the end of a sentence.
fn last_line(words: &str) -> String {
    match words.lines().last() {
        Some(line) => format!(": {}", line.trim().escape_debug()),
        None => String::new(),
    }
}

/// A folder that only this user can look into, and that is gone when it is dropped.
struct PrivateFolder(PathBuf);

impl PrivateFolder {
    fn make() -> io::Result<PrivateFolder> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let own = std::process::id();
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let path =
                std::path::absolute(std::env::temp_dir())?.join(format!("cento-{own}-{number}"));
            let mut builder = std::fs::DirBuilder::new();
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            match builder.create(&path) {
                Ok(()) => return Ok(PrivateFolder(path)),
                // Another process of this number has left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
