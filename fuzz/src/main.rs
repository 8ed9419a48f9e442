//! Tries broken inputs for a while, or one of them again.
//!
//! ```text
//! cento-fuzz SECONDS SEED FOLDER      all targets, each for its share of the time
//! cento-fuzz TARGET FILE              one input again
//! ```
//!
//! The input at hand is in FOLDER while it is tried: if the process is killed, it is still there.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use cento_fuzz::{Target, targets};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell(&format!("{error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [seconds, seed, folder] => {
            let seconds: f64 = seconds.parse().context("SECONDS")?;
            let seconds = Duration::try_from_secs_f64(seconds).context("SECONDS")?;
            try_all(seconds, seed.parse().context("SEED")?, Path::new(folder))
        }
        [target, file] => again(target, Path::new(file)),
        _ => bail!("usage: cento-fuzz SECONDS SEED FOLDER, or cento-fuzz TARGET FILE"),
    }
}

fn try_all(time: Duration, seed: u64, folder: &Path) -> Result<()> {
    // A failure is told with its input; panics that parsers catch are nobody's business.
    std::panic::set_hook(Box::new(|_| {}));
    fs::create_dir_all(folder)?;
    let targets = targets();
    let share = time / u32::try_from(targets.len())?;
    let mut failures = 0;
    for target in &targets {
        failures += u32::from(!try_one(target, share, seed, folder)?);
    }
    if failures > 0 {
        bail!("{failures} of {} targets fail", targets.len());
    }
    Ok(())
}

/// Whether everything holds.
fn try_one(target: &Target, time: Duration, seed: u64, folder: &Path) -> Result<bool> {
    let until = Instant::now() + time;
    let mut number = 0;
    while Instant::now() < until {
        let (name, input) = target.input(seed, number);
        let file = folder.join(format!("{}-{seed}-{name}", target.name));
        fs::write(&file, &input)?;
        if let Err(reason) = target.check(name, &input) {
            let kept = folder.join(format!("{}-{seed}-{number}-{name}", target.name));
            fs::rename(&file, &kept)?;
            tell(&format!(
                "{}: {reason}\n  input {number}: {}",
                target.name,
                kept.display()
            ));
            return Ok(false);
        }
        fs::remove_file(&file)?;
        number += 1;
    }
    tell(&format!("{}: {number} inputs", target.name));
    Ok(true)
}

fn again(name: &str, file: &Path) -> Result<()> {
    let targets = targets();
    let target = targets.iter().find(|target| target.name == name);
    let target = target.with_context(|| format!("no target {name}"))?;
    let input = fs::read(file)?;
    // The name of the sound input is the last part of the file's.
    let own = file.file_name().unwrap_or_default().to_string_lossy();
    let own = own.rsplit('-').next().unwrap_or_default();
    match target.check(own, &input) {
        Ok(()) => tell("everything holds"),
        Err(reason) => bail!("{reason}"),
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "that is what it is for")]
fn tell(line: &str) {
    println!("{line}");
}
