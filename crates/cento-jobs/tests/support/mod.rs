//! What the tests of jobs share.
#![allow(dead_code, reason = "no test needs everything")]

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use cento::index::registry::Retention;
use cento_jobs::registry::{RegistryOptions, init};
use cento_jobs::{Error, Event, Result, Watch};

/// Some words that are the same for the same number.
pub(crate) fn text(seed: u64, words: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut word = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        format!("w{:x}", state % 5000)
    };
    let words: Vec<String> = (0..words).map(|_| word()).collect();
    words.join(" ")
}

/// A new registry that keeps so much of each document.
pub(crate) fn new_registry(path: &Path, retention: Retention) -> RegistryOptions {
    let registry = RegistryOptions {
        registry: path.to_owned(),
        ..RegistryOptions::default()
    };
    let options = init::Options {
        registry: registry.clone(),
        retention,
        ..init::Options::default()
    };
    init::run(&options, &Watch::NOBODY).unwrap();
    registry
}

/// Files of a folder: a third of them copies of others, one that cannot be read.
pub(crate) fn write_class(folder: &Path, files: u64) {
    std::fs::create_dir_all(folder).unwrap();
    for number in 0..files {
        let own = text(number, 200);
        let content = match number % 3 {
            0 if number > 0 => format!("{} {own}", text(number - 1, 200)),
            _ => own,
        };
        std::fs::write(folder.join(format!("d{number:03}.txt")), content).unwrap();
    }
    std::fs::write(folder.join("broken.pdf"), "%PDF-1.7 nothing").unwrap();
}

/// Runs a job that is stopped after so many events; what it came to, and how many events there were.
pub(crate) fn stopped_after<T>(
    events: u64,
    job: impl FnOnce(&Watch<'_>) -> Result<T>,
) -> (Result<T>, u64) {
    let heard = AtomicU64::new(0);
    let tell = |_: Event| {
        heard.fetch_add(1, Ordering::SeqCst);
    };
    let stop = || heard.load(Ordering::SeqCst) >= events;
    let done = job(&Watch::new(&tell, &stop));
    (done, heard.load(Ordering::SeqCst))
}

/// Stops a job at many moments, from the first event to behind the last one: it must come to its end
/// or say that it was stopped, and `check` must find everything in order afterwards.
pub(crate) fn stop_anywhere<T>(
    mut job: impl FnMut(&Watch<'_>) -> Result<T>,
    mut check: impl FnMut(&Result<T>),
) {
    let (whole, events) = stopped_after(u64::MAX, &mut job);
    assert!(whole.is_ok(), "it cannot be done at all");
    check(&whole);
    let moments = (0..8).chain((1..12).map(|part| events * part / 12));
    let mut stopped = 0;
    for moment in moments {
        let (done, _) = stopped_after(moment, &mut job);
        match &done {
            Ok(_) => {}
            Err(Error::Stopped) => stopped += 1,
            Err(error) => panic!("stopped at {moment} of {events}: {}", error.sentence()),
        }
        check(&done);
    }
    assert!(stopped > 0, "nothing was stopped");
}

/// Every file below a folder, with its bytes.
pub(crate) fn contents(folder: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut all = std::collections::BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                all.insert(name, std::fs::read(&path).unwrap());
            }
        }
    }
    all
}
