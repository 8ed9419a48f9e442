//! One line of JSON per event on standard error; never a text, a file name or a secret.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};

use crate::config::Logging;

/// Whether only what goes wrong is written.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// Settles what is written, for the whole process.
pub(crate) fn settle(logging: Logging) {
    IS_QUIET.store(logging == Logging::Faults, Ordering::Relaxed);
}

/// Something happened.
pub(crate) fn event(event: &str, fields: Value) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        write(event, fields);
    }
}

fn write(event: &str, fields: Value) {
    let mut line = Map::new();
    line.insert("time".to_owned(), json!(crate::time::now_exact()));
    line.insert("event".to_owned(), json!(event));
    if let Value::Object(fields) = fields {
        line.extend(fields);
    }
    // Nobody listening is no reason to fail.
    let _ = writeln!(std::io::stderr().lock(), "{}", Value::Object(line));
}

/// Something failed that should not.
pub(crate) fn fault(what: &str, cause: &dyn std::fmt::Display) {
    write("fault", json!({"what": what, "cause": cause.to_string()}));
}
