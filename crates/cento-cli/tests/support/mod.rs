//! What the tests of the command line share.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// The program under test.
pub(crate) fn cento() -> Command {
    Command::new(env!("CARGO_BIN_EXE_cento"))
}

/// Runs a command on a folder that must succeed; what it printed, as JSON.
pub(crate) fn json(arguments: &[&str], folder: &Path) -> Value {
    let output = cento()
        .args(arguments)
        .arg(folder)
        .arg("--json")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(!errors.contains("panicked"), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}
