//! What the tests of `cento dedupe` have in common.
#![allow(dead_code, reason = "no test needs everything")]

use serde_json::Value;
use tempfile::TempDir;

/// A text of numbered words.
pub(crate) fn text(from: usize, words: usize) -> String {
    let word = |n: usize| format!("word{n}");
    (from..from + words).map(word).collect::<Vec<_>>().join(" ")
}

/// Writes lines.
pub(crate) fn write(folder: &TempDir, name: &str, lines: &[String]) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

/// The text of a file.
#[track_caller]
pub(crate) fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap()
}

/// The objects of a file of JSON lines.
pub(crate) fn json_lines(folder: &TempDir, name: &str) -> Vec<Value> {
    let all = read(folder, name);
    let rows = all.lines().map(|line| serde_json::from_str(line).unwrap());
    rows.collect()
}

fn run(folder: &TempDir, line: &str) -> std::process::Output {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder.path()).args(line.split(' '));
    command.output().unwrap()
}

/// Runs a command that reads these lines from standard input.
pub(crate) fn piped(folder: &TempDir, line: &str, lines: &[String]) -> std::process::Output {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder.path()).args(line.split(' '));
    command.write_stdin(lines.join("\n") + "\n");
    command.output().unwrap()
}

/// What a command prints that succeeds.
#[track_caller]
pub(crate) fn ok(folder: &TempDir, line: &str) -> String {
    let output = run(folder, line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says that fails.
#[track_caller]
pub(crate) fn fails(folder: &TempDir, line: &str) -> String {
    let output = run(folder, line);
    assert_eq!(output.status.code(), Some(2), "{line}");
    String::from_utf8(output.stderr).unwrap()
}
