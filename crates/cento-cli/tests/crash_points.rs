//! Every command that writes, stopped at every step: killed, killed in the middle of a write, on a disk
//! that fails once, on a disk that is full, and by a power cut. What is there afterwards is the state
//! before or the state after; it is sound; the same command can be run again; and nothing is left over.
//!
//! A sample of the steps in the usual run, the same in every run; all of them with `CENTO_LONG=1`.
//! `CENTO_CRASH=forget` tries the commands whose names begin so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/crash/mod.rs"]
mod crash;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crash::Numbers;
use crash::disk::{Disk, Fault};
use crash::power::Unsynced;
use crash::scenarios;
use crash::trial::{Point, Prepared};

/// How many points of each command are tried in the usual run, for each fault and for power cuts.
const SAMPLE: usize = 4;

#[test]
fn a_command_that_is_stopped_anywhere_leaves_the_state_before_or_after() {
    let folder = tempfile::tempdir().unwrap();
    let disk = Disk::new(folder.path());
    let is_long = std::env::var_os("CENTO_LONG").is_some();
    let only = std::env::var("CENTO_CRASH").unwrap_or_default();
    let mut tried = 0;
    let mut violations = Vec::new();
    for (place, scenario) in scenarios::ALL.iter().enumerate() {
        if !scenario.name.starts_with(&only) {
            continue;
        }
        let start = Instant::now();
        let at = folder.path().join(place.to_string());
        let prepared = Prepared::new(scenario, &disk, &at);
        let points = points(&prepared, is_long);
        let wrong = try_all(&prepared, &points, &disk, &at);
        println!(
            "{:26} {:4} steps, {:5} points, {} violations, {:.1} s",
            scenario.name,
            prepared.steps(),
            points.len(),
            wrong.len(),
            start.elapsed().as_secs_f64()
        );
        for wrong in &wrong {
            println!("  {wrong}");
        }
        tried += points.len();
        violations.extend(wrong);
        std::fs::remove_dir_all(&at).unwrap();
    }
    println!("{tried} points, {} violations", violations.len());
    assert_eq!(violations.len(), 0, "{}", violations.join("\n\n"));
}

/// Where a command is stopped: everywhere, or at a few steps.
fn points(prepared: &Prepared, is_long: bool) -> Vec<Point> {
    let steps = prepared.steps();
    let seed = |step: usize| u64::try_from(step).unwrap();
    let mut numbers = Numbers::new(20_261_117);
    let mut points = Vec::new();
    let mut add = |all: Vec<Point>, count: usize| {
        if is_long {
            points.extend(all);
            return;
        }
        let most = u64::try_from(all.len()).unwrap();
        let any = (0..count).map(|_| all[usize::try_from(numbers.below(most)).unwrap()]);
        points.extend(any);
    };
    for fault in Fault::ALL {
        let all = (1..=steps).map(|step| Point::Fault(fault, step)).collect();
        add(all, SAMPLE);
    }
    let mut all = Vec::new();
    for step in 0..steps {
        all.extend(Unsynced::ALL.map(|unsynced| Point::Power(unsynced, step, seed(step))));
    }
    add(all, SAMPLE);
    // What was acknowledged is the most important.
    let acknowledged = Unsynced::ALL.map(|unsynced| Point::Power(unsynced, steps, seed(steps)));
    points.extend(acknowledged);
    points
}

/// Tries points on all cores; says what is wrong.
fn try_all(
    prepared: &Prepared,
    points: &[Point],
    disk: &Disk,
    folder: &std::path::Path,
) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let violations = Mutex::new(Vec::new());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(point) = points.get(number) else {
                return;
            };
            let wrong = prepared.attempt(*point, disk, &folder.join(format!("point-{number}")));
            violations.lock().unwrap().extend(wrong);
        }
    };
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let mut violations = violations.into_inner().unwrap();
    violations.sort();
    violations
}
