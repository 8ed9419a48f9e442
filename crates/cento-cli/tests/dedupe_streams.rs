//! Datasets from standard input and to standard output, and the record of a run.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "support/dedupe.rs"]
mod support;

use serde_json::{Value, json};
use support::{fails, ok, piped, read, text, write};
use tempfile::TempDir;

/// Three rows, the last like the first.
fn rows() -> Vec<String> {
    let row = |id: &str, from: usize| json!({"id": id, "text": text(from, 100)}).to_string();
    vec![row("a", 0), row("b", 500), row("c", 0)]
}

/// The names of everything in a folder.
fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn record(folder: &TempDir, name: &str) -> Value {
    serde_json::from_str(&read(folder, name)).unwrap()
}

#[track_caller]
fn check_pipe(folder: &TempDir, line: &str, lines: &[String], expected: &str) -> String {
    let output = piped(folder, line, lines);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line}: {errors}");
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        expected,
        "{line}"
    );
    errors
}

#[test]
fn a_pipe_gets_the_data_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let kept = format!("{}\n{}\n", rows()[0], rows()[1]);
    let errors = check_pipe(&folder, "dedupe - -o -", &rows(), &kept);
    assert!(errors.contains("2 of 3 documents kept"), "{errors}");
    assert!(errors.contains("--lists"), "{errors}");
    assert_eq!(names(&folder), [""; 0]);
    let errors = check_pipe(&folder, "dedupe - -o - --quiet", &rows(), &kept);
    assert_eq!(errors, "");
    // The lists have a place of their own.
    check_pipe(&folder, "dedupe - -o - --lists lists", &rows(), &kept);
    assert_eq!(read(&folder, "lists/removed.txt"), "c\n");
    assert_eq!(record(&folder, "lists/run.json")["inputs"][0]["input"], "-");
    let refused = piped(&folder, "dedupe - -o - --lists lists", &rows());
    let errors = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        errors.contains("lists: it is not an empty folder"),
        "{errors}"
    );
    assert!(refused.stdout.is_empty());
}

#[test]
fn all_kinds_read_and_write_pipes() {
    let folder = tempfile::tempdir().unwrap();
    let kept = format!("{}\n{}\n", rows()[0], rows()[1]);
    check_pipe(&folder, "dedupe - -o - --exact", &rows(), &kept);
    check_pipe(&folder, "dedupe - -o - --passages", &rows(), &kept);
    write(&folder, "b.jsonl", &rows()[1..2]);
    let without = format!("{}\n{}\n", rows()[0], rows()[2]);
    check_pipe(
        &folder,
        "dedupe - -o - --against b.jsonl",
        &rows(),
        &without,
    );
    write(&folder, "all.jsonl", &rows());
    check_pipe(
        &folder,
        "dedupe all.jsonl -o - --against -",
        &rows()[1..2],
        &without,
    );
    // Several inputs come one after the other; a mark of the encoding is none of the rows.
    std::fs::write(
        folder.path().join("marked.jsonl"),
        format!("\u{feff}{}", rows()[2]),
    )
    .unwrap();
    check_pipe(
        &folder,
        "dedupe b.jsonl - marked.jsonl -o -",
        &rows()[..1],
        &{ format!("{}\n{}\n", rows()[1], rows()[0]) },
    );
    // To a file or a folder, as ever.
    let done = piped(&folder, "dedupe - -o clean.jsonl --json", &rows()[..1]);
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(done["sources"][0]["kept"], 1);
    assert_eq!(read(&folder, "clean.jsonl"), format!("{}\n", rows()[0]));
    assert_eq!(read(&folder, "clean.removed.txt"), "");
    piped(&folder, "dedupe - -o folder", &rows());
    assert_eq!(read(&folder, "folder/stdin.jsonl"), kept);
}

#[test]
fn what_is_no_pipe_of_json_lines_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &rows());
    write(
        &folder,
        "in.csv",
        &["id,text".to_owned(), format!("1,{}", text(0, 50))],
    );
    write(&folder, "essays/a.txt", &[text(0, 50)]);
    let refused = |line: &str, lines: &[String]| {
        let output = piped(&folder, line, lines);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(output.stdout.is_empty(), "{line}");
        String::from_utf8(output.stderr).unwrap()
    };
    for (line, expected) in [
        (
            "dedupe in.csv -o -",
            "in.csv: it is not JSON lines, and standard output takes",
        ),
        ("dedupe essays -o -", "a.txt: it is not JSON lines"),
        ("dedupe - - -o -", "standard input can be given once only"),
        (
            "dedupe - -o - --against -",
            "standard input can be given once only",
        ),
        (
            "dedupe - -o out.csv",
            "out.csv: several tables, or one of another kind",
        ),
        ("dedupe - -o - --json", "--json prints where -o - does"),
        (
            "plan dedupe - -o out.jsonl",
            "standard input cannot be planned",
        ),
    ] {
        let errors = refused(line, &rows());
        assert!(errors.contains(expected), "{line}: {errors}");
    }
    let errors = refused("dedupe - -o -", &["no object".to_owned()]);
    assert!(
        errors.contains("standard input: no line of it is a JSON object"),
        "{errors}"
    );
    let mut empty = assert_cmd::Command::new(env!("CARGO_BIN_EXE_cento"));
    let empty = empty.args(["dedupe", "-", "-o", "-"]).output().unwrap();
    let errors = String::from_utf8(empty.stderr).unwrap();
    assert!(
        errors.contains("standard input: there is nothing in it"),
        "{errors}"
    );
    assert_eq!(names(&folder), ["essays", "in.csv", "in.jsonl"]);
}

#[test]
fn a_pipe_larger_than_memory_takes_a_work_folder() {
    let folder = tempfile::tempdir().unwrap();
    let kept = format!("{}\n{}\n", rows()[0], rows()[1]);
    check_pipe(&folder, "dedupe - -o - --work work", &rows(), &kept);
    assert_eq!(names(&folder), [""; 0]);
}

#[test]
fn a_run_is_on_record() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "a.jsonl", &rows());
    write(&folder, "b.jsonl", &rows()[..2]);
    let printed = ok(&folder, "dedupe a.jsonl b.jsonl -o out --keep source");
    let length = |row: usize| {
        let row: Value = serde_json::from_str(&rows()[row]).unwrap();
        row["text"].as_str().unwrap().len()
    };
    let (kept, all) = (length(0) + length(1), length(0) + length(1) + length(2));
    let lines: Vec<&str> = printed.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            format!("a.jsonl: 2 of 3 documents and {kept} of {all} characters kept"),
            format!("b.jsonl: 0 of 2 documents and 0 of {kept} characters kept"),
        ]
    );
    let run = record(&folder, "out/run.json");
    assert_eq!(run["schema"], "cento.dedupe-run/1");
    assert_eq!(run["options"]["kind"], "near-duplicates");
    assert_eq!(run["options"]["keep"], "source");
    assert_eq!(run["options"]["threshold"], 0.8);
    assert_eq!(run["counts"]["removed"], 3);
    let size = folder.path().join("a.jsonl").metadata().unwrap().len();
    let first = json!({
        "bytes": size, "characters_after": kept, "characters_before": all, "documents": 3,
        "input": "a.jsonl", "kept": 2, "removed": 1,
    });
    assert_eq!(run["inputs"][0], first);
    // Beside a file, and of the other kinds; the same bytes every time.
    ok(&folder, "dedupe a.jsonl -o one.jsonl --exact --drop-all");
    let run = record(&folder, "one.run.json");
    assert_eq!(run["options"]["exact"], true);
    assert_eq!(run["options"]["drop_all"], true);
    assert_eq!(run["options"]["recipe"], Value::Null);
    ok(
        &folder,
        "dedupe a.jsonl -o two.jsonl --exact --drop-all --work w --threads 1",
    );
    assert_eq!(read(&folder, "two.run.json"), read(&folder, "one.run.json"));
    ok(
        &folder,
        "dedupe a.jsonl -o cut.jsonl --passages --min-words 10",
    );
    let run = record(&folder, "cut.run.json");
    assert_eq!(run["options"]["min_words"], 10);
    assert_eq!(run["inputs"][0]["characters_after"], kept);
    ok(&folder, "dedupe a.jsonl -o clean.jsonl --against b.jsonl");
    let run = record(&folder, "clean.run.json");
    assert_eq!(run["tests"][0]["input"], "b.jsonl");
    assert_eq!(run["tests"][0]["documents"], 2);
    assert_eq!(run["counts"]["contaminated"], 3);
    let errors = fails(&folder, "dedupe a.jsonl -o clean.jsonl --against b.jsonl");
    assert!(
        errors.contains("clean.jsonl: this file exists already"),
        "{errors}"
    );
}
