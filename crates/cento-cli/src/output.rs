//! Results go to standard output, everything else to standard error.

use std::io::{self, Write as _};

use anyhow::Result;

/// Writes a result.
pub(crate) fn result(text: &str) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    Ok(())
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
