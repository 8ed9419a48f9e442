//! Results go to standard output, everything else to standard error.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use cento_report::{Paint, Screen};

/// Whether only results and errors are printed. It is about the whole process, and whoever has
/// something to say need not know of it.
static IS_QUIET: AtomicBool = AtomicBool::new(false);

/// From now on only results and errors are printed.
pub(crate) fn be_quiet() {
    IS_QUIET.store(true, Ordering::Relaxed);
}

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

/// What results are shown on.
pub(crate) fn screen() -> Screen {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return Screen::FILE;
    }
    let size = terminal_size::terminal_size_of(&stdout);
    Screen {
        paint: if has_colours() {
            Paint::Colour
        } else {
            Paint::Plain
        },
        width: Some(size.map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0).max(1))),
    }
}

/// Of a terminal that does not say how wide it is.
const USUAL_WIDTH: usize = 80;

/// Whether the one at the terminal has nothing against colours (no-color.org).
fn has_colours() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    !is_set("NO_COLOR") && !is_dumb
}

/// Tells a person something, unless they want it quiet.
pub(crate) fn message(text: &str) {
    if !IS_QUIET.load(Ordering::Relaxed) {
        error(text);
    }
}

/// Tells a person what went wrong. Nobody listening is no reason to fail.
pub(crate) fn error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Whether the reader of our output has simply seen enough.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
