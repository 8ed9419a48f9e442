//! The same documents and options through the command line and over HTTP: the same bytes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "../../cento-server/tests/support/mod.rs"]
mod support;

#[path = "support/serving.rs"]
mod serving;

use std::path::Path;

use serving::{address, admin_token, run, serve};
use support::{Form, Running, Who, text};
use tempfile::TempDir;

/// What is sent: a copy, an edited one, a page, text in look-alike letters, something unreadable and
/// something empty.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let original = text(1, 400);
    let words: Vec<&str> = original.split(' ').collect();
    let edited = format!("{} {}", words[..150].join(" "), text(2, 200));
    let page = format!(
        "<!DOCTYPE html><html><body><p>{}</p></body></html>",
        text(3, 300)
    );
    let disguised = text(1, 400).replace('o', "\u{43e}");
    vec![
        ("a.txt", original.into_bytes()),
        ("b/edited.txt", edited.into_bytes()),
        ("c.html", page.into_bytes()),
        ("d.txt", disguised.into_bytes()),
        ("e.pdf", b"%PDF-1.4 but nothing else".to_vec()),
        ("f.txt", Vec::new()),
    ]
}

fn write_files(folder: &Path) {
    for (name, bytes) in files() {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

fn form(kind: &str) -> Form {
    let mut form = Form::of(kind);
    for (name, bytes) in files() {
        form = form.file(name, &bytes);
    }
    form
}

/// Runs a command that writes its report in all forms; the JSON, byte for byte.
fn reported(folder: &Path, arguments: &[&str]) -> String {
    run(folder, &[arguments, &["-o", "out"]].concat());
    std::fs::read_to_string(folder.join("out/report.json")).unwrap()
}

/// What a server of a folder makes of a form, byte for byte, and the folder that it leaves.
fn sent(folder: TempDir, form: &Form) -> (String, TempDir) {
    let who = Who::token(&admin_token(folder.path()));
    let (mut child, page) = serve(folder.path());
    let server = Running::elsewhere(address(&page), page, folder);
    let job = server.job(&who, form);
    let id = job["id"].as_str().unwrap();
    let report = server.get(&format!("/api/v1/jobs/{id}/report.json"), &who);
    let report = report.text();
    child.kill().unwrap();
    child.wait().unwrap();
    (report, server.stop())
}

/// A registry that keeps texts, with a few documents.
fn registry(folder: &Path) {
    run(folder, &["registry", "init", "--retain", "text"]);
    let before = folder.join("before");
    std::fs::create_dir(&before).unwrap();
    for (name, seed) in [("old.txt", 1), ("other.txt", 9)] {
        std::fs::write(before.join(name), text(seed, 350)).unwrap();
    }
    run(folder, &["register", "before", "--set", "1999"]);
}

#[test]
fn a_scan_is_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    write_files(&folder.path().join("files"));
    let template = text(5, 60);
    std::fs::write(folder.path().join("task.txt"), &template).unwrap();
    let typed = reported(
        folder.path(),
        &[
            "scan",
            "files",
            "--top",
            "20000",
            "--threshold",
            "0.05",
            "--base",
            "task.txt",
        ],
    );
    let form = form("pairwise").field("threshold", "0.05");
    let form = form.part("template", "task.txt", template.as_bytes());
    let (sent, _folder) = sent(folder, &form);
    assert!(typed.contains("\"pairs\": [\n    {"), "{typed}");
    assert_eq!(sent, typed);
}

#[test]
fn a_verification_is_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    registry(folder.path());
    write_files(&folder.path().join("files"));
    let arguments = [
        "verify",
        "files",
        "--set",
        "2026",
        "--submitter",
        "eva",
        "--id-prefix",
        "2026/eva/",
    ];
    let typed = reported(folder.path(), &arguments);
    let form = form("verify")
        .field("set", "2026")
        .field("submitter", "eva");
    let (sent, _folder) = sent(folder, &form);
    assert!(typed.contains("registry:old.txt"), "{typed}");
    assert_eq!(sent, typed);
}

#[test]
fn a_registration_is_the_same_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    registry(folder.path());
    write_files(&folder.path().join("files"));
    // The same registry for both, so that each finds what was there before.
    let other = tempfile::tempdir().unwrap();
    let copied = other.path().join("registry");
    run(
        folder.path(),
        &["registry", "backup", copied.to_str().unwrap()],
    );
    std::fs::copy(folder.path().join("registry/key"), copied.join("key")).unwrap();
    let arguments = [
        "register",
        "files",
        "--json",
        "--set",
        "2026",
        "--submitter",
        "eva",
        "--id-prefix",
        "2026/eva/",
    ];
    write_files(&other.path().join("files"));
    let typed = run(other.path(), &arguments);
    let form = form("register")
        .field("set", "2026")
        .field("submitter", "eva");
    let (sent, folder) = sent(folder, &form);
    assert!(
        typed.contains("\"schema\": \"cento.register/1\""),
        "{typed}"
    );
    assert!(typed.contains("\"pairs\": 6"), "{typed}");
    assert_eq!(sent, typed);
    // And what both registered is the same.
    let list = |folder: &Path| {
        let listed = run(folder, &["registry", "list", "--json"]);
        let lines = listed.lines();
        let without_time = lines.map(|line| {
            let mut entry: serde_json::Value = serde_json::from_str(line).unwrap();
            entry["registered"] = serde_json::Value::Null;
            entry
        });
        without_time.collect::<Vec<_>>()
    };
    assert_eq!(list(folder.path()), list(other.path()));
}
