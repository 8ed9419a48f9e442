//! Runs the program on a disk that fails: `disk.c`, loaded before the C library.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What happens at the n-th step: a write, a sync, a rename, something that is made, emptied or
/// removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program is killed before it.
    Kill,
    /// The program is killed when half of it is written.
    Torn,
    /// It fails, and nothing else: no space for what grows, an input/output error for the rest.
    Fail,
    /// There is no space from then on; what needs none goes on.
    Full,
}

impl Fault {
    pub(crate) const ALL: [Fault; 4] = [Fault::Kill, Fault::Torn, Fault::Fail, Fault::Full];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Fault::Kill => "kill",
            Fault::Torn => "torn",
            Fault::Fail => "fail",
            Fault::Full => "full",
        }
    }
}

/// The library that makes the faults.
pub(crate) struct Disk {
    library: PathBuf,
}

/// A command that met a fault.
pub(crate) struct Met {
    pub(crate) output: Output,
    /// The kind of the step and its path below the folder; none if there were fewer steps.
    pub(crate) step: Option<(char, String)>,
}

impl Disk {
    /// Compiles it into a folder.
    pub(crate) fn new(folder: &Path) -> Disk {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/crash/disk.c");
        let library = folder.join("disk.so");
        let mut compiler = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
        compiler.args(["-std=gnu11", "-O1", "-shared", "-fPIC", source, "-o"]);
        let status = compiler.arg(&library).status();
        let status = status.expect("a C compiler, which scripts/test installs");
        assert!(status.success(), "{source} cannot be compiled");
        Disk { library }
    }

    /// Runs a command line in a folder and gives back what was done to files.
    pub(crate) fn record(&self, folder: &Path, line: &str, log: &Path) -> (Output, Vec<u8>) {
        let output = self.command(folder, line, "record", 0, log).output();
        (output.unwrap(), std::fs::read(log).unwrap_or_default())
    }

    /// Runs a command line in a folder; the n-th step fails.
    pub(crate) fn fail(&self, folder: &Path, line: &str, fault: (Fault, usize), log: &Path) -> Met {
        let (fault, step) = fault;
        let output = self.command(folder, line, fault.name(), step, log).output();
        let step = std::fs::read_to_string(log).unwrap_or_default();
        let step = step.split_once(' ').map(|(kind, path)| {
            let kind = kind.chars().next().unwrap_or('?');
            (kind, path.trim_start_matches('/').to_owned())
        });
        Met {
            output: output.unwrap(),
            step,
        }
    }

    fn command(&self, folder: &Path, line: &str, mode: &str, step: usize, log: &Path) -> Command {
        let mut command = command(folder, line);
        command.env("LD_PRELOAD", &self.library);
        command.env("CENTO_DISK_ROOT", folder.canonicalize().unwrap());
        command
            .env("CENTO_DISK_MODE", mode)
            .env("CENTO_DISK_LOG", log);
        command.env("CENTO_DISK_STEP", step.to_string());
        command
    }
}

/// A command line of the program in a folder, on a sound disk.
pub(crate) fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder).args(line.split_whitespace());
    command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
    command.stdin(Stdio::null());
    command
}
