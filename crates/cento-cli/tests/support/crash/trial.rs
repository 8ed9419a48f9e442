//! One command, stopped at one step.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::disk::{Disk, Fault, Met, command};
use super::power::{Before, Recorded, Unsynced};
use super::scenarios::{Again, Scenario, write_documents};
use super::state::State;

/// Where a command is stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Point {
    /// A fault at the n-th step.
    Fault(Fault, usize),
    /// A power cut after so many steps; the number chooses what of the rest is there.
    Power(Unsynced, usize, u64),
}

/// A command that was run once without faults, and what there was before and after.
pub(crate) struct Prepared {
    pub(crate) scenario: &'static Scenario,
    start: PathBuf,
    before: State,
    after: State,
    recorded: Recorded,
}

/// How a command ended.
enum End {
    /// It was killed, or the power failed.
    Stopped,
    /// It said that all is done.
    Well,
    /// It said that it could not.
    Badly,
}

impl Prepared {
    /// Makes what there is before a command, in a folder, and runs it in another one.
    pub(crate) fn new(scenario: &'static Scenario, disk: &Disk, folder: &Path) -> Prepared {
        let [start, whole, log] = ["start", "whole", "log"].map(|name| folder.join(name));
        fs::create_dir_all(&start).unwrap();
        write_documents(&start);
        for line in scenario.before {
            expect_well(&command(&start, line).output().unwrap(), line);
        }
        let before = State::of(&start, scenario.registries);
        copy(&start, &whole);
        let tree = Before::of(&whole);
        let (output, log) = disk.record(&whole, scenario.command, &log);
        expect_well(&output, scenario.command);
        assert!(
            !log.is_empty(),
            "nothing is seen of what the program does: is it linked statically?"
        );
        let after = State::of(&whole, scenario.registries);
        let nothing: Vec<String> = Vec::new();
        assert_eq!(before.faults, nothing, "{}", scenario.name);
        assert_eq!(after.faults, nothing, "{}", scenario.name);
        assert_eq!(after.left(&before, &after), nothing, "{}", scenario.name);
        fs::remove_dir_all(&whole).unwrap();
        Prepared {
            scenario,
            start,
            before,
            after,
            recorded: tree.then(&log),
        }
    }

    pub(crate) fn steps(&self) -> usize {
        self.recorded.steps()
    }

    /// Stops the command at a point, in a folder of its own; says what is wrong then.
    pub(crate) fn attempt(&self, point: Point, disk: &Disk, folder: &Path) -> Vec<String> {
        let case = folder.join("case");
        let (what, end, mut wrong) = match point {
            Point::Fault(fault, step) => {
                copy(&self.start, &case);
                let line = self.scenario.command;
                let met = disk.fail(&case, line, (fault, step), &folder.join("log"));
                let what = format!("{fault:?} at step {step}, {:?}", met.step);
                let (end, wrong) = ended(&met, fault);
                (what, end, wrong)
            }
            Point::Power(unsynced, after, seed) => {
                self.recorded.cut(after, unsynced, seed, &case);
                let end = if after == self.recorded.steps() {
                    End::Well
                } else {
                    End::Stopped
                };
                let what = format!("power cut after step {after}, {unsynced:?} {seed}");
                (what, end, Vec::new())
            }
        };
        wrong.extend(self.judge(&case, &end));
        fs::remove_dir_all(folder).unwrap();
        let name = self.scenario.name;
        wrong
            .iter()
            .map(|wrong| format!("{name}: {what}: {wrong}"))
            .collect()
    }

    fn judge(&self, case: &Path, end: &End) -> Vec<String> {
        let Prepared {
            scenario,
            before,
            after,
            ..
        } = self;
        let mut wrong = Vec::new();
        let state = State::of(case, scenario.registries);
        let mut left = state.left(before, after);
        // Of an empty folder nothing has to be said.
        left.retain(|name| !name.ends_with('/'));
        let may_be = match end {
            End::Well => None,
            End::Stopped | End::Badly => Some(before),
        };
        wrong.extend(state.differences(may_be, after));
        let again = command(case, scenario.command).output().unwrap();
        let mut said = String::from_utf8_lossy(&again.stderr).into_owned();
        let is_refused = !again.status.success();
        match scenario.again {
            _ if !is_refused => {}
            Again::Refused(words) | Again::RefusedThen(words, _) if said.contains(words) => {
                wrong.extend(
                    state
                        .differences(None, after)
                        .into_iter()
                        .map(|difference| format!("refused although it is not done: {difference}")),
                );
            }
            _ => wrong.push(format!("running it again: {said}")),
        }
        if let (Again::RefusedThen(_, next), true) = (scenario.again, is_refused) {
            let output = command(case, next).output().unwrap();
            said += &String::from_utf8_lossy(&output.stderr);
            if !output.status.success() {
                wrong.push(format!("the next command: {said}"));
            }
        }
        let last = State::of(case, scenario.registries);
        let differences = last.differences(None, after);
        wrong.extend(
            differences
                .iter()
                .map(|wrong| format!("after running it again: {wrong}")),
        );
        let still = last.left(after, after);
        if !still.is_empty() {
            wrong.push(format!("nobody removes {}", still.join(", ")));
        }
        let is_said = said.contains("interrupted") || said.contains("going on with the work");
        if !left.is_empty() && !is_said {
            wrong.push(format!(
                "nobody says that {} was left: {said}",
                left.join(", ")
            ));
        }
        wrong
    }
}

/// How a command ended, and what is wrong about that.
fn ended(met: &Met, fault: Fault) -> (End, Vec<String>) {
    let Output { status, stderr, .. } = &met.output;
    let said = String::from_utf8_lossy(stderr);
    let mut wrong = Vec::new();
    if said.contains("panicked") {
        wrong.push(format!("a panic: {said}"));
    }
    match status.code() {
        None if matches!(fault, Fault::Kill | Fault::Torn) => (End::Stopped, wrong),
        None => (End::Stopped, vec![format!("it died: {status}")]),
        Some(0) => (End::Well, wrong),
        Some(_) => {
            let path = met.step.as_ref().map_or("", |(_, path)| path.as_str());
            let mut parts = path.split('/').filter(|part| !part.is_empty());
            let is_named = |part: &str| said.contains(plain(part));
            // On a full disk the program may come to know of it later.
            let is_elsewhere = fault == Fault::Full && said.contains(" device");
            // What is called by a number is not what people know.
            let is_known = !path.is_empty() && !path.starts_with(".cento-");
            if is_known && !parts.any(is_named) && !is_elsewhere {
                wrong.push(format!("it does not say where the disk failed: {said}"));
            }
            (End::Badly, wrong)
        }
    }
}

/// A name without what it has only while a file is written.
fn plain(name: &str) -> &str {
    let name = name.trim_start_matches('.').trim_end_matches(".new");
    name.trim_end_matches(".part")
}

fn expect_well(output: &Output, line: &str) {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
