//! `--open`: a page in the browser of the person at the terminal.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};

use crate::output;

/// A new file in the temporary folder that nobody else can read: a report may have whole texts.
pub(super) fn temporary() -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("cento-{}", std::process::id()));
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder
        .create(&folder)
        .with_context(|| format!("--open: {}", folder.display()))?;
    Ok(folder.join("report.html"))
}

/// Shows a page. It is written by now, so a missing browser is no reason to fail.
pub(super) fn open(page: &Path) {
    show(page.as_os_str());
}

/// Shows a page that is served.
pub(crate) fn open_address(address: &str) {
    show(OsStr::new(address));
}

fn show(page: &OsStr) {
    let own = std::env::var_os("BROWSER").filter(|browser| !browser.is_empty());
    let (program, arguments): (_, &[&str]) = match (own, std::env::consts::OS) {
        (Some(browser), _) => (browser, &[]),
        (None, "macos") => ("open".into(), &[]),
        (None, "windows") => ("cmd".into(), &["/c", "start", ""]),
        (None, _) => ("xdg-open".into(), &[]),
    };
    let started = Command::new(program)
        .args(arguments)
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if started.is_err() {
        output::error(&format!(
            "no browser could be started; open {} yourself",
            page.display()
        ));
    }
}
