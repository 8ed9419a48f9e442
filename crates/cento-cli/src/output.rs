//! Results go to standard output, everything else to standard error.

use std::io::{self, IsTerminal as _, Write as _};

use anyhow::Result;

/// Writes a result.
pub(crate) fn result(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
}

/// Writes a result as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> Result<()> {
    result(&format!("{:#}\n", serde_json::to_value(value)?))
}

/// Whether results go to a terminal of somebody who has nothing against colours (no-color.org).
pub(crate) fn has_colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb
}

/// Tells a person something. Nobody listening is no reason to fail.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether the reader of our output has simply seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
