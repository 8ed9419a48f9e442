//! Near-duplicates in a corpus that is larger than its memory: any memory gives the same bytes, and a
//! run that is killed goes on.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/numbers.rs"]
mod numbers;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use numbers::Numbers;

/// Two shards: most documents are their own, every fifth is an edited copy of one before.
fn write_corpus(folder: &Path, documents: usize, words: u64) {
    let mut numbers = Numbers(7);
    let mut texts: Vec<Vec<u64>> = Vec::new();
    for shard in ["a", "b"] {
        let mut out = fs::File::create(folder.join(format!("{shard}.jsonl"))).unwrap();
        for number in 0..documents / 2 {
            let copied = texts.len().checked_sub(1).filter(|_| number % 5 == 0);
            let mut text = match copied {
                Some(most) => {
                    texts[usize::try_from(numbers.below(most as u64 + 1)).unwrap()].clone()
                }
                None => (0..words).map(|_| numbers.below(1 << 24)).collect(),
            };
            for _ in 0..numbers.below(6) {
                let place = usize::try_from(numbers.below(words)).unwrap();
                text[place] = numbers.below(1 << 24);
            }
            let mut line = format!("{{\"id\": \"{shard}{number}\", \"text\": \"");
            for word in &text {
                write!(line, "w{word:x} ").unwrap();
            }
            writeln!(out, "{line}\"}}").unwrap();
            texts.push(text);
        }
    }
}

fn dedupe(folder: &Path, out: &str, options: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command
        .current_dir(folder)
        .args(["dedupe", "in", "-o", out]);
    command.args(options.split(' ').filter(|option| !option.is_empty()));
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}

#[track_caller]
fn ok(mut command: Command) {
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

/// The names and contents of all files in a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries
        .map(|entry| (name(&entry), fs::read(entry.path()).unwrap()))
        .collect()
}

#[test]
fn any_memory_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    write_corpus(&folder.path().join("in"), 4000, 500);
    for (number, options) in [
        "",
        "--measure max-containment --threshold 0.5",
        "--clusters components",
        "--exact --drop-all",
    ]
    .into_iter()
    .enumerate()
    {
        let out = |what: &str| format!("{what}{number}");
        ok(dedupe(folder.path(), &out("memory"), options));
        // A table of some 16 MB: several passes where all digests are looked at.
        let little = format!("{options} --max-memory 180M --work {}", out("work"));
        ok(dedupe(folder.path(), &out("little"), &little));
        let single = format!("{options} --threads 1 --work {}", out("work"));
        ok(dedupe(folder.path(), &out("single"), &single));
        let expected = contents(&folder.path().join(out("memory")));
        assert!(expected["removed.txt"].len() > 1000);
        for other in ["little", "single"] {
            assert_eq!(
                contents(&folder.path().join(out(other))),
                expected,
                "{options}"
            );
        }
        assert!(
            !folder.path().join(out("work")).exists(),
            "it is removed in the end"
        );
    }
}

#[test]
fn a_killed_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    write_corpus(&folder.path().join("in"), 8000, 500);
    let options = "--max-memory 200M --work work";
    let started = Instant::now();
    ok(dedupe(folder.path(), "whole", options));
    let usual = started.elapsed();
    let mut numbers = Numbers(99);
    let mut resumed = 0;
    // Each one is given a little more time than the one before, so that kills are everywhere.
    for round in 1..12u64 {
        let part = u32::try_from(round * 10 + numbers.below(10)).unwrap();
        let mut child = dedupe(folder.path(), "killed", options)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(usual * part / 100);
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            break;
        }
        let progress = folder.path().join("work/progress.jsonl");
        resumed += u32::from(progress.metadata().is_ok_and(|file| file.len() > 0));
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(resumed > 0, "some were killed in the middle");
    if !folder.path().join("killed/clusters.csv").exists() || folder.path().join("work").exists() {
        ok(dedupe(folder.path(), "killed", options));
    }
    let [killed, whole] = ["killed", "whole"].map(|name| contents(&folder.path().join(name)));
    assert_eq!(killed, whole);
}

#[test]
fn the_work_of_another_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    write_corpus(&folder.path().join("in"), 8000, 500);
    let options = "--max-memory 200M --work work";
    let mut child = dedupe(folder.path(), "out", options)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A run that was killed while it wrote this file has done nothing, and another one may begin.
    let is_begun = || {
        let run = fs::read(folder.path().join("work/run.json")).unwrap_or_default();
        serde_json::from_slice::<serde_json::Value>(&run).is_ok()
    };
    while !is_begun() {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut other = dedupe(folder.path(), "out", &format!("{options} --threshold 0.7"));
    let output = other.stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("another run") && errors.contains("threshold"),
        "{errors}"
    );
}

#[test]
fn a_killed_run_goes_on_with_the_same_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    write_corpus(folder.path(), 4000, 500);
    let piped = |input: &str, out: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
        command.current_dir(folder.path()).args(["dedupe", "-"]);
        command.args(["-o", out, "--max-memory", "200M", "--work", "work"]);
        let input = fs::File::open(folder.path().join(input)).unwrap();
        command.stdin(input).stdout(Stdio::null());
        // What is killed cannot remove its temporary file.
        command.env("TMPDIR", folder.path());
        command
    };
    ok(piped("a.jsonl", "whole"));
    loop {
        let mut killed = piped("a.jsonl", "killed");
        let mut child = killed.stderr(Stdio::null()).spawn().unwrap();
        while !folder.path().join("work/run.json").exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            break;
        }
        // On a busy machine it may be done before anybody kills it.
        fs::remove_dir_all(folder.path().join("killed")).unwrap();
    }
    let mut other = piped("b.jsonl", "killed");
    let output = other.stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("another run"), "{errors}");
    let mut again = piped("a.jsonl", "killed");
    let output = again.stderr(Stdio::piped()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert!(
        errors.contains("going on with the work in work"),
        "{errors}"
    );
    let [killed, whole] = ["killed", "whole"].map(|name| contents(&folder.path().join(name)));
    assert_eq!(killed, whole);
}
