//! `cento serve` as people start it, for tests.

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The program under test, in a folder.
pub(crate) fn cento(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("CENTO_KEY")
        .env_remove("CENTO_REGISTRY");
    command
}

/// Runs a command that must succeed; what it printed.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> String {
    let done = cento(folder, arguments).output().unwrap();
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {error}");
    String::from_utf8(done.stdout).unwrap()
}

/// Starts a server; gives it and the address that it prints.
pub(crate) fn serve(folder: &Path) -> (Child, String) {
    let mut child = cento(folder, &["serve", "--listen", "127.0.0.1:0", "--quiet"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = child.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    (child, line.trim().to_owned())
}

/// The token of a new account that may do everything.
pub(crate) fn admin_token(folder: &Path) -> String {
    run(folder, &["serve", "user", "add", "anna", "--role", "admin"]);
    run(folder, &["serve", "user", "token", "anna"])
        .trim()
        .to_owned()
}

/// Where a printed address is.
pub(crate) fn address(page: &str) -> SocketAddr {
    let host = page.strip_prefix("http://").unwrap();
    host.split('/').next().unwrap().parse().unwrap()
}
