//! A folder full of trouble: every file is read or listed with a reason, and nothing panics.

#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on stops where it is"
)]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use support::{cento, json};

fn words(count: usize) -> String {
    (0..count)
        .map(|number| format!("word{number}"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn trouble(folder: &Path) {
    let write = |name: &str, content: &[u8]| fs::write(folder.join(name), content).unwrap();
    write("good.txt", words(200).as_bytes());
    write("copy.txt", words(200).as_bytes());
    write("empty.txt", b"");
    write("binary.dat", &[0, 1, 2, 3, 0, 0, 9, 200].repeat(100));
    write("pdf.pdf", b"%PDF-1.7\nnot really");
    write("no-words.txt", b"--- !!! ... ???\n\n");
    write(
        "latin.txt",
        b"caf\xe9 \xe0 la carte, tr\xe8s bien, d\xe9j\xe0 vu, ch\xe2teau fort",
    );
    // One line of two megabytes, one word of two megabytes, and nothing but line breaks.
    write("one-line.txt", words(1 << 18).as_bytes());
    write("one-word.txt", "a".repeat(2 << 20).as_bytes());
    write("line-breaks.txt", "\n".repeat(1 << 18).as_bytes());
    fs::create_dir(folder.join("folder")).unwrap();
    write(
        "folder/inner.txt",
        words(60).replace("word", "other").as_bytes(),
    );
    fs::create_dir(folder.join("empty-folder")).unwrap();
}

#[test]
fn everything_is_read_or_listed_with_a_reason() {
    let root = tempfile::tempdir().unwrap();
    trouble(root.path());
    let report = json(&["scan", "--quiet"], root.path());
    let documents: Vec<&str> = report["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        documents,
        [
            "copy.txt",
            "folder/inner.txt",
            "good.txt",
            "latin.txt",
            "one-line.txt",
            "one-word.txt"
        ]
    );
    let skipped: BTreeMap<&str, &str> = report["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| (s["id"].as_str().unwrap(), s["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(
        skipped,
        BTreeMap::from([
            ("binary.dat", "binary file, not text"),
            ("empty.txt", "empty file"),
            ("line-breaks.txt", "no words in it"),
            ("no-words.txt", "no words in it"),
            ("pdf.pdf", "damaged PDF (startxref not found)"),
        ])
    );
    let latin = &report["documents"][3];
    assert_eq!(latin["warnings"][0], "read as windows-1252, a guess");
    assert_eq!(latin["short"], true);
    let best = &report["pairs"][0];
    assert_eq!(
        (&best["left"], &best["right"]),
        (&"copy.txt".into(), &"good.txt".into())
    );
    assert_eq!(best["score"], 1.0);
}

#[test]
fn every_preset_survives_the_folder() {
    let root = tempfile::tempdir().unwrap();
    trouble(root.path());
    // The staged recipes need more time and memory for a million words than this test is for.
    fs::write(root.path().join("one-line.txt"), words(5000)).unwrap();
    fs::write(root.path().join("one-word.txt"), "a".repeat(5000)).unwrap();
    let presets = cento().args(["recipes", "--json"]).output().unwrap();
    let presets: Value = serde_json::from_slice(&presets.stdout).unwrap();
    for preset in presets.as_array().unwrap() {
        let name = preset["name"].as_str().unwrap();
        let report = json(&["scan", "--quiet", "--recipe", name], root.path());
        // Punctuation is no word, but a token of a program.
        let is_for_programs = matches!(name, "code" | "code-winnow" | "se-code");
        let expected = 6 + usize::from(is_for_programs);
        let documents = report["documents"].as_array().unwrap();
        assert_eq!(documents.len(), expected, "{name}");
        // A style makes a vector, not digests.
        if name.starts_with("style") {
            assert!(report["pairs"][0]["distance"].is_number(), "{name}");
            continue;
        }
        for document in report["documents"].as_array().unwrap() {
            if document["digests"] == 0 {
                let id = document["id"].as_str().unwrap();
                let notes = report["notes"].as_array().unwrap();
                let explained = notes
                    .iter()
                    .any(|note| note.as_str().unwrap().starts_with(id));
                assert!(explained, "{name}: {id} has no digests and no note");
            }
        }
        // Identical documents read 1 wherever anything of them is left.
        let good = report["documents"]
            .as_array()
            .unwrap()
            .iter()
            .find(|d| d["id"] == "good.txt");
        if good.unwrap()["digests"] != 0 {
            let pairs = report["pairs"].as_array().unwrap();
            let twins = pairs
                .iter()
                .find(|p| p["left"] == "copy.txt" && p["right"] == "good.txt");
            assert_eq!(twins.unwrap()["score"], 1.0, "{name}");
        }
    }
}

#[test]
fn the_last_line_accounts_for_every_document() {
    let root = tempfile::tempdir().unwrap();
    trouble(root.path());
    let output = cento().arg("scan").arg(root.path()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        errors.lines().last(),
        Some("6 of 11 documents read, 5 skipped")
    );
    assert!(
        errors.contains("warning: empty.txt skipped: empty file"),
        "{errors}"
    );
    let strict = cento()
        .arg("scan")
        .arg(root.path())
        .arg("--strict")
        .output()
        .unwrap();
    assert_eq!(strict.status.code(), Some(2));
}

#[cfg(unix)]
#[test]
fn links_pipes_and_odd_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let root = tempfile::tempdir().unwrap();
    let path = |name: &[u8]| root.path().join(OsStr::from_bytes(name));
    fs::write(path(b"caf\xe9.txt"), words(80)).unwrap();
    fs::write(path(b"line\nbreak \x1b[31m.txt"), words(80)).unwrap();
    std::os::unix::fs::symlink(root.path(), path(b"circle")).unwrap();
    std::os::unix::fs::symlink("nowhere", path(b"dangling")).unwrap();
    std::os::unix::net::UnixListener::bind(path(b"socket")).unwrap();
    let report = json(&["scan", "--quiet"], root.path());
    assert_eq!(report["documents"].as_array().unwrap().len(), 2);
    let reasons: Vec<&str> = report["skipped"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["reason"].as_str().unwrap())
        .collect();
    assert_eq!(
        reasons,
        [
            "link, not followed",
            "link, not followed",
            "not a regular file"
        ]
    );
    let text = cento().arg("scan").arg(root.path()).output().unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("line\\u{a}break \\u{1b}[31m.txt"), "{text}");
}

#[test]
fn output_does_not_depend_on_threads() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/essays");
    let run = |arguments: &[&str]| cento().args(arguments).output().unwrap().stdout;
    let folder = examples.to_str().unwrap();
    let left = examples.join("brandt.txt");
    let right = examples.join("dvorak.txt");
    for format in ["text", "json", "csv"] {
        let scan = |threads| run(&["scan", folder, "-f", format, "--threads", threads]);
        assert_eq!(scan("1"), scan("2"), "{format}");
        assert_eq!(scan("2"), scan("5"), "{format}");
        let compare = |threads| {
            let (left, right) = (left.to_str().unwrap(), right.to_str().unwrap());
            run(&["compare", left, right, "-f", format, "--threads", threads])
        };
        assert_eq!(compare("1"), compare("2"), "{format}");
    }
}

#[test]
fn standard_input_is_a_document() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.txt"), words(100)).unwrap();
    let file = root.path().join("a.txt");
    let output = cento()
        .args(["compare", "-", file.to_str().unwrap(), "--json"])
        .write_stdin(words(100))
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["pairs"][0]["score"], 1.0);
    assert_eq!(report["pairs"][0]["left"], "-");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/essays");
    let command = format!(
        "{} scan {} --json | head -c 10 >/dev/null; echo ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_cento"),
        examples.display()
    );
    let output = std::process::Command::new("bash")
        .args(["-c", &command])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "0");
}

#[test]
fn the_key_matters_and_never_shows() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("a.txt"), words(300)).unwrap();
    let file = root.path().join("a.txt");
    let secret = "00112233445566778899aabbccddeeff";
    let fingerprint = |key: &str| {
        let mut command = cento();
        command.args([
            "explain",
            "fingerprint",
            file.to_str().unwrap(),
            "--recipe",
            "sift-window",
        ]);
        command.env("CENTO_KEY", key).output().unwrap()
    };
    assert_ne!(
        fingerprint(secret).stdout,
        fingerprint(&secret.replace('0', "1")).stdout
    );
    let wrong = fingerprint("00112233445566778899aabbccddeef");
    let message = String::from_utf8(wrong.stderr).unwrap();
    assert_eq!(message.trim(), "error: CENTO_KEY: a key is 32 hex digits");
    let scan = cento()
        .args([
            "scan",
            root.path().to_str().unwrap(),
            "--recipe",
            "sift",
            "--json",
        ])
        .env("CENTO_KEY", secret)
        .output()
        .unwrap();
    let printed = String::from_utf8(scan.stdout).unwrap();
    assert!(printed.contains("\"key\": \"secret\"") && !printed.contains(secret));
}

#[test]
fn completions_and_manual_pages_are_written() {
    let script = cento().args(["completions", "bash"]).output().unwrap();
    assert!(String::from_utf8(script.stdout).unwrap().contains("_cento"));
    let root = tempfile::tempdir().unwrap();
    cento()
        .arg("man")
        .arg(root.path().join("man"))
        .assert()
        .success();
    assert!(root.path().join("man/cento-scan.1").exists());
}
