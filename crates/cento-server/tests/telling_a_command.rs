//! `--on-event`: a command hears of finished jobs, of finds and of decisions, and can harm nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod support;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::{Form, Setup, text};

/// A server whose command is this script, which has a folder of its own as its argument.
fn telling(script: &str) -> (Setup, PathBuf) {
    let setup = Setup::new();
    let out = setup.folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let command = setup.folder.path().join("tell");
    std::fs::write(&command, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&command, std::fs::Permissions::from_mode(0o700)).unwrap();
    let words = [&command, &out].map(|path| path.to_str().unwrap().to_owned());
    let setup = setup.change(|config| config.on_event = words.to_vec());
    (setup, out)
}

fn form() -> Form {
    let text = text(1, 300);
    Form::of("pairwise")
        .field("name", "$(touch owned) `touch owned`; '\"")
        .file("a$(id).txt", text.as_bytes())
        .file("b.txt", text.as_bytes())
}

fn heard(out: &Path) -> Vec<Value> {
    let files = std::fs::read_dir(out).unwrap().flatten();
    let read = |entry: std::fs::DirEntry| std::fs::read(entry.path()).unwrap();
    let mut events: Vec<Value> = files
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "json"))
        .map(|entry| serde_json::from_slice(&read(entry)).unwrap())
        .collect();
    events.sort_by_key(ToString::to_string);
    events
}

#[test]
fn each_job_each_find_and_each_decision_is_told() {
    // Written beside and renamed, so that what is read is whole.
    let (setup, out) = telling("cat > \"$1/$$\" && mv \"$1/$$\" \"$1/$$.json\"");
    let server = setup.start();
    let who = server.open_page();
    let job = server.job(&who, &form());
    let id = job["id"].as_str().unwrap();
    let pair = json!({"left": "a$(id).txt", "right": "b.txt", "state": "find", "note": "x"});
    let body = json!({"pairs": [pair]});
    server
        .post_json(&format!("/api/v1/jobs/{id}/decisions"), &who, &body)
        .ok();
    // The server waits for its events when it stops.
    let folder = server.stop();
    let events = heard(&out);
    let of = |what: &str| events.iter().find(|event| event["event"] == what).unwrap();
    assert_eq!(events.len(), 3, "{events:?}");
    assert_eq!(
        of("job")["job"]["name"],
        "$(touch owned) `touch owned`; '\""
    );
    assert_eq!(of("job")["job"]["state"], "done");
    assert_eq!(of("find")["pair"]["right"], "b.txt");
    assert_eq!(of("find")["schema"], "cento.event/1");
    assert_eq!(of("decision")["who"], "(this machine)");
    assert!(!folder.path().join("owned").exists() && !PathBuf::from("owned").exists());
}

#[test]
fn a_command_that_fails_or_is_missing_harms_no_job() {
    for script in ["exit 3", "kill -9 $$"] {
        let (setup, _) = telling(script);
        let server = setup.start();
        let who = server.open_page();
        assert_eq!(server.job(&who, &form())["state"], "done");
    }
    let (setup, _) = telling("");
    let setup = setup.change(|config| config.on_event = vec!["/nowhere/at/all".to_owned()]);
    let server = setup.start();
    let who = server.open_page();
    assert_eq!(server.job(&who, &form())["state"], "done");
}

/// A job that is told once.
fn without_finds() -> Form {
    Form::of("pairwise")
        .file("a.txt", text(1, 300).as_bytes())
        .file("b.txt", text(2, 300).as_bytes())
}

/// Both processes that a script has named in files are gone, or are by and by.
fn are_gone(out: &Path) {
    for name in ["shell", "sleep"] {
        let pid = std::fs::read_to_string(out.join(name)).unwrap();
        let pid = pid.trim();
        let is_alive = || {
            let mut asking = Command::new("kill");
            let asked = asking.args(["-0", pid]).stderr(Stdio::null()).status();
            let is_there = asked.unwrap().success();
            let status = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // Whoever takes over what was left may collect it later.
            is_there && !status.contains(") Z ")
        };
        let end = Instant::now() + Duration::from_secs(20);
        while is_alive() {
            assert!(Instant::now() < end, "{name} is still there");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Starts something in the background, says who both are, and waits for ever.
const LASTING: &str = "sleep 300 & echo $! > \"$1/new\" && mv \"$1/new\" \"$1/sleep\"
echo $$ > \"$1/new\" && mv \"$1/new\" \"$1/shell\"
wait";

#[test]
fn a_command_that_takes_too_long_is_ended_with_all_that_it_has_started() {
    let (setup, out) = telling(LASTING);
    let setup = setup.change(|config| config.limits.event = Duration::from_secs(3));
    let server = setup.start();
    let who = server.open_page();
    assert_eq!(server.job(&who, &without_finds())["state"], "done");
    // The server waits for its events when it stops.
    let _folder = server.stop();
    are_gone(&out);
}

#[test]
fn what_still_runs_ends_with_the_server() {
    let (setup, out) = telling(LASTING);
    let setup = setup.change(|config| config.limits.farewell = Duration::from_millis(100));
    let server = setup.start();
    let who = server.open_page();
    server.job(&who, &without_finds());
    while !out.join("shell").exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let _folder = server.stop();
    are_gone(&out);
}

#[test]
fn a_command_that_does_not_end_is_not_waited_for_by_jobs() {
    let (setup, _) = telling("exec sleep 40");
    let setup = setup.change(|config| config.limits.farewell = Duration::from_millis(100));
    let server = setup.start();
    let who = server.open_page();
    // More than run at a time, and each of them done.
    for _ in 0..4 {
        assert_eq!(server.job(&who, &form())["state"], "done");
    }
}
