//! `cento watch`, killed at any moment while documents arrive and reports are due: in the end each
//! document is registered once and reported once, with what it shares.
//!
//! Ten kills in the usual run; `CENTO_LONG=1` for two hundred.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/numbers.rs"]
mod numbers;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use numbers::Numbers;
use serde_json::Value;

/// Both as a service and as cron does it.
const WATCH: &str = "watch inbox --settle 1s --report-at 00:00 --reports reports";
const AS_CRON: &str = "--once";
const AS_SERVICE: &str = "--every 1s";

struct Office {
    folder: tempfile::TempDir,
    numbers: Numbers,
    /// How many pairs of an essay and its copy have come.
    pairs: u64,
    /// How many processes wrote what they said into files.
    runs: u32,
}

/// When a process is killed.
enum Moment {
    /// So long after its start.
    After(Duration),
    /// When so many files have been registered and moved on.
    Registered(usize),
    /// When a report is under way, and so long after that.
    Reporting(Duration),
}

impl Office {
    fn new() -> Office {
        let office = Office {
            folder: tempfile::tempdir().unwrap(),
            numbers: Numbers(20_261_118),
            pairs: 0,
            runs: 0,
        };
        fs::create_dir(office.path("inbox")).unwrap();
        fs::create_dir(office.path("said")).unwrap();
        office.ok("registry init");
        office
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command.args(line.split(' '));
        command.env_remove("CENTO_KEY").env_remove("CENTO_REGISTRY");
        command
    }

    fn ok(&self, line: &str) -> String {
        let output = self.command(line).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// An essay and one that has half of it, complete since long ago.
    fn arrive(&mut self) {
        let number = self.pairs;
        self.pairs += 1;
        let words = |start: u64| -> Vec<String> {
            (start..start + 150)
                .map(|word| format!("w{number}x{word}"))
                .collect()
        };
        let copy = [&words(75)[..75], &words(1000)[..75]].concat();
        for (name, words) in [("essay", words(0)), ("copy", copy)] {
            // Written elsewhere: nobody sees half of it.
            let text = self.path("being-written");
            fs::write(&text, words.join(" ")).unwrap();
            let file = File::options().write(true).open(&text).unwrap();
            let before = SystemTime::now() - Duration::from_mins(1);
            file.set_modified(before).unwrap();
            fs::rename(text, self.path(&format!("inbox/{number:03}-{name}.txt"))).unwrap();
        }
    }

    /// As if the latest report had been made days ago.
    fn let_days_pass(&self) {
        let note = self.path("inbox/done/last-report");
        fs::write(note, "2026-01-01T00:00:00Z\n").unwrap();
    }

    fn start(&mut self, how: &str) -> Child {
        self.runs += 1;
        let said = File::create(self.path(&format!("said/{}", self.runs))).unwrap();
        let mut command = self.command(&format!("{WATCH} {how}"));
        command.stdout(said).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Starts a process and kills it, unless it has come to its end before.
    fn round(&mut self, how: &str, moment: &Moment) -> bool {
        let mut child = self.start(how);
        let start = Instant::now();
        let mut reporting = None;
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{how} failed by itself");
                return false;
            }
            let now = Instant::now();
            let is_now = match moment {
                Moment::After(time) => now - start >= *time,
                Moment::Registered(files) => {
                    names(&self.path("inbox/done/waiting")).len() >= *files
                }
                Moment::Reporting(time) => {
                    if !names(&self.path("inbox/done/reporting")).is_empty() {
                        reporting.get_or_insert(now);
                    }
                    reporting.is_some_and(|since| now - since >= *time)
                }
            };
            // A service that has done all there is to do goes on waiting.
            if is_now || now - start > Duration::from_secs(3) {
                child.kill().unwrap();
                child.wait().unwrap();
                return true;
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// The documents that were verified in reports, and the pairs of an essay and its copy, with how
    /// many reports have them.
    fn reported(&self) -> (BTreeMap<String, u32>, BTreeMap<[String; 2], u32>) {
        let (mut documents, mut pairs) = (BTreeMap::new(), BTreeMap::new());
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        for name in names(&self.path("reports")) {
            let path = self.path("reports").join(name);
            if path.extension().is_none_or(|end| end != "json") {
                continue;
            }
            let report = fs::read(path).unwrap();
            let report: Value = serde_json::from_slice(&report).unwrap();
            let of = |list: &str| report[list].as_array().unwrap().clone();
            for document in of("documents") {
                if document["registered"].is_null() {
                    *documents.entry(text(&document["id"])).or_default() += 1;
                }
            }
            for pair in of("pairs") {
                let ends = ["left", "right"].map(|side| text(&pair[side]));
                *pairs.entry(ends).or_default() += 1;
            }
        }
        (documents, pairs)
    }

    fn check(&self) {
        let expected: BTreeSet<String> = (0..self.pairs)
            .flat_map(|number| ["copy", "essay"].map(|name| format!("{number:03}-{name}.txt")))
            .collect();
        let once: BTreeMap<String, u32> = expected.iter().map(|id| (id.clone(), 1)).collect();
        // Each is registered once, in one version.
        self.ok("registry check");
        let mut registered: BTreeMap<String, u32> = BTreeMap::new();
        for line in self.ok("registry list --json").lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            assert_eq!(entry["version"], 1, "{line}");
            let id = entry["id"].as_str().unwrap().to_owned();
            *registered.entry(id).or_default() += 1;
        }
        assert_eq!(registered, once, "registered");
        // Each is in one place, and nothing is left on the way.
        assert_eq!(names(&self.path("inbox")), ["done"]);
        let mut places = BTreeMap::new();
        for folder in names(&self.path("inbox/done")) {
            for file in names(&self.path("inbox/done").join(&folder)) {
                assert!(folder.starts_with("20"), "{file} is in {folder}");
                *places.entry(file).or_default() += 1;
            }
        }
        assert_eq!(places, once, "put by");
        // Each is in one report, and each find is told there.
        let (documents, pairs) = self.reported();
        assert_eq!(documents, once, "reported");
        for number in 0..self.pairs {
            let [essay, copy] = ["essay", "copy"].map(|name| format!("{number:03}-{name}.txt"));
            let find = [copy, format!("registry:{essay}")];
            assert_eq!(pairs.get(&find), Some(&1), "{find:?}");
        }
        assert!(pairs.values().all(|count| *count == 1), "{pairs:?}");
        // Something was said of every file, more than once only after a kill.
        let mut said: BTreeSet<String> = BTreeSet::new();
        for run in names(&self.path("said")) {
            let text = fs::read_to_string(self.path("said").join(run)).unwrap();
            let mut names: Vec<&str> = text
                .lines()
                .filter_map(|line| line.split_once(": registered"))
                .map(|(name, _)| name)
                .collect();
            said.extend(names.iter().map(|name| (*name).to_owned()));
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all, "said twice by one run: {text}");
        }
        assert_eq!(said, expected, "said");
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_watch_that_is_killed_registers_and_reports_everything_once() {
    let is_long = std::env::var_os("CENTO_LONG").is_some();
    let kills = if is_long { 200 } else { 10 };
    let mut office = Office::new();
    // How long a whole run takes is not known before.
    let start = Instant::now();
    office.arrive();
    assert!(office.start(AS_CRON).wait().unwrap().success());
    let usual = u64::try_from(start.elapsed().as_micros()).unwrap();
    let (mut killed, mut round) = (0, 0);
    while killed < kills {
        office.arrive();
        round += 1;
        if round % 3 == 0 {
            office.let_days_pass();
        }
        let any = Duration::from_micros(office.numbers.below(usual * 6 / 5));
        let waiting = names(&office.path("inbox/done/waiting")).len();
        let (how, moment) = match round % 4 {
            0 => (AS_SERVICE, Moment::Registered(waiting + 1)),
            3 => (AS_CRON, Moment::Reporting(any / 8)),
            _ => (AS_CRON, Moment::After(any)),
        };
        killed += u32::from(office.round(how, &moment));
        // Not so many that verifying them becomes the whole work.
        assert!(round < kills * 4, "{killed} of {round} rounds were killed");
    }
    assert!(office.start(AS_CRON).wait().unwrap().success());
    office.let_days_pass();
    assert!(office.start(AS_CRON).wait().unwrap().success());
    office.check();
}
