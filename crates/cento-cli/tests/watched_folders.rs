//! `cento watch`: what arrives is registered and verified once, whatever happens in between, and a
//! report says each night what came.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

struct Office {
    folder: TempDir,
}

impl Office {
    fn new() -> Office {
        let folder = tempfile::tempdir().unwrap();
        let office = Office { folder };
        std::fs::create_dir(office.inbox()).unwrap();
        let init = office.run(&["registry", "init"]);
        assert!(init.2, "{}", init.1);
        office
    }

    fn inbox(&self) -> PathBuf {
        self.folder.path().join("inbox")
    }

    fn arrive(&self, name: &str, text: &str) {
        std::fs::write(self.inbox().join(name), text).unwrap();
    }

    /// What a command prints and says, and whether it succeeds.
    fn run(&self, arguments: &[&str]) -> (String, String, bool) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        let output = command.current_dir(self.folder.path()).args(arguments);
        let output = output.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let errors = text(&output.stderr);
        assert!(!errors.contains("panicked"), "{errors}");
        (text(&output.stdout), errors, output.status.success())
    }

    /// One look, as cron does it.
    fn look(&self, more: &[&str]) -> (String, String) {
        let first = ["watch", "inbox", "--once", "--settle", "1s"];
        let (out, errors, ok) = self.run(&[&first, more].concat());
        assert!(ok, "{errors}");
        (out, errors)
    }

    fn registered(&self) -> Vec<String> {
        let (out, errors, ok) = self.run(&["registry", "list", "--json"]);
        assert!(ok, "{errors}");
        let lines = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines
            .map(|entry| entry["id"].as_str().unwrap().to_owned())
            .collect()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        names(&self.inbox().join(folder))
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn essay(number: usize) -> String {
    let words = (0..120).map(|word| format!("word{number}x{word}"));
    words.collect::<Vec<_>>().join(" ")
}

const NIGHTLY: [&str; 4] = ["--report-at", "00:00", "--reports", "reports"];

/// As if the latest report had been made days ago.
fn let_days_pass(office: &Office) {
    let file = office.inbox().join("done/last-report");
    std::fs::write(file, "2026-01-01T00:00:00Z\n").unwrap();
}

#[test]
fn what_arrives_is_registered_verified_and_reported_once() {
    let office = Office::new();
    office.arrive("anna.txt", &essay(1));
    office.arrive(".hidden.txt", &essay(8));
    office.arrive("half.txt.part", &essay(9));
    let (out, _) = office.look(&NIGHTLY);
    assert_eq!(out, "anna.txt: registered; nothing shared was found\n");
    assert_eq!(office.registered(), ["anna.txt"]);
    assert_eq!(office.names("done/waiting"), ["anna.txt"]);
    assert_eq!(office.names(""), [".hidden.txt", "done", "half.txt.part"]);

    office.arrive("copy.txt", &format!("{} {}", essay(1), essay(2)));
    let (out, _) = office.look(&NIGHTLY);
    assert_eq!(
        out,
        "copy.txt: registered; 50 % of copy.txt is in anna.txt\n"
    );
    assert!(
        names(&office.folder.path().join("reports")).is_empty(),
        "the night is to come"
    );

    let_days_pass(&office);
    let (out, errors) = office.look(&NIGHTLY);
    assert!(
        out.starts_with("report on 2 documents: reports/20"),
        "{out}{errors}"
    );
    let reports = names(&office.folder.path().join("reports"));
    let [page, data] = reports.as_slice() else {
        panic!("{reports:?}");
    };
    let night = page.strip_suffix(".html").unwrap();
    assert_eq!(*data, format!("{night}.json"));
    let data = std::fs::read(office.folder.path().join("reports").join(data)).unwrap();
    let report: Value = serde_json::from_slice(&data).unwrap();
    let pairs: Vec<[&str; 2]> = (report["pairs"].as_array().unwrap().iter())
        .map(|pair| ["left", "right"].map(|side| pair[side].as_str().unwrap()))
        .collect();
    // Each finds the other, and none finds itself.
    assert_eq!(pairs.len(), 2, "{pairs:?}");
    let is_other = |[left, right]: &[&str; 2]| right.strip_prefix("registry:") != Some(*left);
    assert!(pairs.iter().all(is_other), "{pairs:?}");
    assert!(office.names("done/waiting").is_empty());
    let day = page.trim_end_matches(".html");
    assert_eq!(
        office.names(&format!("done/{day}")),
        ["anna.txt", "copy.txt"]
    );
    // Nothing twice: not in the registry, not in a report.
    let_days_pass(&office);
    assert_eq!(office.look(&NIGHTLY).0, "");
    assert_eq!(names(&office.folder.path().join("reports")).len(), 2);
    assert_eq!(office.registered().len(), 2);
}

#[test]
fn what_fails_stays_is_said_once_and_is_tried_again_when_it_changes() {
    let office = Office::new();
    std::fs::write(
        office.inbox().join("photo.txt"),
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    )
    .unwrap();
    std::fs::create_dir(office.inbox().join("a folder")).unwrap();
    office.arrive("good.txt", &essay(1));
    let (out, errors) = office.look(&[]);
    assert_eq!(out, "good.txt: registered; nothing shared was found\n");
    assert!(errors.contains("photo.txt stays: "), "{errors}");
    assert!(
        errors.contains("a folder stays: it is a folder"),
        "{errors}"
    );
    // Cron sends a mail for every line.
    let (out, errors) = office.look(&["--quiet"]);
    assert_eq!((out.as_str(), errors.as_str()), ("", ""));
    assert_eq!(office.names(""), ["a folder", "done", "photo.txt"]);
    // The report says it every night.
    office.look(&NIGHTLY);
    let_days_pass(&office);
    office.look(&NIGHTLY);
    let reports = office.folder.path().join("reports");
    let data = names(&reports)
        .into_iter()
        .find(|name| name.ends_with("json"));
    let report = std::fs::read_to_string(reports.join(data.unwrap())).unwrap();
    let report: Value = serde_json::from_str(&report).unwrap();
    let skipped = report["skipped"].as_array().unwrap();
    let skipped: Vec<&str> = (skipped.iter())
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(skipped, ["a folder", "photo.txt"]);
    // What has become something else is said again.
    std::fs::remove_dir(office.inbox().join("a folder")).unwrap();
    office.look(&[]);
    std::fs::create_dir(office.inbox().join("a folder")).unwrap();
    let (_, errors) = office.look(&[]);
    assert!(errors.starts_with("a folder stays: "), "{errors}");
    office.arrive("photo.txt", &essay(2));
    assert!(office.look(&[]).0.contains("photo.txt: registered"));
}

/// The percentages of a line are those of every other surface: only all of it reads 100.
#[test]
fn a_line_says_what_is_shared_with_the_first_and_how_many_pairs_there_are() {
    let office = Office::new();
    office.arrive("anna.txt", &[essay(1), essay(2), essay(3)].join(" "));
    office.look(&[]);
    office.arrive("berta.txt", &essay(1));
    office.look(&[]);
    let whole = [essay(1), essay(2), essay(3)].join(" ");
    office.arrive("copy.txt", &format!("{whole} {}", "own"));
    let (out, _) = office.look(&[]);
    let said = "copy.txt: registered; 99 % of copy.txt is in anna.txt, and 1 more pair\n";
    assert_eq!(out, said);
}

/// As a kill leaves it at each step.
#[test]
fn a_kill_at_any_step_loses_nothing_and_does_nothing_twice() {
    let office = Office::new();
    office.look(&NIGHTLY);
    // Registered, and not moved yet.
    office.arrive("anna.txt", &essay(1));
    office.look(&NIGHTLY);
    let waiting = office.inbox().join("done/waiting/anna.txt");
    std::fs::rename(&waiting, office.inbox().join("anna.txt")).unwrap();
    let (out, _) = office.look(&NIGHTLY);
    assert_eq!(
        out,
        "anna.txt: registered already; nothing shared was found\n"
    );
    assert_eq!(office.registered(), ["anna.txt"]);
    // Taken for the report of a night that was not written.
    let reporting = office.inbox().join("done/reporting/2026-11-17");
    std::fs::create_dir(&reporting).unwrap();
    std::fs::rename(&waiting, reporting.join("anna.txt")).unwrap();
    let (out, _) = office.look(&NIGHTLY);
    assert!(out.contains("reports/2026-11-17.html"), "{out}");
    assert_eq!(office.names("done/2026-11-17"), ["anna.txt"]);
    // Written, and not moved yet: the same report again, in its own place.
    std::fs::rename(office.inbox().join("done/2026-11-17"), &reporting).unwrap();
    let page = office.folder.path().join("reports/2026-11-17.json");
    let before = std::fs::read(&page).unwrap();
    office.look(&NIGHTLY);
    assert_eq!(std::fs::read(&page).unwrap(), before);
    assert_eq!(names(&office.folder.path().join("reports")).len(), 2);
    assert_eq!(office.registered(), ["anna.txt"]);
}

#[test]
fn a_later_version_replaces_the_one_that_waits_and_no_file_is_lost() {
    let office = Office::new();
    office.arrive("scan.txt", &essay(1));
    office.look(&[]);
    office.arrive("scan.txt", &essay(2));
    assert!(office.look(&[]).0.starts_with("scan.txt: registered"));
    assert_eq!(office.names("done/waiting"), ["scan.txt"]);
    assert_eq!(office.names("done/replaced"), ["scan.txt"]);
}

#[test]
fn each_has_a_submitter_of_its_own() {
    let office = Office::new();
    office.arrive("novak_hw1.txt", &essay(1));
    office.arrive("odd.txt", &essay(2));
    let rule = [
        "--submitter-from",
        "{submitter}_*",
        "--id-prefix",
        "{submitter}/",
    ];
    let (out, errors) = office.look(&rule);
    assert!(out.starts_with("novak_hw1.txt: registered"), "{out}");
    assert!(
        errors.contains("odd.txt stays: nothing says whose it is"),
        "{errors}"
    );
    assert_eq!(office.registered(), ["novak/novak_hw1.txt"]);
    // The same on the way: what would be registered under whom.
    let preview = [
        "register",
        "inbox",
        "--submitter-from",
        "{submitter}.txt",
        "--preview",
    ];
    let (out, errors, ok) = office.run(&preview);
    assert!(ok && out.contains("odd.txt: odd\n"), "{out}{errors}");
    assert!(errors.contains("nothing is registered yet"), "{errors}");
    assert_eq!(office.registered().len(), 1);
    // An archive that cannot be opened is not an empty class.
    std::fs::write(office.folder.path().join("class.zip"), b"PK\x03\x04 broken").unwrap();
    let preview = [
        "register",
        "class.zip",
        "--submitter-from",
        "layout",
        "--preview",
    ];
    let (out, errors, ok) = office.run(&preview);
    assert!(!ok && out.is_empty(), "{out}{errors}");
    assert!(
        errors.contains("warning: class.zip skipped: ")
            && errors.contains("there is no document that could be registered"),
        "{errors}"
    );
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_said() {
    let office = Office::new();
    let elsewhere = office.folder.path().join("essay.txt");
    std::fs::write(&elsewhere, essay(1)).unwrap();
    std::os::unix::fs::symlink(&elsewhere, office.inbox().join("link.txt")).unwrap();
    let (out, errors) = office.look(&[]);
    assert_eq!(out, "");
    assert!(
        errors.contains("link.txt stays: it is a link, and only files are registered"),
        "{errors}"
    );
    assert!(office.registered().is_empty());
}

#[test]
fn slips_are_explained() {
    let office = Office::new();
    std::fs::write(office.folder.path().join("a file"), "").unwrap();
    for (arguments, said) in [
        (
            &["watch", "nowhere", "--once"][..],
            "there is no such folder",
        ),
        (
            &[
                "watch",
                "inbox",
                "--once",
                "--report-at",
                "25:00",
                "--reports",
                "r",
            ],
            "--report-at: 25:00 is not a time of the day such as 02:00",
        ),
        (
            &["watch", "inbox", "--once", "--settle", "soon"],
            "--settle",
        ),
        (
            &["watch", "inbox", "--once", "--submitter-from", "*"],
            "--submitter-from: * must be layout, or a pattern",
        ),
        (&["watch", "inbox", "--report-at", "02:00"], "--reports"),
        (
            &[
                "watch",
                "inbox",
                "--once",
                "--report-at",
                "02:00",
                "--reports",
                "./inbox/",
            ],
            "--reports: ./inbox/ is the folder that is watched; give another one",
        ),
        (
            &[
                "watch",
                "inbox",
                "--once",
                "--report-at",
                "02:00",
                "--reports",
                "a file",
            ],
            "--reports: a file is not a folder",
        ),
    ] {
        let (_, errors, ok) = office.run(arguments);
        assert!(!ok && errors.contains(said), "{errors}");
    }
    office.look(&[]);
    let mut lock = std::fs::File::options();
    let held = lock
        .write(true)
        .open(office.inbox().join("done/lock"))
        .unwrap();
    held.lock().unwrap();
    let (_, errors, ok) = office.run(&["watch", "inbox", "--once"]);
    assert!(
        !ok && errors.contains("another `cento watch` is at work there"),
        "{errors}"
    );
}
