//! A registry whose writer is killed at any moment: it opens, passes its check, holds everything that
//! was acknowledged, and nothing half done.
//!
//! Ten times in the usual run; `CENTO_KILLS=1000` for as often as that.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/numbers.rs"]
mod numbers;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use numbers::Numbers;

const KEY: &str = "101112131415161718191a1b1c1d1e1f";

fn cento(folder: &Path, arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder).args(arguments);
    command.env("CENTO_KEY", KEY).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// What an operation changes if it comes to its end.
enum Change {
    Adds(Vec<String>),
    Removes(String),
    Nothing,
}

struct Rounds {
    folder: tempfile::TempDir,
    numbers: Numbers,
    /// How long each kind of operation takes that is not killed.
    usual: [Duration; 4],
    /// The ids that are registered.
    there: BTreeSet<String>,
    next: u64,
    killed: u32,
}

impl Rounds {
    fn new() -> Rounds {
        let folder = tempfile::tempdir().unwrap();
        let made = cento(folder.path(), &words("registry init --retain spans")).status();
        assert!(made.unwrap().success());
        Rounds {
            folder,
            numbers: Numbers(20_260_301),
            usual: [Duration::from_millis(100); 4],
            there: BTreeSet::new(),
            next: 0,
            killed: 0,
        }
    }

    /// An operation and what it changes.
    fn operation(&mut self) -> (usize, Vec<String>, Change) {
        let any = self.numbers.below(10);
        let registered = u64::try_from(self.there.len()).unwrap();
        match any {
            // Not so many that checking them becomes the whole work.
            _ if registered > 100 => self.forget(),
            0 | 1 if registered > 3 => self.forget(),
            2 | 3 => (2, words("registry compact"), Change::Nothing),
            4 => {
                let into = format!("merged-{}", self.next);
                self.next += 1;
                let line = format!("registry merge registry registry --into {into}");
                (3, words(&line), Change::Nothing)
            }
            _ => {
                let mut ids = Vec::new();
                for _ in 0..=self.numbers.below(4) {
                    let id = format!("d{}.txt", self.next);
                    self.next += 1;
                    let text = self.text();
                    std::fs::write(self.folder.path().join(&id), text).unwrap();
                    ids.push(id);
                }
                let line = format!("register {}", ids.join(" "));
                (0, words(&line), Change::Adds(ids))
            }
        }
    }

    fn forget(&mut self) -> (usize, Vec<String>, Change) {
        let registered = u64::try_from(self.there.len()).unwrap();
        let place = usize::try_from(self.numbers.below(registered)).unwrap();
        let id = self.there.iter().nth(place).unwrap().clone();
        (1, words(&format!("forget {id}")), Change::Removes(id))
    }

    fn text(&mut self) -> String {
        let topic = self.numbers.below(5);
        let length = 200 + self.numbers.below(3000);
        let mut word = |place: u64| {
            let word = if place % 100 < 50 {
                topic * 1000 + place
            } else {
                self.numbers.below(50_000)
            };
            format!("w{word}")
        };
        (0..length).map(&mut word).collect::<Vec<_>>().join(" ")
    }

    /// Runs an operation and kills it after a while, unless it was faster.
    fn round(&mut self) {
        let (kind, arguments, change) = self.operation();
        let usual = u64::try_from(self.usual[kind].as_micros()).unwrap();
        let patience = Duration::from_micros(self.numbers.below(usual * 6 / 5 + 1000));
        let start = Instant::now();
        let mut child = cento(self.folder.path(), &arguments).spawn().unwrap();
        let mut ended = None;
        while ended.is_none() && start.elapsed() < patience {
            std::thread::sleep(Duration::from_micros(300));
            ended = child.try_wait().unwrap();
        }
        let status = ended.unwrap_or_else(|| {
            let _ = child.kill();
            child.wait().unwrap()
        });
        let what = arguments.join(" ");
        let found = self.listed(&what);
        if status.success() {
            self.usual[kind] = start.elapsed();
            match &change {
                Change::Adds(ids) => self.there.extend(ids.iter().cloned()),
                Change::Removes(id) => drop(self.there.remove(id)),
                Change::Nothing => {}
            }
            assert_eq!(found, self.there, "{what} was acknowledged");
        } else {
            assert_eq!(status.code(), None, "{what} failed by itself");
            self.killed += 1;
            let mut done = self.there.clone();
            match change {
                Change::Adds(ids) => done.extend(ids),
                Change::Removes(id) => drop(done.remove(&id)),
                Change::Nothing => {}
            }
            assert!(found == self.there || found == done, "{what} is half done");
            self.there = found;
            // How long it takes was guessed too high or is still unknown.
            self.usual[kind] = self.usual[kind] * 21 / 20;
        }
    }

    /// The ids in the registry, after a check.
    fn listed(&self, after: &str) -> BTreeSet<String> {
        let run = |line: &str| {
            let mut command = cento(self.folder.path(), &words(line));
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let output = command.output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line} after {after}: {errors}");
            String::from_utf8(output.stdout).unwrap()
        };
        run("registry check");
        let list = run("registry list");
        let id = |line: &str| line.split("  ").next().unwrap().to_owned();
        list.lines().map(id).collect()
    }
}

#[test]
fn killed_writers_lose_nothing_that_was_acknowledged() {
    let kills = std::env::var("CENTO_KILLS").ok();
    let kills: u32 = kills.map_or(10, |kills| kills.parse().unwrap());
    let mut rounds = Rounds::new();
    while rounds.killed < kills {
        rounds.round();
    }
    // What was left lying about is gone after the next writer.
    let compacted = cento(rounds.folder.path(), &words("registry compact")).status();
    assert!(compacted.unwrap().success());
    let segments = rounds.folder.path().join("registry/segments");
    // Of digests and of stretches.
    assert_eq!(std::fs::read_dir(segments).unwrap().count(), 2);
}
