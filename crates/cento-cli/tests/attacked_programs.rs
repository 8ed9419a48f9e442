//! Attacked programs compile and print what their originals print: a sample of C and Python, and with
//! `CENTO_LONG=1` more of them and Java.
//!
//! What a compiler is missing for is left out and said; with `CENTO_COMPILERS=1` that is an error.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(clippy::print_stderr, reason = "what is not tested is said")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How programs of a language are made and run.
struct Tool {
    extension: &'static str,
    /// The command that has to be there.
    command: &'static str,
    run: fn(&Path, &Path) -> Output,
}

const C: Tool = Tool {
    extension: "c",
    command: "cc",
    run: |file, scratch| {
        let program = scratch.join("program");
        // Only what is wrong by the standard is an error; unused variables are the point.
        let made = output(
            Command::new("cc")
                .args(["-std=c11", "-w", "-o"])
                .arg(&program)
                .arg(file),
        );
        assert!(
            made.status.success(),
            "{}: {}",
            file.display(),
            error(&made)
        );
        output(&mut Command::new(&program))
    },
};

const PYTHON: Tool = Tool {
    extension: "py",
    command: "python3",
    run: |file, _| output(Command::new("python3").arg(file)),
};

const JAVA: Tool = Tool {
    extension: "java",
    command: "javac",
    run: |file, scratch| {
        let classes = scratch.join("classes");
        let _ = fs::remove_dir_all(&classes);
        let made = output(Command::new("javac").arg("-d").arg(&classes).arg(file));
        assert!(
            made.status.success(),
            "{}: {}",
            file.display(),
            error(&made)
        );
        let class = file.file_stem().unwrap();
        output(Command::new("java").arg("-cp").arg(&classes).arg(class))
    },
};

fn output(command: &mut Command) -> Output {
    command.output().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/programs")
}

/// Whether there is a compiler.
fn has(tool: &Tool) -> bool {
    let is_there = Command::new(tool.command).arg("--version").output().is_ok();
    let must_be = std::env::var_os("CENTO_COMPILERS").is_some_and(|value| value == "1");
    assert!(is_there || !must_be, "{} is missing", tool.command);
    if !is_there {
        eprintln!("note: {} is missing; not tested", tool.command);
    }
    is_there
}

/// Attacks the programs of a language in every way and compares what they print.
fn check(tool: &Tool, level: &str, seed: &str) {
    if !has(tool) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let copies = folder.path().join("copies");
    let mut originals: Vec<PathBuf> = fs::read_dir(programs())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == tool.extension))
        .collect();
    originals.sort();
    assert!(originals.len() >= 2);
    let mut arguments = vec!["attack", "--kind", "all", "--level", level, "--seed", seed];
    arguments.extend(originals.iter().map(|path| path.to_str().unwrap()));
    arguments.extend(["-o", copies.to_str().unwrap()]);
    write(&arguments);
    let mut touched = BTreeSet::new();
    let mut kinds = BTreeSet::new();
    for original in &originals {
        let expected = (tool.run)(original, folder.path());
        assert!(expected.status.success(), "{}", error(&expected));
        assert!(expected.stdout.len() > 100);
        for kind in fs::read_dir(&copies).unwrap() {
            let kind = kind.unwrap().path();
            kinds.insert(kind.clone());
            let copy = kind.join(original.file_name().unwrap());
            if fs::read(&copy).unwrap() == fs::read(original).unwrap() {
                continue;
            }
            touched.insert(kind);
            let printed = (tool.run)(&copy, folder.path());
            let shown = fs::read_to_string(&copy).unwrap();
            assert!(
                printed.stdout == expected.stdout && printed.status == expected.status,
                "{} at level {level}, seed {seed}: {}{}\n{shown}",
                copy.display(),
                String::from_utf8_lossy(&printed.stdout),
                error(&printed),
            );
        }
    }
    assert_eq!(kinds.len(), 10);
    assert_eq!(touched, kinds, "some attack touches nothing");
}

/// What the command prints as JSON.
fn json(arguments: &[&str]) -> serde_json::Value {
    let done = assert_cmd::Command::cargo_bin("cento")
        .unwrap()
        .args(arguments)
        .args(["--json", "-q"])
        .output()
        .unwrap();
    serde_json::from_slice(&done.stdout).unwrap_or_else(|_| panic!("{}", error(&done)))
}

#[test]
fn a_table_has_the_score_of_a_scan() {
    let folder = tempfile::tempdir().unwrap();
    let class = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/attack-programs.in/class");
    let class = class.to_str().unwrap();
    let copies = folder.path().join("copies");
    let copies = copies.to_str().unwrap();
    let kind = ["--kind", "reorder-statements", "--level", "1"];
    // Only one of the programs has anything that the attack can touch, so a mean is its score.
    let table = json(&[&["attack", class, "--table"], &kind[..]].concat());
    write(&[&["attack", class, "-o", copies], &kind[..]].concat());
    let copy = format!("{copies}/reorder-statements/Bell.java");
    for row in table["rows"].as_array().unwrap() {
        assert_eq!(row["untouched"], 2, "{row}");
        let recipe = row["recipe"].as_str().unwrap();
        let scan = ["scan", class, copy.as_str(), "--threshold", "0.01"];
        let report = json(&[&scan[..], &["--recipe", recipe]].concat());
        let pairs = report["pairs"].as_array().unwrap();
        let is_copied = |pair: &&serde_json::Value| {
            ["left", "right"].iter().all(|side| {
                let id = pair[side].as_str().unwrap();
                id.ends_with("Bell.java")
            })
        };
        let found = pairs.iter().find(is_copied);
        let score = found.map_or(0.0, |pair| pair["score"].as_f64().unwrap());
        let told = row["score"].as_f64().unwrap();
        assert!((told - score).abs() < 2e-6, "{recipe}: {told}, {score}");
    }
}

#[test]
fn every_disguise_leaves_most_of_the_score() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/programs");
    let examples = examples.to_str().unwrap();
    let table = json(&["attack", examples, "--table", "--recipe", "code"]);
    let rows = table["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 10);
    for row in rows {
        assert!(row["score"].as_f64().unwrap() >= 0.7, "{row}");
    }
}

/// Runs a command that writes files.
fn write(arguments: &[&str]) {
    let mut command = assert_cmd::Command::cargo_bin("cento").unwrap();
    command.args(arguments).arg("-q").assert().success();
}

#[test]
fn a_sample_prints_the_same() {
    check(&C, "1", "1");
    check(&PYTHON, "1", "1");
}

#[test]
fn everything_prints_the_same() {
    if std::env::var_os("CENTO_LONG").is_none() {
        return;
    }
    for tool in [C, PYTHON, JAVA] {
        for (level, seed) in [
            ("0.3", "1"),
            ("0.3", "2"),
            ("0.6", "3"),
            ("1", "4"),
            ("1", "5"),
        ] {
            check(&tool, level, seed);
        }
    }
}
