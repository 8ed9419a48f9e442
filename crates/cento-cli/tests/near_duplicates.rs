//! Near-duplicates on the command line.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A text of numbered words.
fn text(from: usize, words: usize) -> String {
    let word = |n: usize| format!("word{n}");
    (from..from + words).map(word).collect::<Vec<_>>().join(" ")
}

fn write(folder: &TempDir, name: &str, lines: &[String]) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, lines.join("\n") + "\n").unwrap();
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap()
}

fn run(folder: &Path, line: &str) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cento"));
    command.current_dir(folder).args(line.split(' '));
    command.output().unwrap()
}

#[track_caller]
fn ok(folder: &TempDir, line: &str) -> String {
    let output = run(folder.path(), line);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Five documents: a, nearly a, b, a again, nearly b with spaces that JSON does not need.
fn corpus() -> Vec<String> {
    vec![
        json!({"id": "a", "text": text(0, 200), "score": 1}).to_string(),
        json!({"id": "a2", "text": text(0, 195), "score": 5}).to_string(),
        json!({"id": "b", "text": text(1000, 200), "score": 2}).to_string(),
        json!({"id": "a3", "text": text(0, 200), "score": "7"}).to_string(),
        format!("{{ \"id\":\"b2\" ,\"text\": \"{}\" }}", text(1000, 210)),
    ]
}

fn clusters(folder: &TempDir, name: &str) -> Vec<(String, String, String)> {
    let mut rows = Vec::new();
    for line in read(folder, name).lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        rows.push((
            fields[0].to_owned(),
            fields[1].to_owned(),
            fields[2].to_owned(),
        ));
    }
    rows
}

#[test]
fn kept_lines_are_copied_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let lines = corpus();
    write(&folder, "in.jsonl", &lines);
    let printed = ok(&folder, "dedupe in.jsonl -o out.jsonl");
    assert!(printed.starts_with("2 of 5 documents kept"), "{printed}");
    assert_eq!(
        read(&folder, "out.jsonl"),
        format!("{}\n{}\n", lines[0], lines[2])
    );
    assert_eq!(read(&folder, "out.removed.txt"), "a2\na3\nb2\n");
    let table = read(&folder, "out.clusters.csv");
    assert!(
        table.starts_with("doc_id,cluster_id,is_kept,similarity_to_kept\n"),
        "{table}"
    );
    assert!(table.contains("a3,a,false,1.000000"), "{table}");
}

#[test]
fn nothing_that_exists_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &corpus());
    write(&folder, "test.jsonl", &corpus());
    let near = [
        "jsonl",
        "clusters.csv",
        "removed.txt",
        "skipped.jsonl",
        "run.json",
    ];
    let passages = ["jsonl", "spans.jsonl", "removed.txt", "skipped.jsonl"];
    let against = ["contaminated.csv", "tests.csv", "spans.jsonl"];
    let cases = [
        ("", near.as_slice()),
        (" --passages", &passages),
        (" --against test.jsonl", &against),
    ];
    for (options, names) in cases {
        for name in names {
            let name = format!("keep.{name}");
            write(&folder, &name, &["mine".to_owned()]);
            let line = format!("dedupe in.jsonl -o keep.jsonl{options}");
            let refused = run(folder.path(), &line);
            let errors = String::from_utf8_lossy(&refused.stderr);
            assert_eq!(refused.status.code(), Some(2), "{name}{options}");
            let expected = format!("error: {name}: this file exists already; name another output");
            assert!(errors.starts_with(&expected), "{errors}");
            assert_eq!(read(&folder, &name), "mine\n");
            std::fs::remove_file(folder.path().join(name)).unwrap();
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
        }
    }
    // What another kind of run would write is in nobody's way.
    write(&folder, "keep.tests.csv", &["mine".to_owned()]);
    ok(&folder, "dedupe in.jsonl -o keep.jsonl");
    assert_eq!(read(&folder, "keep.tests.csv"), "mine\n");
}

#[test]
fn who_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &corpus());
    for (keep, kept) in [
        ("first", ["a", "b"]),
        ("last", ["a3", "b2"]),
        ("longest", ["a", "b2"]),
        ("shortest", ["a2", "b"]),
        ("max:score", ["b", "a3"]),
        ("min:score", ["a", "b"]),
        ("source", ["a", "b"]),
    ] {
        let out = format!("out-{}", keep.replace(':', "-"));
        ok(&folder, &format!("dedupe in.jsonl -o {out} --keep {keep}"));
        let rows = clusters(&folder, &format!("{out}/clusters.csv"));
        let all: Vec<&str> = rows
            .iter()
            .filter(|(_, _, is_kept)| is_kept == "true")
            .map(|(id, ..)| id.as_str())
            .collect();
        assert_eq!(all, kept, "{keep}");
    }
    let wrong = run(folder.path(), "dedupe in.jsonl -o x --keep best");
    let errors = String::from_utf8_lossy(&wrong.stderr);
    assert!(errors.contains("--keep: best is none of"), "{errors}");
}

#[test]
fn the_input_that_was_given_first_is_preferred() {
    let folder = tempfile::tempdir().unwrap();
    let row = |id: &str, from: usize| json!({"id": id, "text": text(from, 100)}).to_string();
    write(&folder, "a.jsonl", &[row("a1", 0), row("a2", 500)]);
    write(&folder, "b.jsonl", &[row("b1", 0), row("b2", 0)]);
    write(&folder, "essays/c.txt", &[text(500, 100)]);
    let kept = |line: &str, out: &str| {
        ok(&folder, &format!("dedupe {line} -o {out} --keep source"));
        let rows = clusters(&folder, &format!("{out}/clusters.csv"));
        let kept = rows.into_iter().filter(|(_, _, is_kept)| is_kept == "true");
        kept.map(|(id, ..)| id).collect::<Vec<String>>()
    };
    assert_eq!(kept("a.jsonl b.jsonl essays", "one"), ["a1", "a2"]);
    assert_eq!(kept("b.jsonl a.jsonl", "two"), ["b1", "a2"]);
    // A folder of files comes before a table if it is given before.
    let first = kept("essays b.jsonl a.jsonl", "three");
    assert_eq!(first.len(), 2, "{first:?}");
    assert!(
        first.contains(&"b1".to_owned()) && !first.contains(&"a2".to_owned()),
        "{first:?}"
    );
}

#[test]
fn a_field_that_no_document_has_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &corpus());
    let table = ["id,text,size".to_owned(), format!("1,{},7", text(0, 100))];
    write(&folder, "in.csv", &table);
    write(&folder, "essays/a.txt", &[text(0, 100)]);
    for (line, expected) in [
        (
            "dedupe in.jsonl -o out.jsonl --keep max:scor",
            "error: --keep: no document has a number in the field scor; the fields are id, score, text",
        ),
        (
            "dedupe in.jsonl -o out.jsonl --keep min:scor --work work",
            "error: --keep: no document has a number in the field scor",
        ),
        (
            "dedupe in.csv -o out.csv --keep min:score",
            "error: --keep: no document has a number in the field score; the fields are id, text, size",
        ),
        (
            "plan dedupe in.csv -o out.csv --keep min:score",
            "error: --keep: no document has a number in the field score",
        ),
        (
            "dedupe essays -o out --keep max:size",
            "error: --keep: no document has a field size; only rows of tables have fields",
        ),
    ] {
        let refused = run(folder.path(), line);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert_eq!(refused.status.code(), Some(2), "{line}");
        assert!(errors.starts_with(expected), "{line}: {errors}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
    // One that some documents lack: they come last, and are counted.
    let line = "dedupe in.jsonl -o out.jsonl --keep max:score";
    let output = run(folder.path(), &format!("{line} --json"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("without a number in the field score: 1;"),
        "{errors}"
    );
    let done: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(done["without_field"], 1);
}

#[test]
fn exact_duplicates_have_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let row = |id: &str, text: &str| json!({"id": id, "text": text}).to_string();
    let lines = [
        row("a", "One two."),
        row("case", "one two."),
        row("space", "One two. "),
        // The same text, written otherwise.
        "{\"text\": \"One \\u0074wo.\", \"id\": \"b\"}".to_owned(),
        row("short", ""),
        row("dots", "..."),
        row("empty", ""),
        row("c", "One two."),
    ];
    write(&folder, "in.jsonl", &lines);
    let printed = ok(&folder, "dedupe in.jsonl -o out.jsonl --exact");
    assert!(
        printed.starts_with("5 of 8 documents kept; 3 have the same text as one of them\n"),
        "{printed}"
    );
    assert_eq!(read(&folder, "out.removed.txt"), "b\nempty\nc\n");
    assert!(read(&folder, "out.clusters.csv").contains("\nc,a,false,1.000000\n"));
    ok(&folder, "dedupe in.jsonl -o last.jsonl --exact --keep last");
    assert_eq!(read(&folder, "last.removed.txt"), "a\nb\nshort\n");
    ok(&folder, "dedupe in.jsonl -o none.jsonl --exact --drop-all");
    assert_eq!(read(&folder, "none.removed.txt"), "a\nb\nshort\nempty\nc\n");
    // Files too, and between tables and files.
    write(&folder, "files/x.txt", &[text(0, 10)]);
    write(&folder, "files/y.txt", &[text(0, 10)]);
    write(&folder, "files/z.txt", &[text(0, 10).to_uppercase()]);
    let table = row("row", &(text(0, 10) + "\n"));
    write(&folder, "more.jsonl", &[table]);
    ok(&folder, "dedupe files more.jsonl -o both --exact");
    assert_eq!(read(&folder, "both/removed.txt"), "x.txt\ny.txt\n");
    let wrong = run(
        folder.path(),
        "dedupe in.jsonl -o x --exact --threshold 0.5",
    );
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn none_of_several_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = corpus();
    lines.push(json!({"id": "c", "text": text(3000, 200)}).to_string());
    write(&folder, "in.jsonl", &lines);
    let printed = ok(&folder, "dedupe in.jsonl -o out.jsonl --drop-all");
    assert!(
        printed.starts_with("1 of 6 documents kept; 5 have a duplicate, and none of these is kept"),
        "{printed}"
    );
    assert_eq!(read(&folder, "out.jsonl"), format!("{}\n", lines[5]));
    assert_eq!(read(&folder, "out.removed.txt"), "a\na2\nb\na3\nb2\n");
    let rows = clusters(&folder, "out.clusters.csv");
    let of = |id: &str| rows.iter().find(|row| row.0 == id).unwrap().clone();
    let row = |id: &str, cluster: &str, kept: &str| (id.into(), cluster.into(), kept.into());
    assert_eq!(of("a"), row("a", "a", "false"));
    assert_eq!(of("a3"), row("a3", "a", "false"));
    assert_eq!(of("c"), row("c", "c", "true"));
}

#[test]
fn stars_and_components_differ_in_a_chain() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: &str, from: usize| json!({"id": id, "text": text(from, 200)}).to_string();
    // Each is like the next one, and the first is not like the last.
    write(
        &folder,
        "in.jsonl",
        &[line("x", 0), line("y", 40), line("z", 80)],
    );
    ok(&folder, "dedupe in.jsonl -o star --threshold 0.6");
    let kept = clusters(&folder, "star/clusters.csv");
    assert_eq!(kept[1].1, "x");
    assert_eq!(kept[2].1, "z");
    ok(
        &folder,
        "dedupe in.jsonl -o all --threshold 0.6 --clusters components",
    );
    assert!(
        clusters(&folder, "all/clusters.csv")
            .iter()
            .all(|(_, cluster, _)| cluster == "x")
    );
}

#[test]
fn shards_keep_their_names_and_ids_are_places() {
    let folder = tempfile::tempdir().unwrap();
    let row = |from: usize| json!({"text": text(from, 100)}).to_string();
    write(&folder, "data/part-1.jsonl", &[row(0), row(500)]);
    write(&folder, "data/sub/part-2.jsonl", &[row(0), row(900)]);
    ok(&folder, "dedupe data -o out");
    assert_eq!(
        read(&folder, "out/part-1.jsonl"),
        format!("{}\n{}\n", row(0), row(500))
    );
    assert_eq!(
        read(&folder, "out/sub/part-2.jsonl"),
        format!("{}\n", row(900))
    );
    assert_eq!(read(&folder, "out/removed.txt"), "sub/part-2.jsonl:1\n");
}

#[test]
fn annotated_rows_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "in.jsonl", &corpus());
    ok(&folder, "dedupe in.jsonl -o out.jsonl --annotate");
    let rows: Vec<Value> = read(&folder, "out.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 5);
    assert_eq!(rows[1]["score"], 5);
    assert_eq!(rows[1]["cento"]["cluster_id"], "a");
    assert_eq!(rows[1]["cento"]["is_kept"], false);
    let table = [
        "id;text".to_owned(),
        format!("1;{}", text(0, 100)),
        format!("2;\"{}\"", text(0, 100)),
    ];
    write(&folder, "in.csv", &table);
    ok(&folder, "dedupe in.csv -o table.csv --annotate");
    let lines = read(&folder, "table.csv");
    assert!(
        lines.starts_with("id;text;cluster_id;is_kept;similarity_to_kept\n"),
        "{lines}"
    );
    assert!(lines.ends_with(";1;false;1.000000\n"), "{lines}");
}

#[test]
fn fields_of_rows_are_not_annotated_over() {
    let folder = tempfile::tempdir().unwrap();
    let rows = |second: Value| [json!({"text": text(0, 50)}).to_string(), second.to_string()];
    let early = rows(json!({"text": text(1, 50)})).map(|row| row.replacen('{', "{\"cento\":1,", 1));
    write(&folder, "first.jsonl", &early);
    let late = rows(json!({"text": text(1, 50), "cento": {"is_kept": true}}));
    write(&folder, "later.jsonl", &late);
    let table = |name: &str| [format!("text,{name}"), format!("{},x", text(0, 50))];
    write(&folder, "table.csv", &table("is_kept"));
    for (input, more, field) in [
        ("first.jsonl", "", "field cento"),
        ("later.jsonl", "", "field cento"),
        ("later.jsonl", " --passages", "field cento"),
        ("table.csv", "", "column is_kept"),
        ("table.csv", " --passages", "column is_kept"),
        ("table.csv", " --against later.jsonl", "column is_kept"),
    ] {
        let done = run(
            folder.path(),
            &format!("dedupe {input} -o out --annotate{more}"),
        );
        let errors = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{input}{more}: {errors}");
        let words = format!("it already has a {field}; rename that one to annotate");
        assert!(
            errors.contains(input) && errors.contains(&words),
            "{errors}"
        );
        assert!(!folder.path().join("out").exists());
    }
    ok(&folder, "dedupe table.csv -o out.csv");
}

#[test]
fn broken_rows_are_listed_and_too_many_stop_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = corpus();
    lines.insert(0, "{broken".to_owned());
    lines.insert(3, json!({"id": "n", "text": null}).to_string());
    write(&folder, "in.jsonl", &lines);
    let stopped = run(folder.path(), "dedupe in.jsonl -o out.jsonl");
    let errors = String::from_utf8_lossy(&stopped.stderr);
    assert_eq!(stopped.status.code(), Some(2));
    assert!(
        errors.contains("2 of 7 documents cannot be read"),
        "{errors}"
    );
    assert!(errors.contains("in.jsonl, line 1"), "{errors}");
    assert!(!folder.path().join("out.jsonl").exists());
    ok(&folder, "dedupe in.jsonl -o out.jsonl --max-errors 0.5");
    let skipped = read(&folder, "out.skipped.jsonl");
    let rows: Vec<Value> = skipped
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!((&rows[0]["line"], &rows[1]["line"]), (&json!(1), &json!(4)));
}

#[test]
fn repeated_ids_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let row = |from: usize| json!({"id": "same", "text": text(from, 100)}).to_string();
    write(&folder, "in.jsonl", &[row(0), row(500)]);
    let output = run(folder.path(), "dedupe in.jsonl -o out.jsonl");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("2 documents have the id same"), "{errors}");
}

#[test]
fn a_folder_of_documents() {
    let folder = tempfile::tempdir().unwrap();
    for (name, from) in [("a.txt", 0), ("sub/b.txt", 700), ("c.txt", 0)] {
        write(&folder, &format!("in/{name}"), &[text(from, 100)]);
    }
    ok(&folder, "dedupe in -o out");
    assert!(folder.path().join("out/kept/a.txt").exists());
    assert!(folder.path().join("out/kept/sub/b.txt").exists());
    assert!(!folder.path().join("out/kept/c.txt").exists());
}
