//! `cento eval` and advice, on collections that the tests make.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{cento, json};

/// Words that only a topic has, with every tenth replaced in a version.
fn text(topic: usize, version: usize) -> String {
    let word = |n: usize| {
        if n % 10 == version && version > 0 {
            format!("t{topic}v{version}x{n}")
        } else {
            format!("t{topic}w{}", n * 7 % 90)
        }
    };
    (0..200).map(word).collect::<Vec<_>>().join(" ")
}

/// Twelve topics in three versions each; two queries among the documents, one from outside.
fn collection(folder: &Path) {
    fs::create_dir_all(folder.join("documents")).unwrap();
    fs::create_dir_all(folder.join("queries")).unwrap();
    for topic in 0..12 {
        for version in 0..3 {
            let path = folder.join(format!("documents/{topic}-{version}.txt"));
            fs::write(path, text(topic, version)).unwrap();
        }
    }
    fs::write(folder.join("queries/outside.txt"), text(5, 4)).unwrap();
    let mut truth = String::new();
    for (query, topic) in [("0-0.txt", 0), ("1-2.txt", 1), ("outside.txt", 5)] {
        for version in 0..3 {
            let _ = writeln!(truth, "{query}\t{topic}-{version}.txt");
        }
    }
    fs::write(folder.join("truth.tsv"), truth).unwrap();
}

#[test]
fn every_method_finds_the_versions() {
    let root = tempfile::tempdir().unwrap();
    collection(root.path());
    let report = json(&["eval", "--quiet"], root.path());
    assert_eq!(report["schema"], "cento.eval/1");
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows
        .iter()
        .filter(|row| row["recipe"] == "default" || row["recipe"] == "rank")
    {
        assert_eq!(row["precision"], 1.0, "{row}");
        assert_eq!(row["recall"], 1.0, "{row}");
        assert_eq!(row["queries"], 3);
        assert_eq!(row["ideal"], row["measure"] != "cosine");
        // Topics share no word, so nothing false is ever found.
        assert_eq!(row["hfm"], 0.0, "{row}");
        assert!(row["separation"].as_f64().unwrap() > 0.0, "{row}");
        assert_eq!(row["ratio"], Value::Null, "{row}");
    }
}

#[test]
fn passages_details_and_query_recipes() {
    let root = tempfile::tempdir().unwrap();
    collection(root.path());
    let passages = json(
        &[
            "eval",
            "-q",
            "--recipe",
            "rank-passages",
            "--measure",
            "cosine",
        ],
        root.path(),
    );
    assert_eq!(passages["rows"][0]["precision"], 1.0);
    let full = "words+fold | window:4 | shiftxor:32 | all";
    let arguments = [
        "eval",
        "-q",
        "--detail",
        "--recipe",
        "hz-anchor",
        "--query-recipe",
        full,
        "--measure",
        "containment",
    ];
    let details = json(&arguments, root.path());
    assert_eq!(details["rows"][0]["details"].as_array().unwrap().len(), 3);
    let wrong = cento()
        .args(["eval", "--recipe", "hz-anchor", "--query-recipe", "default"])
        .arg(root.path())
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("in the selector only"));
}

#[test]
fn errors_name_the_line_of_the_truth() {
    let root = tempfile::tempdir().unwrap();
    collection(root.path());
    let error = |truth: &str| {
        fs::write(root.path().join("truth.tsv"), truth).unwrap();
        let output = cento().arg("eval").arg(root.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error("0-0.txt\t0-1.txt\n0-0.txt 0-2.txt\n").contains("truth.tsv, line 2: needs"));
    assert!(error("0-0.txt\tno.txt\n").contains("line 1: `no.txt` is not under documents/"));
    assert!(error("no.txt\t0-1.txt\n").contains("`no.txt` is neither under queries/"));
    assert!(error("\n").contains("no queries in it"));
}

#[test]
fn scans_of_twenty_documents_end_with_advice() {
    let root = tempfile::tempdir().unwrap();
    collection(root.path());
    let documents = root.path().join("documents");
    let output = cento().arg("scan").arg(&documents).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let is_advice = |line: &str| line.starts_with("in this collection unrelated pairs reach ");
    assert!(text.lines().any(is_advice), "{text}");
    let few = root.path().join("few");
    fs::create_dir(&few).unwrap();
    for topic in 0..8 {
        fs::copy(
            documents.join(format!("{topic}-0.txt")),
            few.join(format!("{topic}")),
        )
        .unwrap();
    }
    assert!(json(&["scan", "-q"], &few).get("advice").is_none());
    assert!(
        json(&["scan", "-q", "--advise"], &few)
            .get("advice")
            .is_some()
    );
    let by_itself = json(
        &["eval", "--self", "-q", "--recipe", "default"],
        root.path(),
    );
    assert!(by_itself["rows"][0]["advice"]["look_above"].is_number());
}

#[test]
fn a_scan_can_rank() {
    let root = tempfile::tempdir().unwrap();
    collection(root.path());
    let documents = root.path().join("documents");
    for (measure, ideal) in [("identity-5", true), ("cosine", false)] {
        let arguments = [
            "scan",
            "-q",
            "--recipe",
            "rank",
            "--measure",
            measure,
            "--threshold",
            "0.3",
        ];
        let report = json(&arguments, &documents);
        assert_eq!(report["pairs"].as_array().unwrap().len(), 36, "{measure}");
        let notes = report["notes"].as_array().unwrap();
        assert_eq!(
            notes
                .iter()
                .any(|n| n.as_str().unwrap().contains("not ideal")),
            !ideal
        );
    }
}
